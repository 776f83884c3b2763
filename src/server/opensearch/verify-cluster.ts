import type { Sql } from 'postgres';
import { readDocuments, readSizes } from '#server/indexes/registry/rows.ts';
import type { Verified } from '#shared/collections.ts';
import { limits } from '#shared/limits.ts';
import { drawDocuments } from './drawn-documents.ts';
import { wholeDocument } from './mapping.ts';
import { type AskSearches, counted, type FoundId, totalOf } from './multi-search.ts';
import { nearest } from './nearest.ts';
import type { AskedVersion } from './opened-index.ts';
import { allOf, among, term } from './query.ts';
import { hitsOf } from './ranked-words.ts';

const idsAtOnce = 5_000;
const whole = term('is', wholeDocument);

interface Compared {
  ask: AskSearches;
  sql: Sql;
  collectionId: number;
}

interface VerifyParts {
  sql: Sql;
  /** The index with all that was written so far; whether it is asked in the collection's turn. */
  current: (isInTurn: boolean) => Promise<AskedVersion>;
  inTurn: <T>(task: () => Promise<T>) => Promise<T>;
}

/** Documents that are written again and again are looked at so often; of those that still are, nothing is told. */
const looksMax = 8;

/**
 * Compares an index with its record, version by version. Others write meanwhile: what seems to differ is looked at again in the collection's turn, in which this
 * server writes nothing, and as long as other servers do.
 */
export async function verifyCluster(
  { sql, current, inTurn }: VerifyParts,
  signal?: AbortSignal,
): Promise<Verified> {
  const compared = ({ ask, collection }: AskedVersion) => ({ ask, sql, collectionId: collection.id });
  const first = await current(false);
  const suspects = await findSuspects(compared(first), signal);
  const recall = await measureRecall(first, sql);
  const ids = suspects.slice(0, limits.verifyIdsMax);
  return await inTurn(async () => {
    const differing: Record<Difference, string[]> = { missing: [], ghosts: [], stale: [] };
    let unsettled = ids;
    let asked = await current(true);
    for (let looks = 1; ; looks += 1) {
      signal?.throwIfAborted();
      const count = { documents: asked.documentCount, indexed: await countIndexed(asked) };
      const versionBefore = asked.version;
      const rows = await recordedVersions(compared(asked), unsettled);
      // It has what was recorded by now.
      asked = await current(true);
      const judged = await judge(compared(asked), { rows, versionBefore, ids: unsettled });
      for (const kind of kinds) differing[kind].push(...judged[kind]);
      unsettled = judged.unsettled;
      const isSettled = unsettled.length === 0 && asked.version === versionBefore;
      if (!isSettled && looks < looksMax) continue;
      return { ...count, ...differing, more: suspects.length > ids.length, scan: 'graph', recall };
    }
  });
}

const kinds = ['missing', 'ghosts', 'stale'] as const;
type Difference = (typeof kinds)[number];

async function countIndexed({ ask }: AskedVersion): Promise<number> {
  const [reply] = await ask([counted({ size: 0, query: whole })]);
  return totalOf(reply);
}

/**
 * Ids of documents that seem to differ, one more than are named at most: each document of the record is looked for in the index with its version, and each of the
 * index in the record.
 */
async function findSuspects({ ask, sql, collectionId }: Compared, signal?: AbortSignal): Promise<string[]> {
  const suspects = new Set<string>();
  const isEnough = () => suspects.size > limits.verifyIdsMax;
  for (let after = ''; !isEnough(); ) {
    signal?.throwIfAborted();
    const rows = await sql.unsafe(
      'select id, version from documents where collection_id = $1 and id > $2 order by id limit $3',
      [collectionId, after, idsAtOnce],
      { prepare: true },
    );
    const versions = await versionsOf(
      ask,
      rows.map((row) => String(row['id'])),
    );
    for (const row of rows) if (versions.get(row['id']) !== Number(row['version'])) suspects.add(row['id']);
    if (rows.length < idsAtOnce) break;
    after = rows.at(-1)?.['id'] ?? '';
  }
  for (let after: string | null = null; !isEnough(); ) {
    signal?.throwIfAborted();
    const hits = await pageOfIds(ask, after);
    const known = await readSizes(
      sql,
      collectionId,
      hits.map(({ _id }) => _id),
    );
    for (const { _id } of hits) if (!known.has(_id)) suspects.add(_id);
    if (hits.length < idsAtOnce) break;
    after = hits.at(-1)?._id ?? null;
  }
  return [...suspects];
}

interface Judged {
  ids: string[];
  /** As the record had them before the index got all that was recorded. */
  rows: Map<string, number>;
  /** Of the collection before that. */
  versionBefore: number;
}

/** What is amiss with these. `unsettled`: they were written while they were looked at, so that the index may have them from before or since. */
async function judge(
  compared: Compared,
  { ids, rows, versionBefore }: Judged,
): Promise<Record<Difference | 'unsettled', string[]>> {
  const indexed = await versionsOf(compared.ask, ids);
  const since = await recordedVersions(compared, ids);
  const judged: Record<Difference | 'unsettled', string[]> = {
    missing: [],
    ghosts: [],
    stale: [],
    unsettled: [],
  };
  for (const id of ids) {
    const [row, found] = [rows.get(id), indexed.get(id)];
    // One that is in neither record was written and deleted between them, if its version is of that time.
    const isUnsettled = row !== since.get(id) || (row === undefined && (found ?? 0) > versionBefore);
    if (isUnsettled) judged.unsettled.push(id);
    else if (row === found) continue;
    else if (found === undefined) judged.missing.push(id);
    else judged[row === undefined ? 'ghosts' : 'stale'].push(id);
  }
  return judged;
}

async function recordedVersions(
  { sql, collectionId }: Compared,
  ids: string[],
): Promise<Map<string, number>> {
  const rows = await readDocuments(sql, collectionId, ids);
  return new Map([...rows.values()].map(({ id, version }) => [id, version]));
}

/** By id: what wrote a document in the index. */
async function versionsOf(ask: AskSearches, ids: string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const [reply] = await ask([{ size: ids.length, version: true, query: allOf([whole, among('id', ids)]) }]);
  return new Map(hitsOf(reply).map(({ _id, _version = 0 }) => [_id, _version]));
}

async function pageOfIds(ask: AskSearches, after: string | null): Promise<FoundId[]> {
  const from = after === null ? {} : { search_after: [after] };
  const [reply] = await ask([{ size: idsAtOnce, query: whole, sort: [{ id: { order: 'asc' } }], ...from }]);
  return hitsOf(reply);
}

/** Documents whose vectors are the queries: each is compared with all, so fewer of a large collection. */
const samplesMax = 32;
const samplesMin = 4;
const comparisonsMax = 1_000_000;
/** How many of their nearest are looked for. */
const neighbours = 10;

/** The share of the nearest that the graph finds, of those that a comparison with all finds: the queries are vectors of the collection. */
async function measureRecall({ ask, collection, documentCount }: AskedVersion, sql: Sql): Promise<number> {
  const affordable = Math.floor(comparisonsMax / Math.max(1, documentCount));
  const { ids } = await drawDocuments(ask, Math.min(samplesMax, Math.max(samplesMin, affordable)));
  const rows = await readDocuments(sql, collection.id, ids);
  let [found, all] = [0, 0];
  for (const { vectors } of rows.values()) {
    const { dimension, metric } = collection;
    const vector = vectors.subarray(0, dimension);
    const asked = { vector, dimension, metric, by: metric };
    const least = { k: neighbours, passing: whole };
    const truth = await nearest(ask, { ...asked, isExact: true }, least);
    const walked = await nearest(ask, { ...asked, isExact: false }, least);
    // Of those equally near any will do; scores are in single precision.
    const farthest = (truth.at(-1)?.similarity ?? 0) - 1e-5;
    found += walked.filter(({ similarity }) => similarity >= farthest).length;
    all += truth.length;
  }
  return all === 0 ? 1 : found / all;
}
