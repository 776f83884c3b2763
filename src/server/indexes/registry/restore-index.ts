import type { Sql } from 'postgres';
import { toRecordError } from '#server/db/record-error.ts';
import type { IndexStats } from '#server/engine/types.ts';
import { notFound } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import type { RecentMap } from '#server/memory/recent-map.ts';
import { applyBatch } from '../host/apply-batch.ts';
import type { OpenSettings } from '../host/engine-calls.ts';
import type { EngineHost } from '../host/engine-host.ts';
import { IndexLostError } from '../host/index-lost-error.ts';
import type { CollectionHandle } from '../indexes.ts';
import { analyzerOf } from '../language/analyzer-of.ts';
import { heldBytes, needOfRecord, needOfRows, needOfSnapshot } from './index-size.ts';
import { IndexTooLargeError, NoMemoryLeftError } from './memory-errors.ts';
import type { Room } from './memory-hold.ts';
import {
  allDocuments,
  type CollectionState,
  deletionsSince,
  documentsSince,
  readState,
  type StoredRow,
} from './rows.ts';
import type { SnapshotFiles } from './snapshot-files.ts';

export interface RestoreParts {
  host: EngineHost;
  sql: Sql;
  files: SnapshotFiles;
  log: Log;
  /** By collection: what was too large, at which version. */
  tooLarge: RecentMap<{ version: number; error: IndexTooLargeError }>;
}

/** An index that equals the record. */
export interface CaughtUp {
  stats: IndexStats;
  /** Documents written and deleted on the way. */
  changes: number;
}

export interface RestoredIndex extends CaughtUp {
  /** That its texts were read as. */
  language: string | null;
  createdAtMicros: string;
  /** Version of the snapshot on disk; −1: none that can be used. */
  snapshotVersion: number;
}

/** An open index can no longer be brought up to the record: it has to be made anew. */
class UnusableIndexError extends Error {}

/** Not a fault: its owner said another language, or it was detected. */
export class OtherLanguageError extends UnusableIndexError {}

/**
 * Opens a collection's index equal to the record: its snapshot and what was written and deleted since, or all rows where the snapshot
 * is missing, damaged, foreign, ahead of the record or older than the deletions that are still known. Nothing may write to the
 * collection meanwhile.
 * @throws AppError NOT_FOUND when the collection is purged; IndexLostError, IndexTooLargeError, NoMemoryLeftError, the signal's reason
 */
export async function restoreIndex(
  parts: RestoreParts,
  collection: CollectionHandle,
  room: Room,
): Promise<RestoredIndex> {
  const { sql, tooLarge } = parts;
  const state = await readState(sql, collection.id);
  if (!state) throw notFound('Collection');
  const known = tooLarge.get(String(collection.id));
  if (known?.version === state.version) throw known.error;
  try {
    return await restoreTo(parts, collection, { state, room });
  } catch (error) {
    // It is not read again and again only to be found too large.
    if (error instanceof IndexTooLargeError)
      tooLarge.set(String(collection.id), { version: state.version, error });
    throw error;
  }
}

/** What the index is to equal, and what it may take. */
interface Target {
  state: CollectionState;
  room: Room;
}

async function restoreTo(
  parts: RestoreParts,
  collection: CollectionHandle,
  { state, room }: Target,
): Promise<RestoredIndex> {
  const { log } = parts;
  const { createdAtMicros, language } = state;
  const opened = state.version === 0 ? null : await openFile(parts, collection, { state, room });
  if (opened) {
    if ('stats' in opened) return { ...opened, createdAtMicros, language };
    log.warn('index snapshot is not used; rebuilding from the record', {
      collectionId: collection.id,
      reason: opened.refused,
    });
  }
  const rebuilt = await rebuild(parts, collection, { state, room });
  return { ...rebuilt, createdAtMicros, language, snapshotVersion: -1 };
}

type FromSnapshot = (CaughtUp & { snapshotVersion: number }) | { refused: string };

/** Null: there is no file. */
async function openFile(
  parts: RestoreParts,
  collection: CollectionHandle,
  { state, room }: Target,
): Promise<FromSnapshot | null> {
  const { files, host } = parts;
  const owner = { collectionId: collection.id, createdAtMicros: state.createdAtMicros };
  const measured = await files.bytes(owner);
  if (measured === null || 'refused' in measured) return measured;
  await room.raiseTo(needOfSnapshot(measured.bytes));
  const settings = engineSettings(collection, state);
  const opened = await files.read<IndexStats | { refused: string }>(owner, {
    begin: (pieces) => host.call(collection, { call: 'open', settings, snapshot: pieces }),
    take: (bytes) => host.call(collection, { call: 'openBytes', bytes }),
  });
  if (opened === null || 'refused' in opened) return opened;
  return fromSnapshot(parts, collection, { state, room, opened });
}

/** @throws what a rebuild would meet too: the database away, the engine's thread gone, no memory left */
async function fromSnapshot(
  parts: RestoreParts,
  collection: CollectionHandle,
  { state, room, opened }: Target & { opened: IndexStats },
): Promise<FromSnapshot> {
  try {
    await settle(room, opened);
    const from = { ...opened, language: state.language };
    const caughtUp = await catchUp(parts, collection, { from, to: state, room });
    return { ...caughtUp, snapshotVersion: opened.version };
  } catch (error) {
    if (error instanceof IndexLostError || isForWantOfMemory(error) || toRecordError(error)) throw error;
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

/** What was expected gives way to what there is, if that is not too much. */
async function settle(room: Room, { memoryBytes }: IndexStats): Promise<void> {
  const held = heldBytes(memoryBytes);
  room.set(held);
  await room.raiseTo({ about: held, atLeast: memoryBytes });
}

function isForWantOfMemory(error: unknown): boolean {
  return error instanceof IndexTooLargeError || error instanceof NoMemoryLeftError;
}

/**
 * Applies what the record has beyond an open index.
 * @throws UnusableIndexError when that is not known, or does not lead to what the record counts
 */
export async function catchUp(
  { host, sql }: Pick<RestoreParts, 'host' | 'sql'>,
  collection: CollectionHandle,
  { from, to, room }: { from: IndexStats & { language: string | null }; to: CollectionState; room: Room },
): Promise<CaughtUp> {
  const { version } = to;
  if (analyzerOf(to.language).name !== analyzerOf(from.language).name)
    throw new OtherLanguageError('its texts are in another language now');
  if (from.version > version) throw new UnusableIndexError('it is ahead of the record');
  if (from.version < to.prunedVersion) {
    throw new UnusableIndexError('deletions since then are no longer known');
  }
  const { id } = collection;
  let stats: IndexStats = from;
  let changes = 0;
  if (from.version < version) {
    // Deletions first: a document that was deleted and written again has a row, which then comes last.
    for await (const deletes of deletionsSince(sql, id, from.version)) {
      stats = await applyBatch(host, collection, { version, puts: [], deletes });
      changes += deletes.length;
    }
    for await (const rows of documentsSince(sql, id, from.version)) {
      await room.raiseTo(needOfRows(stats.memoryBytes, rows));
      stats = await applyBatch(host, collection, { version, puts: rows.map(toIndexed), deletes: [] });
      changes += rows.length;
    }
    if (stats.version < version) {
      stats = await applyBatch(host, collection, { version, puts: [], deletes: [] });
    }
  }
  if (stats.documentCount !== to.documentCount) {
    throw new UnusableIndexError('its documents are not those of the record');
  }
  return { stats, changes };
}

async function rebuild(
  { host, sql, log }: RestoreParts,
  collection: CollectionHandle,
  { state, room }: Target,
): Promise<CaughtUp> {
  const { id } = collection;
  const { version, documentCount } = state;
  await room.raiseTo(needOfRecord(state));
  let stats: IndexStats = await host.call(collection, {
    call: 'open',
    settings: engineSettings(collection, state),
    snapshot: null,
  });
  for await (const rows of allDocuments(sql, id)) {
    await room.raiseTo(needOfRows(stats.memoryBytes, rows));
    stats = await applyBatch(host, collection, { version, puts: rows.map(toIndexed), deletes: [] });
  }
  if (stats.version < version) stats = await applyBatch(host, collection, { version, puts: [], deletes: [] });
  await settle(room, stats);
  if (stats.documentCount !== documentCount) {
    log.error('the record counts other documents than it has', {
      collectionId: id,
      counted: documentCount,
      found: stats.documentCount,
    });
  }
  return { stats, changes: stats.documentCount };
}

function engineSettings(
  { dimension, metric }: CollectionHandle,
  { fields, language }: Pick<CollectionState, 'fields' | 'language'>,
): OpenSettings {
  return { dimension, metric, fields, language };
}

/** Only what the engine takes: the rest of a row would be copied to its thread for nothing. */
function toIndexed({ id, source, vectors, spans }: StoredRow) {
  return { id, source, vectors, spans };
}
