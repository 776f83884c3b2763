import { type DocumentSample, parseJson, type SampleAsked } from '#server/engine/search-index.ts';
import type { Steps } from '#server/engine/steps.ts';
import type { IndexedDocument } from '#server/engine/types.ts';
import type { EngineReply, EngineRequest } from '#server/indexes/host/engine-calls.ts';
import { readDocuments } from '#server/indexes/registry/rows.ts';
import { documentMapText } from '#server/indexes/search/document-map-text.ts';
import { stepsInTurns } from '#server/indexes/write/steps-in-turns.ts';
import { withVector } from './drawn-documents.ts';
import { shapeOf } from './known-shape.ts';
import { counted, totalOf } from './multi-search.ts';
import { passingFilter } from './passing-filter.ts';
import { allOf } from './query.ts';
import { hitsOf } from './ranked-words.ts';
import type { ReadParts } from './read-parts.ts';

/** Of the record at once. */
const rowsAtOnce = 500;

/**
 * What a map is drawn from: documents are drawn by a hash of their ids in the cluster, so that they are nearly the same after a change of a few, and an embedded
 * index of these says the rest.
 */
export async function sampledDocuments(
  { asked, sql }: ReadParts,
  { call: _, bytesMax, ...sample }: EngineRequest<'sample'>,
): Promise<EngineReply<'sample'>> {
  const { ask, collection } = asked;
  const passing = await passingFilter(asked, sample.filter);
  const among = allOf([passing, withVector]);
  const drawn = {
    function_score: { query: among, random_score: { seed: 1, field: 'id' }, boost_mode: 'replace' },
  };
  const [all, found] = await ask([
    counted({ size: 0, query: passing }),
    counted({ size: sample.limit, query: drawn }),
  ]);
  const ids = hitsOf(found).map(({ _id }) => _id);
  const documents: IndexedDocument[] = [];
  for (let from = 0; from < ids.length; from += rowsAtOnce) {
    const rows = await readDocuments(sql, collection.id, ids.slice(from, from + rowsAtOnce));
    documents.push(...(await stepsInTurns(collection.for, told([...rows.values()], sample))));
  }
  const shape = await shapeOf(asked);
  const index = await stepsInTurns(collection.for, shape.indexSteps(documents, collection));
  const own: DocumentSample = await stepsInTurns(
    collection.for,
    index.sample({ ...sample, filter: null }, { part: null }),
  );
  const drawnOfAll = { ...own, found: totalOf(all), withVector: totalOf(found) };
  return { map: await stepsInTurns(collection.for, documentMapText(drawnOfAll, bytesMax)) };
}

/** With the fields alone that a map tells of. */
function* told(rows: IndexedDocument[], { titleFields, colorField }: SampleAsked): Steps<IndexedDocument[]> {
  const paths = [...titleFields, ...(colorField === null ? [] : [colorField])];
  const isTold = (name: string) =>
    paths.some((path) => path === name || path.startsWith(`${name}.`) || name.startsWith(`${path}.`));
  const documents: IndexedDocument[] = [];
  for (const { id, source, vectors, spans } of rows) {
    const document = (yield* parseJson(source)) as Record<string, unknown>;
    const fields = Object.entries(document).filter(([name]) => isTold(name));
    documents.push({ id, source: JSON.stringify({ ...Object.fromEntries(fields), id }), vectors, spans });
    yield;
  }
  return documents;
}
