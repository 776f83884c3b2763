/**
 * Which documents match the words of a query, and their BM25 scores. What matches is decided before any filter, so a filter can only make
 * a result smaller. A document holds a word as typed, or, the last word, as the beginning of a longer one; a word that nobody holds stands for
 * its neighbours, one typo away for sure, two perhaps.
 *
 * - `all`: every word, in any variant; `any`: at least one.
 * - `auto`: all while there are at most `shortWordsMax` words and at least `dropTokensThreshold` documents surely hold them; else the documents
 *   that cover at least `coverageShare` of the weight (idf) that the best one covers (`most`). Words that documents hold are never
 *   satisfied by a neighbour: there a typo adds little to the score, and a quarter of the word's weight to what is covered.
 * - Typos are looked for in words nobody holds; in a short query also in rare words while few documents are found, and in all but common words while
 *   none is.
 */
import { Bitset } from '../bits/bitset.ts';
import type { SearchQuery } from '../types.ts';
import type { LexicalIndex } from './lexical-index.ts';
import { ordinalOf } from './postings.ts';
import { addNeighbours, type QueryWord, shortWordsMax, wordsOfQuery } from './query-words.ts';
import { type Holders, type Scope, WordScorer } from './word-scorer.ts';

export const coverageShare = 0.4;
/** Fewer matches than this are few; a word that fewer documents hold is rare. */
const fewDocuments = 5;
/** A word that this share of the documents holds is spelt right. */
const commonShare = 0.01;

export interface KeywordMatches {
  matched: Bitset;
  /** BM25 by ordinal, 0 without any of the words; also of documents that the rule leaves out. */
  scores: Float64Array;
  rule: 'all' | 'any' | 'most' | null;
  /** Words that no match holds in any variant. */
  droppedTokens: string[];
  /** Words that matches hold only as a neighbour: the one that most of them hold. */
  correctedTokens: { from: string; to: string }[];
  /** Whether a folded word of a document is a word of the query or a variant that counted. */
  isMatch: (token: string) => boolean;
}

/** All words, scored. */
interface Tally {
  scorer: WordScorer;
  /** By word. */
  holders: Holders[];
  /** Documents that surely hold every word. */
  full: Bitset;
  fullCount: number;
}

export class KeywordSearch {
  readonly #index: LexicalIndex;
  readonly #scope: Scope;
  readonly #query: SearchQuery;

  constructor(
    index: LexicalIndex,
    { live, liveCount, capacity }: { live: Bitset; liveCount: number; capacity: number },
    query: SearchQuery,
  ) {
    this.#index = index;
    this.#query = query;
    const weights = query.fields === null ? null : index.weightsOf(query.fields);
    this.#scope = { live, liveCount, capacity, weights };
  }

  run(): KeywordMatches {
    const { text, prefix } = this.#query;
    const words = wordsOfQuery(text, this.#index.dictionary, prefix);
    const tally = this.#withTypos(words, this.#tally(words));
    const { matched, rule } = this.#decide(words, tally);
    return {
      matched,
      scores: tally.scorer.scores,
      rule: words.length === 0 ? null : rule,
      ...this.#report(words, tally, matched),
      isMatch: this.#matcherOf(words),
    };
  }

  #tally(words: QueryWord[]): Tally {
    const scorer = new WordScorer(this.#index, this.#scope);
    const holders = words.map((word) => scorer.add(word));
    const full = this.#inAll(holders.map(({ sure }) => sure));
    return { scorer, holders, full, fullCount: full.count() };
  }

  /** First neighbours of words that nobody holds, or of rare ones where little is found; then, where nothing is, of all. */
  #withTypos(words: QueryWord[], exact: Tally): Tally {
    const isShort = words.length <= shortWordsMax;
    if (this.#query.typosMax === 0 || exact.fullCount >= (isShort ? fewDocuments : 1)) return exact;
    const first = this.#widened(words, exact, exact.fullCount > 0 ? fewDocuments : 1);
    if (!isShort || first.fullCount > 0) return first;
    return this.#widened(words, first, Math.max(fewDocuments, this.#scope.liveCount * commonShare));
  }

  /** With typos in words that fewer documents hold than `rarerThan`. */
  #widened(words: QueryWord[], tally: Tally, rarerThan: number): Tally {
    let isWidened = false;
    words.forEach((word, i) => {
      const holders = tally.holders[i]?.exact.count() ?? 0;
      if (word.neighbours.length > 0 || holders >= rarerThan) return;
      const limits = { typosMax: this.#query.typosMax, isWide: holders === 0 || rarerThan > fewDocuments };
      if (addNeighbours(word, this.#index.dictionary, limits)) isWidened = true;
    });
    return isWidened ? this.#tally(words) : tally;
  }

  #decide(words: QueryWord[], tally: Tally): { matched: Bitset; rule: 'all' | 'any' | 'most' } {
    const { match, dropTokensThreshold } = this.#query;
    const inAny = new Bitset(this.#scope.capacity);
    for (const { any } of tally.holders) inAny.or(any);
    if (match === 'any') return { matched: inAny, rule: 'any' };
    const isEnough = words.length <= shortWordsMax && tally.fullCount >= dropTokensThreshold;
    if (match === 'all' || isEnough) {
      const isMany = tally.fullCount >= fewDocuments;
      const matched = isMany ? tally.full : this.#inAll(tally.holders.map(({ any }) => any));
      return { matched, rule: 'all' };
    }
    return { matched: this.#mostCovering(inAny, tally.scorer.covered), rule: 'most' };
  }

  #mostCovering(among: Bitset, covered: Float64Array): Bitset {
    let best = 0;
    among.forEach((ordinal) => {
      best = Math.max(best, covered[ordinal] ?? 0);
    });
    const least = best * coverageShare;
    const matched = new Bitset(this.#scope.capacity);
    among.forEach((ordinal) => {
      if ((covered[ordinal] ?? 0) >= least) matched.add(ordinal);
    });
    return matched;
  }

  #inAll([first, ...others]: Bitset[]): Bitset {
    const all = first?.clone() ?? new Bitset(this.#scope.capacity);
    for (const each of others) all.and(each);
    return all;
  }

  #report(words: QueryWord[], { holders }: Tally, matched: Bitset) {
    const droppedTokens: string[] = [];
    const correctedTokens: { from: string; to: string }[] = [];
    words.forEach((word, i) => {
      if (holders[i]?.exact.intersects(matched)) return;
      const to = holders[i]?.any.intersects(matched) ? this.#commonest(word, matched) : null;
      if (to === null) droppedTokens.push(word.text);
      else correctedTokens.push({ from: word.text, to });
    });
    return { droppedTokens, correctedTokens };
  }

  /** Of the nearest neighbours that matches hold, the one that most of them hold. */
  #commonest({ neighbours }: QueryWord, matched: Bitset): string | null {
    let best: { word: string; distance: number } | null = null;
    let most = 0;
    for (const { word, term, distance } of neighbours) {
      if (best !== null && distance > best.distance) break;
      const count = this.#countIn(term, matched);
      if (count <= most) continue;
      best = { word, distance };
      most = count;
    }
    return best?.word ?? null;
  }

  /** Documents of a set that hold a term in a searched field. */
  #countIn(term: number, documents: Bitset): number {
    const { postings } = this.#index;
    const { weights, capacity } = this.#scope;
    const found = new Bitset(capacity);
    for (let list = postings.listOf(term); list >= 0; list = postings.nextList(list)) {
      if (weights !== null && (weights[postings.fieldOf(list)] ?? 0) === 0) continue;
      for (const posting of postings.read(list)) found.add(ordinalOf(posting));
    }
    return found.and(documents).count();
  }

  #matcherOf(words: QueryWord[]): (token: string) => boolean {
    const terms = new Set<number>();
    for (const { exact, neighbours } of words) {
      for (const term of exact.keys()) terms.add(term);
      for (const { term } of neighbours) terms.add(term);
    }
    return (token) => terms.has(this.#index.dictionary.termForQuery(token));
  }
}
