import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { type Servers, turnTooLate, turnWaitMs } from '../servers.ts';

/** 'vecn' in ASCII: the class of advisory locks by name. */
const namesClass = 0x7665636e;
const retryMs = 200;

/**
 * What the servers of one record do one at a time: advisory locks by name on a connection that lasts as long as the server. They are gone with it, so that
 * a server that was killed keeps nothing.
 */
export class NamedLocks implements Omit<Servers, 'own' | 'isShared'> {
  readonly #sql: Sql;
  readonly #waitMs: number;
  /** Held or asked for, by name: Postgres would give one connection the same lock twice. Another set after each loss. */
  #taken = new Set<string>();
  #leads = new Set<string>();
  /** Who leads a job is being asked. */
  readonly #asked = new Map<string, Promise<boolean>>();
  readonly #agreed = new Map<string, number>();

  constructor(sql: Sql, { waitMs = turnWaitMs }: { waitMs?: number } = {}) {
    this.#sql = sql;
    this.#waitMs = waitMs;
  }

  /** The connection was lost, and all locks with it. */
  lose(): void {
    this.#taken = new Set();
    this.#leads = new Set();
  }

  /** On the connection in place of the lost one. */
  async regain(): Promise<void> {
    for (const [name, number] of this.#agreed) await this.#hold(name, number);
  }

  async agreesOn(name: string, number: number): Promise<boolean> {
    await this.#hold(name, number);
    this.#agreed.set(name, number);
    const [row] = await this.#sql`
      select count(distinct objid) as numbers from pg_locks
      where locktype = 'advisory' and classid = ${numberOf(name) >>> 0}::oid and objsubid = 2 and granted
        and database = (select oid from pg_database where datname = current_database())`;
    return Number(row?.['numbers']) === 1;
  }

  async #hold(name: string, number: number): Promise<void> {
    await this.#sql`select pg_advisory_lock_shared(${numberOf(name)}::int, ${number}::int)`;
  }

  async leads(job: string): Promise<boolean> {
    if (this.#leads.has(job)) return true;
    // Several of this server's own may ask at once, of which the second is not to be told that another server does it.
    const known = this.#asked.get(job);
    if (known !== undefined) return await known;
    const asked = this.#askToLead(job).finally(() => this.#asked.delete(job));
    this.#asked.set(job, asked);
    return await asked;
  }

  async #askToLead(job: string): Promise<boolean> {
    const leads = this.#leads;
    if (await this.#tryTake(`job ${job}`)) leads.add(job);
    return this.#leads.has(job);
  }

  async alone<T>(name: string, task: () => Promise<T>): Promise<T> {
    const end = performance.now() + this.#waitMs;
    while (!(await this.#tryTake(name))) {
      if (performance.now() >= end) throw turnTooLate();
      await pause(retryMs);
    }
    const taken = this.#taken;
    try {
      return await task();
    } finally {
      if (taken === this.#taken) await this.#giveBack(name);
    }
  }

  async isAtWork(name: string): Promise<boolean> {
    const [row] = await this.#sql`
      select exists (
        select from pg_locks where locktype = 'advisory' and classid = ${namesClass}::oid
          and objid = ${numberOf(name) >>> 0}::oid and objsubid = 2 and granted
          and database = (select oid from pg_database where datname = current_database())
      ) as is_taken`;
    return row?.['is_taken'] === true;
  }

  async #tryTake(name: string): Promise<boolean> {
    const taken = this.#taken;
    if (taken.has(name)) return false;
    taken.add(name);
    let isTaken = false;
    try {
      const [row] = await this.#sql`
        select pg_try_advisory_lock(${namesClass}::int, ${numberOf(name)}::int) as is_taken`;
      isTaken = row?.['is_taken'] === true && taken === this.#taken;
    } finally {
      if (!isTaken) taken.delete(name);
    }
    return isTaken;
  }

  async #giveBack(name: string): Promise<void> {
    const taken = this.#taken;
    try {
      await this.#sql`select pg_advisory_unlock(${namesClass}::int, ${numberOf(name)}::int)`;
    } catch (error) {
      // A connection that is lost has given it back.
      if (taken === this.#taken) throw error;
    } finally {
      taken.delete(name);
    }
  }
}

/** Two names with one number wait for each other, which does no harm. */
function numberOf(name: string): number {
  return hash('sha256', name, 'buffer').readInt32BE();
}
