import type { Metric } from '#server/engine/types.ts';
import { compareIds } from '#server/indexes/id-order.ts';
import { briefly } from './brief-numbers.ts';
import { spaceOf } from './mapping.ts';
import type { AskSearches } from './multi-search.ts';
import { allOf, among, type Query } from './query.ts';

/** A document, by its nearest passage. */
export interface Near {
  id: string;
  similarity: number;
}

export interface NearestAsked {
  /** Row by row. */
  vector: Float32Array;
  dimension: number;
  /** Of the index. */
  metric: Metric;
  /** How they are compared. */
  by: Metric;
  isExact: boolean;
}

/** Candidates that the graph is walked with, at least: of 20,000 documents .94 of the ten nearest were found with 200. */
const walkedMin = 256;

/** The k nearest of those that pass, the nearest first, then by id. */
export async function nearest(
  ask: AskSearches,
  asked: NearestAsked,
  { k, passing }: { k: number; passing: Query },
) {
  if (k === 0) return [];
  const rows = rowsOf(asked);
  const isScanned = asked.isExact || asked.by !== asked.metric;
  const searches = rows.map((row) => ({
    size: k,
    query: isScanned ? allScored([row], asked, passing) : walked(row, k, passing),
    sort: [{ _score: { order: 'desc' } }, { id: { order: 'asc' } }],
  }));
  const replies = await ask(searches);
  const best = new Map<string, number>();
  for (const { hits } of replies) {
    for (const { _id: id, _score: score } of hits.hits) {
      const similarity = similarityOf(asked.by, score ?? 0);
      best.set(id, Math.max(best.get(id) ?? Number.NEGATIVE_INFINITY, similarity));
    }
  }
  return sortedNearest(Array.from(best, ([id, similarity]) => ({ id, similarity }))).slice(0, k);
}

/** A search whose scores are how near these documents are; those without a vector are not found. */
export function similaritySearch(asked: NearestAsked, ids: string[]): object {
  return { size: ids.length, query: allScored(rowsOf(asked), asked, among('id', ids)) };
}

/** How near those are that pass and have a vector, as the score of each. */
export function similarityScored(asked: NearestAsked, passing: Query): Query {
  return allScored(rowsOf(asked), asked, passing);
}

function sortedNearest(all: Near[]): Near[] {
  return all.toSorted((a, b) => b.similarity - a.similarity || compareIds(a.id, b.id));
}

function rowsOf({ vector, dimension }: Pick<NearestAsked, 'vector' | 'dimension'>): number[][] {
  const rows: number[][] = [];
  for (let from = 0; from < vector.length; from += dimension)
    rows.push(briefly(vector.subarray(from, from + dimension)));
  return rows;
}

function walked(vector: number[], k: number, filter: Query): Query {
  const method_parameters = { ef_search: Math.max(k, walkedMin) };
  const knn = { 'passages.v': { vector, k, filter, method_parameters } };
  return { nested: { path: 'passages', score_mode: 'max', query: { knn } } };
}

function allScored(rows: number[][], { by }: Pick<NearestAsked, 'by'>, passing: Query): Query {
  const scored = rows.map((query_value): Query => {
    const params = { field: 'passages.v', query_value, space_type: spaceOf({ metric: by }) };
    const script = { lang: 'knn', source: 'knn_score', params };
    const script_score = { query: { exists: { field: 'passages.v' } }, script };
    return { nested: { path: 'passages', score_mode: 'max', query: { script_score } } };
  });
  const [only] = scored;
  const must = scored.length === 1 ? only : { dis_max: { queries: scored } };
  return { bool: { must: [must], filter: [allOf([passing])] } };
}

/** What the cluster's scores say, of the graph and of a scan alike. */
export function similarityOf(metric: Metric, score: number): number {
  if (metric === 'cosine') return 2 * score - 1;
  if (metric === 'euclidean') return -Math.sqrt(Math.max(0, 1 / score - 1));
  return score >= 1 ? score - 1 : 1 - 1 / score;
}
