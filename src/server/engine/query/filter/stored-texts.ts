import type { DocumentTable } from '../../documents/document-table.ts';
import { parseJson } from '../../documents/parse-json.ts';
import { textsByField } from '../../documents/text-fields.ts';
import { runSteps, type Steps, stepUnits } from '../../steps.ts';
import { type Analyzer, tokenParts } from '../../text/analyzer.ts';
import { foldBeginning, isAscii } from '../../text/fold.ts';
import { tokenCharactersMax, type WordRules } from '../../text/word-rules.ts';
import type { WorkBudget } from '../../work-budget.ts';
import { parseDate } from '../columns/calendar.ts';
import { Dictionary } from '../columns/dictionary.ts';
import type { Field } from '../columns/field.ts';

/** Units of work a character: to parse it, to look for a word in it, to fold it or cut it into words. */
const parsedUnits = 2;
const soughtUnits = 0.25;
const foldedUnits = 8;

/** Beyond so many questions, looking for each word in a text costs more than cutting it into words. */
const soughtMax = 8;
/** Words in one set. A set grows in one go, so those of a text of a million are in several. */
const setWordsMax = 65_536;
/** Texts of a document that are taken without a pause. */
const textsAtOnce = 1_024;
/** Of a field that are taken in one go. */
const fewTexts = 16;
/** Parts of a text cut into words without a pause. */
const partsAtOnce = 4;

/** One text that several conditions ask about: it is folded and cut into words at most once. */
export class ReadText {
  readonly text: string;
  readonly #budget: WorkBudget;
  readonly #rules: WordRules;
  readonly #isAscii: boolean;
  #lower: string | null = null;
  #words: Set<string>[] | null = null;
  /** Of a long text, what it was asked in steps. */
  #answers: Map<string, boolean> | null = null;
  #asked = 0;
  #isDate: boolean | null = null;
  #folded: { folded: string; isWhole: boolean; units: number } | null = null;

  /** `isAscii`: where that is known. */
  constructor(
    text: string,
    { budget, rules, isAscii: known }: { budget: WorkBudget; rules: WordRules; isAscii?: boolean },
  ) {
    this.text = text;
    this.#budget = budget;
    this.#rules = rules;
    this.#isAscii = known ?? isAscii(text);
  }

  get isLong(): boolean {
    return this.text.length > Dictionary.shortCharactersMax;
  }

  /** A date that columns know as one. */
  get isDate(): boolean {
    this.#isDate ??= parseDate(this.text) !== null;
    return this.#isDate;
  }

  /** Whether a folded word is one of the text's. */
  has(word: string): boolean {
    const known = this.#answers?.get(keyOf(word, false));
    if (known !== undefined) return known;
    if (this.#mayBeSought(word)) return holdsWord(this.#lowered(), word, false);
    return this.#allWords().some((words) => words.has(word));
  }

  /** Whether a word of the text begins so. */
  begins(prefix: string): boolean {
    const known = this.#answers?.get(keyOf(prefix, true));
    if (known !== undefined) return known;
    if (this.#mayBeSought(prefix)) return holdsWord(this.#lowered(), prefix, true);
    return runSteps(this.#findBeginning(prefix));
  }

  /** So that `has`, or `begins`, has the answer at hand. */
  *find(word: string, isPrefix: boolean): Steps<void> {
    const key = keyOf(word, isPrefix);
    if (this.#answers?.has(key)) return;
    let isFound: boolean;
    if (this.#mayBeSought(word)) {
      isFound = holdsWord(this.#lowered(), word, isPrefix);
      yield;
    } else {
      yield* this.readWords();
      isFound = isPrefix
        ? yield* this.#findBeginning(word)
        : this.#allWords().some((words) => words.has(word));
    }
    this.#answers ??= new Map();
    this.#answers.set(key, isFound);
  }

  *#findBeginning(prefix: string): Steps<boolean> {
    let seen = 0;
    for (const word of this.words()) {
      if (word.startsWith(prefix)) return true;
      seen += 1;
      if (seen % stepUnits === 0) yield;
    }
    return false;
  }

  /** The text's words, folded but not stemmed; of a long text some of them twice. */
  *words(): Generator<string, void, void> {
    for (const words of this.#allWords()) yield* words;
  }

  /** So that `words` has them at hand. */
  *readWords(): Steps<void> {
    if (this.#words !== null) return;
    this.#budget.spend(this.text.length * foldedUnits);
    let words = new Set<string>();
    const all = [words];
    let parts = 0;
    for (const tokens of tokenParts(this.text, this.#rules)) {
      if (words.size >= setWordsMax) {
        words = new Set();
        all.push(words);
      }
      for (const token of tokens) words.add(token);
      parts += 1;
      if (parts % partsAtOnce === 0) yield;
    }
    this.#words = all;
  }

  #allWords(): readonly Set<string>[] {
    if (this.#words === null) runSteps(this.readWords());
    return this.#words ?? [];
  }

  /** As `foldBeginning`. */
  folded(units: number): { folded: string; isWhole: boolean } {
    const known = this.#folded;
    if (known !== null && (known.isWhole || known.units >= units)) return known;
    this.#budget.spend(Math.min(this.text.length, units) * foldedUnits);
    this.#folded = { ...foldBeginning(this.text, units), units };
    return this.#folded;
  }

  /** The words of an ASCII text stand in it as they are, but for case; only `s` may be a possessive, which is no word. */
  #mayBeSought(word: string): boolean {
    if (this.#words !== null || !this.#isAscii || !this.#rules.isAsciiPlain || word === 's') return false;
    this.#asked += 1;
    this.#budget.spend(this.text.length * soughtUnits);
    return this.#asked <= soughtMax;
  }

  #lowered(): string {
    this.#lower ??= this.text.toLowerCase();
    return this.#lower;
  }
}

const keyOf = (word: string, isPrefix: boolean): string => `${isPrefix ? '*' : '='}${word}`;

const isWordUnit = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39);

/** Whether a word, or the beginning of one, stands in a lower-cased ASCII text. Words are cut at `tokenCharactersMax`. */
function holdsWord(lower: string, word: string, isPrefix: boolean): boolean {
  for (let at = lower.indexOf(word); at >= 0; at = lower.indexOf(word, at + 1)) {
    const isStart = at === 0 || !isWordUnit(lower.charCodeAt(at - 1));
    const end = at + word.length;
    const isEnd =
      isPrefix ||
      word.length === tokenCharactersMax ||
      end === lower.length ||
      !isWordUnit(lower.charCodeAt(end));
    if (isStart && isEnd) return true;
  }
  return false;
}

/** Where documents are read from. */
interface Source {
  documents: Pick<DocumentTable, 'sourceOf'>;
  budget: WorkBudget;
  lexical: { analyzer: Pick<Analyzer, 'words'> };
}

/** The texts of one document that conditions ask about. Its JSON is parsed once, and only if a long text is asked for. */
export class StoredTexts {
  readonly ordinal: number;
  charactersRead = 0;
  readonly #source: Source;
  /** Fields that any condition may ask about. */
  readonly #paths: readonly string[];
  readonly #read = new Map<string, ReadText[]>();
  #stored: Map<string, string[]> | null = null;

  constructor(ordinal: number, source: Source, paths: readonly string[]) {
    this.ordinal = ordinal;
    this.#source = source;
    this.#paths = paths;
  }

  of(field: Field): ReadText[] {
    return this.#read.get(field.path) ?? this.#fewShort(field) ?? runSteps(this.read(field));
  }

  /** Most documents have one text that the column has whole: a generator for each of these took longer than to look for a word in it. Null: it has others. */
  #fewShort({ path, strings, dictionary }: Field): ReadText[] | null {
    if (strings === null) return null;
    const start = strings.start(this.ordinal);
    const count = strings.end(this.ordinal) - start;
    if (count > fewTexts) return null;
    const { budget, lexical } = this.#source;
    const rules = lexical.analyzer.words;
    const read: ReadText[] = [];
    for (let place = start; place < start + count; place += 1) {
      const code = strings.values[place] ?? 0;
      if (dictionary.isLong(code)) return null;
      read.push(new ReadText(dictionary.textOf(code), { budget, rules, isAscii: dictionary.isAscii(code) }));
    }
    for (const { text } of read) this.charactersRead += text.length;
    this.#read.set(path, read);
    return read;
  }

  /** The same in steps. */
  *read(field: Field): Steps<ReadText[]> {
    const known = this.#read.get(field.path);
    if (known !== undefined) return known;
    const read: ReadText[] = [];
    const { budget, lexical } = this.#source;
    const rules = lexical.analyzer.words;
    for (const text of yield* this.#textsOf(field)) {
      read.push(new ReadText(text, { budget, rules }));
      this.charactersRead += text.length;
      if (read.length % textsAtOnce === 0) yield;
    }
    this.#read.set(field.path, read);
    return read;
  }

  /** Columns have the short ones, and the beginnings of the others. */
  *#textsOf({ path, strings, dictionary }: Field): Steps<string[]> {
    if (strings === null) return [];
    const texts: string[] = [];
    let hasLong = false;
    const end = strings.end(this.ordinal);
    for (let place = strings.start(this.ordinal); place < end; place += 1) {
      const code = strings.values[place] ?? 0;
      if (dictionary.isLong(code)) hasLong = true;
      else texts.push(dictionary.textOf(code));
      if (texts.length % textsAtOnce === textsAtOnce - 1) yield;
    }
    if (!hasLong) return texts;
    for (const text of (yield* this.#parsed()).get(path) ?? [])
      if (text.length > Dictionary.shortCharactersMax) texts.push(text);
    return texts;
  }

  *#parsed(): Steps<Map<string, string[]>> {
    if (this.#stored !== null) return this.#stored;
    const source = this.#source.documents.sourceOf(this.ordinal);
    this.#source.budget.spend(source.length * parsedUnits);
    this.charactersRead += source.length;
    const document = (yield* parseJson(source)) as Record<string, unknown>;
    this.#stored = yield* textsByField(document, this.#paths);
    return this.#stored;
  }
}
