import { FairShares } from '#server/admission/fair-shares.ts';

/** A statement or a transaction that wants a connection. */
export interface Use {
  /** Whose it is. */
  name: string;
  /** Of many rows, whose caller has time. */
  isBulk: boolean;
  /** It has one from now on. */
  begin: () => void;
}

/** Of one name: how many have a connection, and who waits, each way in the order of arrival. */
interface Part {
  running: number;
  ordinary: Map<Use, number>;
  bulk: Map<Use, number>;
}

/** What was used beyond others counts up to a second later. */
const debtMaxMs = 1_000;

/**
 * Whose turn it is to have one of the connections to the database. Names take turns by the time for which they had connections; of one
 * name whoever came first is next. A name has half of the connections at most while another one waits that has less. The last fifth
 * is for names that have none, one for each. Bulk statements have half of all at most.
 */
export class ConnectionTurns {
  readonly #each: number;
  readonly #left: number;
  readonly #now: () => number;
  readonly #parts = new Map<string, Part>();
  readonly #shares = new FairShares<string>(debtMaxMs);
  readonly #begunAt = new Map<Use, number>();
  #free: number;
  #bulkFree: number;
  #arrived = 0;

  /** @param now milliseconds that only grow */
  constructor(connections: number, now: () => number = () => performance.now()) {
    this.#free = connections;
    this.#bulkFree = Math.max(1, connections >> 1);
    this.#each = Math.max(1, connections >> 1);
    this.#left = Math.floor(connections / 5);
    this.#now = now;
  }

  /** How many have a connection, and how many wait for one. */
  get load(): { running: number; waiting: number } {
    const parts = [...this.#parts.values()];
    return {
      running: this.#begunAt.size,
      waiting: parts.reduce((sum, part) => sum + waitingOf(part), 0),
    };
  }

  /** Begins it as soon as it is its turn, which may be at once. */
  add(use: Use): void {
    const part = this.#parts.get(use.name) ?? { running: 0, ordinary: new Map(), bulk: new Map() };
    this.#parts.set(use.name, part);
    if (waitingOf(part) === 0) this.#shares.enter(use.name);
    lineOf(part, use).set(use, this.#arrived++);
    this.#beginNext();
  }

  /** It waits no more, or gives its connection back. */
  remove(use: Use): void {
    const part = this.#parts.get(use.name);
    if (!part) return;
    const begunAt = this.#begunAt.get(use);
    if (begunAt === undefined) this.#takeOut(use, part);
    else {
      this.#begunAt.delete(use);
      part.running -= 1;
      this.#free += 1;
      if (use.isBulk) this.#bulkFree += 1;
      this.#shares.charge(use.name, this.#now() - begunAt);
    }
    if (part.running === 0 && waitingOf(part) === 0) this.#parts.delete(use.name);
    this.#beginNext();
  }

  #takeOut(use: Use, part: Part): void {
    lineOf(part, use).delete(use);
    if (waitingOf(part) === 0) this.#shares.leave(use.name);
  }

  #beginNext(): void {
    for (let use = this.#next(); use !== null; use = this.#next()) {
      const part = this.#parts.get(use.name);
      if (!part) return;
      this.#takeOut(use, part);
      part.running += 1;
      this.#free -= 1;
      if (use.isBulk) this.#bulkFree -= 1;
      this.#begunAt.set(use, this.#now());
      use.begin();
    }
  }

  /** Null: nobody waits who may have one. */
  #next(): Use | null {
    if (this.#free === 0) return null;
    const may = (name: string) =>
      this.#firstOf(name) !== null && (this.#free > this.#left || this.#runningOf(name) === 0);
    const next =
      this.#shares.next((name) => may(name) && this.#runningOf(name) < this.#each) ?? this.#shares.next(may);
    return next === null ? null : this.#firstOf(next);
  }

  #runningOf(name: string): number {
    return this.#parts.get(name)?.running ?? 0;
  }

  #firstOf(name: string): Use | null {
    const part = this.#parts.get(name);
    if (!part) return null;
    const [ordinary] = part.ordinary;
    const [bulk] = this.#bulkFree > 0 ? part.bulk : [];
    if (!ordinary || !bulk) return (ordinary ?? bulk)?.[0] ?? null;
    return ordinary[1] < bulk[1] ? ordinary[0] : bulk[0];
  }
}

function lineOf(part: Part, { isBulk }: Use): Map<Use, number> {
  return isBulk ? part.bulk : part.ordinary;
}

function waitingOf({ ordinary, bulk }: Part): number {
  return ordinary.size + bulk.size;
}
