import { Bitset } from '../../bits/bitset.ts';
import { sortAscending } from '../../bits/sort-steps.ts';
import type { LexicalIndex } from '../../lexical/lexical-index.ts';
import { ordinalOf } from '../../lexical/postings.ts';
import type { TermDictionary } from '../../lexical/term-dictionary.ts';
import { type Steps, stepUnits } from '../../steps.ts';
import type { WorkBudget } from '../../work-budget.ts';

/** Units of work to take in a posting. */
const postingUnits = 8;

interface WordMatches {
  /** Documents that hold the words. */
  sure: Bitset;
  /** Those and the ones that may. */
  possible: Bitset;
}

/**
 * Documents whose field holds all the words, the last as a beginning where `isPrefix`, as the inverted index knows. It has words by their
 * stem: where all living words of the stem are wanted, a posting tells; else it only names documents that may hold the word. Dead documents may
 * be among them, and several words of a list may stand in several of its texts. Costs the postings read.
 */
export function* wordMatches(
  lexical: LexicalIndex,
  path: string,
  { words, isPrefix, budget }: { words: string[]; isPrefix: boolean; budget: WorkBudget },
): Steps<WordMatches> {
  const field = lexical.fieldNumber(path);
  const found: WordMatches = { sure: new Bitset(0), possible: new Bitset(0) };
  if (field < 0) return found;
  for (const [i, word] of words.entries()) {
    const isBeginning = isPrefix && i === words.length - 1;
    const { dictionary } = lexical;
    const wanted = isBeginning ? yield* dictionary.wordsFrom(word) : [dictionary.findWord(word)];
    const one = yield* documentsWith(lexical, field, { wanted, budget });
    if (i === 0) Object.assign(found, one);
    else {
      found.sure.and(one.sure);
      found.possible.and(one.possible);
    }
    if (found.possible.isEmpty()) break;
  }
  return found;
}

function* documentsWith(
  lexical: LexicalIndex,
  field: number,
  { wanted, budget }: { wanted: number[]; budget: WorkBudget },
): Steps<WordMatches> {
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
    const isTold = !isShared && wordCount === dictionary.livingWordsOf(term);
    for (let list = postings.listOf(term); list >= 0; list = postings.nextList(list)) {
      units += 1;
      budget.spend(1);
      if (postings.fieldOf(list) !== field) continue;
      const read = postings.read(list);
      budget.spend(read.length * postingUnits);
      // All at once: the view is overwritten by whatever reads next.
      addAll(read, isTold ? found.sure : found.possible);
      units += read.length;
    }
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

function addAll(postings: Uint32Array, into: Bitset): void {
  for (let i = 0; i < postings.length; i += 1) into.add(ordinalOf(postings[i] ?? 0));
}
