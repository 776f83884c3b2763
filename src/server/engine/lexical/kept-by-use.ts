/**
 * Things that are costly to make, by key, as many as a number of bytes lets be kept: those used last, and of these longest what costs most for its
 * bytes. Source: P. Cao and S. Irani, Cost-Aware WWW Proxy Caching Algorithms (USENIX 1997), GreedyDual-Size.
 */
export class KeptByUse<Value extends { readonly bytes: number; readonly cost?: number }> {
  /** In the order of their last use. */
  readonly #values = new Map<string, Value>();
  /** Since their last use: the one with the least leaves first. */
  readonly #worths = new Map<string, number>();
  #bytes = 0;
  /** Of what left last: what is used now is worth so much more than it was at first. */
  #floor = 0;

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#use(key, value);
    return value;
  }

  /** In place of what had the key. One that is larger than all may be together is not kept. */
  put(key: string, value: Value, bytesMax: number): void {
    this.delete(key);
    if (value.bytes > bytesMax) return;
    this.#use(key, value);
    this.#bytes += value.bytes;
    while (this.#bytes > bytesMax) {
      const least = this.#least();
      if (least === null) return;
      this.#floor = this.#worths.get(least) ?? this.#floor;
      this.delete(least);
    }
  }

  clear(): void {
    this.#values.clear();
    this.#worths.clear();
    this.#bytes = 0;
  }

  delete(key: string): void {
    this.#bytes -= this.#values.get(key)?.bytes ?? 0;
    this.#values.delete(key);
    this.#worths.delete(key);
  }

  #use(key: string, value: Value): void {
    this.#values.set(key, value);
    // Where nothing is said of the cost, a byte of one is worth a byte of the other.
    this.#worths.set(key, this.#floor + (value.cost ?? value.bytes) / Math.max(1, value.bytes));
  }

  /** Of several the one that was used first. */
  #least(): string | null {
    let least: string | null = null;
    let worth = Number.POSITIVE_INFINITY;
    for (const key of this.#values.keys()) {
      const own = this.#worths.get(key) ?? 0;
      if (own >= worth) continue;
      worth = own;
      least = key;
    }
    return least;
  }
}
