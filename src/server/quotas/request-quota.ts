import { AsyncLocalStorage } from 'node:async_hooks';
import { and, eq, sql } from 'drizzle-orm';
import type { Database, ReadDatabase, RecordStore } from '#server/db/client.ts';
import { monthlyRequests } from '#server/db/schema/activity.ts';
import { workspaces } from '#server/db/schema/workspaces.ts';
import { WriteBehind } from '#server/db/write-behind.ts';
import type { Log } from '#server/log.ts';
import { PLAN_LIMITS, type Plan } from '#shared/plans.ts';
import { type Month, monthOf } from './month.ts';
import { requestsExceeded } from './quota-error.ts';

/** Requests of one workspace in one month that are not in the record yet. */
interface Uncounted {
  workspaceId: number;
  month: Date;
  requests: number;
}

/** What is known of a workspace: those of all servers when it was read, and those that this one has counted since. */
interface Known {
  month: Month;
  plan: Plan;
  before: number;
  counted: number;
  readAt: number;
}

/** Servers that share a record learn of each other's requests this often. */
const rereadAfterMs = 30_000;
const retryAfterMs = 1_000;
/** What changes while it is asked for is asked for again so often. */
const learnTriesMax = 3;
const workspacesMax = 50_000;
const keysMax = 50_000;

const keyOf = (workspaceId: number, month: Month) => `${workspaceId}/${month.start.getTime()}`;

/**
 * Requests by workspace and month. They are counted in memory and written every few seconds: a server that is killed loses those of five
 * seconds. Whether one more may come in is known here; the record is asked for a workspace that is not known, and beside that every
 * half a minute. While it is away, requests are let in and counted.
 */
export class RequestQuota {
  readonly #parts: { record: RecordStore; log: Log; clock: () => Date; isEnforced: boolean };
  readonly #uncounted: WriteBehind<Uncounted>;
  readonly #known = new Map<number, Known>();
  readonly #reading = new Map<number, Promise<void>>();
  /** Of whatever transaction the request is in: the pool is asked. */
  readonly #outside = AsyncLocalStorage.snapshot();
  #retryAt = Number.NEGATIVE_INFINITY;
  /** Advances with every change of a workspace: what was read before it may be out of date. */
  #changes = 0;

  constructor(parts: { record: RecordStore; log: Log; clock: () => Date; isEnforced: boolean }) {
    const { record, log } = parts;
    this.#parts = parts;
    this.#uncounted = new WriteBehind<Uncounted>({
      record,
      log,
      what: 'requests by month',
      keysMax,
      merge: (waiting, added) => ({ ...waiting, requests: waiting.requests + added.requests }),
      write: (db, batch) =>
        addRequests(
          db,
          batch.map(([, one]) => one),
        ),
    });
    record.onChange(({ kind, id }) => {
      const isAny = kind === 'all' || kind === 'unheard';
      if (kind !== 'workspace' && !isAny) return;
      this.#changes += 1;
      if (isAny) this.#known.clear();
      else this.#known.delete(Number(id));
    });
  }

  /** Counts requests, if so many are left: all or none. @throws QuotaError TOO_MANY_REQUESTS */
  async take(workspaceId: number, requests = 1): Promise<void> {
    if (this.#parts.isEnforced && !this.#find(workspaceId)) await this.#read(workspaceId);
    this.takeNow(workspaceId, { requests });
  }

  /**
   * As `take`, without asking: of a workspace that is not known here they are only counted, as are those that are not refused.
   * @throws QuotaError TOO_MANY_REQUESTS
   */
  takeNow(workspaceId: number, { requests = 1, isRefused = true } = {}): void {
    const now = this.#parts.clock();
    const month = monthOf(now);
    if (this.#parts.isEnforced) {
      const known = this.#find(workspaceId);
      if (!known || performance.now() - known.readAt > rereadAfterMs) void this.#read(workspaceId);
      if (known && isRefused) assertLeft(known, requests, now);
      if (known) known.counted += requests;
    }
    const key = keyOf(workspaceId, month);
    const waiting = this.#uncounted.waiting(key);
    if (waiting) waiting.requests += requests;
    else this.#uncounted.put(key, { workspaceId, month: month.start, requests });
  }

  /** All of this month, with those that are not written yet. */
  used(db: ReadDatabase, workspaceId: number): Promise<number> {
    const month = monthOf(this.#parts.clock());
    return this.#uncounted.readWith(async (pending) => {
      const [row] = await selectRequests(db, workspaceId, month);
      return (row?.requests ?? 0) + (pending.get(keyOf(workspaceId, month))?.requests ?? 0);
    });
  }

  flush(): Promise<void> {
    return this.#uncounted.flush();
  }

  stop(): Promise<void> {
    return this.#uncounted.stop();
  }

  #find(workspaceId: number): Known | undefined {
    const known = this.#known.get(workspaceId);
    return known && this.#parts.clock() < known.month.end && this.#parts.clock() >= known.month.start
      ? known
      : undefined;
  }

  /** One read of a workspace at a time; it does not fail. */
  #read(workspaceId: number): Promise<void> {
    const underWay = this.#reading.get(workspaceId);
    if (underWay) return underWay;
    if (performance.now() < this.#retryAt) return Promise.resolve();
    const { log } = this.#parts;
    const reading = this.#outside(() => this.#learn(workspaceId))
      .catch((error: unknown) => {
        this.#retryAt = performance.now() + retryAfterMs;
        log.warn('the requests of a workspace could not be read; more are let in', { workspaceId, error });
      })
      .finally(() => this.#reading.delete(workspaceId));
    this.#reading.set(workspaceId, reading);
    return reading;
  }

  async #learn(workspaceId: number, triesLeft = learnTriesMax): Promise<void> {
    const { record, clock } = this.#parts;
    const month = monthOf(clock());
    const changes = this.#changes;
    const { row, all, counted } = await this.#uncounted.readWith(async (pending) => {
      // Of the same moment as what is pending.
      const counted = this.#find(workspaceId)?.counted ?? 0;
      const waiting = pending.get(keyOf(workspaceId, month))?.requests ?? 0;
      const [row] = await selectRequests(record.db, workspaceId, month);
      return { row, all: (row?.requests ?? 0) + waiting, counted };
    });
    // Whoever waits would be let in unasked.
    if (changes !== this.#changes) return triesLeft > 1 ? this.#learn(workspaceId, triesLeft - 1) : undefined;
    // Those that came meanwhile.
    const more = (this.#find(workspaceId)?.counted ?? 0) - counted;
    if (!row || more < 0) return;
    this.#known.delete(workspaceId);
    const known = { month, plan: row.plan, before: all, counted: more, readAt: performance.now() };
    this.#known.set(workspaceId, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > workspacesMax && oldest !== undefined) this.#known.delete(oldest);
  }
}

/** @throws QuotaError TOO_MANY_REQUESTS */
function assertLeft({ plan, before, counted, month }: Known, requests: number, now: Date): void {
  const limit = PLAN_LIMITS[plan].requests;
  const used = before + counted;
  if (limit === null || used + requests <= limit) return;
  throw requestsExceeded({ plan, used, limit, added: requests }, { resetsAt: month.end, now });
}

function selectRequests(db: ReadDatabase, workspaceId: number, month: Month) {
  const ofMonth = and(eq(monthlyRequests.workspaceId, workspaces.id), eq(monthlyRequests.month, month.start));
  return db
    .select({
      plan: workspaces.plan,
      requests: sql`coalesce(${monthlyRequests.requests}, 0)`.mapWith(Number),
    })
    .from(workspaces)
    .leftJoin(monthlyRequests, ofMonth)
    .where(eq(workspaces.id, workspaceId));
}

/** In one statement. Workspaces purged meanwhile drop out; the lock keeps the others until it is done. */
async function addRequests(db: Database, batch: Uncounted[]): Promise<void> {
  const rows = JSON.stringify(
    batch.map(({ workspaceId, month, requests }) => ({ workspace_id: workspaceId, month, requests })),
  );
  await db.execute(
    sql`with counted as (
          select * from json_to_recordset(${rows}::text::json)
            as counted (workspace_id bigint, month timestamptz, requests bigint)
        ),
          kept as (select id from ${workspaces} where id in (select workspace_id from counted) for key share)
        insert into ${monthlyRequests} (workspace_id, month, requests)
        select workspace_id, month, requests from counted where workspace_id in (select id from kept) order by 1, 2
        on conflict (workspace_id, month) do update set requests = ${monthlyRequests}.requests + excluded.requests`,
  );
}
