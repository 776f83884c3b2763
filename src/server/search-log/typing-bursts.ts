/** A query that may be half typed. */
interface Typed {
  text: string;
}

interface Burst<Search> {
  tenant: string;
  latest: Search;
  /** The longest text since the burst began: what was meant where all of it is deleted again. */
  longest: Search;
  at: number;
}

interface BurstBounds {
  bursts: number;
  /** Of one tenant. */
  ofTenant: number;
}

/** A query that nobody has typed on for so long has rested. */
const restMs = 4_000;
const bounds: BurstBounds = { bursts: 20_000, ofTenant: 1_000 };

/**
 * Searches while somebody types: "b", "ba", "bat" are one search for "bat". A search counts once it has rested for four seconds; one that
 * begins the next one, or is begun by it, is part of it. Who types is known by a name that is kept for as long as that, and nowhere else.
 */
export class TypingBursts<Search extends Typed> {
  readonly #bounds: BurstBounds;
  /** In the order of their latest searches. */
  readonly #bursts = new Map<string, Burst<Search>>();
  readonly #ofTenants = new Map<string, number>();

  constructor(most: Partial<BurstBounds> = {}) {
    this.#bounds = { ...bounds, ...most };
  }

  get size(): number {
    return this.#bursts.size;
  }

  /** Answers the search that counts now: the one before, where this one is another, or this one where there is no room to wait. */
  add(typist: string, tenant: string, search: Search, now: number): Search | null {
    const before = this.#bursts.get(typist);
    if (before === undefined && !this.#hasRoom(tenant)) return search;
    const goesOn = before !== undefined && now - before.at < restMs && isPart(before.latest, search);
    this.#remove(typist);
    const longest = goesOn && before.longest.text.length > search.text.length ? before.longest : search;
    this.#bursts.set(typist, { tenant, latest: search, longest, at: now });
    this.#ofTenants.set(tenant, (this.#ofTenants.get(tenant) ?? 0) + 1);
    if (before === undefined || goesOn) return null;
    return now - before.at < restMs ? before.longest : before.latest;
  }

  /** Takes out what has rested, or all. */
  takeRested(now: number): Search[] {
    const rested: Search[] = [];
    for (const [typist, { latest, at }] of this.#bursts) {
      if (now - at < restMs) break;
      this.#remove(typist);
      rested.push(latest);
    }
    return rested;
  }

  #hasRoom(tenant: string): boolean {
    const { bursts, ofTenant } = this.#bounds;
    return this.#bursts.size < bursts && (this.#ofTenants.get(tenant) ?? 0) < ofTenant;
  }

  #remove(typist: string): void {
    const tenant = this.#bursts.get(typist)?.tenant;
    if (tenant === undefined) return;
    this.#bursts.delete(typist);
    const left = (this.#ofTenants.get(tenant) ?? 1) - 1;
    if (left === 0) this.#ofTenants.delete(tenant);
    else this.#ofTenants.set(tenant, left);
  }
}

/** One text begins the other: more was typed, some was deleted, or the same was asked in another way. */
function isPart(one: Typed, other: Typed): boolean {
  return one.text.startsWith(other.text) || other.text.startsWith(one.text);
}
