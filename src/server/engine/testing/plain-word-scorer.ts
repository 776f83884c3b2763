/**
 * Scores words one after the other into one accumulator a document (term at a time): the postings of the words and one pass over the
 * documents that hold them. A word that no document holds stands for its nearest neighbours, at half its weight or less.
 */
import { Bitset } from '../bits/bitset.ts';
import { idf, saturation } from '../lexical/bm25.ts';
import type { LexicalIndex } from '../lexical/lexical-index.ts';
import type { PhraseFinder } from '../lexical/phrase-finder.ts';
import { blockPostings } from '../lexical/postings.ts';
import type { QueryWord } from '../lexical/query-words.ts';
import { shareInSteps } from '../lexical/variants.ts';
import { fillSteps } from '../memory/fill-steps.ts';
import type { SearchScratch } from '../memory/search-scratch.ts';
import type { KeywordFigures, WordFigures } from '../merged-types.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import type { Ranking } from '../types.ts';

/** Who holds a word. */
export interface Holders {
  /** As typed, as a synonym, or as the beginning of a longer word. */
  exact: Bitset;
  /** `exact`, or where nobody holds it so, who holds a word one typo away. */
  sure: Bitset;
  /** In any variant. */
  any: Bitset;
  figures: Omit<WordFigures, 'indexes'>;
  weight: number;
}

export interface Scope {
  live: Bitset;
  liveCount: number;
  /** Ordinals there are. */
  capacity: number;
  /** By field number; null: every field at 1. */
  weights: Float64Array | null;
  scratch: SearchScratch;
  phrases: PhraseFinder;
  ranking: Ranking;
}

/** Of work, to come to a block. */
const listUnits = 32;

/** A search has one at a time: what another has computed is gone when the next one is made with the same scratch. */
export class WordScorer {
  readonly #index: LexicalIndex;
  readonly #scope: Scope;
  readonly #documents: number;
  readonly #meanLength: number;
  readonly #prefixShare: number;
  readonly #typoShares: number[];
  readonly #block = { ordinals: new Int32Array(blockPostings), forms: new Int32Array(blockPostings) };
  /** Zero between words. */
  readonly #frequencies: Float64Array;
  /** BM25 by ordinal. */
  readonly scores: Float64Array;
  /** How much of the words' weight a document covers, by ordinal. */
  readonly covered: Float64Array;

  /** `totals`: of all indexes that are searched together; null: this one's own figures count. */
  private constructor(index: LexicalIndex, scope: Scope, totals: KeywordFigures | null) {
    this.#index = index;
    this.#scope = scope;
    this.#documents = totals?.documents ?? scope.liveCount;
    const length = totals?.length ?? index.lengths.sum(scope.weights);
    this.#meanLength = length / Math.max(1, this.#documents) || 1;
    const { scratch, capacity, ranking } = scope;
    this.#prefixShare = shareInSteps(ranking.prefixShare);
    this.#typoShares = ranking.typoShares.map(shareInSteps);
    this.#frequencies = scratch.numbers('frequencies', capacity);
    this.scores = scratch.numbers('scores', capacity);
    this.covered = scratch.numbers('covered', capacity);
  }

  static *create(index: LexicalIndex, scope: Scope, totals: KeywordFigures | null): Steps<WordScorer> {
    const scorer = new WordScorer(index, scope, totals);
    for (const array of [scorer.#frequencies, scorer.scores, scorer.covered]) yield* fillSteps(array, 0);
    return scorer;
  }

  *add(word: QueryWord, totals: WordFigures | null): Steps<Holders> {
    const exact = new Bitset(this.#scope.capacity);
    if (word.exact.own >= 0) yield* this.#gather(word.exact.own, 1, exact);
    yield* this.#addSynonyms(word, exact);
    const own = exact.count();
    for (const term of word.exact.longer) {
      if (!isSynonym(word, term)) yield* this.#gather(term, this.#prefixShare, exact);
      if (isPauseDue(0)) yield;
    }
    const here = { own, exact: word.exact.longer.length === 0 ? own : exact.count() };
    const held = totals ?? here;
    if (held.exact === 0) return yield* this.#addNeighbours(word, exact, totals);
    const any = exact.clone();
    for (const { term, distance } of distinctTerms(word)) {
      yield* this.#gather(term, this.#typoShareOf(distance), any);
      if (isPauseDue(0)) yield;
    }
    // Variants of a word that occurs are as telling as the word; without it all it begins are one word, and count in full.
    const largestShare = held.own > 0 ? 1 : this.#prefixShare;
    const weight = word.count * word.share * idf(this.#documents, held.own || held.exact);
    const otherwise = this.#scope.ranking.coveredByTypo;
    yield* this.#spread(any, weight, { ...word, exact, largestShare, otherwise });
    return { exact, sure: exact, any, weight, figures: { ...here, near: 0, nearest: 0 } };
  }

  /** A synonym is the word itself but for its share: all that hold either are as many as the word is telling. */
  *#addSynonyms({ synonyms }: QueryWord, exact: Bitset): Steps<void> {
    for (const { terms, isBreak, holdsAnother } of synonyms) {
      if (holdsAnother) continue;
      const share = isBreak ? 0.5 : shareInSteps(this.#scope.ranking.synonymShare);
      const [only = -1] = terms;
      if (terms.length === 1) {
        yield* this.#gather(only, share, exact);
        continue;
      }
      const { ordinals, frequencies } = yield* this.#scope.phrases.find(terms);
      for (let i = 0; i < ordinals.length; i += 1) {
        const ordinal = ordinals[i] ?? 0;
        const more = share * (frequencies[i] ?? 0);
        this.#frequencies[ordinal] = (this.#frequencies[ordinal] ?? 0) + more;
        exact.add(ordinal);
        if (isPauseDue(1)) yield;
      }
    }
  }

  #typoShareOf(distance: number): number {
    return this.#typoShares[distance] ?? 0;
  }

  /** The neighbours of a word nobody holds are one word, and the nearest count in full. */
  *#addNeighbours(word: QueryWord, nobody: Bitset, totals: WordFigures | null): Steps<Holders> {
    const { certainty, coveredByTwoTypos: otherwise } = this.#scope.ranking;
    const any = new Bitset(this.#scope.capacity);
    let oneAway = any;
    let nearestHere = 0;
    for (const { term, distance } of distinctTerms(word)) {
      if (distance > 1 && oneAway === any) oneAway = any.clone();
      yield* this.#gather(term, this.#typoShareOf(distance), any);
      if (isPauseDue(0)) yield;
      if (nearestHere === 0 && !any.isEmpty()) nearestHere = distance;
    }
    const nearest = totals?.nearest || nearestHere;
    const near = any.count();
    const weight =
      word.count * word.share * (certainty[nearest] ?? 0) * idf(this.#documents, totals?.near || near);
    const largestShare = this.#typoShareOf(nearest) || 1;
    yield* this.#spread(any, weight, {
      ...word,
      exact: nearest === 1 ? oneAway : any,
      largestShare,
      otherwise,
    });
    return {
      exact: nobody,
      sure: oneAway,
      any,
      weight,
      figures: { own: 0, exact: 0, near, nearest: nearestHere },
    };
  }

  /** Turns frequencies into scores, and clears them. */
  #spread(
    holders: Bitset,
    weight: number,
    {
      exact,
      largestShare,
      otherwise,
      isBeginningOnly,
    }: { exact: Bitset; largestShare: number; otherwise: number; isBeginningOnly: boolean },
  ): Steps<void> {
    const { scores, covered } = this;
    const cover = isBeginningOnly ? 0 : weight;
    const frequencies = this.#frequencies;
    const { lengths } = this.#index;
    const { ranking } = this.#scope;
    return holders.visit((ordinal) => {
      const ratio = lengths.of(ordinal, this.#scope.weights) / this.#meanLength;
      const frequency = (frequencies[ordinal] ?? 0) / largestShare;
      scores[ordinal] = (scores[ordinal] ?? 0) + weight * saturation(frequency, ratio, ranking);
      covered[ordinal] = (covered[ordinal] ?? 0) + (exact.has(ordinal) ? cover : cover * otherwise);
      frequencies[ordinal] = 0;
    });
  }

  /** Adds a term's weighted frequencies in the searched fields. */
  *#gather(term: number, share: number, holders: Bitset): Steps<void> {
    const { postings } = this.#index;
    const list = share === 0 ? -1 : postings.listOf(term);
    if (list < 0) return;
    holders.ensure(this.#scope.capacity);
    const { ordinals, forms } = this.#block;
    for (let block = 0; block < postings.blocksOf(list); block += 1) {
      const count = postings.readOrdinals(list, block, ordinals);
      postings.readForms(list, block, forms);
      if (isPauseDue(listUnits + this.#gatherBlock(count, share, holders.words))) yield;
    }
  }

  /** Answers how much work it was. */
  #gatherBlock(count: number, share: number, held: Uint32Array): number {
    const { forms } = this.#index.postings;
    const { weights } = this.#scope;
    const frequencies = this.#frequencies;
    const live = this.#scope.live.words;
    let units = count;
    for (let i = 0; i < count; i += 1) {
      const ordinal = this.#block.ordinals[i] ?? 0;
      const bit = 1 << (ordinal & 31);
      if (((live[ordinal >>> 5] ?? 0) & bit) === 0) continue;
      const form = this.#block.forms[i] ?? 0;
      units += forms.end(form) - forms.start(form);
      const frequency = share * forms.frequency(form, weights);
      if (frequency === 0) continue;
      frequencies[ordinal] = (frequencies[ordinal] ?? 0) + frequency;
      held[ordinal >>> 5] = (held[ordinal >>> 5] ?? 0) | bit;
    }
    return units;
  }
}

function isSynonym({ synonyms }: QueryWord, term: number): boolean {
  return synonyms.some(({ terms }) => terms.length === 1 && terms[0] === term);
}

/** Several neighbours may share a term: the nearest one's share counts, once. */
function distinctTerms({ neighbours }: QueryWord): QueryWord['neighbours'] {
  const terms = new Set<number>();
  return neighbours.filter(({ term }) => {
    if (terms.has(term)) return false;
    terms.add(term);
    return true;
  });
}
