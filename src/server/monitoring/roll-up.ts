import { AsyncLocalStorage } from 'node:async_hooks';
import { lt, sql } from 'drizzle-orm';
import type { Database, RecordStore } from '#server/db/client.ts';
import { hostSeries, requestSeries, searchMinutes } from '#server/db/schema/monitoring.ts';
import type { Log } from '#server/log.ts';
import { addedMeasures } from './host-series.ts';
import { addedRequests } from './request-series.ts';

interface RollUpParts {
  record: RecordStore;
  log: Log;
  clock: () => Date;
}

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
const everyMs = 5 * 60_000;
/** Rows that are moved in one statement, so that nobody waits long for it. */
const rowsAtOnce = 5_000;
/** Runs of several servers would wait for each other's rows in a ring. */
const lockNumber = 5_201_848;

/**
 * What becomes of rows that are older than the ranges that show them: the last day and the one before it are told by minutes, the last
 * week and the one before it by hours.
 */
const moves = [
  { from: 'minute', to: 'hour', unitMs: hourMs, keptMs: 2 * dayMs },
  { from: 'hour', to: 'day', unitMs: dayMs, keptMs: 15 * dayMs },
] as const;
type Move = (typeof moves)[number];

/** Moves what is old enough into coarser rows, in slices, each in a transaction: a figure is never in two rows and never in none. */
export async function rollUp(
  { record, clock }: Omit<RollUpParts, 'log'>,
  signal?: AbortSignal,
): Promise<void> {
  const now = clock().getTime();
  for (const move of moves) {
    const before = new Date(Math.floor((now - move.keptMs) / move.unitMs) * move.unitMs);
    for (const moveSlice of [moveRequests, moveMeasures]) {
      let moved = rowsAtOnce;
      while (moved === rowsAtOnce && !signal?.aborted) {
        moved = await record.write(
          async (db) => {
            await db.execute(sql`select pg_advisory_xact_lock(${lockNumber}::bigint)`);
            return await moveSlice(db, move, before);
          },
          { mayUseReserve: true },
        );
      }
    }
  }
  await record.write(
    (db) => db.delete(searchMinutes).where(lt(searchMinutes.at, new Date(now - 2 * hourMs))),
    { mayUseReserve: true },
  );
}

/** Answers how many rows went. */
async function moveRequests(db: Database, { from, to }: Move, before: Date): Promise<number> {
  const [row] = await db.execute<{ moved: number }>(
    sql`with slice as (
          select ctid from ${requestSeries} where grain = ${from} and at < ${before.toISOString()}::timestamptz limit ${rowsAtOnce}
        ),
          moved as (delete from ${requestSeries} where ctid in (select ctid from slice) returning *),
          sums as (
        select workspace_id, date_trunc(${to}, at, 'UTC') as at, sum(requests) as requests,
          sum(client_errors) as client_errors, sum(server_errors) as server_errors
        from moved group by 1, 2
        ),
          buckets as (
        select workspace_id, date_trunc(${to}, at, 'UTC') as at, place, sum(bucket)::integer as bucket
        from moved, unnest(latencies) with ordinality as histogram (bucket, place) group by 1, 2, 3
        ),
          histograms as (
        select workspace_id, at, array_agg(bucket order by place) as latencies from buckets group by 1, 2
        ),
          added as (
        insert into ${requestSeries} as s (workspace_id, grain, at, requests, client_errors, server_errors, latencies)
        select workspace_id, ${to}, at, requests, client_errors, server_errors, coalesce(latencies, '{}')
        from sums left join histograms using (workspace_id, at) order by 1, 3
        on conflict (workspace_id, at, grain) do update set ${addedRequests}
        )
        select count(*)::integer as moved from moved`,
  );
  return row?.moved ?? 0;
}

/** The same of machines, whose minutes add up. */
async function moveMeasures(db: Database, { from, to }: Move, before: Date): Promise<number> {
  const [row] = await db.execute<{ moved: number }>(
    sql`with slice as (
          select ctid from ${hostSeries} where grain = ${from} and at < ${before.toISOString()}::timestamptz limit ${rowsAtOnce}
        ),
          moved as (delete from ${hostSeries} where ctid in (select ctid from slice) returning *),
          added as (
        insert into ${hostSeries} as s (server, grain, at, first_at, minutes_up, samples, cpu_samples, cpu, memory, disk,
          api_connections, live_connections)
        select server, ${to}, date_trunc(${to}, at, 'UTC'), min(first_at), sum(minutes_up), sum(samples), sum(cpu_samples),
          sum(cpu), sum(memory), sum(disk), sum(api_connections), sum(live_connections)
        from moved group by 1, 3 order by 1, 3
        on conflict (server, at, grain) do update set minutes_up = s.minutes_up + excluded.minutes_up, ${addedMeasures}
        )
        select count(*)::integer as moved from moved`,
  );
  return row?.moved ?? 0;
}

/** Runs every five minutes, one run at a time; `stop` waits for the one under way, which ends at its next slice. */
export function startRollUp(parts: RollUpParts): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  const run = async () => {
    try {
      await rollUp(parts, stopping.signal);
    } catch (error) {
      parts.log.warn('figures were not rolled up; the next run tries again', { error });
    } finally {
      running = null;
    }
  };
  const onTime = () => {
    running ??= run();
  };
  const timer = AsyncLocalStorage.snapshot()(() => setInterval(onTime, everyMs).unref());
  return {
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
