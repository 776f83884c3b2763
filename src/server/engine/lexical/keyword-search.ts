/**
 * Which documents match the words of a query, and their BM25 scores. What matches is decided before any filter, so a filter can only make
 * a result smaller. A document holds a word as typed, or, the last word, as the beginning of a longer one; a word that nobody holds stands for
 * its neighbours, one typo away for sure, two perhaps. How the words are read is decided in `read-query.ts`.
 */
import { Bitset } from '../bits/bitset.ts';
import type {
  HeldWord,
  KeywordFigures,
  KeywordQuestion,
  KeywordReading,
  SearchQuery,
  WordPlan,
} from '../types.ts';
import type { LexicalIndex } from './lexical-index.ts';
import { ordinalOf } from './postings.ts';
import { nearWordsIn, type QueryWord, wordsIn } from './query-words.ts';
import { figuresOf, readQuery } from './read-query.ts';
import { type Holders, type Scope, WordScorer } from './word-scorer.ts';

export interface KeywordMatches {
  matched: Bitset;
  /** BM25 by ordinal, 0 without any of the words; also of documents that the rule leaves out. */
  scores: Float64Array;
  rule: 'all' | 'any' | 'most' | null;
  /** Word by word, what the matches hold. */
  held: HeldWord[];
  plan: WordPlan[];
  /** The words of the plan with the terms each stands for in this index. */
  words: QueryWord[];
}

/** All words, scored. */
interface Tally {
  plan: WordPlan[];
  words: QueryWord[];
  scorer: WordScorer;
  /** By word. */
  holders: Holders[];
  /** Documents that surely hold every word. */
  full: Bitset;
}

export class KeywordSearch {
  readonly #index: LexicalIndex;
  readonly #scope: Scope;
  readonly #query: SearchQuery;
  #tally: Tally | null = null;

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

  /** Of this index alone. */
  run(): KeywordMatches {
    const reading = readQuery(this.#query);
    let step = reading.next();
    while (!step.done) step = reading.next(this.figures(step.value));
    return this.matches(step.value);
  }

  figures({ words, totals, lookUps, wantsCovered }: KeywordQuestion): KeywordFigures {
    const tally = this.#tallyOf(words, totals);
    const { dictionary, lengths } = this.#index;
    const { liveCount, weights } = this.#scope;
    return {
      indexes: 1,
      documents: liveCount,
      length: lengths.sum(weights),
      words: tally.holders.map(({ figures }, i) => {
        const isWord = dictionary.findWord(words[i]?.text ?? '') >= 0;
        return { ...figures, indexes: Number(isWord) };
      }),
      full: tally.full.count(),
      covered: wantsCovered ? this.#mostCovered(tally) : 0,
      nearWords: lookUps.map(({ place, isWide }) => {
        const word = tally.words[place];
        const limits = { typosMax: this.#query.typosMax, isWide };
        return word === undefined ? { near: [], wide: [] } : nearWordsIn(dictionary, word, limits);
      }),
    };
  }

  matches(reading: KeywordReading): KeywordMatches {
    const tally = this.#tallyOf(reading.words, reading.totals);
    const matched = this.#matched(tally, reading);
    return {
      matched,
      scores: tally.scorer.scores,
      rule: reading.words.length === 0 ? null : reading.rule,
      held: tally.holders.map((holders, i) => this.#heldWord(tally, { holders, place: i, matched })),
      plan: reading.words,
      words: tally.words,
    };
  }

  /** Kept while the words are read alike: alone, an index is its own total. */
  #tallyOf(plan: WordPlan[], totals: KeywordFigures | null): Tally {
    if (this.#tally?.plan === plan) return this.#tally;
    const words = wordsIn(this.#index.dictionary, plan);
    const scorer = new WordScorer(this.#index, this.#scope, totals);
    const holders = words.map((word, i) => scorer.add(word, totals && figuresOf(totals, i)));
    const full = this.#inAll(holders.map(({ sure }) => sure));
    this.#tally = { plan, words, scorer, holders, full };
    return this.#tally;
  }

  #matched(tally: Tally, { rule, isSure, coveredMin }: KeywordReading): Bitset {
    if (rule === 'all') return isSure ? tally.full : this.#inAll(tally.holders.map(({ any }) => any));
    const inAny = this.#inAny(tally);
    if (rule === 'any') return inAny;
    const matched = new Bitset(this.#scope.capacity);
    const { covered } = tally.scorer;
    inAny.forEach((ordinal) => {
      if ((covered[ordinal] ?? 0) >= coveredMin) matched.add(ordinal);
    });
    return matched;
  }

  #mostCovered(tally: Tally): number {
    const { covered } = tally.scorer;
    let most = 0;
    this.#inAny(tally).forEach((ordinal) => {
      most = Math.max(most, covered[ordinal] ?? 0);
    });
    return most;
  }

  #inAny({ holders }: Tally): Bitset {
    const inAny = new Bitset(this.#scope.capacity);
    for (const { any } of holders) inAny.or(any);
    return inAny;
  }

  #inAll([first, ...others]: Bitset[]): Bitset {
    const all = first?.clone() ?? new Bitset(this.#scope.capacity);
    for (const each of others) all.and(each);
    return all;
  }

  #heldWord(
    { plan, words }: Tally,
    { holders, place, matched }: { holders: Holders; place: number; matched: Bitset },
  ): HeldWord {
    const isExact = holders.exact.intersects(matched);
    const isAny = isExact || holders.any.intersects(matched);
    if (isExact || !isAny) return { isExact, isAny, byNeighbour: [] };
    const byNeighbour = (plan[place]?.neighbours ?? []).map(({ word }) => {
      const here = words[place]?.neighbours.find((each) => each.word === word);
      return here === undefined ? 0 : this.#countIn(here.term, matched);
    });
    return { isExact, isAny, byNeighbour };
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
}
