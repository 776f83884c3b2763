import { and, eq, inArray, isNotNull, lte, sql } from 'drizzle-orm';
import type { Log } from '#server/log.ts';
import type { Database, RecordStore } from './client.ts';
import { sessions } from './schema/accounts.ts';
import { collections, deletions, documents } from './schema/collections.ts';
import { projects, workspaces } from './schema/workspaces.ts';

interface PurgeParts {
  record: RecordStore;
  clock: () => Date;
  log: Log;
  purgeAfterMs: number;
  /** Forgets a collection's index once more: a search under way while it was deleted may have loaded it again. */
  dropIndex(collectionId: number): Promise<void>;
}

/** Rows of a purged collection that go in one statement, so that others get a turn on the embedded database's one connection. */
const rowsAtOnce = 2_000;

/**
 * How long after the last moment of Undo the purge begins: a restore that was in time has committed by then, so that none comes back to a
 * collection that is half emptied.
 */
const restoresEndWithinMs = 10_000;

/** Removes what was deleted longer ago than it can be restored, and the sessions that have ended. */
export async function purgeDeleted(parts: Omit<PurgeParts, 'log'>, signal?: AbortSignal): Promise<void> {
  const { record, clock, purgeAfterMs, dropIndex } = parts;
  const { db } = record;
  const remove = (work: (tx: Database) => Promise<unknown>) => record.write(work, { mayUseReserve: true });
  const before = new Date(clock().getTime() - purgeAfterMs - restoresEndWithinMs);
  await remove((tx) => tx.delete(sessions).where(lte(sessions.expiresAt, clock())));

  const dead = await db
    .select({ id: collections.id })
    .from(collections)
    .where(and(isNotNull(collections.deletedAt), lte(collections.deletedAt, before)))
    .orderBy(collections.id);
  for (const { id } of dead) {
    await dropIndex(id);
    await emptyCollection(record, id, signal);
    if (signal?.aborted) return;
    await remove((tx) =>
      tx.delete(collections).where(and(eq(collections.id, id), lte(collections.deletedAt, before))),
    );
  }
  await remove((tx) =>
    tx.delete(projects).where(and(isNotNull(projects.deletedAt), lte(projects.deletedAt, before))),
  );
  await remove((tx) =>
    tx.delete(workspaces).where(and(isNotNull(workspaces.deletedAt), lte(workspaces.deletedAt, before))),
  );
}

async function emptyCollection(
  record: RecordStore,
  collectionId: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (const table of [documents, deletions]) {
    let removed: number;
    do {
      if (signal?.aborted) return;
      const slice = record.db
        .select({ row: sql`${table}.ctid` })
        .from(table)
        .where(eq(table.collectionId, collectionId))
        .limit(rowsAtOnce);
      const rows = await record.write(
        (tx) =>
          tx
            .delete(table)
            .where(and(eq(table.collectionId, collectionId), inArray(sql`${table}.ctid`, slice)))
            .returning({ id: table.id }),
        { mayUseReserve: true },
      );
      removed = rows.length;
    } while (removed === rowsAtOnce);
  }
}

const tickMs = 10_000;

/** Purges every ten seconds, one run at a time; `stop` ends the timer and waits for the run under way, which ends at its next slice. */
export function startPurge(parts: PurgeParts): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  const run = async () => {
    try {
      await purgeDeleted(parts, stopping.signal);
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
