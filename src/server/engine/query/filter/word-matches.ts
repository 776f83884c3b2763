import { Bitset } from '../../bits/bitset.ts';
import { sortAscending } from '../../bits/sort-steps.ts';
import type { LexicalIndex } from '../../lexical/lexical-index.ts';
import { visitBlocks } from '../../lexical/posting-cursor.ts';
import type { Postings } from '../../lexical/postings.ts';
import type { TermDictionary } from '../../lexical/term-dictionary.ts';
import { allWanted, type Telling, tellingOf, told } from '../../lexical/term-marks.ts';
import { type Steps, stepUnits } from '../../steps.ts';
import type { WorkBudget } from '../../work-budget.ts';
import type { TextCondition, Words } from './text-condition.ts';

/** Units of work to take in a posting. */
const postingUnits = 8;

/** Strings that are looked at to tell of a term which of its holders hold a wanted word: to read one of these costs as much as a hundred of them. */
const fewStrings = 64;
const stringsPerHolder = 16;

/** What all words that a filter asks for often keep together; beyond it they are read again. */
const keptBytesMax = 1 << 24;

interface Matches {
  /** Documents that hold the words. */
  sure: Bitset;
  /** Those and the ones that may. */
  possible: Bitset;
}

interface AskedWord {
  word: string;
  isBeginning: boolean;
}

/**
 * Documents whose field holds all the words of an operand, as the inverted index knows. It has words by their stem, and marks beside each posting tell which words of the stem it is of:
 * a document may hold the word where a word of the stem that is not wanted has the same mark. Dead documents may be among them, and several
 * words of a list may stand in several of its texts. Costs the postings read: those of a word that several operands of a filter name once,
 * and none where a rarer word of the same operand rules all documents out.
 */
export class WordMatches {
  readonly #lexical: LexicalIndex;
  readonly #budget: WorkBudget;
  /** How many operands name a word of a field. */
  readonly #asked = new Map<string, number>();
  readonly #kept = new Map<string, Matches>();
  #keptBytes = 0;

  constructor(lexical: LexicalIndex, conditions: Iterable<TextCondition>, budget: WorkBudget) {
    this.#lexical = lexical;
    this.#budget = budget;
    for (const { field, words } of conditions) {
      for (const operand of words) {
        for (const asked of wordsOf(operand)) {
          const key = keyOf(field.path, asked);
          this.#asked.set(key, (this.#asked.get(key) ?? 0) + 1);
        }
      }
    }
  }

  /** New sets. */
  *of(path: string, operand: Pick<Words, 'words' | 'isPrefix'>): Steps<Matches> {
    let found: Matches | null = null;
    for (const asked of this.#rarestFirst(operand)) {
      const having = yield* this.#having(path, asked);
      if (found === null) found = { sure: having.sure.clone(), possible: having.possible.clone() };
      else {
        found.sure.and(having.sure);
        found.possible.and(having.possible);
      }
      if (found.possible.isEmpty()) break;
    }
    return found ?? { sure: new Bitset(0), possible: new Bitset(0) };
  }

  /** A beginning stands for many words: it comes last. */
  #rarestFirst(operand: Pick<Words, 'words' | 'isPrefix'>): AskedWord[] {
    const asked = wordsOf(operand);
    if (asked.length < 2) return asked;
    const documents = asked.map(({ word, isBeginning }) =>
      isBeginning ? Number.POSITIVE_INFINITY : this.#documentsWith(word),
    );
    return [...asked.keys()]
      .sort((a, b) => (documents[a] ?? 0) - (documents[b] ?? 0))
      .flatMap((i) => asked[i] ?? []);
  }

  /** In any field. */
  #documentsWith(word: string): number {
    const { dictionary } = this.#lexical;
    const known = dictionary.findWord(word);
    return known < 0 ? 0 : dictionary.documentsOf(known);
  }

  *#having(path: string, asked: AskedWord): Steps<Matches> {
    const key = keyOf(path, asked);
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const { dictionary } = this.#lexical;
    const field = this.#lexical.fieldNumber(path);
    if (field < 0) return { sure: new Bitset(0), possible: new Bitset(0) };
    const { word, isBeginning } = asked;
    const wanted = isBeginning ? yield* dictionary.wordsFrom(word) : [dictionary.findWord(word)];
    const [only] = wanted;
    const isWanted = isBeginning
      ? (each: number) => dictionary.textOf(each).startsWith(word)
      : (each: number) => each === only;
    const matches = yield* documentsWith(this.#lexical, field, { wanted, isWanted, budget: this.#budget });
    const bytes = matches.sure.words.byteLength + matches.possible.words.byteLength;
    if ((this.#asked.get(key) ?? 0) > 1 && this.#keptBytes + bytes <= keptBytesMax) {
      this.#kept.set(key, matches);
      this.#keptBytes += bytes;
    }
    return matches;
  }
}

const keyOf = (path: string, { word, isBeginning }: AskedWord): string =>
  `${isBeginning ? '*' : '='}${word} ${path}`;

function wordsOf({ words, isPrefix }: Pick<Words, 'words' | 'isPrefix'>): AskedWord[] {
  return words.map((word, i) => ({ word, isBeginning: isPrefix && i === words.length - 1 }));
}

function* documentsWith(
  lexical: LexicalIndex,
  field: number,
  { wanted, isWanted, budget }: { wanted: number[]; isWanted: (word: number) => boolean; budget: WorkBudget },
): Steps<Matches> {
  const { dictionary, postings } = lexical;
  const isShared = lexical.fieldNamed(field) === null;
  const found = { sure: new Bitset(0), possible: new Bitset(0) };
  budget.spend(wanted.length);
  let units = 0;
  const terms = yield* termsOf(dictionary, wanted);
  for (let place = 0; place < terms.length; ) {
    const term = terms[place] ?? 0;
    const wordCount = timesAt(terms, place);
    place += wordCount;
    units += wordCount;
    const list = postings.listOf(term);
    if (list < 0) continue;
    const isWhole = wordCount === dictionary.livingWordsOf(term);
    const spend = (read: number) => budget.spend(read);
    const holders = postings.lengthOf(list);
    const stringsMax = fewStrings + holders * stringsPerHolder;
    const telling = isWhole ? allWanted : yield* tellingOf(dictionary, term, { isWanted, spend, stringsMax });
    budget.spend(1 + holders * postingUnits);
    units += 1;
    const isUnmarkedTold = isWhole && dictionary.others.heldOf(term) === 0;
    yield* addHolders(postings, { list, field, telling, isShared, isUnmarkedTold }, found);
    if (units < stepUnits) continue;
    units = 0;
    yield;
  }
  found.possible.or(found.sure);
  return found;
}

/** The term of each word, in order: those of several words stand there several times. A map of a million would grow in one go. */
function* termsOf(dictionary: TermDictionary, words: number[]): Steps<Int32Array> {
  const terms = new Int32Array(words.length);
  let count = 0;
  for (const [i, word] of words.entries()) {
    if (word >= 0) {
      terms[count] = dictionary.termOf(word);
      count += 1;
    }
    if ((i + 1) % stepUnits === 0) yield;
  }
  const sorted = terms.subarray(0, count);
  yield* sortAscending(sorted);
  return sorted;
}

/** How often the number at a place stands there from it on. */
function timesAt(sorted: Int32Array, place: number): number {
  let end = place + 1;
  while (end < sorted.length && sorted[end] === sorted[place]) end += 1;
  return end - place;
}

interface Sought {
  list: number;
  field: number;
  telling: Telling;
  /** Several fields have the number: which of them holds a word, nothing tells. */
  isShared: boolean;
  /** Whether all that hold the term in the field hold a wanted word, so that no mark is needed. */
  isUnmarkedTold: boolean;
}

/** The documents of a list that hold, or may hold, a wanted word of its term in a field. */
function addHolders(
  postings: Postings,
  { list, field, telling, isShared, isUnmarkedTold }: Sought,
  { sure, possible }: Matches,
): Steps<void> {
  const { forms: all } = postings;
  const tell = (form: number) => {
    const marks = all.marksIn(form, field);
    if (marks < 0) return told.isNot;
    return marks === 0 && isUnmarkedTold ? told.is : (telling[marks] ?? told.may);
  };
  // Most postings share a few forms: to ask each took twice as long.
  const areMany = postings.lengthOf(list) > all.count;
  const byForm = areMany ? Uint8Array.from({ length: all.count }, (_, form) => tell(form)) : null;
  return visitBlocks(postings, list, ({ count, ordinals, forms }) => {
    for (let i = 0; i < count; i += 1) {
      const form = forms[i] ?? 0;
      const tells = byForm === null ? tell(form) : byForm[form];
      if (tells === told.is && !isShared) sure.add(ordinals[i] ?? 0);
      else if (tells !== told.isNot) possible.add(ordinals[i] ?? 0);
    }
  });
}
