/** What a part of a search may cost, counted, not timed: the same request gets the same answer on every machine. */

/** Parts of a search whose work is bounded. */
export type BoundedPart = 'filter' | 'facets' | 'groups' | 'words';

/** A part of a search would take more work than any may. */
export class TooDearError extends Error {
  readonly part: BoundedPart;

  constructor(part: BoundedPart) {
    super(`The ${part} would take too much work`);
    this.name = 'TooDearError';
    this.part = part;
  }
}

/** A unit is two or three nanoseconds on a machine of today, the work of a part one to two seconds at most. */
const workUnitsMax = 500_000_000;

export class WorkBudget {
  readonly #part: BoundedPart;
  #left: number;

  constructor(part: BoundedPart, units = workUnitsMax) {
    this.#part = part;
    this.#left = units;
  }

  /** Units that may still be spent. */
  get left(): number {
    return this.#left;
  }

  /** To be called before the work is done. @throws TooDearError */
  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw new TooDearError(this.#part);
  }
}
