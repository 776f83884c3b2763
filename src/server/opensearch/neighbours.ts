import type { Spread } from '#server/engine/merged-types.ts';
import { nearnessOf } from '#server/engine/search-index.ts';
import type { Metric, SearchQuery } from '#server/engine/types.ts';
import type { DrawnDocuments } from './drawn-documents.ts';
import type { AskSearches } from './multi-search.ts';
import { type Near, type NearestAsked, nearest } from './nearest.ts';
import type { Query } from './query.ts';

export interface VectorsParts {
  ask: AskSearches;
  query: SearchQuery;
  dimension: number;
  metric: Metric;
  /** Some of the documents with a vector, and how many there are. */
  drawn: () => Promise<DrawnDocuments>;
  /** How similarities are spread; null: nobody has asked. */
  spread: { known: Promise<Spread> | null };
}

/** Null: the search has no vector. */
export function nearestAsked({
  query,
  dimension,
  metric,
}: Pick<VectorsParts, 'query' | 'dimension' | 'metric'>): NearestAsked | null {
  if (query.mode === 'keyword' || query.vector === null) return null;
  return { vector: query.vector, dimension, metric, by: query.metric ?? metric, isExact: query.isExact };
}

/** The nearest that pass and are near enough: `most` of them, of which the first `k` are neighbours. */
export async function nearestPassing(parts: VectorsParts, passing: Query, most: number): Promise<Near[]> {
  const asked = nearestAsked(parts);
  return asked === null ? [] : await nearest(parts.ask, asked, { k: most, passing });
}

/** Those that a search puts forward. */
export function neighboursOf({ query, metric }: VectorsParts, near: Near[]): Near[] {
  const isNear = nearnessOf(query, { metric });
  return near.slice(0, query.k).filter(({ similarity }) => isNear(similarity));
}
