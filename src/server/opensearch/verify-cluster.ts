import type { Sql } from 'postgres';
import { readDocuments, readSizes } from '#server/indexes/registry/rows.ts';
import type { Verified } from '#shared/collections.ts';
import { limits } from '#shared/limits.ts';
import { drawDocuments } from './drawn-documents.ts';
import { wholeDocument } from './mapping.ts';
import type { AskSearches, FoundId } from './multi-search.ts';
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

/** Compares an index with its record, version by version. Others write meanwhile: what seems to differ is looked at again when nobody does. */
export async function verifyCluster(
  { sql, current, inTurn }: VerifyParts,
  signal?: AbortSignal,
): Promise<Verified> {
  const compared = ({ ask, collection }: AskedVersion) => ({ ask, sql, collectionId: collection.id });
  const first = await current(false);
  const suspects = await findSuspects(compared(first), signal);
  const recall = await measureRecall(first, sql);
  return await inTurn(async () => {
    const asked = await current(true);
    const [reply] = await asked.ask([{ size: 0, query: whole }]);
    const judged = await judgeSuspects(compared(asked), suspects);
    const counts = { documents: asked.documentCount, indexed: reply?.hits.total.value ?? 0 };
    return { ...counts, ...judged, scan: 'graph', recall };
  });
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

/** What is amiss with these, once the index has all that was written. */
async function judgeSuspects(
  { ask, sql, collectionId }: Compared,
  suspects: string[],
): Promise<Pick<Verified, 'missing' | 'ghosts' | 'stale' | 'more'>> {
  const ids = suspects.slice(0, limits.verifyIdsMax);
  const [rows, versions] = [await readDocuments(sql, collectionId, ids), await versionsOf(ask, ids)];
  const isThere = (id: string) => versions.has(id);
  return {
    missing: ids.filter((id) => rows.has(id) && !isThere(id)),
    ghosts: ids.filter((id) => !rows.has(id) && isThere(id)),
    stale: ids.filter((id) => rows.has(id) && isThere(id) && rows.get(id)?.version !== versions.get(id)),
    more: suspects.length > ids.length,
  };
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
