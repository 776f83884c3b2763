interface Owner<V> {
  name: string;
  cost: number;
  usedAt: number;
  entries: Set<Entry<V>>;
}

interface Entry<V> {
  key: string;
  value: V;
  cost: number;
  /** The later the higher. */
  usedAt: number;
  owner: Owner<V>;
}

/** When there is no room, so much of it is made at once, and who holds what is looked at once for all of it. */
const roomMade = 1 / 16;

/**
 * A map that stays within bounds by forgetting what its owners used longest ago: of those first who hold most, down to what others hold. So one
 * owner may have all of it that others do not use, and pushes nobody else's out. `get` and `set` count as use, `peek` does not.
 */
export class SharedMap<V> {
  readonly #bounds: { entriesMax: number; sizeMax: number };
  readonly #entries = new Map<string, Entry<V>>();
  readonly #owners = new Map<string, Owner<V>>();
  #cost = 0;
  #uses = 0;

  /** `sizeMax` bounds the sum of the sizes given to `set`; each entry also counts as its part of `entriesMax`. */
  constructor(bounds: { entriesMax: number; sizeMax: number }) {
    this.#bounds = bounds;
  }

  peek(key: string): V | undefined {
    return this.#entries.get(key)?.value;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry) this.#use(entry);
    return entry?.value;
  }

  set(key: string, value: V, { owner: name, size }: { owner: string; size: number }): void {
    this.delete(key);
    const { sizeMax, entriesMax } = this.#bounds;
    // The larger part of either bound that it takes.
    const cost = Math.max(size / sizeMax, 1 / entriesMax);
    if (cost > 1) return;
    const owner = this.#owners.get(name) ?? { name, cost: 0, usedAt: 0, entries: new Set() };
    const entry = { key, value, cost, usedAt: 0, owner };
    this.#owners.set(name, owner);
    this.#entries.set(key, entry);
    owner.entries.add(entry);
    owner.cost += cost;
    this.#cost += cost;
    this.#use(entry);
    if (this.#cost > 1 + rounding) this.#makeRoom();
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    const { owner, cost } = entry;
    this.#entries.delete(key);
    owner.entries.delete(entry);
    owner.cost -= cost;
    this.#cost -= cost;
    if (owner.entries.size === 0) this.#owners.delete(owner.name);
  }

  deleteWhere(isGone: (value: V, key: string) => boolean): void {
    for (const [key, { value }] of this.#entries) if (isGone(value, key)) this.delete(key);
  }

  #use(entry: Entry<V>): void {
    this.#uses += 1;
    entry.usedAt = this.#uses;
    entry.owner.usedAt = this.#uses;
  }

  /** Of those who hold as much, who used theirs longest ago comes first. */
  #makeRoom(): void {
    const most = [...this.#owners.values()].sort((a, b) => b.cost - a.cost || a.usedAt - b.usedAt);
    const level = levelOf(most, 1 - roomMade);
    for (const owner of most) {
      if (this.#cost <= 1 - roomMade || owner.cost <= level) return;
      for (const { key } of [...owner.entries].sort((a, b) => a.usedAt - b.usedAt)) {
        if (this.#cost <= 1 - roomMade || owner.cost <= level) break;
        this.delete(key);
      }
    }
  }
}

/** Sums of fractions are off by so much at most. */
const rounding = 1e-9;

/** What each owner may hold, so that all together hold no more than `total`. @param most those who hold most first */
function levelOf(most: readonly { cost: number }[], total: number): number {
  let rest = most.reduce((sum, { cost }) => sum + cost, 0);
  for (const [index, { cost }] of most.entries()) {
    const next = most[index + 1]?.cost ?? 0;
    const count = index + 1;
    rest -= cost;
    // All of these down to what the next one holds.
    if (rest + count * next <= total) return Math.max(0, (total - rest) / count);
  }
  return 0;
}
