import { AsyncLocalStorage } from 'node:async_hooks';
import { and, asc, gte, lt, sql, sum } from 'drizzle-orm';
import type { Database, ReadDatabase, RecordStore } from '#server/db/client.ts';
import { hostSeries } from '#server/db/schema/monitoring.ts';
import { WriteBehind } from '#server/db/write-behind.ts';
import type { Log } from '#server/log.ts';
import type { HostNow } from '#shared/monitoring.ts';
import { type HostMeasure, HostMeter } from './measure-host.ts';
import { stepOf } from './series-sql.ts';

/** Sums over what was measured, of one server within some time. */
export interface HostSums {
  minutesUp: number;
  samples: number;
  cpuSamples: number;
  cpu: number;
  memory: number;
  disk: number;
  apiConnections: number;
  liveConnections: number;
}

export interface HostRead {
  /** One a server and step; when the step begins in ms since 1970. */
  sums: (HostSums & { server: string; step: number })[];
  /** The first minute that any server is known to have run in; null: none is. */
  firstAt: Date | null;
}

interface HostParts {
  record: Pick<RecordStore, 'write'>;
  log: Log;
  clock: () => Date;
  dataDir: string;
  /** What this server is called among those that share a record. */
  server: string;
  /** Open connections to the API, and of these the streams of changes. */
  countConnections: () => { all: number; live: number };
}

type Waiting = HostSums & { at: number };

const minuteMs = 60_000;
const sampleEveryMs = 10_000;
/** Of an idle server this is the only thing that is written. */
const flushAfterMs = minuteMs;
/** Minutes that wait while the record is away. */
const keysMax = 24 * 60;

/** How busy the machine is, measured every ten seconds and kept by minute. That there is a row says that the server ran. */
export class HostSeries {
  readonly #parts: HostParts;
  readonly #meter: HostMeter;
  readonly #waiting: WriteBehind<Waiting>;
  readonly #startedAt: Date;
  #newest: HostMeasure | null = null;
  /** The newest minute that is in the record. */
  #writtenAt = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(parts: HostParts) {
    const { record, log, clock, dataDir, server } = parts;
    this.#parts = parts;
    this.#meter = new HostMeter(dataDir);
    this.#startedAt = clock();
    this.#waiting = new WriteBehind<Waiting>({
      record,
      log,
      what: 'figures of the machine',
      keysMax,
      flushAfterMs,
      merge: (waiting, added) => ({ ...waiting, ...addSums(waiting, added) }),
      onWritten: (batch) => {
        this.#writtenAt = Math.max(this.#writtenAt, ...batch.map(([, { at }]) => at));
      },
      write: (db, batch) =>
        writeSums(
          db,
          server,
          batch.map(([, sums]) => sums),
        ),
    });
  }

  /** Measures at once, and from then on every ten seconds until `stop`. */
  start(): void {
    const sample = () => void this.sample();
    this.#timer ??= AsyncLocalStorage.snapshot()(() => setInterval(sample, sampleEveryMs).unref());
    sample();
  }

  async sample(): Promise<void> {
    const measured = await this.#meter.measure();
    this.#newest = measured;
    const { cpu, memory, disk } = measured;
    const { all, live } = this.#parts.countConnections();
    const at = Math.floor(this.#parts.clock().getTime() / minuteMs) * minuteMs;
    this.#waiting.put(String(at), {
      at,
      minutesUp: 1,
      samples: 1,
      cpuSamples: cpu === null ? 0 : 1,
      cpu: cpu ?? 0,
      memory: memory.used / memory.total,
      disk: disk && disk.total > 0 ? disk.used / disk.total : 0,
      apiConnections: Math.max(0, all - live),
      liveConnections: live,
    });
  }

  /** The machine as it was measured last, and the connections of this moment. */
  async now(): Promise<HostNow> {
    this.#newest ??= await this.#meter.measure();
    const { all, live } = this.#parts.countConnections();
    return {
      ...this.#newest,
      apiConnections: Math.max(0, all - live),
      liveConnections: live,
      startedAt: this.#startedAt.toISOString(),
    };
  }

  /** Of all servers, with what is not written yet. */
  read(db: ReadDatabase, query: { since: Date; until: Date; stepMs: number }): Promise<HostRead> {
    const { server } = this.#parts;
    return this.#waiting.readWith(async (pending) => {
      const { sums, firstAt } = await readSums(db, query);
      const found = new Map(sums.map((row) => [`${row.server}/${row.step}`, row]));
      let first = firstAt;
      for (const { at, ...added } of pending.values()) {
        if (first === null || at < first.getTime()) first = new Date(at);
        if (at < query.since.getTime() || at >= query.until.getTime()) continue;
        const step = Math.floor(at / query.stepMs) * query.stepMs;
        const before = found.get(`${server}/${step}`) ?? noSums;
        // A minute that is written already, and measured further since, is one minute.
        const minutesUp = before.minutesUp + (at === this.#writtenAt ? 0 : added.minutesUp);
        found.set(`${server}/${step}`, { ...addSums(before, added), minutesUp, server, step });
      }
      return { sums: [...found.values()], firstAt: first };
    });
  }

  flush(): Promise<void> {
    return this.#waiting.flush();
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#waiting.stop();
  }
}

const noSums: HostSums = {
  minutesUp: 0,
  samples: 0,
  cpuSamples: 0,
  cpu: 0,
  memory: 0,
  disk: 0,
  apiConnections: 0,
  liveConnections: 0,
};

/** Within one minute. */
function addSums(a: HostSums, b: HostSums): HostSums {
  return {
    minutesUp: Math.max(a.minutesUp, b.minutesUp),
    samples: a.samples + b.samples,
    cpuSamples: a.cpuSamples + b.cpuSamples,
    cpu: a.cpu + b.cpu,
    memory: a.memory + b.memory,
    disk: a.disk + b.disk,
    apiConnections: a.apiConnections + b.apiConnections,
    liveConnections: a.liveConnections + b.liveConnections,
  };
}

async function readSums(
  db: ReadDatabase,
  { since, until, stepMs }: { since: Date; until: Date; stepMs: number },
): Promise<HostRead> {
  const { server, at, firstAt } = hostSeries;
  const total = (column: Parameters<typeof sum>[0]) => sql`${sum(column)}`.mapWith(Number);
  const rows = await db
    .select({
      server,
      step: stepOf(at, stepMs).mapWith(Number),
      minutesUp: total(hostSeries.minutesUp),
      samples: total(hostSeries.samples),
      cpuSamples: total(hostSeries.cpuSamples),
      cpu: total(hostSeries.cpu),
      memory: total(hostSeries.memory),
      disk: total(hostSeries.disk),
      apiConnections: total(hostSeries.apiConnections),
      liveConnections: total(hostSeries.liveConnections),
    })
    .from(hostSeries)
    .where(and(gte(at, since), lt(at, until)))
    .groupBy(sql`1`, sql`2`);
  const [first] = await db.select({ firstAt }).from(hostSeries).orderBy(asc(at)).limit(1);
  return { sums: rows, firstAt: first?.firstAt ?? null };
}

async function writeSums(db: Database, server: string, batch: Waiting[]): Promise<void> {
  const rows = JSON.stringify(batch.map(({ at, ...sums }) => ({ ...sums, at: new Date(at) })));
  await db.execute(
    sql`insert into ${hostSeries} as s (server, grain, at, first_at, minutes_up, samples, cpu_samples, cpu, memory, disk,
          api_connections, live_connections)
        select ${server}, 'minute', at, at, "minutesUp", samples, "cpuSamples", cpu, memory, disk, "apiConnections", "liveConnections"
        from json_to_recordset(${rows}::text::json) as measured (at timestamptz, "minutesUp" integer, samples integer,
          "cpuSamples" integer, cpu double precision, memory double precision, disk double precision,
          "apiConnections" double precision, "liveConnections" double precision)
        on conflict (server, at, grain) do update set minutes_up = greatest(s.minutes_up, excluded.minutes_up), ${addedMeasures}`,
  );
}

/** What a row of `host_series`, called s, becomes by another one of its time, minutes apart. */
export const addedMeasures = sql`first_at = least(s.first_at, excluded.first_at),
  samples = s.samples + excluded.samples, cpu_samples = s.cpu_samples + excluded.cpu_samples,
  cpu = s.cpu + excluded.cpu, memory = s.memory + excluded.memory, disk = s.disk + excluded.disk,
  api_connections = s.api_connections + excluded.api_connections,
  live_connections = s.live_connections + excluded.live_connections`;
