/** The words of a query and the terms each stands for. Searching adds typo neighbours where the words as typed find too little. */
import { queryWords } from '../text/analyzer.ts';
import { stopWords } from '../text/stop-words.ts';
import type { TermDictionary } from './term-dictionary.ts';
import { exactVariants, type Neighbour, typoNeighbours } from './variants.ts';

/** A query of up to this many words wants all of them; its last word is being typed. */
export const shortWordsMax = 3;
/** Distinct words of a query that are used; a longer text is no query. */
const queryWordsMax = 512;

export interface QueryWord {
  text: string;
  /** Times it stands in the query. */
  count: number;
  /** Its own term first, then those of words it begins: share by term. */
  exact: Map<number, number>;
  /** Words a typo or two away, nearest first; empty until they are looked for. */
  neighbours: Neighbour[];
}

/** Distinct words without stop words, unless there is nothing else. */
export function wordsOfQuery(text: string, dictionary: TermDictionary, hasPrefix: boolean): QueryWord[] {
  const all = queryWords(text);
  const telling = all.filter((word) => !stopWords.has(word));
  const used = telling.length > 0 ? telling : all;
  const words = new Map<string, QueryWord>();
  for (const each of used) {
    const known = words.get(each);
    if (known !== undefined) known.count += 1;
    else if (words.size < queryWordsMax)
      words.set(each, { text: each, count: 1, exact: new Map(), neighbours: [] });
  }
  const unfinished = hasPrefix && !/[.?!。]\s*$/.test(text) ? used.at(-1) : undefined;
  for (const word of words.values()) {
    // The last word of a sentence is whole if it exists; that of a short query is being typed.
    const isPrefix =
      word.text === unfinished && (words.size <= shortWordsMax || dictionary.findWord(word.text) < 0);
    word.exact = exactVariants(dictionary, word.text, isPrefix);
  }
  return [...words.values()];
}

/** Looks for typo neighbours that the word does not stand for already. Whether there are any. */
export function addNeighbours(
  word: QueryWord,
  dictionary: TermDictionary,
  limits: { typosMax: number; isWide: boolean },
): boolean {
  word.neighbours = typoNeighbours(dictionary, word.text, limits).filter(({ term }) => !word.exact.has(term));
  return word.neighbours.length > 0;
}
