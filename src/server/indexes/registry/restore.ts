import type { Sql } from 'postgres';
import { toRecordError } from '#server/db/record-error.ts';
import type { IndexSettings, IndexStats, Snapshot, WriteBatch } from '#server/engine/types.ts';
import { notFound } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import type { EngineHost } from '../host/engine-host.ts';
import { IndexLostError } from '../host/index-lost-error.ts';
import { packBatch } from '../host/packed-batch.ts';
import type { CollectionHandle } from '../indexes.ts';
import { allDocuments, type CollectionState, deletionsSince, documentsSince, readState } from './rows.ts';
import type { SnapshotFiles } from './snapshot-files.ts';

export interface RestoreParts {
  host: EngineHost;
  sql: Sql;
  files: SnapshotFiles;
  log: Log;
}

export interface RestoredIndex {
  stats: IndexStats;
  birth: string;
  /** Version of the snapshot on disk; −1: none that can be used. */
  snapshotVersion: number;
}

/**
 * Opens a collection's index equal to the record: its snapshot and what was written and deleted since, or all rows where the snapshot
 * is missing, torn, foreign, ahead of the record or older than the deletions that are still known. Nothing may write to the collection meanwhile.
 * @throws AppError NOT_FOUND when the collection is purged
 */
export async function restoreIndex(
  parts: RestoreParts,
  collection: CollectionHandle,
): Promise<RestoredIndex> {
  const { sql, files, log } = parts;
  const state = await readState(sql, collection.id);
  if (!state) throw notFound('Collection');
  const settings = engineSettings(collection);
  const owner = { collectionId: collection.id, birth: state.birth };
  const found = state.version === 0 ? null : await files.read(owner);
  if (found) {
    const opened =
      'refused' in found ? found : await fromSnapshot(parts, { collection, state }, found.snapshot);
    if ('stats' in opened) return { ...opened, birth: state.birth };
    log.warn('index snapshot is not used; rebuilding from the record', {
      collectionId: collection.id,
      reason: opened.refused,
    });
  }
  const stats = await rebuild(parts, collection.id, settings, state);
  return { stats, birth: state.birth, snapshotVersion: -1 };
}

type FromSnapshot = { stats: IndexStats; snapshotVersion: number } | { refused: string };

/** @throws what a rebuild would meet too: the database away, the engine's thread gone */
async function fromSnapshot(
  parts: RestoreParts,
  { collection, state }: { collection: CollectionHandle; state: CollectionState },
  snapshot: Snapshot,
): Promise<FromSnapshot> {
  const settings = engineSettings(collection);
  const opened = await parts.host.call(collection.id, { call: 'open', settings, snapshot });
  const refused = opened.refused ?? refusal(opened.version, state);
  if (refused !== null) return { refused };
  try {
    const stats = await catchUp(parts, collection.id, opened, state);
    if (stats.documentCount !== state.documentCount)
      return { refused: 'its documents are not those of the record' };
    return { stats, snapshotVersion: opened.version };
  } catch (error) {
    if (error instanceof IndexLostError || toRecordError(error)) throw error;
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

/** Applies what the record has beyond an open index. @returns its stats afterwards */
export async function catchUp(
  { host, sql }: Pick<RestoreParts, 'host' | 'sql'>,
  collectionId: number,
  from: IndexStats,
  state: CollectionState,
): Promise<IndexStats> {
  let stats = from;
  if (stats.version >= state.version) return stats;
  const since = from.version;
  // Deletions first: a document that was deleted and written again has a row, which then comes last.
  for await (const deletes of deletionsSince(sql, collectionId, since)) {
    stats = await apply(host, collectionId, { version: state.version, puts: [], deletes });
  }
  for await (const puts of documentsSince(sql, collectionId, since)) {
    stats = await apply(host, collectionId, { version: state.version, puts: puts.map(indexed), deletes: [] });
  }
  if (stats.version < state.version) {
    stats = await apply(host, collectionId, { version: state.version, puts: [], deletes: [] });
  }
  return stats;
}

async function rebuild(
  { host, sql, log }: RestoreParts,
  collectionId: number,
  settings: IndexSettings,
  state: CollectionState,
): Promise<IndexStats> {
  let stats: IndexStats = await host.call(collectionId, { call: 'open', settings, snapshot: null });
  for await (const puts of allDocuments(sql, collectionId)) {
    stats = await apply(host, collectionId, { version: state.version, puts: puts.map(indexed), deletes: [] });
  }
  if (stats.version < state.version) {
    stats = await apply(host, collectionId, { version: state.version, puts: [], deletes: [] });
  }
  if (stats.documentCount !== state.documentCount) {
    log.error('the record counts other documents than it has', {
      collectionId,
      counted: state.documentCount,
      found: stats.documentCount,
    });
  }
  return stats;
}

function apply(host: EngineHost, collectionId: number, batch: WriteBatch): Promise<IndexStats> {
  return host.call(collectionId, { call: 'apply', batch: packBatch(batch) });
}

function refusal(snapshotVersion: number, state: CollectionState): string | null {
  if (snapshotVersion > state.version) return 'it is ahead of the record';
  if (snapshotVersion < state.prunedVersion) return 'deletions since then are no longer known';
  return null;
}

export function engineSettings({ dimension, metric, metadata }: CollectionHandle): IndexSettings {
  const fields = (metadata?.fields ?? []).map(({ name, type }) => ({ name, type }));
  return { dimension, metric, fields };
}

/** Only what the engine takes: the rest of a row would be copied to its thread for nothing. */
function indexed({
  id,
  source,
  vectors,
  spans,
}: {
  id: string;
  source: string;
  vectors: Float32Array;
  spans: Int32Array;
}) {
  return { id, source, vectors, spans };
}
