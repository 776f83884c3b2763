import { and, gte, lt, sql, sum } from 'drizzle-orm';
import type { Database, ReadDatabase, RecordStore } from '#server/db/client.ts';
import { isAnyOf } from '#server/db/is-any-of.ts';
import { requestSeries } from '#server/db/schema/monitoring.ts';
import { workspaces } from '#server/db/schema/workspaces.ts';
import { WriteBehind } from '#server/db/write-behind.ts';
import type { Log } from '#server/log.ts';
import { addHistograms, countResponse, type Histogram } from './latency-histogram.ts';
import { addedArrays, stepOf } from './series-sql.ts';

/** One answered request. */
interface AnsweredRequest {
  workspaceId: number;
  status: number;
  /** Until the answer began; null: it says nothing, as of an upload, which takes as long as its sender. */
  ms: number | null;
}

/** Of some requests together. */
export interface RequestCounts {
  requests: number;
  clientErrors: number;
  serverErrors: number;
  latencies: Histogram;
}

interface RequestQuery {
  workspaceIds: number[];
  since: Date;
  until: Date;
  /** Counts are told by steps of so many milliseconds, each by when it begins in ms since 1970. */
  stepMs: number;
}

const minuteMs = 60_000;
/** Workspaces and minutes that wait for some seconds. */
const keysMax = 10_000;

export const noRequests: RequestCounts = { requests: 0, clientErrors: 0, serverErrors: 0, latencies: [] };

export function addCounts(a: RequestCounts, b: RequestCounts): RequestCounts & { latencies: number[] } {
  return {
    requests: a.requests + b.requests,
    clientErrors: a.clientErrors + b.clientErrors,
    serverErrors: a.serverErrors + b.serverErrors,
    latencies: addHistograms(a.latencies, b.latencies),
  };
}

type Waiting = Omit<RequestCounts, 'latencies'> & { latencies: number[]; workspaceId: number; at: number };

/** Requests by workspace and minute: a request costs an entry in memory, and some seconds' entries are one statement. */
export class RequestSeries {
  readonly #clock: () => Date;
  readonly #waiting: WriteBehind<Waiting>;

  constructor({ record, log, clock }: { record: Pick<RecordStore, 'write'>; log: Log; clock: () => Date }) {
    this.#clock = clock;
    this.#waiting = new WriteBehind<Waiting>({
      record,
      log,
      what: 'figures of requests',
      keysMax,
      merge: (waiting, added) => ({ ...waiting, ...addCounts(waiting, added) }),
      write: (db, batch) =>
        writeCounts(
          db,
          batch.map(([, counts]) => counts),
        ),
    });
  }

  note({ workspaceId, status, ms }: AnsweredRequest): void {
    const at = Math.floor(this.#clock().getTime() / minuteMs) * minuteMs;
    const key = `${workspaceId}/${at}`;
    const counts = this.#waiting.waiting(key) ?? { ...noRequests, latencies: [], workspaceId, at };
    const isFirst = counts.requests === 0;
    // Into the counts that wait: another object and histogram for each request would cost more than its count.
    counts.requests += 1;
    if (status >= 500) counts.serverErrors += 1;
    else if (status >= 400) counts.clientErrors += 1;
    if (ms !== null) countResponse(counts.latencies, ms);
    if (isFirst) this.#waiting.put(key, counts);
  }

  /** By step, with those that are not written yet. */
  async read(
    db: ReadDatabase,
    { workspaceId, ...query }: Omit<RequestQuery, 'workspaceIds'> & { workspaceId: number },
  ): Promise<Map<number, RequestCounts>> {
    const found = await this.readAll(db, { ...query, workspaceIds: [workspaceId] });
    return found.get(workspaceId) ?? new Map();
  }

  /** The same by workspace; those without a request are left out. */
  readAll(db: ReadDatabase, query: RequestQuery): Promise<Map<number, Map<number, RequestCounts>>> {
    return this.#waiting.readWith(async (pending) => {
      const found = await readCounts(db, query);
      for (const { workspaceId, at, ...counts } of pending.values()) {
        const isAsked = at >= query.since.getTime() && at < query.until.getTime();
        if (!query.workspaceIds.includes(workspaceId) || !isAsked) continue;
        const step = Math.floor(at / query.stepMs) * query.stepMs;
        const steps = found.get(workspaceId) ?? new Map<number, RequestCounts>();
        found.set(workspaceId, steps.set(step, addCounts(steps.get(step) ?? noRequests, counts)));
      }
      return found;
    });
  }

  flush(): Promise<void> {
    return this.#waiting.flush();
  }

  stop(): Promise<void> {
    return this.#waiting.stop();
  }
}

async function readCounts(
  db: ReadDatabase,
  { workspaceIds, since, until, stepMs }: RequestQuery,
): Promise<Map<number, Map<number, RequestCounts>>> {
  const { workspaceId, at, requests, clientErrors, serverErrors, latencies } = requestSeries;
  const step = stepOf(at, stepMs).mapWith(Number);
  const where = and(isAnyOf(workspaceId, workspaceIds), gte(at, since), lt(at, until));
  const total = (column: Parameters<typeof sum>[0]) => sql`${sum(column)}`.mapWith(Number);
  const sums = db
    .select({
      workspaceId,
      step,
      requests: total(requests),
      clientErrors: total(clientErrors),
      serverErrors: total(serverErrors),
    })
    .from(requestSeries)
    .where(where)
    .groupBy(sql`1`, sql`2`);
  const buckets = db
    .select({
      workspaceId: sql`${workspaceId}`.mapWith(Number),
      step,
      place: sql`place`.mapWith(Number),
      count: sql`sum(bucket)`.mapWith(Number),
    })
    .from(sql`${requestSeries}, unnest(${latencies}) with ordinality as histogram (bucket, place)`)
    .where(and(where, sql`bucket > 0`))
    .groupBy(sql`1`, sql`2`, sql`3`);
  const histograms = new Map<string, number[]>();
  for (const { place, count, ...of } of await buckets) {
    const histogram = histograms.get(nameOf(of)) ?? [];
    while (histogram.length < place) histogram.push(0);
    histogram[place - 1] = count;
    histograms.set(nameOf(of), histogram);
  }
  const found = new Map<number, Map<number, RequestCounts>>();
  for (const { workspaceId: id, step: of, ...counts } of await sums) {
    const steps = found.get(id) ?? new Map<number, RequestCounts>();
    const own = histograms.get(nameOf({ workspaceId: id, step: of })) ?? [];
    found.set(id, steps.set(of, { ...counts, latencies: own }));
  }
  return found;
}

const nameOf = ({ workspaceId, step }: { workspaceId: number; step: number }) => `${workspaceId}/${step}`;

/** Adds to the rows of their minutes in one statement. Workspaces purged meanwhile drop out; the lock keeps the others until it is done. */
async function writeCounts(db: Database, batch: Waiting[]): Promise<void> {
  const rows = JSON.stringify(batch.map(({ at, ...counts }) => ({ ...counts, at: new Date(at) })));
  await db.execute(
    sql`with counted as (
          select * from json_to_recordset(${rows}::text::json) as counted ("workspaceId" bigint, at timestamptz,
            requests integer, "clientErrors" integer, "serverErrors" integer, latencies integer[])
        ),
          kept as (select id from ${workspaces} where id in (select "workspaceId" from counted) order by id for key share)
        insert into ${requestSeries} as s (workspace_id, grain, at, requests, client_errors, server_errors, latencies)
        select "workspaceId", 'minute', at, requests, "clientErrors", "serverErrors", latencies
        from counted where "workspaceId" in (select id from kept) order by 1, 3
        on conflict (workspace_id, at, grain) do update set ${addedRequests}`,
  );
}

/** What a row of `request_series`, called s, becomes by another one of its time. */
export const addedRequests = sql`requests = s.requests + excluded.requests,
  client_errors = s.client_errors + excluded.client_errors,
  server_errors = s.server_errors + excluded.server_errors,
  latencies = ${addedArrays(sql`s.latencies`, sql`excluded.latencies`)}`;
