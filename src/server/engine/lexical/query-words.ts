/** The words of a query, and the terms of an index each stands for. */
import type { Steps } from '../steps.ts';
import { queryWords } from '../text/analyzer.ts';
import { stopWords } from '../text/stop-words.ts';
import type { NearWord, NearWords, WordPlan } from '../types.ts';
import { ExactTerms } from './exact-terms.ts';
import type { TermDictionary } from './term-dictionary.ts';
import { type Neighbour, neighbourOf, typoNeighbours } from './variants.ts';

/** A query of up to this many words wants all of them; its last word is being typed. */
export const shortWordsMax = 3;
/** Distinct words of a query that are used; a longer text is no query. */
const queryWordsMax = 512;

export interface QueryWord {
  text: string;
  /** Times it stands in the query. */
  count: number;
  exact: ExactTerms;
  /** Words a typo or two away, nearest first. */
  neighbours: Neighbour[];
}

/** Distinct words without stop words, unless there is nothing else. */
export function wordsOfQuery(text: string, hasPrefix: boolean): WordPlan[] {
  const all = queryWords(text);
  const telling = all.filter((word) => !stopWords.has(word));
  const used = telling.length > 0 ? telling : all;
  const words = new Map<string, WordPlan>();
  for (const each of used) {
    const known = words.get(each);
    if (known !== undefined) known.count += 1;
    else if (words.size < queryWordsMax)
      words.set(each, { text: each, count: 1, isPrefix: false, neighbours: [] });
  }
  const unfinished = hasPrefix && !/[.?!。]\s*$/.test(text) ? words.get(used.at(-1) ?? '') : undefined;
  // The last word of a sentence is whole if it exists; that of a short query is being typed.
  if (unfinished !== undefined) unfinished.isPrefix = words.size <= shortWordsMax ? true : null;
  return [...words.values()];
}

/** What the words of a plan stand for in one index. */
export function* wordsIn(dictionary: TermDictionary, words: WordPlan[]): Steps<QueryWord[]> {
  const all: QueryWord[] = [];
  for (const { text, count, isPrefix, neighbours } of words) {
    const isBeginning = isPrefix ?? dictionary.findWord(text) < 0;
    const exact = isBeginning
      ? yield* ExactTerms.beginningWith(dictionary, text)
      : ExactTerms.of(dictionary, text);
    const near = neighbours.map((neighbour) => neighbourOf(dictionary, neighbour));
    all.push({ text, count, exact, neighbours: near.filter(({ term }) => term >= 0 && !exact.has(term)) });
  }
  return all;
}

/** Typo neighbours in one index, without those that the word stands for already. */
export function* nearWordsIn(
  dictionary: TermDictionary,
  { text, exact }: QueryWord,
  limits: { typosMax: number; isWide: boolean },
): Steps<NearWords> {
  const { near, wide } = yield* typoNeighbours(dictionary, text, limits);
  const isOther = ({ word }: NearWord) => !exact.has(dictionary.termForQuery(word));
  return { near: near.filter(isOther), wide: wide.filter(isOther) };
}
