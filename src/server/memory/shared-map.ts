interface Entry<V> {
  value: V;
  cost: number;
}

interface Owner<V> {
  cost: number;
  /** In the order of their last use. */
  entries: Map<string, Entry<V>>;
}

/** When there is no room, so much of it is made at once, and who holds how much is looked at once for all of it. */
const roomMade = 1 / 16;

/**
 * A map that stays within bounds by forgetting what its owners used longest ago: of those first who hold most, down to what others hold. So one
 * owner may have all of it that others do not use, and pushes nobody else's out. `get` and `set` count as use, `peek` does not.
 */
export class SharedMap<V> {
  readonly #bounds: { entriesMax: number; sizeMax: number };
  readonly #ownerOf = new Map<string, string>();
  /** In the order of their last use. */
  readonly #owners = new Map<string, Owner<V>>();
  #cost = 0;

  /** `sizeMax` bounds the sum of the sizes given to `set`; each entry also counts as its part of `entriesMax`. */
  constructor(bounds: { entriesMax: number; sizeMax: number }) {
    this.#bounds = bounds;
  }

  peek(key: string): V | undefined {
    return this.#find(key)?.entry.value;
  }

  get(key: string): V | undefined {
    const found = this.#find(key);
    if (!found) return undefined;
    const { name, owner, entry } = found;
    owner.entries.delete(key);
    owner.entries.set(key, entry);
    this.#owners.delete(name);
    this.#owners.set(name, owner);
    return entry.value;
  }

  set(key: string, value: V, { owner: name, size }: { owner: string; size: number }): void {
    this.delete(key);
    const { sizeMax, entriesMax } = this.#bounds;
    // The larger part of either bound that it takes.
    const cost = Math.max(size / sizeMax, 1 / entriesMax);
    if (cost > 1) return;
    const owner = this.#owners.get(name) ?? { cost: 0, entries: new Map() };
    this.#owners.delete(name);
    this.#owners.set(name, owner);
    owner.entries.set(key, { value, cost });
    owner.cost += cost;
    this.#ownerOf.set(key, name);
    this.#cost += cost;
    if (this.#cost > 1 + rounding) this.#makeRoom();
  }

  delete(key: string): void {
    const found = this.#find(key);
    if (!found) return;
    const { name, owner, entry } = found;
    this.#ownerOf.delete(key);
    owner.entries.delete(key);
    owner.cost -= entry.cost;
    this.#cost -= entry.cost;
    if (owner.entries.size === 0) this.#owners.delete(name);
  }

  deleteWhere(isGone: (value: V, key: string) => boolean): void {
    for (const key of this.#ownerOf.keys()) {
      const found = this.#find(key);
      if (found && isGone(found.entry.value, key)) this.delete(key);
    }
  }

  #find(key: string): { name: string; owner: Owner<V>; entry: Entry<V> } | null {
    const name = this.#ownerOf.get(key);
    const owner = name === undefined ? undefined : this.#owners.get(name);
    const entry = owner?.entries.get(key);
    return name !== undefined && owner && entry ? { name, owner, entry } : null;
  }

  /** Of those who hold as much, who used theirs longest ago comes first. */
  #makeRoom(): void {
    const most = [...this.#owners.values()].sort((a, b) => b.cost - a.cost);
    const level = levelOf(most, 1 - roomMade);
    for (const owner of most) {
      for (const key of owner.entries.keys()) {
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
