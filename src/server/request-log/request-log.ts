import { AsyncLocalStorage } from 'node:async_hooks';
import type { RecordStore } from '#server/db/client.ts';
import type { Log } from '#server/log.ts';
import { RecentMap } from '#server/memory/recent-map.ts';
import { TenantRows } from '#server/search-log/tenant-rows.ts';
import { limits } from '#shared/limits.ts';
import { KeptRate } from './kept-rate.ts';
import type { KeptRequest, RequestRow } from './request-row.ts';
import { dropOldest, writeRequests } from './write-requests.ts';

interface RequestLogParts {
  record: Pick<RecordStore, 'write' | 'servers'>;
  log: Log;
  clock: () => Date;
  /** Milliseconds that only grow. */
  now?: () => number;
  /** Whether anybody has the console open. */
  isWatched: () => boolean;
  /** Hears whose requests are in the record now. */
  onWritten: (workspaceIds: number[]) => void;
}

/** Somebody sees a request within a second: this, a transaction, the stream and a statement. */
const watchedFlushMs = 350;
/** Of all workspaces, what waits; some 1 KB each. */
const rowsWaitingMax = 20_000;
const workspacesMax = 5_000;
/** Each server gives places of one lane, by its number: so seldom have two the same. A second has room for 3,900 of one. */
const lanes = 256;
/** A workspace may have so many more than are kept until the oldest go. */
const dropEvery = 500;

/**
 * The last requests to each workspace. One costs an entry in memory; they are written together every few seconds, sooner while somebody looks. What
 * waits is lost when the process is killed.
 */
export class RequestLog {
  readonly #parts: RequestLogParts;
  readonly #now: () => number;
  readonly #rows: TenantRows<RequestRow>;
  readonly #rates = new RecentMap<KeptRate>({ entriesMax: workspacesMax });
  /** Rows written since the oldest were dropped. */
  readonly #written = new RecentMap<number>({ entriesMax: workspacesMax });
  readonly #outside = AsyncLocalStorage.snapshot();
  #place = 0;
  /** When the first of what waits was noted; null: nothing does. */
  #waitingSince: number | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(parts: RequestLogParts) {
    const { record, log } = parts;
    this.#parts = parts;
    this.#now = parts.now ?? (() => performance.now());
    this.#rows = new TenantRows<RequestRow>({
      record,
      log,
      what: 'requests for Live Events',
      bounds: { tenants: workspacesMax, rowsOfTenant: limits.requestsKeptAtOnce, rowsOfAll: rowsWaitingMax },
      merge: (waiting) => waiting,
      async write(db, rows) {
        await writeRequests(db, rows);
      },
      onWritten: (rows) => this.#wrote(rows),
    });
  }

  /** `toRequest` is asked only where there is room: it is most of what a request costs here. */
  note(workspaceId: number, toRequest: () => KeptRequest): void {
    const { clock, isWatched } = this.#parts;
    const tenant = String(workspaceId);
    let rate = this.#rates.peek(tenant);
    if (!rate) {
      rate = new KeptRate(this.#now());
      this.#rates.set(tenant, rate);
    }
    if (!rate.take(this.#now())) return;
    const at = clock();
    this.#place = this.#placeFrom(Math.max(this.#place + 1, at.getTime() * 1_000));
    const row = { request: toRequest(), workspaceId, place: this.#place, at, leftOut: rate.leftOut };
    if (this.#rows.put(tenant, String(this.#place), row)) rate.kept();
    else rate.leaveOut();
    this.#waitingSince ??= this.#now();
    if (isWatched()) this.#flushSoon();
  }

  /** Another server's requests of the same moment have other places. */
  #placeFrom(least: number): number {
    const { own, isShared } = this.#parts.record.servers;
    return isShared ? least + ((((own - least) % lanes) + lanes) % lanes) : least;
  }

  /** Writes what waits for longer than somebody who looks should. False: it could not be written yet. */
  async settle(): Promise<boolean> {
    const since = this.#waitingSince;
    if (since === null || this.#now() - since < watchedFlushMs) return true;
    try {
      await this.flush();
      return true;
    } catch (error) {
      this.#parts.log.debug('requests for Live Events wait longer', { error });
      return false;
    }
  }

  /** Writes what waits. @throws what the record throws; it is kept */
  async flush(): Promise<void> {
    const since = this.#waitingSince;
    this.#waitingSince = null;
    try {
      await this.#rows.flush();
    } catch (error) {
      this.#waitingSince ??= since;
      throw error;
    }
  }

  async stop(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer);
    await this.#rows.stop();
  }

  #flushSoon(): void {
    this.#timer ??= this.#outside(() => {
      const onTime = () => {
        this.#timer = null;
        // What could not be written is tried again with the rest, and told of then.
        this.flush().catch((error: unknown) =>
          this.#parts.log.debug('requests for Live Events wait longer', { error }),
        );
      };
      return setTimeout(onTime, watchedFlushMs).unref();
    });
  }

  #wrote(rows: RequestRow[]): void {
    const counts = new Map<number, number>();
    for (const { workspaceId } of rows) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1);
    this.#parts.onWritten([...counts.keys()]);
    for (const [workspaceId, count] of counts) {
      const written = (this.#written.peek(String(workspaceId)) ?? 0) + count;
      this.#written.set(String(workspaceId), written < dropEvery ? written : 0);
      if (written >= dropEvery) void this.#dropOldest(workspaceId);
    }
  }

  async #dropOldest(workspaceId: number): Promise<void> {
    const { record, log } = this.#parts;
    try {
      await record.write((db) => dropOldest(db, workspaceId), { mayUseReserve: true });
    } catch (error) {
      this.#written.set(String(workspaceId), dropEvery);
      log.debug('the oldest requests of a workspace stay a while longer', { workspaceId, error });
    }
  }
}
