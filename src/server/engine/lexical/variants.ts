/**
 * What a word of a query stands for: its own term, and the terms of words that begin with it or differ by typos, each with the share of its
 * frequency that counts. Shares are small enough that a document with the word itself comes before one of the same length with a variant.
 */
import { compareBytes } from '../memory/bytes.ts';
import type { TermDictionary } from './term-dictionary.ts';
import { lettersOf, TypoMatcher, typosAllowed } from './typos.ts';

const PREFIX_SHARE = 0.2;
const TYPO_SHARES = [1, 0.1, 0.05];
/** Typo neighbours that take part: the nearest, then those most documents hold. */
const neighboursMax = 32;

export interface Variants {
  /** Share by term. */
  shares: Map<number, number>;
  /** The words themselves, for suggestions: nearest first. */
  neighbours: string[];
}

/** How much a word counts whose nearest variant in the documents has this share: a guess at a typo weighs half. */
export function certaintyOf(share: number): number {
  return share >= PREFIX_SHARE ? 1 : 0.5;
}

/** The word and, with `isPrefix`, all it begins. */
export function exactVariants(dictionary: TermDictionary, word: string, isPrefix: boolean): Variants {
  const shares = new Map<number, number>();
  const term = dictionary.termForQuery(word);
  if (term >= 0) shares.set(term, 1);
  if (isPrefix) {
    for (const longer of dictionary.wordsFrom(word))
      addShare(shares, dictionary.termOf(longer), PREFIX_SHARE);
  }
  return { shares, neighbours: [] };
}

/** Words within the typos allowed for the word's length and `typosMax`. */
export function typoVariants(dictionary: TermDictionary, word: string, typosMax: number): Variants {
  const most = typosAllowed(word, typosMax);
  const found = most === 0 ? [] : nearWords(dictionary, word, most);
  const shares = new Map<number, number>();
  for (const { id, distance } of found) addShare(shares, dictionary.termOf(id), TYPO_SHARES[distance] ?? 0);
  return { shares, neighbours: found.map(({ id }) => dictionary.textOf(id)) };
}

export function addShare(shares: Map<number, number>, term: number, share: number): void {
  shares.set(term, Math.max(shares.get(term) ?? 0, share));
}

function nearWords(dictionary: TermDictionary, word: string, most: number) {
  const matcher = new TypoMatcher(word, most);
  const found: { id: number; distance: number }[] = [];
  for (const id of dictionary.wordsLike(word, 2 * most, most)) {
    const bytes = dictionary.bytesOf(id);
    const distance = matcher.distanceTo(isAscii(bytes) ? bytes : lettersOf(dictionary.textOf(id)));
    if (distance > 0 && distance <= most) found.push({ id, distance });
  }
  found.sort(
    (a, b) =>
      a.distance - b.distance ||
      dictionary.documentsOf(b.id) - dictionary.documentsOf(a.id) ||
      compareBytes(dictionary.bytesOf(a.id), dictionary.bytesOf(b.id)),
  );
  return found.slice(0, neighboursMax);
}

function isAscii(bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i += 1) if ((bytes[i] ?? 0) > 0x7f) return false;
  return true;
}
