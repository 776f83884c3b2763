/**
 * Which documents match the words of a query, and their BM25 scores.
 *
 * Words are scored one after the other into one accumulator a document (term at a time), cost: the postings of the words and one
 * pass over the ordinals. What matches is decided before any filter, so a filter can only make a result smaller:
 * - `all`: every word, in one of its variants; `any`: at least one.
 * - `auto`: all while there are at most `shortWordsMax` words and enough is found; else the documents that cover at least
 *   `coverageShare` of the weight (idf) that the best one covers (`most`).
 * - Typos are tried when exact words and prefixes find too little: first for words that few documents hold, and if nothing is found, for all.
 */
import { Bitset } from '../bits/bitset.ts';
import { queryWords } from '../text/analyzer.ts';
import { stopWords } from '../text/stop-words.ts';
import type { SearchQuery } from '../types.ts';
import { idf, saturation } from './bm25.ts';
import type { LexicalIndex } from './lexical-index.ts';
import { frequencyOf, ordinalOf } from './postings.ts';
import { addShare, certaintyOf, exactVariants, typoVariants } from './variants.ts';

export const shortWordsMax = 3;
export const coverageShare = 0.4;
/** Fewer matches than this and typos are tried. */
const typoThreshold = 5;
/** Distinct words of a query that are used; a longer text is no query. */
const queryWordsMax = 512;

export interface KeywordMatches {
  matched: Bitset;
  /** BM25 by ordinal, 0 without any of the words; also of documents that the rule leaves out. */
  scores: Float64Array;
  rule: 'all' | 'any' | 'most' | null;
  /** Words that no match holds. */
  droppedTokens: string[];
  correctedTokens: { from: string; to: string }[];
  /** Whether a folded word of a document is a word of the query or a variant that counted. */
  isMatch: (token: string) => boolean;
}

interface QueryWord {
  text: string;
  /** Times it stands in the query. */
  count: number;
  shares: Map<number, number>;
  correction: string | null;
}

interface Decision {
  matched: Bitset;
  rule: 'all' | 'any' | 'most';
  /** Documents that hold every word. */
  fullMatches: number;
}

/** All words' scores over the ordinals. */
interface Tally {
  scores: Float64Array;
  /** How much of the words' weight a document covers. */
  covered: Float64Array;
  /** Number of words a document holds. */
  held: Uint16Array;
  /** Documents by word. */
  documents: Bitset[];
}

export class KeywordSearch {
  readonly #index: LexicalIndex;
  readonly #live: Bitset;
  readonly #documentCount: number;
  readonly #capacity: number;
  readonly #weights: Float64Array | null;
  readonly #meanLength: number;
  readonly #query: SearchQuery;

  constructor(
    index: LexicalIndex,
    documents: { live: Bitset; liveCount: number; capacity: number },
    query: SearchQuery,
  ) {
    this.#index = index;
    this.#live = documents.live;
    this.#documentCount = documents.liveCount;
    this.#capacity = documents.capacity;
    this.#query = query;
    this.#weights = query.fields === null ? null : index.weightsOf(query.fields);
    this.#meanLength = index.lengths.sum(this.#weights) / Math.max(1, this.#documentCount) || 1;
  }

  run(): KeywordMatches {
    const words = this.#wordsOf(this.#query.text);
    let tally = this.#score(words);
    let decision = this.#decide(words, tally);
    for (const rarerThan of this.#typoRounds(words.length)) {
      if (decision.fullMatches >= Math.min(rarerThan, typoThreshold)) break;
      if (!this.#addTypos(words, tally, rarerThan)) continue;
      tally = this.#score(words);
      decision = this.#decide(words, tally);
    }
    return this.#answer(words, tally, decision);
  }

  /** Which words get typos, one round after the other while too little is found: those that fewer documents hold. */
  #typoRounds(words: number): number[] {
    if (this.#query.typosMax === 0) return [];
    return words > shortWordsMax ? [1] : [typoThreshold, Number.POSITIVE_INFINITY];
  }

  #answer(words: QueryWord[], tally: Tally, { matched, rule }: Decision): KeywordMatches {
    const holds = (i: number) => tally.documents[i]?.clone().and(matched).isEmpty() === false;
    return {
      matched,
      scores: tally.scores,
      rule: words.length === 0 ? null : rule,
      droppedTokens: words.filter((_, i) => !holds(i)).map((word) => word.text),
      correctedTokens: words.flatMap(({ text, correction }, i) =>
        correction !== null && holds(i) ? [{ from: text, to: correction }] : [],
      ),
      isMatch: this.#matcherOf(words),
    };
  }

  #wordsOf(text: string): QueryWord[] {
    const all = queryWords(text);
    const telling = all.filter((word) => !stopWords.has(word));
    const used = telling.length > 0 ? telling : all;
    const words = new Map<string, QueryWord>();
    for (const each of used) {
      const known = words.get(each);
      if (known !== undefined) known.count += 1;
      else if (words.size < queryWordsMax)
        words.set(each, { text: each, count: 1, shares: new Map(), correction: null });
    }
    const unfinished = this.#query.prefix && !/[.?!。]\s*$/.test(text) ? used.at(-1) : undefined;
    for (const word of words.values()) {
      // The last word of a sentence is whole if it exists; that of a short query is being typed.
      const isPrefix =
        word.text === unfinished &&
        (words.size <= shortWordsMax || this.#index.dictionary.findWord(word.text) < 0);
      word.shares = exactVariants(this.#index.dictionary, word.text, isPrefix).shares;
    }
    return [...words.values()];
  }

  /** Whether any word has new variants. */
  #addTypos(words: QueryWord[], tally: Tally, rarerThan: number): boolean {
    let isWidened = false;
    words.forEach((word, i) => {
      const holders = tally.documents[i]?.count() ?? 0;
      if (holders >= rarerThan) return;
      const { shares, neighbours } = typoVariants(this.#index.dictionary, word.text, this.#query.typosMax);
      if (holders === 0) word.correction = neighbours[0] ?? null;
      const before = word.shares.size;
      for (const [term, share] of shares) addShare(word.shares, term, share);
      isWidened ||= word.shares.size > before;
    });
    return isWidened;
  }

  #decide(words: QueryWord[], tally: Tally): Decision {
    const full = this.#where((ordinal) => tally.held[ordinal] === words.length && words.length > 0);
    const fullMatches = full.count();
    const { match, dropTokensThreshold } = this.#query;
    if (match === 'any')
      return { matched: this.#where((ordinal) => (tally.held[ordinal] ?? 0) > 0), rule: 'any', fullMatches };
    const isEnough = words.length <= shortWordsMax && fullMatches >= dropTokensThreshold;
    if (match === 'all' || isEnough) return { matched: full, rule: 'all', fullMatches };
    const best = tally.covered.reduce((most, weight) => Math.max(most, weight), 0);
    const least = best * coverageShare;
    const matched = this.#where((ordinal) => best > 0 && (tally.covered[ordinal] ?? 0) >= least);
    return { matched, rule: 'most', fullMatches };
  }

  #where(isIn: (ordinal: number) => boolean): Bitset {
    const matched = new Bitset(this.#capacity);
    for (let ordinal = 0; ordinal < this.#capacity; ordinal += 1) if (isIn(ordinal)) matched.add(ordinal);
    return matched;
  }

  #score(words: QueryWord[]): Tally {
    const tally: Tally = {
      scores: new Float64Array(this.#capacity),
      covered: new Float64Array(this.#capacity),
      held: new Uint16Array(this.#capacity),
      documents: [],
    };
    const frequencies = new Float64Array(this.#capacity);
    for (const word of words) this.#scoreWord(word, frequencies, tally);
    return tally;
  }

  /** `frequencies` is zero before and after. */
  #scoreWord(word: QueryWord, frequencies: Float64Array, { scores, covered, held, documents }: Tally): void {
    const holders = new Bitset(this.#capacity);
    let nearest = 0;
    let exactHolders = 0;
    // Shares come in descending order, the word's own first.
    for (const [term, share] of word.shares) {
      this.#gather(term, share, { frequencies, holders });
      if (share === 1) exactHolders = holders.count();
      if (nearest === 0 && !holders.isEmpty()) nearest = share;
    }
    // Variants of a word that occurs are as telling as the word; without it all are one word, and the nearest of them counts in full.
    const documentsWithWord = exactHolders > 0 ? exactHolders : holders.count();
    const weight = word.count * certaintyOf(nearest) * idf(this.#documentCount, documentsWithWord);
    const { lengths } = this.#index;
    holders.forEach((ordinal) => {
      const ratio = lengths.of(ordinal, this.#weights) / this.#meanLength;
      scores[ordinal] =
        (scores[ordinal] ?? 0) + weight * saturation((frequencies[ordinal] ?? 0) / nearest, ratio);
      covered[ordinal] = (covered[ordinal] ?? 0) + weight;
      held[ordinal] = (held[ordinal] ?? 0) + 1;
      frequencies[ordinal] = 0;
    });
    documents.push(holders);
  }

  /** Adds a term's weighted frequencies in the searched fields. */
  #gather(term: number, share: number, into: { frequencies: Float64Array; holders: Bitset }): void {
    const { postings } = this.#index;
    const live = this.#live.words;
    for (let list = postings.listOf(term); list >= 0; list = postings.nextList(list)) {
      const weight = share * (this.#weights === null ? 1 : (this.#weights[postings.fieldOf(list)] ?? 0));
      if (weight === 0) continue;
      const entries = postings.read(list);
      for (let i = 0; i < entries.length; i += 1) {
        const posting = entries[i] ?? 0;
        const ordinal = ordinalOf(posting);
        if ((((live[ordinal >>> 5] ?? 0) >>> (ordinal & 31)) & 1) === 0) continue;
        into.frequencies[ordinal] = (into.frequencies[ordinal] ?? 0) + weight * frequencyOf(posting);
        into.holders.add(ordinal);
      }
    }
  }

  #matcherOf(words: QueryWord[]): (token: string) => boolean {
    const terms = new Set(words.flatMap((word) => [...word.shares.keys()]));
    return (token) => terms.has(this.#index.dictionary.termForQuery(token));
  }
}
