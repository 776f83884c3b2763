import type { Sql } from 'postgres';
import { nothingFits } from '#server/engine/search-index.ts';
import type { EngineHit, FoundDocument, IndexStats } from '#server/engine/types.ts';
import type { EngineReply, EngineRequest, ReadCall } from '#server/indexes/host/engine-calls.ts';
import { PartClock } from '#server/indexes/host/part-clock.ts';
import { readDocuments, readRecorded } from '#server/indexes/registry/rows.ts';
import { facetsText } from '#server/indexes/search/facet-counts.ts';
import { groupsText } from '#server/indexes/search/grouped-hits.ts';
import { headsText } from '#server/indexes/search/headed-text.ts';
import { documentsText, hitsText, linesText } from '#server/indexes/search/search-hit.ts';
import { stepsInTurns } from '#server/indexes/write/steps-in-turns.ts';
import { builtQuery } from './built-query.ts';
import { judgedFigures } from './judged-figures.ts';
import { keptGroups } from './kept-groups.ts';
import { KeywordSearch } from './keyword-search.ts';
import { countedShape, shapeOf } from './known-shape.ts';
import { hitsOfPicked, rankShared, tellSides } from './merged-reads.ts';
import { counted, totalOf } from './multi-search.ts';
import type { AskedVersion } from './opened-index.ts';
import { bytesOf, hitsOnPage, pageRows } from './page-hits.ts';
import { passingFilter } from './passing-filter.ts';
import { hitsOf } from './ranked-words.ts';
import type { ReadParts } from './read-parts.ts';
import { sampledDocuments } from './sampled-documents.ts';
import { searchCluster } from './search-cluster.ts';
import { standingOf } from './standing.ts';

type Handlers = {
  [Name in ReadCall]: (parts: ReadParts, request: EngineRequest<Name>) => Promise<EngineReply<Name>>;
};

const handlers: Handlers = {
  search,
  list,
  lines,
  ids: ({ asked }, request) => listIds(asked, request),
  async check({ asked }, { query }) {
    (await shapeOf(asked)).check(query);
    return null;
  },
  documents: ({ sql, asked }, request) => documentsOf(sql, asked.collection.id, request),
  fields: async ({ asked }) => [...(await countedShape(asked)).fields.values()],
  stats: ({ asked }) => statsOf(asked),
  async tellWords({ asked }, { query, question }) {
    const keyword = new KeywordSearch(asked.ask, query, { ...asked.opened, documents: asked.documentCount });
    const progress = new PartClock();
    progress.part = 'words';
    return { ...(await keyword.figures(question)), times: progress.times };
  },
  standing: standingOf,
  judgedFigures,
  tellSides,
  rankShared,
  firstVectors,
  hitsOfPicked,
  sample: sampledDocuments,
  // No field of an index lists words.
  completeWords: async () => [],
};

/** Answers a question as the embedded engine does. @throws as `searchCluster`, AnswerTooLargeError */
export function readCluster<Name extends ReadCall>(
  parts: ReadParts,
  request: EngineRequest<Name>,
): Promise<EngineReply<Name>> {
  const { opened, wanted } = parts.asked;
  const query = 'query' in request && {
    query: builtQuery(request.query, { own: opened.constants, wanted }),
  };
  return handlers[request.call](parts, { ...request, ...query });
}

/** From the record, which is never older than an index. */
export async function documentsOf(
  sql: Sql,
  collectionId: number,
  { ids, withVectors, bytesMax = Number.POSITIVE_INFINITY }: Omit<EngineRequest<'documents'>, 'call'>,
): Promise<(FoundDocument | null)[]> {
  const rows = await readDocuments(sql, collectionId, ids);
  const found: (FoundDocument | null)[] = [];
  let bytes = 0;
  for (const id of ids) {
    const row = rows.get(id);
    const source = row && Buffer.from(row.source);
    bytes += source?.byteLength ?? 0;
    if (bytes > bytesMax && found.length > 0) break;
    found.push(
      row && source
        ? {
            id,
            source,
            vectors: withVectors ? row.vectors : new Float32Array(0),
            spans: withVectors ? row.spans : new Int32Array(0),
          }
        : null,
    );
  }
  return found;
}

/** Of several collections that are searched as one the best hits' vectors. */
async function firstVectors(
  { asked }: ReadParts,
  { ids }: EngineRequest<'firstVectors'>,
): Promise<EngineReply<'firstVectors'>> {
  const { dimension } = asked.collection;
  const vectors = new Float32Array(ids.length * dimension);
  const rows = await asked.firstVectors(ids);
  for (const [place, each] of ids.entries()) {
    const own = rows.get(each);
    if (own) vectors.set(own, place * dimension);
  }
  return { vectors, times: new PartClock().times };
}

async function search(
  parts: ReadParts,
  { query, shown, bytesMax }: EngineRequest<'search'>,
): Promise<EngineReply<'search'>> {
  const { asked, unit } = parts;
  const progress = new PartClock();
  const answer = await searchCluster(asked, query, { unit, progress });
  const found = await hitsOnPage(parts, answer, { query, shown, bytesMax, progress });
  const { for: requester } = asked.collection;
  const { declared } = asked.opened;
  progress.part = 'answer';
  const { hits, groups } = await stepsInTurns(
    requester,
    keptGroups(found, answer.groups, { fields: query.group?.fields ?? [], declared }),
  );
  const facets =
    answer.facets.length === 0 ? null : await stepsInTurns(requester, facetsText(answer.facets, bytesMax));
  const left = bytesMax - (facets?.byteLength ?? 0);
  return {
    found: answer.found,
    foundDocuments: answer.foundDocuments,
    next: answer.next,
    outOf: asked.documentCount,
    nothingFits: nothingFits(
      query,
      hits.map(({ fits }) => fits),
    ),
    matchRule: answer.matchRule,
    droppedTokens: answer.droppedTokens,
    correctedTokens: answer.correctedTokens,
    facets,
    hits: await stepsInTurns(
      requester,
      groups === null ? hitsText(hits, shown, left) : groupsText({ hits, groups }, shown, left),
    ),
    heads: headsText(hits),
    times: progress.times,
  };
}

async function list(
  parts: ReadParts,
  { query, shown, bytesMax }: EngineRequest<'list'>,
): Promise<EngineReply<'list'>> {
  const { asked, unit, sql } = parts;
  const { found, page } = await searchCluster(asked, query, { unit, progress: { part: null } });
  const ids = page.map(({ id }) => id);
  const rows = await pageRows(sql, asked.collection.id, { ids, bytesMax: bytesOf(shown, bytesMax) });
  const hits = ids.flatMap((id) => {
    const row = rows.get(id);
    return row ? [plainHit(id, Buffer.from(row.source))] : [];
  });
  return { found, hits: await stepsInTurns(asked.collection.for, documentsText(hits, shown, bytesMax)) };
}

function plainHit(id: string, source: Uint8Array): EngineHit {
  const none = {
    score: 0,
    textMatch: null,
    vectorDistance: null,
    isPinned: false,
    highlights: [],
    passage: null,
  };
  return { id, source, sourceBytes: source.byteLength, ...none };
}

/** Ids of one request. */
const idsMax = 10_000;

/** In id order: those after `after`, the first `limit`. */
async function listIds(
  asked: AskedVersion,
  { filter, after, limit }: Omit<EngineRequest<'ids'>, 'call'>,
): Promise<string[]> {
  const passing = await passingFilter(asked, filter);
  const ids: string[] = [];
  let last = after;
  while (ids.length < limit) {
    const size = Math.min(idsMax, limit - ids.length);
    const from = last === null ? {} : { search_after: [last] };
    const [reply] = await asked.ask([{ size, query: passing, sort: [{ id: { order: 'asc' } }], ...from }]);
    const page = hitsOf(reply).map(({ _id }) => _id);
    for (const id of page) ids.push(id);
    last = page.at(-1) ?? null;
    if (page.length < size) break;
  }
  return ids;
}

/** As documents go out in lists: as many as fit. */
async function lines(
  { asked, sql }: ReadParts,
  { filter, after, limit, shown, bytesMax }: EngineRequest<'lines'>,
): Promise<EngineReply<'lines'>> {
  const ids = await listIds(asked, { filter, after, limit });
  const rows = await readRecorded(sql, asked.collection.id, { ids, bytesMax });
  const found = rows.map(({ source }) => ({ source: Buffer.from(source) }));
  const last = rows.at(-1)?.id ?? ids.at(-1) ?? null;
  const isLast = ids.length < limit && (rows.length === ids.length || last === ids.at(-1));
  return {
    lines: await stepsInTurns(asked.collection.for, linesText(found, shown)),
    count: rows.length,
    last: isLast ? null : last,
  };
}

async function statsOf({ ask, documentCount, version }: AskedVersion): Promise<IndexStats> {
  const withVectors = { nested: { path: 'passages', query: { exists: { field: 'passages.v' } } } };
  const [reply] = await ask([counted({ size: 0, query: withVectors })]);
  const vectorCount = totalOf(reply);
  return { version, documentCount, vectorCount, memoryBytes: 0, scan: 'exact', recall: 1 };
}

export function isOfDocuments(request: EngineRequest<ReadCall>): request is EngineRequest<'documents'> {
  return request.call === 'documents';
}
