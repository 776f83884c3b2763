import { randomInt } from 'node:crypto';

/**
 * Which thread has which index: one of those with the fewest, drawn by lot, until the index is closed. So nobody can tell or choose by
 * a collection's id whose thread it shares.
 */
export class Placement {
  readonly #loads: number[];
  readonly #draw: (below: number) => number;
  readonly #threads = new Map<number, number>();

  constructor(threads: number, draw: (below: number) => number = (below) => randomInt(below)) {
    this.#loads = Array.from({ length: threads }, () => 0);
    this.#draw = draw;
  }

  /** Null: it is open nowhere. */
  find(collectionId: number): number | null {
    return this.#threads.get(collectionId) ?? null;
  }

  /** Where it is, or from now on will be. */
  place(collectionId: number): number {
    const known = this.find(collectionId);
    if (known !== null) return known;
    const least = Math.min(...this.#loads);
    const free = this.#loads.flatMap((load, thread) => (load === least ? [thread] : []));
    const thread = free[this.#draw(free.length)] ?? 0;
    this.#threads.set(collectionId, thread);
    this.#loads[thread] = least + 1;
    return thread;
  }

  forget(collectionId: number): void {
    const thread = this.find(collectionId);
    if (thread === null) return;
    this.#threads.delete(collectionId);
    this.#loads[thread] = (this.#loads[thread] ?? 1) - 1;
  }
}
