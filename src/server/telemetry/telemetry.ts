import { sql } from 'drizzle-orm';
import type { Database, RecordStore } from '#server/db/client.ts';
import { events, usageCounters } from '#server/db/schema/activity.ts';
import { workspaces } from '#server/db/schema/workspaces.ts';
import type { Log } from '#server/log.ts';
import type { ActivityType } from '#shared/dashboard.ts';

/** What a request is about, for counting. */
export interface UsageScope {
  workspaceId: number;
  /** Null: no project, or several (a list over a workspace). */
  projectId: number | null;
}

export interface Telemetry {
  /** Counts one API request; in memory, flushed in batches. */
  countRequest(about: UsageScope): void;
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

interface Counter {
  workspaceId: number;
  /** 0: none. */
  projectId: number;
  /** Start of the hour, ms since 1970. */
  hour: number;
  requests: number;
}
type Counts = Map<string, Counter>;

function add(counts: Counts, counter: Counter): void {
  const { workspaceId, projectId, hour, requests } = counter;
  const key = `${workspaceId}/${projectId}/${hour}`;
  counts.set(key, { ...counter, requests: (counts.get(key)?.requests ?? 0) + requests });
}

/** Requests by workspace, project and hour. A batch that could not be written is kept and goes out with the next one. */
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
    const batch = [...counts.values()];
    if (batch.length === 0) return;
    counts = new Map();
    try {
      await record.write((db) => addCounters(db, batch));
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
    countRequest({ workspaceId, projectId }) {
      const hour = Math.floor(clock().getTime() / hourMs) * hourMs;
      add(counts, { workspaceId, projectId: projectId ?? 0, hour, requests: 1 });
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
async function addCounters(db: Database, batch: Counter[]): Promise<void> {
  const rows = sql.join(
    batch.map(
      ({ workspaceId, projectId, hour, requests }) =>
        sql`(${workspaceId}::bigint, ${projectId}::bigint, ${new Date(hour).toISOString()}::timestamptz, ${requests}::bigint)`,
    ),
    sql`, `,
  );
  await db.execute(
    sql`with counted (workspace_id, project_id, hour, requests) as (values ${rows}),
          kept as (select id from ${workspaces} where id in (select workspace_id from counted) for key share)
        insert into ${usageCounters} (workspace_id, project_id, hour, requests)
        select workspace_id, project_id, hour, requests from counted where workspace_id in (select id from kept)
        on conflict (workspace_id, project_id, hour) do update set requests = ${usageCounters}.requests + excluded.requests`,
  );
}
