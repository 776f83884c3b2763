import type { Log } from '#server/log.ts';

/**
 * Whether the database answers at all. A database that hangs says nothing: its connections stay open and whoever asks it waits for ever.
 * While somebody waits for longer than a moment, a trivial statement on a connection of its own asks whether it is only that one that takes
 * long. When that is not answered either, all who wait are told, and those who come then are told at once, until anything is answered.
 */
export interface WaitLimits {
  /** For a connection, and in all for a database that says nothing. */
  waitMs: number;
  /** For one statement of a database that answers others, and before that for a connection where there is time. */
  statementMs: number;
}

/** One statement, or the beginning or the end of a transaction. */
export interface Waiting {
  /** It has its connection and is with the database from now on. */
  sent(): void;
  /** The transaction is at work by itself; answers what is to be called when it ends. */
  pause(): () => void;
  /** The database has answered, or nobody asks it any more. */
  end(): void;
}

interface Entry {
  since: number;
  /** For a connection. */
  waitMs: number;
  isSent: boolean;
  isGivenUp: boolean;
  fail: (error: Error) => void;
}

export class SilenceWatch {
  readonly #limits: WaitLimits;
  readonly #log: Log;
  readonly #waiting = new Set<Entry>();
  readonly #settledListeners: (() => void)[] = [];
  #pulse: (() => Promise<unknown>) | null = null;
  #timer: NodeJS.Timeout | null = null;
  #askedAt: number | null = null;
  #heardAt = 0;
  #isSilent = false;
  /** Sent, and still with the database, though whoever asked has been told otherwise. */
  #givenUp = 0;

  constructor(limits: WaitLimits, log: Log) {
    this.#limits = limits;
    this.#log = log;
  }

  /** Watches from now on; `pulse` answers when the database does. */
  start(pulse: () => Promise<unknown>): void {
    this.#pulse = pulse;
  }

  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** Calls back when all statements that were given up have ended: what they wrote is written, and nobody was told. */
  onSettled(listener: () => void): void {
    this.#settledListeners.push(listener);
  }

  /** `fail` is called at most once, and then at once while the database is silent. `hasTime`: for a connection it waits as for a statement. */
  add(fail: (error: Error) => void, { hasTime = false } = {}): Waiting {
    const waitMs = hasTime ? this.#limits.statementMs : this.#limits.waitMs;
    const entry: Entry = { since: performance.now(), waitMs, isSent: false, isGivenUp: false, fail };
    this.#enter(entry);
    return {
      sent: () => {
        entry.isSent = true;
        entry.since = performance.now();
      },
      pause: () => {
        this.#waiting.delete(entry);
        return () => this.#enter(entry);
      },
      end: () => this.#end(entry),
    };
  }

  #enter(entry: Entry): void {
    entry.since = performance.now();
    if (this.#pulse === null) return;
    if (this.#isSilent) {
      this.#giveUp(entry, silent());
      return;
    }
    this.#waiting.add(entry);
    this.#timer ??= setInterval(() => this.#look(), this.#limits.waitMs / 12).unref();
  }

  #end(entry: Entry): void {
    this.#waiting.delete(entry);
    if (entry.isSent) this.#heard();
    if (entry.isSent && entry.isGivenUp) {
      this.#givenUp -= 1;
      if (this.#givenUp === 0) for (const listener of this.#settledListeners) listener();
    }
    if (this.#waiting.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }

  #look(): void {
    const now = performance.now();
    const { waitMs, statementMs } = this.#limits;
    let oldest = now;
    for (const entry of this.#waiting) {
      const { since, isSent } = entry;
      if (now - since >= (isSent ? statementMs : entry.waitMs))
        this.#giveUp(entry, isSent ? tooLong() : busy());
      else oldest = Math.min(oldest, since);
    }
    if (this.#askedAt === null) {
      if (now - Math.max(oldest, this.#heardAt) >= waitMs / 3) this.#ask(now);
    } else if (now - this.#askedAt >= waitMs / 2) this.#askedInVain(this.#askedAt);
  }

  #ask(now: number): void {
    this.#askedAt = now;
    // A refusal is an answer too: with its connection lost, the waiting ones hear so themselves.
    this.#pulse?.().then(
      () => this.#heard(),
      () => this.#heard(),
    );
  }

  /** What has come meanwhile is read first: this process may have been too busy to. */
  #askedInVain(askedAt: number): void {
    setImmediate(() => {
      if (this.#askedAt !== askedAt || this.#isSilent) return;
      this.#isSilent = true;
      this.#log.error('the database says nothing any more; who waits for it is sent away', {
        waiting: this.#waiting.size,
      });
      for (const entry of this.#waiting) this.#giveUp(entry, silent());
    });
  }

  #heard(): void {
    this.#askedAt = null;
    this.#heardAt = performance.now();
    if (!this.#isSilent) return;
    this.#isSilent = false;
    this.#log.warn('the database answers again');
  }

  #giveUp(entry: Entry, error: Error): void {
    this.#waiting.delete(entry);
    entry.isGivenUp = true;
    if (entry.isSent) this.#givenUp += 1;
    entry.fail(error);
  }
}

const coded = (code: string, message: string) => Object.assign(new Error(message), { code });
const silent = () => coded('DATABASE_SILENT', 'the database has said nothing for a while');
const busy = () => coded('POOL_BUSY', 'no connection to the database became free in time');
const tooLong = () => coded('STATEMENT_TOO_LONG', 'a statement was not answered in time');
