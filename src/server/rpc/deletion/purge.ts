import { and, eq, inArray, is, isNotNull, lt, lte, notExists, type SQL, sql } from 'drizzle-orm';
import { getTableConfig, type PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { triesForgottenAfterMs } from '#server/auth/tries/try-counts.ts';
import type { Database, ReadDatabase, RecordStore } from '#server/db/client.ts';
import { emailChanges, passwordResets, sessions, wrongPasswords } from '#server/db/schema/accounts.ts';
import { events, keyCounters, monthlyRequests, usageCounters } from '#server/db/schema/activity.ts';
import { alerts } from '#server/db/schema/alerts.ts';
import { apiKeys } from '#server/db/schema/api-keys.ts';
import { auditEntries } from '#server/db/schema/audit-entries.ts';
import { collections } from '#server/db/schema/collections.ts';
import { conversationMessages, conversations } from '#server/db/schema/conversations.ts';
import { imports } from '#server/db/schema/imports.ts';
import * as schema from '#server/db/schema/index.ts';
import { hostSeries, requestSeries } from '#server/db/schema/monitoring.ts';
import { rateWindows } from '#server/db/schema/rate-windows.ts';
import { requests } from '#server/db/schema/requests.ts';
import { clickPositions, searchDays, searchEvents, searchQueries } from '#server/db/schema/search-log.ts';
import { webhookDeliveries } from '#server/db/schema/webhooks.ts';
import { projects, workspaces } from '#server/db/schema/workspaces.ts';
import type { Log } from '#server/log.ts';
import { dayOf } from '#server/search-log/search-log.ts';
import { limits } from '#shared/limits.ts';

interface PurgeParts {
  record: RecordStore;
  clock: () => Date;
  log: Log;
  purgeAfterMs: number;
  auditKeepDays: number;
  /** Forgets a collection's index once more: a search under way while it was deleted may have loaded it again. */
  dropIndex(collectionId: number): Promise<void>;
}

/** Rows that go in one statement, so that nobody waits long for a lock. */
const rowsAtOnce = 2_000;

/**
 * How long after the last moment of Undo the purge begins: a restore that was in time has committed by then, so that none comes back to a
 * collection that is half emptied.
 */
const restoresEndWithinMs = 10_000;
const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const keyHoursKeptMs = 2 * dayMs;

/** What is deleted by hiding it first with all below it, from below upwards, so that no cascade takes more rows than a slice. */
const hiddenTables = [collections, projects, workspaces] as const;

/** All that cascade, read once: looked for in all tables at each comparison of `byHeight`, they took tenths of a second of every start. */
const cascades = Object.values(schema)
  .filter((each) => is(each, PgTable))
  .flatMap((each) => getTableConfig(each).foreignKeys)
  .filter(({ onDelete }) => onDelete === 'cascade')
  .map(({ reference }) => reference())
  .flatMap(({ columns, foreignTable }) => columns.map((column) => ({ column, to: foreignTable })));

export const kinds: Kind[] = hiddenTables.map((table) => {
  const columns = cascadingTo(table);
  return {
    table,
    belonging: columns.filter((column) => !isHidden(column)).sort(byHeight),
    below: columns.find(isHidden) ?? null,
  };
});

interface Kind {
  table: (typeof hiddenTables)[number];
  /** Columns that refer to it; their rows go before it does. */
  belonging: PgColumn[];
  /** What is hidden with it and goes by itself: while there is some, it stays. */
  below: PgColumn | null;
}

/** The columns of the schema whose rows Postgres would remove with a row of the table. */
function cascadingTo(table: PgTable): PgColumn[] {
  return cascades.filter(({ to }) => to === table).map(({ column }) => column);
}

/** What others go with goes after them, so that a cascade finds little. */
function byHeight(a: PgColumn, b: PgColumn): number {
  return heightOf(a.table) - heightOf(b.table);
}

/** How many cascades a row of the table can set off one after the other. */
function heightOf(table: PgTable): number {
  return Math.max(0, ...cascadingTo(table).map((column) => 1 + heightOf(column.table)));
}

function isHidden({ table }: PgColumn): boolean {
  return hiddenTables.some((hidden) => hidden === table);
}

/**
 * Removes what was deleted longer ago than it can be restored, the sessions that have ended, and history beyond its days.
 * What cannot go now, or is more than a run takes, waits for the next one.
 */
export async function purge(parts: PurgeParts, signal?: AbortSignal): Promise<void> {
  const { record, clock, purgeAfterMs, auditKeepDays } = parts;
  const now = clock();
  const before = new Date(now.getTime() - purgeAfterMs - restoresEndWithinMs);
  for (const kind of kinds) {
    for (const { id } of await selectDead(record.db, kind, before)) {
      if (kind.table === collections && !(await isDropped(parts, id))) continue;
      for (const doomed of doomedWith(record.db, kind, { id, before })) await remove(record, doomed, signal);
      if (signal?.aborted) return;
    }
  }
  for (const doomed of outlived({ now, before, auditKeepDays })) await remove(record, doomed, signal);
}

/** Those that can go. */
export function selectDead(db: ReadDatabase, { table, below }: Kind, before: Date) {
  return db
    .select({ id: table.id })
    .from(table as typeof workspaces)
    .where(and(isDead(table, before), isAlone(db, table, below)))
    .orderBy(table.deletedAt)
    .limit(rowsAtOnce);
}

/** An index that cannot be dropped keeps its collection, and only that, until the next run. */
async function isDropped({ dropIndex, log }: PurgeParts, id: number): Promise<boolean> {
  try {
    await dropIndex(id);
    return true;
  } catch (error) {
    log.warn('the index of a deleted collection was not dropped; the next run tries again', { id, error });
    return false;
  }
}

/** Which rows of a table go. */
interface Doomed {
  table: PgTable;
  where: SQL | undefined;
}

/** A dead thing, after what belongs to it. */
export function doomedWith(
  db: ReadDatabase,
  { table, belonging, below }: Kind,
  { id, before }: { id: number; before: Date },
): Doomed[] {
  return [
    ...belonging.map((column) => ({ table: column.table, where: eq(column, id) })),
    { table, where: and(eq(table.id, id), isDead(table, before), isAlone(db, table, below)) },
  ];
}

interface Times {
  now: Date;
  /** What was deleted then or earlier goes. */
  before: Date;
  auditKeepDays: number;
}

/** What goes by itself when its time is over. */
export function outlived({ now, before, auditKeepDays }: Times): Doomed[] {
  const auditEnds = new Date(now.getTime() - auditKeepDays * dayMs);
  const importsEnd = new Date(now.getTime() - limits.importsKeptHours * hourMs);
  const historyEnds = new Date(now.getTime() - limits.historyDaysMax * dayMs);
  const isDeleted = and(isNotNull(conversations.deletedAt), lte(conversations.deletedAt, before));
  const deleted = sql`(select ${conversations.id} from ${conversations} where ${isDeleted})`;
  const isDeletedKey = and(isNotNull(apiKeys.deletedAt), lte(apiKeys.deletedAt, before));
  const deletedKeys = sql`(select ${apiKeys.id} from ${apiKeys} where ${isDeletedKey})`;
  const ofDeletedKeys = sql`(select ${conversations.id} from ${conversations} where ${inArray(conversations.keyId, deletedKeys)})`;
  const queryIdsEnd = new Date(now.getTime() - limits.queryIdDaysMax * dayMs);
  return [
    { table: rateWindows, where: lt(rateWindows.wholeAt, sql`now()`) },
    { table: sessions, where: lte(sessions.expiresAt, now) },
    { table: passwordResets, where: lte(passwordResets.expiresAt, now) },
    { table: emailChanges, where: lte(emailChanges.expiresAt, now) },
    {
      table: wrongPasswords,
      where: lte(wrongPasswords.triedAt, new Date(now.getTime() - triesForgottenAfterMs)),
    },
    { table: conversationMessages, where: inArray(conversationMessages.conversationId, deleted) },
    { table: conversations, where: isDeleted },
    { table: conversationMessages, where: inArray(conversationMessages.conversationId, ofDeletedKeys) },
    { table: conversations, where: inArray(conversations.keyId, deletedKeys) },
    { table: keyCounters, where: inArray(keyCounters.keyId, deletedKeys) },
    { table: apiKeys, where: isDeletedKey },
    { table: conversationMessages, where: lt(conversationMessages.createdAt, historyEnds) },
    { table: conversations, where: lt(conversations.updatedAt, historyEnds) },
    { table: imports, where: lt(imports.updatedAt, importsEnd) },
    { table: events, where: lt(events.createdAt, historyEnds) },
    { table: auditEntries, where: lt(auditEntries.createdAt, auditEnds) },
    {
      table: requests,
      where: lt(requests.createdAt, new Date(now.getTime() - limits.requestsKeptDays * dayMs)),
    },
    { table: usageCounters, where: lt(usageCounters.hour, historyEnds) },
    { table: keyCounters, where: lt(keyCounters.hour, new Date(now.getTime() - keyHoursKeptMs)) },
    { table: monthlyRequests, where: lt(monthlyRequests.month, historyEnds) },
    { table: requestSeries, where: and(eq(requestSeries.grain, 'day'), lt(requestSeries.at, historyEnds)) },
    { table: hostSeries, where: and(eq(hostSeries.grain, 'day'), lt(hostSeries.at, historyEnds)) },
    { table: alerts, where: lt(alerts.resolvedAt, historyEnds) },
    {
      table: webhookDeliveries,
      where: lt(
        webhookDeliveries.createdAt,
        new Date(now.getTime() - limits.webhookDeliveriesKeptDays * dayMs),
      ),
    },
    { table: searchDays, where: lt(searchDays.day, dayOf(historyEnds)) },
    { table: searchQueries, where: lt(searchQueries.day, dayOf(historyEnds)) },
    { table: clickPositions, where: lt(clickPositions.day, dayOf(historyEnds)) },
    // What cannot be told again needs no row any more.
    { table: searchEvents, where: lt(searchEvents.day, dayOf(queryIdsEnd)) },
  ];
}

function isDead({ deletedAt }: Kind['table'], before: Date): SQL | undefined {
  return and(isNotNull(deletedAt), lte(deletedAt, before));
}

function isAlone(db: ReadDatabase, table: Kind['table'], below: PgColumn | null): SQL | undefined {
  return below
    ? notExists(db.select({ one: sql`1` }).from(below.table).where(eq(below, table.id)))
    : undefined;
}

/** In slices; ends before the next one when it shall. */
async function remove(record: RecordStore, doomed: Doomed, signal: AbortSignal | undefined): Promise<void> {
  let removed = rowsAtOnce;
  while (removed === rowsAtOnce && !signal?.aborted) {
    const slice = record.write((db) => deleteSlice(db, doomed), { mayUseReserve: true });
    removed = (await slice).count;
  }
}

export function deleteSlice(db: Database, { table, where }: Doomed) {
  const place = sql`${table}.ctid`;
  const slice = db.select({ place }).from(table).where(where).limit(rowsAtOnce);
  return db.delete(table).where(and(where, inArray(place, slice)));
}

const tickMs = 10_000;

/** Purges every ten seconds, one server of those on a record, one run at a time; `stop` ends the timer and waits for the run under way, which ends at its next slice. */
export function startPurge(parts: PurgeParts): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  const run = async () => {
    try {
      if (await parts.record.servers.leads('purge')) await purge(parts, stopping.signal);
    } catch (error) {
      parts.log.warn('deleted things were not purged; the next run tries again', { error });
    } finally {
      running = null;
    }
  };
  const timer = setInterval(() => {
    running ??= run();
  }, tickMs);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
