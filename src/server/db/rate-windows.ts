import { AsyncLocalStorage } from 'node:async_hooks';
import type { GrantedLease, TakeLease, WantedLease } from '#server/admission/leased-rate-limit.ts';
import type { Leasing } from '#server/admission/rate-limits.ts';
import type { Log } from '#server/log.ts';
import { within } from '#server/within.ts';
import type { RecordStore } from './client.ts';
import { databaseUnavailable } from './record-error.ts';

interface RateWindowsParts {
  record: Pick<RecordStore, 'sql' | 'assertWritable'>;
  log: Log;
  /** Requests wait so long at most for their lease. */
  waitMs?: number;
}

/** A statement's. */
const namesAtOnce = 500;
/** Of a kind, a minute, by one server: the table has no more than some minutes' of them. */
const namesPerMinute = 20_000;
const minuteMs = 60_000;
const waitMsUnlessTold = 1_000;
/** A record that did not answer is tried again after this time. */
const awayMs = 1_000;

const noLeases: ReadonlyMap<string, GrantedLease> = new Map();

type Resolve = (granted: GrantedLease | null) => void;

/**
 * Leases of the record's rate windows. One statement at a time takes those of all who have asked meanwhile, so that a flood from many addresses has no more statements
 * under way than anybody. While the record is away nobody waits for it, and servers count by themselves.
 */
export class RateWindows {
  readonly #parts: RateWindowsParts;
  readonly #wanted = new Map<string, { wanted: WantedLease; resolve: Resolve }>();
  /** Of whatever transaction the request is in: the pool is asked. */
  readonly #outside = AsyncLocalStorage.snapshot();
  #isAsking = false;
  #isAway = false;
  #tryAgainAt = 0;

  constructor(parts: RateWindowsParts) {
    this.#parts = parts;
  }

  /** A name is asked for once at a time. */
  readonly leasing: Leasing = (of) => {
    const names = new Set<string>();
    let since = performance.now();
    const hasRoomFor = (name: string) => {
      if (performance.now() - since > minuteMs) {
        names.clear();
        since = performance.now();
      }
      if (names.size < namesPerMinute) names.add(name);
      return names.has(name);
    };
    const take: TakeLease = async (asked) => {
      const wanted = { ...asked, name: `${of} ${asked.name}` };
      if (this.#isAway) this.#tryAgain();
      if (this.#isAway || !hasRoomFor(wanted.name)) return null;
      return await new Promise((resolve) => {
        this.#wanted.set(wanted.name, { wanted, resolve });
        void this.#outside(() => this.#askForAll());
      });
    };
    return take;
  };

  /** Nobody waits for it. */
  #tryAgain(): void {
    if (performance.now() < this.#tryAgainAt) return;
    this.#tryAgainAt = Number.POSITIVE_INFINITY;
    void this.#outside(() => this.#ask([]));
  }

  async #askForAll(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    while (this.#wanted.size > 0) {
      const some = [...this.#wanted.values()].slice(0, namesAtOnce);
      for (const { wanted } of some) this.#wanted.delete(wanted.name);
      const granted = this.#isAway ? noLeases : await this.#ask(some.map(({ wanted }) => wanted));
      for (const { wanted, resolve } of some) resolve(granted.get(wanted.name) ?? null);
    }
    this.#isAsking = false;
  }

  async #ask(wanted: WantedLease[]): Promise<ReadonlyMap<string, GrantedLease>> {
    const { record, log, waitMs = waitMsUnlessTold } = this.#parts;
    const askedAt = performance.now();
    try {
      const taking = record.assertWritable().then(() => takeLeases(record.sql, wanted));
      const rows = await within(taking, waitMs, databaseUnavailable);
      this.#isAway = false;
      const tookMs = performance.now() - askedAt;
      return new Map(rows.map(({ name, tokens, owedMs }) => [name, { tokens, owedMs: owedMs - tookMs }]));
    } catch (error) {
      this.#tryAgainAt = performance.now() + awayMs;
      if (!this.#isAway)
        log.warn('rates of all servers are not known now; this one counts by itself', { error });
      this.#isAway = true;
      return noLeases;
    }
  }
}

async function takeLeases(sql: RecordStore['sql'], wanted: WantedLease[]) {
  const asked = wanted.map(({ name, eachMs, burst, count }) => ({
    name,
    each_ms: eachMs,
    burst,
    needed: count,
  }));
  const rows = await sql.unsafe(takeAll, [JSON.stringify(asked)]);
  return rows.map((row) => ({
    name: String(row['name']),
    tokens: Number(row['leased']),
    owedMs: Number(row['owed_ms']),
  }));
}

/**
 * An eighth of what is left, or what fills up within a quarter of a second where that is more, but as many as are needed. Few are left then to be asked for one by
 * one, and a server that is gone has taken no more than an eighth of the limit.
 */
const granted = (owedMs: string) => `(
  select case when tokens < needed then 0 else least(tokens, greatest(needed, floor(tokens / 8), floor(250 / each_ms))) end
  from (select floor(burst - ${owedMs} / each_ms + 1e-6) as tokens) as budget)::int`;

/** In the order of names, in which all servers lock rows. By the database's clock. */
const takeAll = `
with asked as (
  select * from json_to_recordset($1::text::json) as asked (name text, each_ms float8, burst float8, needed float8)
), fresh as (
  select name, each_ms, ${granted('0')} as leased from asked
)
insert into rate_windows as kept (name, whole_at, leased)
select name, now() + leased * each_ms * interval '1 millisecond', leased from fresh order by name
on conflict (name) do update set (whole_at, leased) = (
  select greatest(kept.whole_at, now()) + more.leased * each_ms * interval '1 millisecond', more.leased
  from asked, lateral (
    select ${granted(`greatest(0, extract(epoch from kept.whole_at - now())::float8 * 1000)`)} as leased
  ) as more
  where asked.name = kept.name
)
returning name, leased, extract(epoch from whole_at - now())::float8 * 1000 as owed_ms`;
