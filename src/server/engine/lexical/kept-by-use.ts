/** Things that are costly to make, by key, as many as a number of bytes lets be kept: those used last. */
export class KeptByUse<Value extends { readonly bytes: number }> {
  /** In the order of their last use. */
  readonly #values = new Map<string, Value>();
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Value | undefined {
    const value = this.#values.get(key);
    if (value === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, value);
    return value;
  }

  /** In place of what had the key. One that is larger than all may be together is not kept. */
  put(key: string, value: Value, bytesMax: number): void {
    this.delete(key);
    if (value.bytes > bytesMax) return;
    this.#values.set(key, value);
    this.#bytes += value.bytes;
    for (const [oldest] of this.#values) {
      if (this.#bytes <= bytesMax) return;
      this.delete(oldest);
    }
  }

  clear(): void {
    this.#values.clear();
    this.#bytes = 0;
  }

  delete(key: string): void {
    this.#bytes -= this.#values.get(key)?.bytes ?? 0;
    this.#values.delete(key);
  }
}
