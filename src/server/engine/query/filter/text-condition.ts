import { runSteps, type Steps, stepUnits } from '../../steps.ts';
import { tokenize } from '../../text/analyzer.ts';
import { fold } from '../../text/fold.ts';
import type { WordRules } from '../../text/word-rules.ts';
import type { WorkBudget } from '../../work-budget.ts';
import { parseDateSpan } from '../columns/calendar.ts';
import type { Field } from '../columns/field.ts';
import type { FilterClause } from './filter-ast.ts';
import { PrefixSet } from './prefix-set.ts';
import type { ReadText } from './stored-texts.ts';

/** A whole value, folded, or the beginning of one. */
export interface Whole {
  folded: string;
  isPrefix: boolean;
}

export interface Words {
  words: string[];
  /** The last word is a beginning. */
  isPrefix: boolean;
  /** Reads as a date: values that are dates have been answered by the date column. */
  isDate: boolean;
}

/** Beyond this many operands a text's words are looked up among them, not they in the text. */
const soughtMax = 8;
/** Words looked up without a pause, and texts asked. */
const lookedUpMax = stepUnits / 2;
const askedMax = 256;
/** UTF-16 units of a text that takes long to read. */
const longUnits = 65_536;

/** What one condition asks of the texts of a field: any of its operands must match one of them. */
export class TextCondition {
  readonly field: Field;
  readonly wholes: Whole[] = [];
  readonly words: Words[] = [];
  readonly #equal: ReadonlySet<string>;
  readonly #beginnings: PrefixSet;
  readonly #wholeUnitsMax: number;
  readonly #byFirstWord = new Map<string, Words[]>();
  readonly #prefixed: Words[];
  readonly #wordBeginnings: PrefixSet;
  // What was found out in steps: about long texts, and about all of a field's texts in a document.
  readonly #answers = new WeakMap<ReadText, boolean>();
  readonly #held = new WeakMap<readonly ReadText[], boolean>();

  constructor(field: Field, clause: Extract<FilterClause, { kind: 'match' }>, rules: WordRules) {
    this.field = field;
    for (const operand of clause.operands) {
      if (operand.kind === 'range') continue;
      const { isPrefix, value } = operand;
      // A declared date is compared as a date; only prefixes look at how it was written.
      if (field.declared === 'date' && !isPrefix) continue;
      // Without words it is the whole value that counts.
      const words = clause.operator === ':' ? tokenize(value.text, rules).map(({ token }) => token) : [];
      if (words.length === 0) this.wholes.push({ folded: fold(value.text), isPrefix });
      else {
        const isDate = !isPrefix && field.dates !== null && parseDateSpan(value.text) !== null;
        this.words.push({ words, isPrefix, isDate });
      }
    }
    const beginnings = this.wholes.filter(({ isPrefix }) => isPrefix);
    this.#equal = new Set(this.wholes.filter(({ isPrefix }) => !isPrefix).map(({ folded }) => folded));
    this.#beginnings = new PrefixSet(beginnings.map(({ folded }) => folded));
    this.#wholeUnitsMax = Math.max(0, ...this.wholes.map(({ folded }) => folded.length));
    this.#prefixed = this.words.filter(({ isPrefix }) => isPrefix);
    this.#wordBeginnings = new PrefixSet(this.#prefixed.map(lastOf));
    for (const each of this.words) if (!each.isPrefix) this.#index(each);
  }

  get asksAnything(): boolean {
    return this.wholes.length + this.words.length > 0;
  }

  /** Finds out in steps what `holds` would take long for, of many or long texts. */
  *prepare(texts: readonly ReadText[], budget: WorkBudget): Steps<void> {
    let isHeld = false;
    let asked = 0;
    for (const text of texts) {
      if (text.text.length > longUnits) yield* this.#read(text, budget);
      isHeld = this.#holdsOne(text, budget);
      if (isHeld) break;
      asked += 1;
      if (asked % askedMax === 0) yield;
    }
    this.#held.set(texts, isHeld);
  }

  /** Short texts that match as a whole are known from the dictionary and not asked about again. */
  holds(texts: readonly ReadText[], budget: WorkBudget): boolean {
    return this.#held.get(texts) ?? texts.some((text) => this.#holdsOne(text, budget));
  }

  #holdsOne(text: ReadText, budget: WorkBudget): boolean {
    return (text.isLong && this.#isWhole(text)) || this.#hasWords(text, budget);
  }

  /** So that what it is asked is at hand. */
  *#read(text: ReadText, budget: WorkBudget): Steps<void> {
    if (this.words.length > soughtMax) {
      yield* text.readWords();
      this.#answers.set(text, yield* this.#hasOneOfMany(text, budget));
      return;
    }
    for (const { words, isPrefix } of this.words) {
      for (const [i, word] of words.entries()) yield* text.find(word, isPrefix && i === words.length - 1);
    }
  }

  #index(operand: Words): void {
    const [first = ''] = operand.words;
    const same = this.#byFirstWord.get(first);
    if (same === undefined) this.#byFirstWord.set(first, [operand]);
    else same.push(operand);
  }

  #isWhole(text: ReadText): boolean {
    if (this.wholes.length === 0) return false;
    const { folded, isWhole } = text.folded(this.#wholeUnitsMax);
    return (isWhole && this.#equal.has(folded)) || this.#beginnings.isBegun(folded);
  }

  #hasWords(text: ReadText, budget: WorkBudget): boolean {
    if (this.words.length <= soughtMax) return this.words.some((operand) => hasOne(text, operand));
    return this.#answers.get(text) ?? runSteps(this.#hasOneOfMany(text, budget));
  }

  *#hasOneOfMany(text: ReadText, budget: WorkBudget): Steps<boolean> {
    const begun = new Set<string>();
    let seen = 0;
    for (const word of text.words()) {
      seen += 1;
      if (seen % lookedUpMax === 0) yield;
      for (const operand of this.#byFirstWord.get(word) ?? []) {
        budget.spend(operand.words.length);
        if (hasOne(text, operand)) return true;
      }
      this.#wordBeginnings.addBegun(word, begun);
    }
    if (begun.size === 0) return false;
    budget.spend(this.#prefixed.length);
    return this.#prefixed.some(
      (operand) => begun.has(lastOf(operand)) && hasAll(text, operand.words.slice(0, -1)),
    );
  }
}

const lastOf = ({ words }: Words): string => words.at(-1) ?? '';

const hasAll = (text: ReadText, words: string[]): boolean => words.every((word) => text.has(word));

function hasOne(text: ReadText, operand: Words): boolean {
  if (operand.isPrefix) return hasAll(text, operand.words.slice(0, -1)) && text.begins(lastOf(operand));
  return !(operand.isDate && text.isDate) && hasAll(text, operand.words);
}
