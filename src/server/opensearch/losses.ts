import type { Sql } from 'postgres';
import type { Loss } from '#server/engine/search-index.ts';
import { readDocuments } from '#server/indexes/registry/rows.ts';
import { stepsInTurns } from '#server/indexes/write/steps-in-turns.ts';
import { counted, totalOf } from './multi-search.ts';
import { similarityScored } from './nearest.ts';
import { nearestAsked } from './neighbours.ts';
import { type SearchParts, sidesPartsOf } from './prepare-search.ts';
import { allOf, type Query } from './query.ts';
import { hitsOf } from './ranked-words.ts';

interface LostIn {
  sql: Sql;
  parts: SearchParts;
  passing: Query;
}

/** All that keeps a document out, as an embedded index of it alone says by the cluster's figures; how many are nearer than it the cluster says. */
export async function lossesOf({ sql, parts, passing }: LostIn, id: string): Promise<Loss[]> {
  const { asked, query, shape, reading } = parts;
  const { collection } = asked;
  const row = (await readDocuments(sql, collection.id, [id])).get(id);
  if (row === undefined) return [{ step: 'document' }];
  const { source, vectors, spans } = row;
  const index = shape.indexWith([{ id, source, vectors, spans }], collection);
  const losses = await stepsInTurns(collection.for, index.losses(query, { reading, id }, { part: null }));
  return await Promise.all(
    losses.map(async (loss): Promise<Loss> => {
      if (loss.step !== 'sides' || loss.vector === null || loss.vector.place === null) return loss;
      return { ...loss, vector: { ...loss.vector, place: await placeOf(parts, passing, id) } };
    }),
  );
}

/** Among all that pass, from 1, the nearest first, then by id. Null: it is not among them. */
async function placeOf(parts: SearchParts, passing: Query, id: string): Promise<number | null> {
  const { ask } = parts.asked;
  const nearest = nearestAsked(sidesPartsOf(parts));
  if (nearest === null) return null;
  const all = similarityScored(nearest, passing);
  const [own] = await ask([
    { size: 1, query: similarityScored(nearest, allOf([passing, { term: { id } }])) },
  ]);
  const score = hitsOf(own)[0]?._score ?? null;
  if (score === null) return null;
  const before = similarityScored(nearest, allOf([passing, { range: { id: { lt: id } } }]));
  const above = nextUp(score);
  const [nearer, nearOrAlike, nearerBefore] = await ask([
    counted({ size: 0, query: all, min_score: above }),
    counted({ size: 0, query: before, min_score: score }),
    counted({ size: 0, query: before, min_score: above }),
  ]);
  return 1 + totalOf(nearer) + totalOf(nearOrAlike) - totalOf(nearerBefore);
}

/** The next number in single precision, in which scores are. */
function nextUp(score: number): number {
  const floats = Float32Array.of(score);
  const bits = new Int32Array(floats.buffer);
  bits[0] = (bits[0] ?? 0) + 1;
  return floats[0] ?? score;
}
