import { AsyncLocalStorage } from 'node:async_hooks';
import type { Log } from '#server/log.ts';
import type { Database, RecordStore } from './client.ts';
import { blamesData } from './record-error.ts';

export interface WriteBehindOptions<Value> {
  record: Pick<RecordStore, 'write'>;
  log: Log;
  /** What is written, as the log names it. */
  what: string;
  /** How a value joins one that waits under the same key. */
  merge(waiting: Value, added: Value): Value;
  write(db: Database, batch: [key: string, value: Value][]): Promise<void>;
  /** Hears what is in the record now. */
  onWritten?(batch: [key: string, value: Value][]): void;
  /** At most this many keys wait; of more some are dropped with their values, and the log says so. */
  keysMax: number;
  /** Of those that wait, the one that is dropped in place of a further one. Null, or absent: the further one is. */
  findLeaver?(waiting: ReadonlyMap<string, Value>, added: Value): string | null;
  /** How long values wait for others; 5 s unless told. */
  flushAfterMs?: number;
}

/**
 * Values kept in memory by key and written together after some seconds, never in a request's way. A batch that could not be written is
 * kept and goes out with the next one; of one that is refused for its values those alone are dropped which are, as the log says. What
 * waits when the process is killed is lost, so this is for figures and not for facts.
 */
export class WriteBehind<Value> {
  readonly #options: WriteBehindOptions<Value>;
  /** Timers are set outside of whatever transaction the first value came from. */
  readonly #outside = AsyncLocalStorage.snapshot();
  #waiting = new Map<string, Value>();
  #inFlight = new Map<string, Value>();
  #writing: Promise<void> = Promise.resolve();
  #batches = 0;
  #timer: NodeJS.Timeout | null = null;
  #isFailing = false;
  #isFull = false;
  #isStopped = false;

  constructor(options: WriteBehindOptions<Value>) {
    this.#options = options;
  }

  /** False: it was dropped. */
  put(key: string, value: Value): boolean {
    const { keysMax, merge } = this.#options;
    const waiting = this.#waiting.get(key);
    const isTaken = waiting !== undefined || this.#waiting.size < keysMax || this.#makeRoom(value);
    if (isTaken) this.#waiting.set(key, waiting === undefined ? value : merge(waiting, value));
    this.#schedule();
    return isTaken;
  }

  /** Keys that wait, without those that are being written. */
  get size(): number {
    return this.#waiting.size;
  }

  /** What waits under a key, without what is being written. */
  waiting(key: string): Value | undefined {
    return this.#waiting.get(key);
  }

  /** What is not written yet, or is being written. */
  pending(): Map<string, Value> {
    const pending = new Map(this.#inFlight);
    for (const [key, value] of this.#waiting) {
      const before = pending.get(key);
      pending.set(key, before === undefined ? value : this.#options.merge(before, value));
    }
    return pending;
  }

  /**
   * What `read` finds in the record, with what is not written yet: never twice and never not at all, so it reads again when a batch
   * went out meanwhile.
   */
  async readWith<T>(read: (pending: Map<string, Value>) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      await this.#settled();
      const batches = this.#batches;
      const found = await read(this.pending());
      if (batches === this.#batches || tries === readTriesMax) return found;
    }
  }

  /** Writes what waits. @throws what the record throws; the batch is kept */
  flush(): Promise<void> {
    // One after the other, whatever became of the one before: its caller has its error.
    const write = () => this.#write();
    this.#writing = this.#writing.then(write, write);
    return this.#writing;
  }

  /** Writes what waits, once, and sets no timer any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    if (this.#timer) clearTimeout(this.#timer);
    await this.flush();
  }

  /** Until no batch is on its way; its outcome is its caller's. */
  async #settled(): Promise<void> {
    let writing: Promise<void>;
    do {
      writing = this.#writing;
      await writing.catch(() => undefined);
    } while (writing !== this.#writing);
  }

  async #write(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const batch = [...this.#waiting];
    this.#inFlight = this.#waiting;
    this.#waiting = new Map();
    this.#batches += 1;
    try {
      await this.#writePart(batch);
    } catch (error) {
      this.#waiting = this.pending();
      throw error;
    } finally {
      this.#inFlight = new Map();
    }
    this.#succeeded();
  }

  /** What a part of a batch is refused for is looked for in its halves: one bad value must not keep all others out for good. */
  async #writePart(part: [key: string, value: Value][]): Promise<void> {
    const { record, write, onWritten, log, what } = this.#options;
    try {
      await record.write((db) => write(db, part));
    } catch (error) {
      if (!blamesData(error)) throw error;
      if (part.length === 1) {
        log.error(`${what}: the record refuses a value for what it is; it is dropped`, { error });
        return this.#settle(part);
      }
      const half = part.length >>> 1;
      await this.#writePart(part.slice(0, half));
      return await this.#writePart(part.slice(half));
    }
    this.#settle(part);
    onWritten?.(part);
  }

  /** They are not to be sent again, even if the rest of their batch is. */
  #settle(part: [key: string, value: Value][]): void {
    for (const [key] of part) this.#inFlight.delete(key);
  }

  #schedule(): void {
    if (this.#isStopped) return;
    this.#timer ??= this.#outside(() => {
      const onTime = () => {
        this.#timer = null;
        this.flush().catch((error: unknown) => this.#failed(error));
      };
      return setTimeout(onTime, this.#options.flushAfterMs ?? flushAfterMs).unref();
    });
  }

  /** Logged once until a batch goes out again: the record may be away for hours. */
  #failed(error: unknown): void {
    const { log, what } = this.#options;
    if (!this.#isFailing) log.warn(`${what} were not written; they are kept and tried again`, { error });
    this.#isFailing = true;
    this.#schedule();
  }

  #succeeded(): void {
    const { log, what } = this.#options;
    if (this.#isFailing) log.info(`${what} are written again`);
    this.#isFailing = false;
    this.#isFull = false;
  }

  /** Drops one that waits for a further one. False: none leaves for it. */
  #makeRoom(value: Value): boolean {
    const { log, what, keysMax, findLeaver } = this.#options;
    const leaver = findLeaver?.(this.#waiting, value) ?? null;
    if (leaver !== null) this.#waiting.delete(leaver);
    if (!this.#isFull) log.warn(`${what}: more than ${keysMax} wait to be written; some are dropped`);
    this.#isFull = true;
    return leaver !== null;
  }
}

const flushAfterMs = 5_000;
const readTriesMax = 5;
