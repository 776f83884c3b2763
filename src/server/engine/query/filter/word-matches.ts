import { Bitset } from '../../bits/bitset.ts';
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
    const wanted = isBeginning ? dictionary.wordsFrom(word) : [dictionary.findWord(word)];
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
  for (const [term, wordCount] of countTerms(dictionary, wanted)) {
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

/** How many of the words each term has. */
function countTerms(dictionary: TermDictionary, words: number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const word of words) {
    if (word < 0) continue;
    const term = dictionary.termOf(word);
    counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return counts;
}

function addAll(postings: Uint32Array, into: Bitset): void {
  for (let i = 0; i < postings.length; i += 1) into.add(ordinalOf(postings[i] ?? 0));
}
