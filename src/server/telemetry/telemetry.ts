import { and, eq, gte, sql, sum } from 'drizzle-orm';
import type { Database, ReadDatabase, RecordStore } from '#server/db/client.ts';
import { isAnyOf } from '#server/db/is-any-of.ts';
import { usageCounters } from '#server/db/schema/activity.ts';
import { workspaces } from '#server/db/schema/workspaces.ts';
import { WriteBehind } from '#server/db/write-behind.ts';
import type { Log } from '#server/log.ts';
import { createKeyUsage } from './key-usage.ts';

/** What a request is about, for counting. */
interface UsageScope {
  workspaceId: number;
  /** Null: no project, or several (a list over a workspace). */
  projectId: number | null;
  /** Absent or null: a user's. */
  keyId?: number | null;
}

interface UsageQuery {
  workspaceIds: number[];
  /** Absent: whatever project they are about. */
  projectId?: number | undefined;
  /** The first hour that counts. */
  since: Date;
}

export interface Telemetry {
  /** Counts one API request; in memory, written in batches. */
  countRequest(about: UsageScope): void;
  /** Requests by the hour they came in (ms since 1970), with those that are not written yet. */
  requestsByHour(db: ReadDatabase, query: UsageQuery): Promise<Map<number, number>>;
  /** Of each of these keys that has any, since that hour. */
  requestsOfKeys(db: ReadDatabase, keyIds: number[], since: Date): Promise<Map<number, number>>;
  /** Writes what is counted so far; called on a timer. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

export const hourMs = 60 * 60 * 1000;
/** Workspaces and projects in use within some seconds; a batch is one statement. */
const keysMax = 10_000;

interface Counter {
  workspaceId: number;
  /** 0: none. */
  projectId: number;
  /** Start of the hour, ms since 1970. */
  hour: number;
  requests: number;
}

/** The hours of the last 24, the begun one included, begin here. */
export function lastDayBegins(now: Date): Date {
  return new Date(Math.floor(now.getTime() / hourMs) * hourMs - 23 * hourMs);
}

/** Requests by workspace, project and hour, and by key. */
export function createTelemetry(parts: { record: RecordStore; log: Log; clock: () => Date }): Telemetry {
  const { record, log, clock } = parts;
  const counters = new WriteBehind<Counter>({
    record,
    log,
    what: 'usage counters',
    keysMax,
    merge: (waiting, added) => ({ ...waiting, requests: waiting.requests + added.requests }),
    write: (db, batch) =>
      addCounters(
        db,
        batch.map(([, counter]) => counter),
      ),
  });
  const ofKeys = createKeyUsage({ record, log });
  return {
    countRequest({ workspaceId, projectId, keyId }) {
      const hour = Math.floor(clock().getTime() / hourMs) * hourMs;
      const key = `${workspaceId}/${projectId ?? 0}/${hour}`;
      const waiting = counters.waiting(key);
      // Into the counter that waits: another object for each request would cost more than its count.
      if (waiting) waiting.requests += 1;
      else counters.put(key, { workspaceId, projectId: projectId ?? 0, hour, requests: 1 });
      if (keyId != null) ofKeys.count(keyId, hour);
    },
    requestsByHour: (db, query) =>
      counters.readWith(async (pending) => {
        const found = await readCounters(db, query);
        for (const { hour, requests } of [...pending.values()].filter((counter) => isAbout(counter, query)))
          found.set(hour, (found.get(hour) ?? 0) + requests);
        return found;
      }),
    requestsOfKeys: ofKeys.requestsSince,
    async flush() {
      await Promise.all([counters.flush(), ofKeys.flush()]);
    },
    async stop() {
      await Promise.all([counters.stop(), ofKeys.stop()]);
    },
  };
}

function isAbout(counter: Counter, { workspaceIds, projectId, since }: UsageQuery): boolean {
  return (
    workspaceIds.includes(counter.workspaceId) &&
    (projectId === undefined || counter.projectId === projectId) &&
    counter.hour >= since.getTime()
  );
}

async function readCounters(db: ReadDatabase, query: UsageQuery): Promise<Map<number, number>> {
  const { workspaceIds, projectId, since } = query;
  const rows = await db
    .select({ hour: usageCounters.hour, requests: sum(usageCounters.requests).mapWith(Number) })
    .from(usageCounters)
    .where(
      and(
        isAnyOf(usageCounters.workspaceId, workspaceIds),
        projectId === undefined ? undefined : eq(usageCounters.projectId, projectId),
        gte(usageCounters.hour, since),
      ),
    )
    .groupBy(usageCounters.hour);
  return new Map(rows.map(({ hour, requests }) => [hour.getTime(), requests]));
}

/** Adds to the counters in one statement. Workspaces purged meanwhile drop out; the lock keeps the others until it is done. */
async function addCounters(db: Database, batch: Counter[]): Promise<void> {
  const rows = JSON.stringify(
    batch.map(({ workspaceId, projectId, hour, requests }) => ({
      workspace_id: workspaceId,
      project_id: projectId,
      hour: new Date(hour),
      requests,
    })),
  );
  await db.execute(
    sql`with counted as (
          select * from json_to_recordset(${rows}::text::json)
            as counted (workspace_id bigint, project_id bigint, hour timestamptz, requests bigint)
        ),
          kept as (select id from ${workspaces} where id in (select workspace_id from counted) for key share)
        insert into ${usageCounters} (workspace_id, project_id, hour, requests)
        select workspace_id, project_id, hour, requests from counted where workspace_id in (select id from kept)
        on conflict (workspace_id, project_id, hour) do update set requests = ${usageCounters}.requests + excluded.requests`,
  );
}
