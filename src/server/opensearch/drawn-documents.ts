import { wholeDocument } from './mapping.ts';
import { type AskSearches, counted, totalOf } from './multi-search.ts';
import { allOf, type Query, term } from './query.ts';

/** Documents with a vector. */
export interface DrawnDocuments {
  ids: string[];
  /** Of the index, drawn or not. */
  documents: number;
}

const drawnMax = 512;

export const withVector: Query = {
  nested: { path: 'passages', query: { exists: { field: 'passages.v' } } },
};
const withVectors = allOf([term('is', wholeDocument), withVector]);

/** The same ones as long as nothing is written. */
export async function drawDocuments(ask: AskSearches, count = drawnMax): Promise<DrawnDocuments> {
  const query = { function_score: { query: withVectors, random_score: { seed: 1, field: '_seq_no' } } };
  const [reply] = await ask([counted({ size: count, query })]);
  return { ids: reply?.hits.hits.map(({ _id }) => _id) ?? [], documents: totalOf(reply) };
}
