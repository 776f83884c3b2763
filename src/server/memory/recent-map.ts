/** Room that is made at once in a large map: to find the oldest entry, the places of all that have left are passed over. */
const slackShare = 1 / 64;

/** A map that stays within bounds by forgetting what was used longest ago: `get` and `set` count as use, `peek` does not. */
export class RecentMap<V> {
  readonly #bounds: { entriesMax: number; sizeMax: number };
  readonly #onEvicted: ((key: string, value: V) => void) | undefined;
  /** In the order of their last use. */
  readonly #entries = new Map<string, { value: V; size: number }>();
  #size = 0;

  /** `sizeMax` bounds the sum of the sizes given to `set`; absent: entries count alone. `onEvicted` gets what leaves for want of room. */
  constructor(options: {
    entriesMax: number;
    sizeMax?: number;
    onEvicted?: (key: string, value: V) => void;
  }) {
    const { entriesMax, sizeMax = Number.POSITIVE_INFINITY, onEvicted } = options;
    this.#bounds = { entriesMax, sizeMax };
    this.#onEvicted = onEvicted;
  }

  peek(key: string): V | undefined {
    return this.#entries.get(key)?.value;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: V, size = 1): void {
    this.delete(key);
    if (size > this.#bounds.sizeMax) return;
    this.#entries.set(key, { value, size });
    this.#size += size;
    if (this.#isWithin(0)) return;
    for (const [oldest, { value: left }] of this.#entries) {
      this.delete(oldest);
      this.#onEvicted?.(oldest, left);
      if (this.#isWithin(slackShare)) return;
    }
  }

  delete(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }

  #isWithin(slack: number): boolean {
    const { entriesMax, sizeMax } = this.#bounds;
    return (
      this.#entries.size <= entriesMax - slackOf(entriesMax, slack) &&
      this.#size <= sizeMax - slackOf(sizeMax, slack)
    );
  }

  deleteWhere(isGone: (value: V, key: string) => boolean): void {
    for (const [key, { value }] of this.#entries) if (isGone(value, key)) this.delete(key);
  }
}

function slackOf(max: number, share: number): number {
  return Number.isFinite(max) ? Math.floor(max * share) : 0;
}
