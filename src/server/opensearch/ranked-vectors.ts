import { nearnessOf } from '#server/engine/search-index.ts';
import type { Metric, SearchQuery } from '#server/engine/types.ts';
import type { DrawnDocuments } from './drawn-documents.ts';
import type { FoundHit, Ranked } from './found-page.ts';
import type { AskSearches } from './multi-search.ts';
import { type Near, type NearestAsked, nearest } from './nearest.ts';
import { among, type Query } from './query.ts';
import { hitsOf } from './ranked-words.ts';
import { sortClauses } from './sort-clauses.ts';

export interface VectorsParts {
  ask: AskSearches;
  query: SearchQuery;
  dimension: number;
  metric: Metric;
  /** Some of the documents with a vector, and how many there are. */
  drawn: () => Promise<DrawnDocuments>;
}

/** Null: the search has no vector. */
export function nearestAsked({
  query,
  dimension,
  metric,
}: Omit<VectorsParts, 'ask' | 'drawn'>): NearestAsked | null {
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

/** A search by vector alone. */
export async function rankedVectors(parts: VectorsParts, passing: Query): Promise<Ranked> {
  const { ask, query } = parts;
  const neighbours = neighboursOf(parts, await nearestPassing(parts, passing, query.k));
  const candidates = among(
    'id',
    neighbours.map(({ id }) => id),
  );
  const similarities = new Map(neighbours.map(({ id, similarity }) => [id, similarity]));
  return {
    candidates,
    async page({ offset, limit, without }) {
      const left = neighbours.map(({ id }) => id).filter((id) => !without.includes(id));
      const page = (ids: string[]) =>
        ids.map(
          (id): FoundHit => ({ id, score: similarities.get(id) ?? 0, textMatch: 0, isNeighbour: true }),
        );
      if (query.sort.length === 0 || left.length === 0)
        return { found: left.length, hits: page(left.slice(offset, offset + limit)), scale: null };
      const [reply] = await ask([
        { from: offset, size: limit, query: among('id', left), sort: sortClauses(query, false) },
      ]);
      return { found: left.length, hits: page(hitsOf(reply).map(({ _id }) => _id)), scale: null };
    },
    these: async (ids) =>
      ids.map((id) => ({
        id,
        score: similarities.get(id) ?? 0,
        textMatch: 0,
        isNeighbour: similarities.has(id),
      })),
  };
}
