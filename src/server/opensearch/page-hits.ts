import type { Sql } from 'postgres';
import { loopTurns } from '#server/admission/loop-turns.ts';
import type { PickedHits } from '#server/engine/merged-types.ts';
import { type Analyzer, AnswerTooLargeError, SearchIndex } from '#server/engine/search-index.ts';
import type { Steps } from '#server/engine/steps.ts';
import type {
  EngineHit,
  FieldType,
  IndexedDocument,
  Metric,
  SearchProgress,
  SearchQuery,
} from '#server/engine/types.ts';
import type { EngineRequest } from '#server/indexes/host/engine-calls.ts';
import { PartClock } from '#server/indexes/host/part-clock.ts';
import { readDocuments, storedDocuments } from '#server/indexes/registry/rows.ts';
import { areWhole, type ShownFields } from '#server/indexes/search/shown-document.ts';
import { stepsInTurns } from '#server/indexes/write/steps-in-turns.ts';
import { explainPage, isOnlyPinned } from './explained-page.ts';
import type { AskedVersion } from './opened-index.ts';
import type { PlacedHit } from './placed-hits.ts';
import type { ClusterAnswer } from './search-cluster.ts';

type Shown = Omit<EngineRequest<'search'>, 'call'>;

interface PageParts {
  asked: AskedVersion;
  sql: Sql;
}

/** Those that are still there, with what is marked in them, and what their scores are made of where that was asked for. */
export async function hitsOnPage(
  parts: PageParts,
  { page, parts: search, ranked }: Pick<ClusterAnswer, 'page' | 'parts' | 'ranked'>,
  { progress, ...shown }: Shown & { progress: SearchProgress },
): Promise<(EngineHit | null)[]> {
  progress.part = 'highlights';
  const { reading } = search;
  const { scale, told } = ranked;
  // What a pin alone has brought in has no score.
  const relevanceAt = (hit: PlacedHit) =>
    told === null || isOnlyPinned(hit) ? Number.NaN : told.relevanceOf(hit.score);
  const picked = {
    ids: page.map(({ id }) => id),
    scores: Float64Array.from(page, ({ score }) => score),
    relevances: Float64Array.from(page, relevanceAt),
    textMatches: Float64Array.from(page, ({ textMatch }) => textMatch),
    coverages: Float64Array.from(page, ({ coverage }) => coverage),
    areNeighbours: Uint8Array.from(page, ({ isNeighbour }) => Number(isNeighbour)),
    fits: null,
  };
  const hits = await pickedHits(parts, { agreement: { reading, scale, support: null }, picked }, shown);
  hits.forEach((hit, place) => {
    if (hit === null) return;
    hit.isPinned = page[place]?.isPinned ?? false;
    if (hit.isPinned && shown.query.fit) hit.fits = true;
    if (Number.isNaN(hit.relevance)) delete hit.relevance;
  });
  if (shown.query.isExplained === true) {
    progress.part = 'explain';
    await explainPage(search, page, hits);
  }
  return hits;
}

/** Hits that are known by their ids and scores; null for one that has gone since. @throws AnswerTooLargeError */
export async function pickedHits(
  { asked, sql }: PageParts,
  picked: PickedHits,
  { query, shown, bytesMax }: Shown,
): Promise<(EngineHit | null)[]> {
  const { ids } = picked.picked;
  if (ids.length === 0) return [];
  const { collection, opened } = asked;
  const rows = await pageRows(sql, collection.id, { ids, bytesMax: bytesOf(shown, bytesMax) });
  await loopTurns.next(collection.for);
  const hasVectors = query.mode !== 'keyword';
  const documents = ids.flatMap((id): IndexedDocument[] => {
    const row = rows.get(id);
    if (row === undefined) return [];
    const { source, vectors, spans } = row;
    const none = { vectors: new Float32Array(0), spans: new Int32Array(0) };
    return [{ id, source, ...(hasVectors ? { vectors, spans } : none) }];
  });
  const asks = { query: withoutFilters(query, bytesMax), picked, progress: new PartClock() };
  return await stepsInTurns(collection.for, pageHits(documents, { ...collection, ...opened }, asks));
}

/** The page is filtered already. */
function withoutFilters(query: SearchQuery, answerBytesMax: number): SearchQuery {
  return {
    ...query,
    filter: null,
    ruleFilter: null,
    facets: [],
    // How far hits are from where a search sorts from.
    sort: query.sort.filter(({ from }) => from !== undefined),
    pins: [],
    excludeIds: [],
    answerBytesMax,
  };
}

/** Whole documents that are too many bytes are refused before any is read. */
export const bytesOf = (shown: ShownFields, bytesMax: number) =>
  areWhole(shown) ? bytesMax : Number.POSITIVE_INFINITY;

/** @throws AnswerTooLargeError */
export async function pageRows(
  sql: Sql,
  collectionId: number,
  { ids, bytesMax }: { ids: string[]; bytesMax: number },
) {
  if (Number.isFinite(bytesMax)) {
    const [row] = await sql.unsafe(
      `select sum(octet_length(source)) as bytes from ${storedDocuments}`,
      [collectionId, JSON.stringify(ids)],
      { prepare: true },
    );
    const bytes = Number(row?.['bytes'] ?? 0);
    if (bytes > bytesMax) throw new AnswerTooLargeError(bytes);
  }
  return await readDocuments(sql, collectionId, ids);
}

interface SmallIndex {
  dimension: number;
  metric: Metric;
  declared: { name: string; type: FieldType }[];
  analyzer: Analyzer;
}

/**
 * The hits of a page from their documents as the record has them: an embedded index of these alone says what is marked, which passage is the
 * nearest, and how far it and the document's points are. Null for one that has gone since it was found.
 */
function* pageHits(
  documents: IndexedDocument[],
  { dimension, metric, declared, analyzer }: SmallIndex,
  { query, picked, progress }: { query: SearchQuery; picked: PickedHits; progress: SearchProgress },
): Steps<(EngineHit | null)[]> {
  const index = SearchIndex.create({ dimension, metric, fields: declared, analyzer });
  yield* index.applySteps({ version: 1, puts: documents, deletes: [] });
  return yield* index.hitsOfPicked(query, picked, progress);
}
