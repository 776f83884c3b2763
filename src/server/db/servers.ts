import { randomInt } from 'node:crypto';
import { type SQL, type SQLWrapper, sql as statement } from 'drizzle-orm';
import { AppError } from '#server/errors.ts';
import { within } from '#server/within.ts';

/** The servers that share a record, as one of them sees them. With the embedded engine there is only one. */
export interface Servers {
  /** Of this process, for as long as it has the record. */
  readonly own: number;
  /** Whether others may be at work on the record. */
  readonly isShared: boolean;
  /**
   * Whether this server is the one that does a job which is to be done once; it stays so until it ends, or loses the database.
   * @throws the driver's error
   */
  leads(job: string): Promise<boolean>;
  /**
   * Whether all that are on the record hold the same number (31 bits) under a name; this one holds it from now on.
   * @throws the driver's error
   */
  agreesOn(name: string, number: number): Promise<boolean>;
  /**
   * Runs a task while no server runs another one of the same name; one server's own tasks of a name come one after the other.
   * @throws AppError UNAVAILABLE when its turn does not come in time; what the task throws
   */
  alone<T>(name: string, task: () => Promise<T>): Promise<T>;
  /** Whether any server runs a task of this name just now. @throws the driver's error */
  isAtWork(name: string): Promise<boolean>;
}

/** 'vecs' in ASCII: with a server's number the name of the advisory lock that it holds as long as it lives. */
export const serversClass = 0x76656373;

/** How long a task of `alone` waits for its turn. */
export const turnWaitMs = 60_000;

/** Whoever has the turn is at work for longer. */
export class TurnTooLate extends AppError {
  constructor() {
    super('UNAVAILABLE', 'This is being worked at already; try again in a moment', { retryAfterSeconds: 5 });
  }
}

export const turnTooLate = (): AppError => new TurnTooLate();

/** In a column of 32 bits, and never 0. */
export const newServerNumber = (): number => randomInt(1, 2 ** 31);

/** `waitMs`: for a turn. */
export function onlyServer({ waitMs = turnWaitMs }: { waitMs?: number } = {}): Servers {
  /** By name: resolves once the last task that came is over, and all before it. */
  const turns = new Map<string, Promise<unknown>>();
  return {
    own: newServerNumber(),
    isShared: false,
    leads: async () => true,
    agreesOn: async () => true,
    async alone(name, task) {
      const before = turns.get(name);
      let end: () => void = () => undefined;
      const ended = new Promise<void>((resolve) => {
        end = resolve;
      });
      const own = Promise.all([before, ended]).then(() => {
        if (turns.get(name) === own) turns.delete(name);
      });
      turns.set(name, own);
      try {
        if (before !== undefined) await within(before, waitMs, turnTooLate);
        return await task();
      } finally {
        end();
      }
    },
    isAtWork: async (name) => turns.has(name),
  };
}

/** Whether the server with this number lives; one that is alone with its record knows that no other does. */
export function isLiving(server: SQLWrapper): SQL {
  return statement`exists (
    select from pg_locks where locktype = 'advisory' and classid = ${serversClass}::oid and objid = ${server}::oid and objsubid = 2
      and granted and database = (select oid from pg_database where datname = current_database()))`;
}
