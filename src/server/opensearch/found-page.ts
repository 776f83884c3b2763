import type { KeywordReading, Scale } from '#server/engine/merged-types.ts';
import type { Query } from './query.ts';

/** A document on a page, as it was found. */
export interface FoundHit {
  id: string;
  score: number;
  /** 0: it has none of the words. */
  textMatch: number;
  isNeighbour: boolean;
  /** What it was sorted by, its id last; absent: not by the cluster. */
  sort?: unknown[] | undefined;
}

/** What a search puts forward, as far as a page of it needs. */
export interface FoundPage {
  /** Of all pages. */
  found: number;
  hits: FoundHit[];
  /** Null: the search is not hybrid. */
  scale: Scale | null;
}

/** What a way of searching finds among the documents that pass a filter. */
export interface Ranked {
  /** All candidates. */
  candidates: Query;
  /** A part of them in their order, and how many there are. `without`: these ids are left out; `after`: it begins behind what was sorted so. */
  page(asked: {
    offset: number;
    limit: number;
    without: string[];
    after?: unknown[] | null;
  }): Promise<FoundPage>;
  /** These, whether they are candidates or not: only candidates have a score. */
  these(ids: string[]): Promise<FoundHit[]>;
}

/** What the words of a search are read as; null: it has none. */
export type Reading = KeywordReading | null;
