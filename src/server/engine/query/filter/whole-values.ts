import { type Steps, stepUnits } from '../../steps.ts';
import { fold, stableBeginning } from '../../text/fold.ts';
import type { WorkBudget } from '../../work-budget.ts';
import type { Dictionary } from '../columns/dictionary.ts';
import type { Field } from '../columns/field.ts';
import { PrefixSet } from './prefix-set.ts';
import type { TextCondition, Whole } from './text-condition.ts';

/** Codes of a field's dictionary that match one whole value or beginning. */
interface WholeCodes {
  sure: number[];
  /** Long texts that begin so; columns do not know how they go on. */
  maybe: number[];
}

/** To fold a text of the dictionary. */
const foldedUnits = 256;

const keyOf = ({ folded, isPrefix }: Whole): string => `${isPrefix ? '*' : '='}${folded}`;

/**
 * Which values of a field's dictionary are a whole value, or begin with it. Equal short texts are found by their hash; beginnings and long texts
 * by one walk over the dictionary for all conditions of a filter on the field.
 */
export class WholeValues {
  readonly #wanted = new Map<Field, Map<string, Whole>>();
  readonly #walked = new Map<Field, Map<string, WholeCodes>>();
  readonly #budget: WorkBudget;

  constructor(conditions: Iterable<TextCondition>, budget: WorkBudget) {
    this.#budget = budget;
    for (const { field, wholes } of conditions) {
      const wanted = this.#wanted.get(field) ?? new Map<string, Whole>();
      this.#wanted.set(field, wanted);
      for (const whole of wholes) wanted.set(keyOf(whole), whole);
    }
  }

  *codesOf(field: Field, whole: Whole): Steps<WholeCodes> {
    const walked = this.#walked.get(field) ?? (yield* this.#walk(field));
    const { sure, maybe } = walked.get(keyOf(whole)) ?? { sure: [], maybe: [] };
    if (whole.isPrefix) return { sure, maybe };
    const equal: number[] = [];
    field.dictionary.eachFolded(whole.folded, (code) => {
      equal.push(code);
    });
    return { sure: equal, maybe };
  }

  *#walk(field: Field): Steps<Map<string, WholeCodes>> {
    const { dictionary } = field;
    const walk = new Walk([...(this.#wanted.get(field)?.values() ?? [])], this.#budget);
    this.#walked.set(field, walk.codes);
    if (!walk.hasBeginnings && dictionary.longCount === 0) return walk.codes;
    for (let from = 0; from < dictionary.size; from += stepUnits / 4) {
      const to = Math.min(dictionary.size, from + stepUnits / 4);
      for (let code = from; code < to; code += 1) walk.take(code, dictionary);
      yield;
    }
    return walk.codes;
  }
}

class Walk {
  readonly codes = new Map<string, WholeCodes>();
  readonly hasBeginnings: boolean;
  readonly #beginnings: PrefixSet;
  readonly #wholes: Whole[];
  /** By length: what is wanted by its own beginning of that length. */
  readonly #byHead = new Map<number, Map<string, Whole[]>>();
  readonly #budget: WorkBudget;
  readonly #begun = new Set<string>();

  constructor(wholes: Whole[], budget: WorkBudget) {
    this.#wholes = wholes;
    this.#budget = budget;
    const beginnings = wholes.filter(({ isPrefix }) => isPrefix);
    this.#beginnings = new PrefixSet(beginnings.map(({ folded }) => folded));
    this.hasBeginnings = beginnings.length > 0;
    for (const whole of wholes) this.codes.set(keyOf(whole), { sure: [], maybe: [] });
  }

  take(code: number, dictionary: Dictionary): void {
    const isLong = dictionary.isLong(code);
    if (!isLong && !this.hasBeginnings) return;
    const text = dictionary.textOf(code);
    const folded = isLong ? stableBeginning(text) : fold(text);
    this.#begun.clear();
    this.#beginnings.addBegun(folded, this.#begun);
    this.#budget.spend(foldedUnits + this.#begun.size);
    for (const beginning of this.#begun)
      this.codes.get(keyOf({ folded: beginning, isPrefix: true }))?.sure.push(code);
    if (!isLong) return;
    const longer = this.#withHead(folded);
    this.#budget.spend(longer.length);
    for (const whole of longer) {
      // Equal to all that is known of the text, a beginning has been counted.
      if (!whole.isPrefix || whole.folded !== folded) this.codes.get(keyOf(whole))?.maybe.push(code);
    }
  }

  /** What is wanted and begins with `head`. */
  #withHead(head: string): Whole[] {
    let heads = this.#byHead.get(head.length);
    if (heads === undefined) {
      heads = byBeginning(this.#wholes, head.length);
      this.#byHead.set(head.length, heads);
    }
    return heads.get(head) ?? [];
  }
}

/** Those that are so long, by their first `length` units. */
function byBeginning(wholes: Whole[], length: number): Map<string, Whole[]> {
  const groups = new Map<string, Whole[]>();
  for (const whole of wholes) {
    if (whole.folded.length < length) continue;
    const beginning = whole.folded.slice(0, length);
    const group = groups.get(beginning);
    if (group === undefined) groups.set(beginning, [whole]);
    else group.push(whole);
  }
  return groups;
}
