/**
 * Who holds a word of a query, in this index, and what the word weighs. A word that nobody holds stands for its nearest neighbours, at half its
 * weight or less. A word that stands for itself alone costs a look-up here: its postings are the list.
 */
import type { Bitset } from '../bits/bitset.ts';
import type { SearchScratch } from '../memory/search-scratch.ts';
import type { KeywordFigures, WordFigures } from '../merged-types.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import type { Ranking } from '../types.ts';
import { type HolderList, held, inAllWays, noHolders, TermHolders } from './holder-list.ts';
import { HolderSums } from './holder-sums.ts';
import type { LexicalIndex } from './lexical-index.ts';
import type { PhraseFinder } from './phrase-finder.ts';
import type { QueryWord } from './query-words.ts';
import { countedSynonyms, type Neighbour, shareInSteps, synonymShareOf } from './variants.ts';
import { wordWeight } from './word-weight.ts';

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

/** Who holds a word in an index, whatever the word weighs. */
export interface FoundHolders {
  list: HolderList;
  /** Most documents of the list that surely hold the word. */
  sureMax: number;
  figures: Omit<WordFigures, 'indexes'>;
}

export interface WordHolders extends FoundHolders {
  /** Of the score. */
  weight: number;
  /** What its frequencies are divided by. */
  largestShare: number;
  /** The share of the weight that a document covers that does not hold it wholly. */
  otherwise: number;
}

type ReadTerms = Pick<QueryWord, 'synonyms' | 'neighbours'> & {
  exact: Pick<QueryWord['exact'], 'own' | 'longer'>;
};

export class WordReader {
  readonly #index: LexicalIndex;
  readonly #scope: Scope;
  readonly #documents: number;
  readonly #leavesFieldsOut: boolean;
  readonly #prefixShare: number;
  readonly #typoShares: number[];

  /** `totals`: of all indexes that are searched together; null: this one's own figures count. */
  constructor(index: LexicalIndex, scope: Scope, totals: KeywordFigures | null) {
    this.#index = index;
    this.#scope = scope;
    this.#documents = totals?.documents ?? scope.liveCount;
    this.#leavesFieldsOut = scope.weights?.includes(0) === true;
    this.#prefixShare = shareInSteps(scope.ranking.prefixShare);
    this.#typoShares = scope.ranking.typoShares.map(shareInSteps);
  }

  /** `totals`: what all indexes say of the word. */
  *find(word: QueryWord, totals: WordFigures | null): Steps<FoundHolders> {
    const { exact, synonyms, neighbours } = word;
    const onlyNeighbour = this.#onlyNeighbour(word, totals);
    if (onlyNeighbour !== null) return this.#asNeighbour(onlyNeighbour, totals);
    if (synonyms.length > 0 || neighbours.length > 0) return yield* this.#merged(word, totals);
    if (exact.longer.length === 0)
      return this.#leavesFieldsOut ? yield* this.#merged(word, totals) : this.#alone(exact.own);
    const { live, weights, capacity, scratch } = this.#scope;
    const share = this.#prefixShare;
    const asked = { word, weights, share, capacity, scratch };
    const kept =
      share === 0 || word.isBeginningOnly
        ? null
        : yield* this.#index.prefixes.find(this.#index.postings, asked);
    if (kept === null) return yield* this.#merged(word, totals);
    const count = kept.countIn(live);
    if (isPauseDue(kept.words.length)) yield;
    const own = exact.own < 0 ? 0 : (yield* this.#ownOf(exact.own)).figures.own;
    const figures = { own, exact: count, near: 0, nearest: 0 };
    return { list: kept.holders(scratch), sureMax: count, figures };
  }

  /** A word's own term, without those that it begins. */
  *#ownOf(own: number): Steps<FoundHolders> {
    if (!this.#leavesFieldsOut) return this.#alone(own);
    const exact = { own, longer: new Int32Array(0) };
    return yield* this.#merged({ exact, synonyms: [], neighbours: [] }, null);
  }

  weigh(word: QueryWord, found: FoundHolders, totals: WordFigures | null): WordHolders {
    const { figures } = found;
    const { ranking } = this.#scope;
    const counted = totals ?? figures;
    const documents = this.#documents;
    if (counted.exact === 0) {
      const nearest = totals?.nearest || figures.nearest;
      const near = totals?.near || figures.near;
      return {
        ...found,
        weight: wordWeight(word, { figures: { ...counted, near, nearest }, documents }, ranking),
        largestShare: this.#typoShareOf(nearest) || 1,
        otherwise: ranking.coveredByTwoTypos,
      };
    }
    return {
      ...found,
      // Variants of a word that occurs are as telling as the word; without it all it begins are one word, and count in full.
      weight: wordWeight(word, { figures: counted, documents }, ranking),
      largestShare: counted.own > 0 ? 1 : this.#prefixShare,
      otherwise: ranking.coveredByTypo,
    };
  }

  #alone(term: number, counted?: { ways: number; share: number }): FoundHolders {
    const { postings } = this.#index;
    const { weights, scratch } = this.#scope;
    const list = term < 0 ? -1 : postings.listOf(term);
    const documents = this.#documentsOf(term);
    return {
      list:
        documents === 0
          ? noHolders
          : new TermHolders(
              postings,
              { list, weights, ordinals: scratch.list(postings.lengthOf(list)) },
              counted,
            ),
      sureMax: documents,
      figures: { own: documents, exact: documents, near: 0, nearest: 0 },
    };
  }

  /** Living ones that hold a term; −1: no term. */
  #documentsOf(term: number): number {
    const { postings } = this.#index;
    const list = term < 0 ? -1 : postings.listOf(term);
    return list < 0 ? 0 : postings.documentsOf(list);
  }

  /** The one term that a word stands for which nobody holds: its postings are the list. Null: it stands for more, or for itself. */
  #onlyNeighbour(word: QueryWord, totals: WordFigures | null): Neighbour | null {
    const { exact, synonyms } = word;
    const [nearest, ...others] = distinctTerms(word);
    if (nearest === undefined || others.length > 0 || synonyms.length > 0 || this.#leavesFieldsOut)
      return null;
    const isHeld = exact.longer.length > 0 || this.#documentsOf(exact.own) > 0 || (totals?.exact ?? 0) > 0;
    return isHeld || this.#typoShareOf(nearest.distance) === 0 ? null : nearest;
  }

  #asNeighbour({ term, distance }: Neighbour, totals: WordFigures | null): FoundHolders {
    const count = this.#documentsOf(term);
    const nearest = count > 0 ? distance : 0;
    const isOneAway = (totals?.nearest || nearest) === 1;
    const ways = distance === 1 ? held.surely | held.whole : isOneAway ? 0 : held.whole;
    const { list } = this.#alone(term, { ways, share: this.#typoShareOf(distance) });
    return {
      list,
      sureMax: distance === 1 ? count : 0,
      figures: { own: 0, exact: 0, near: count, nearest },
    };
  }

  *#merged(word: ReadTerms, totals: WordFigures | null): Steps<FoundHolders> {
    const sums = new HolderSums({ ...this.#scope, postings: this.#index.postings });
    try {
      return yield* this.#gather(word, totals, sums);
    } finally {
      sums.clear();
    }
  }

  *#gather(word: ReadTerms, totals: WordFigures | null, sums: HolderSums): Steps<FoundHolders> {
    const { exact, synonyms } = word;
    if (exact.own >= 0) yield* sums.add([exact.own], 1);
    // A synonym is the word itself but for its share: all that hold either are as many as the word is telling.
    for (const synonym of countedSynonyms(synonyms)) {
      const { terms } = synonym;
      const share = synonymShareOf(synonym, this.#scope.ranking);
      if (terms.length === 1) yield* sums.add(terms, share);
      else yield* sums.addEach(yield* this.#scope.phrases.find(terms), share);
    }
    const own = sums.count;
    yield* sums.add(withoutSynonyms(word), this.#prefixShare);
    const here = { own, exact: exact.longer.length === 0 ? own : sums.count };
    if ((totals ?? here).exact === 0) return yield* this.#gatherNeighbours(word, totals, sums);
    const sureMax = sums.count;
    if (word.neighbours.length === 0) {
      const list = yield* sums.merged(inAllWays);
      return { list, sureMax, figures: { ...here, near: 0, nearest: 0 } };
    }
    const exactly = sums.documents.clone();
    for (const { term, distance } of distinctTerms(word))
      yield* sums.add([term], this.#typoShareOf(distance));
    return {
      list: yield* sums.merged((ordinal) => (exactly.has(ordinal) ? inAllWays : 0)),
      sureMax,
      figures: { ...here, near: 0, nearest: 0 },
    };
  }

  /** The neighbours of a word nobody holds are one word, and the nearest count in full. */
  *#gatherNeighbours(word: ReadTerms, totals: WordFigures | null, sums: HolderSums): Steps<FoundHolders> {
    let oneAway = sums.documents;
    let sureMax = 0;
    let nearestHere = 0;
    for (const { term, distance } of distinctTerms(word)) {
      if (distance > 1 && oneAway === sums.documents) oneAway = oneAway.clone();
      yield* sums.add([term], this.#typoShareOf(distance));
      if (distance === 1) sureMax = sums.count;
      if (nearestHere === 0 && sums.count > 0) nearestHere = distance;
    }
    const isOneAway = (totals?.nearest || nearestHere) === 1;
    const others = isOneAway ? 0 : held.whole;
    return {
      list: yield* sums.merged((ordinal) => (oneAway.has(ordinal) ? held.surely | held.whole : others)),
      sureMax,
      figures: { own: 0, exact: 0, near: sums.count, nearest: nearestHere },
    };
  }

  #typoShareOf(distance: number): number {
    return this.#typoShares[distance] ?? 0;
  }
}

function* withoutSynonyms({ exact, synonyms }: ReadTerms): Generator<number, void, void> {
  const alone = new Set(synonyms.flatMap(({ terms }) => (terms.length === 1 ? terms : [])));
  for (const term of exact.longer) if (!alone.has(term)) yield term;
}

/** Several neighbours may share a term: the nearest one's share counts, once. */
function distinctTerms({ neighbours }: ReadTerms): QueryWord['neighbours'] {
  const terms = new Set<number>();
  return neighbours.filter(({ term }) => {
    if (terms.has(term)) return false;
    terms.add(term);
    return true;
  });
}
