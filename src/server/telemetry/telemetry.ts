import { sql } from 'drizzle-orm';
import type { Database, RecordStore } from '#server/db/client.ts';
import { events, usageCounters } from '#server/db/schema/activity.ts';
import { workspaces } from '#server/db/schema/workspaces.ts';
import type { Log } from '#server/log.ts';
import type { ActivityType } from '#shared/dashboard.ts';

export interface Telemetry {
  /** Counts one API request of a workspace; in memory, flushed in batches. */
  countRequest(workspaceId: number): void;
  /** Writes what happened in the transaction that did it. */
  recordEvent(
    db: Database,
    event: { workspaceId: number; actorId: number | null; type: ActivityType; description: string },
  ): Promise<void>;
  /** Writes what is counted so far; called on a timer, by the dashboard and at the end. */
  flush(): Promise<void>;
  stop(): Promise<void>;
}

const flushAfterMs = 5_000;
export const hourMs = 60 * 60 * 1000;

type Counts = Map<number, Map<number, number>>;

function add(counts: Counts, entry: { workspaceId: number; hour: number; requests: number }): void {
  const hours = counts.get(entry.workspaceId) ?? new Map<number, number>();
  hours.set(entry.hour, (hours.get(entry.hour) ?? 0) + entry.requests);
  counts.set(entry.workspaceId, hours);
}

const entriesOf = (counts: Counts) =>
  [...counts].flatMap(([workspaceId, hours]) =>
    [...hours].map(([hour, requests]) => ({ workspaceId, hour, requests })),
  );

/** Requests by workspace and hour. A batch that could not be written is kept and goes out with the next one. */
export function createTelemetry(parts: { record: RecordStore; log: Log; clock: () => Date }): Telemetry {
  const { record, log, clock } = parts;
  let counts: Counts = new Map();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  let isStopped = false;

  function schedule(): void {
    if (isStopped) return;
    timer ??= setTimeout(() => {
      timer = null;
      flush().catch((error: unknown) => {
        log.warn('usage counters were not written', { error });
        schedule();
      });
    }, flushAfterMs).unref();
  }

  async function write(): Promise<void> {
    const batch = entriesOf(counts);
    if (batch.length === 0) return;
    counts = new Map();
    try {
      await addCounters(record.db, batch);
    } catch (error) {
      for (const entry of batch) add(counts, entry);
      throw error;
    }
  }

  function flush(): Promise<void> {
    // One after the other, whatever became of the one before: its caller has its error.
    writing = writing.then(write, write);
    return writing;
  }

  return {
    countRequest(workspaceId) {
      const hour = Math.floor(clock().getTime() / hourMs) * hourMs;
      add(counts, { workspaceId, hour, requests: 1 });
      schedule();
    },
    async recordEvent(db, event) {
      await db.insert(events).values({ ...event, createdAt: clock() });
    },
    flush,
    async stop() {
      isStopped = true;
      if (timer) clearTimeout(timer);
      timer = null;
      await flush();
    },
  };
}

/** Adds to the counters in one statement. Workspaces purged meanwhile drop out; the lock keeps the others until it is done. */
async function addCounters(
  db: Database,
  batch: { workspaceId: number; hour: number; requests: number }[],
): Promise<void> {
  const rows = sql.join(
    batch.map(
      ({ workspaceId, hour, requests }) =>
        sql`(${workspaceId}::bigint, ${new Date(hour).toISOString()}::timestamptz, ${requests}::bigint)`,
    ),
    sql`, `,
  );
  await db.execute(
    sql`with counted (workspace_id, hour, requests) as (values ${rows}),
          kept as (select id from ${workspaces} where id in (select workspace_id from counted) for key share)
        insert into ${usageCounters} (workspace_id, hour, requests)
        select workspace_id, hour, requests from counted where workspace_id in (select id from kept)
        on conflict (workspace_id, hour) do update set requests = ${usageCounters}.requests + excluded.requests`,
  );
}
