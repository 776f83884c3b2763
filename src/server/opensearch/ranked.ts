import type { Agreement, KeywordReading, Scale } from '#server/engine/merged-types.ts';
import type { FusedSide } from '#server/engine/search-index.ts';
import type { HitOrder } from './hit-order.ts';
import type { FoundId } from './multi-search.ts';
import type { Query } from './query.ts';
import type { ToldRelevance } from './told-relevance.ts';

/** A document on a page, as it was found. */
export interface FoundHit {
  id: string;
  score: number;
  /** 0: it has none of the words. */
  textMatch: number;
  /** How much of the words' weight it covers, 0 to 1, where that counts. */
  coverage: number;
  isNeighbour: boolean;
  /** What it is ordered by, its id last. */
  sort: unknown[];
  /** Its place among those that the cluster orders, and by what; null: it is ordered here. */
  own: OwnPlace | null;
  /** Of a hybrid search; `support`: which part of its score is that of what is near to it. */
  fused?: { keyword: FusedSide; vector: FusedSide; support: number };
}

export interface OwnPlace {
  /** From 1. */
  rank: number;
  sort: unknown[];
}

/** Behind what a page begins. */
export interface After {
  sort: unknown[];
  /** Of the last one that the cluster orders; null: it begins with the first of these. */
  own: OwnPlace | null;
}

/** Candidates that the cluster orders. */
export interface ClusterOrdered {
  candidates: Query;
  /** Ids that these name. */
  named: readonly string[];
  /** The candidates, asked for where of the named ones only these may be. */
  naming: (ids: readonly string[]) => Query;
  /** These with the scores that they are ordered by. */
  scored: (candidates: Query) => Query;
  sort: object[];
  /** `rank`: among these, from 1. */
  toHit: (found: FoundId, rank: number) => FoundHit;
}

/** What a way of searching finds among the documents that pass a filter. */
export interface Ranked {
  /** All of them. */
  candidates: Query;
  /** Those that are ordered here, in their order. */
  known: FoundHit[];
  /** The other ones; null: there are none. */
  others: ClusterOrdered | null;
  order: HitOrder;
  /** What hybrid scores, and relevance, are normalised by; null: nothing is. */
  scale: Scale | null;
  /** Null: it is not told. */
  told: ToldRelevance | null;
  /** These, whether they are candidates or not: only candidates have a score. */
  these(ids: string[]): Promise<FoundHit[]>;
}

/** What scores depend on where several indexes are searched as one. */
export type GivenScores = Pick<Agreement, 'scale' | 'support'>;

/** What the words of a search are read as; null: it has none. */
export type Reading = KeywordReading | null;
