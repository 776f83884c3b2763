/**
 * What a word of a query stands for beside its own term: the terms of words that begin with it or differ by typos, each with a share of its
 * frequency that counts (`Ranking`). By default a document with the word itself comes before one of the same length with a variant.
 */
import { compareBytes } from '../memory/bytes.ts';
import type { NearWord, NearWords } from '../merged-types.ts';
import type { Steps } from '../steps.ts';
import type { Ranking } from '../types.ts';
import type { TermDictionary } from './term-dictionary.ts';
import { TypoMatcher, typosAllowed, typosAtMost } from './typos.ts';
import { WordLetters } from './word-letters.ts';

/** Typo neighbours that take part: the nearest, then those most documents hold. */
export const neighboursMax = 100;

export interface Neighbour {
  word: string;
  term: number;
  /** Typos between it and the word as typed: 1 or 2. */
  distance: number;
}

/** What a word counts as: a term, or several in a row. */
export interface SynonymTerms {
  terms: number[];
  /** The word written otherwise, not a synonym that somebody has named. */
  isBreak: boolean;
  /** Where it stands, the word itself or another of its synonyms stands too and counts: it is marked, and adds nothing. */
  holdsAnother: boolean;
}

/** A text that holds a word in two is at most twice as long as with it in one. So at any `b` of BM25 the text with the words as typed does not come behind. */
const breakShare = 0.5;

/** Those whose occurrences count, so that "cell phone" is not twice the "phone" of "mobile phone". */
export function countedSynonyms(synonyms: readonly SynonymTerms[]): SynonymTerms[] {
  return synonyms.filter(({ holdsAnother }) => !holdsAnother);
}

export function synonymShareOf({ isBreak }: SynonymTerms, { synonymShare }: Ranking): number {
  return isBreak ? breakShare : shareInSteps(synonymShare);
}

/** A share to the nearest 1/1024: sums of such shares are exact, so that they do not depend on the order of the terms. */
export function shareInSteps(share: number): number {
  return Math.round(share * 1024) / 1024;
}

/** A neighbour as it stands in one index; its term is −1 where no document has it. */
export function neighbourOf(dictionary: TermDictionary, { word, distance }: NearWord): Neighbour {
  return { word, term: dictionary.termForQuery(word), distance };
}

/**
 * Words within the typos allowed for the word's length and `typosMax`, stop words left out; if there are none and `isWide`, those within
 * the wider limits. Nearest first, then those that more documents hold.
 */
export function* typoNeighbours(
  dictionary: TermDictionary,
  word: string,
  { typosMax, isWide }: { typosMax: number; isWide: boolean },
): Steps<NearWords> {
  const most = typosAllowed(word, typosMax);
  const widest = isWide ? typosAtMost(word, typosMax) : most;
  const near = most === 0 ? [] : yield* nearWords(dictionary, word, most);
  const wide = near.length === 0 && widest > most ? yield* nearWords(dictionary, word, widest) : [];
  return { near, wide };
}

/** Bytes of all words that are kept with their neighbours, of one and of each neighbour: about what its object and text take. */
const keptBytesMax = 1 << 18;
const keptBytes = 128;

/** Kept for the next search: the words of queries, and so their typos, come again and again. */
function* nearWords(dictionary: TermDictionary, word: string, most: number): Steps<readonly NearWord[]> {
  const key = `${most} ${word}`;
  const known = dictionary.nearWords.get(key);
  if (known !== undefined) return known.near;
  const near = yield* foundNear(dictionary, word, most);
  dictionary.nearWords.put(key, { near, bytes: keptBytes * (1 + near.length) }, keptBytesMax);
  return near;
}

function* foundNear(dictionary: TermDictionary, word: string, most: number): Steps<NearWord[]> {
  const { stopWords } = dictionary.analyzer;
  const matcher = new TypoMatcher(word, most);
  const found: { id: number; distance: number }[] = [];
  const candidate = new WordLetters(dictionary);
  const candidates = yield* dictionary.wordsLike(word, most);
  for (const [place, id] of candidates.entries()) {
    if (place % comparedMax === comparedMax - 1) yield;
    candidate.read(id);
    const distance = matcher.distanceTo(candidate.letters, candidate.count);
    if (distance > 0 && distance <= most && !stopWords.has(dictionary.textOf(id)))
      found.push({ id, distance });
  }
  found.sort(
    (a, b) =>
      a.distance - b.distance ||
      dictionary.documentsOf(b.id) - dictionary.documentsOf(a.id) ||
      compareBytes(dictionary.bytesOf(a.id), dictionary.bytesOf(b.id)),
  );
  return found.slice(0, neighboursMax).map(({ id, distance }) => ({
    word: dictionary.textOf(id),
    distance,
    documents: dictionary.documentsOf(id),
  }));
}

/** Words compared letter by letter without a pause. */
const comparedMax = 512;
