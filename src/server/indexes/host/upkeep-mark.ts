const nobody = 0n;

/**
 * Whose upkeep a thread is at, in memory that it shares with its host: a thread that does not come back, or has no memory left, can say nothing
 * any more.
 */
export class UpkeepMark {
  readonly #collectionId: BigInt64Array<SharedArrayBuffer>;

  /** @param memory of the other side; absent: this side's own */
  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(8)) {
    this.#collectionId = new BigInt64Array(memory);
  }

  get memory(): SharedArrayBuffer {
    return this.#collectionId.buffer;
  }

  begin(collectionId: number): void {
    Atomics.store(this.#collectionId, 0, BigInt(collectionId));
  }

  /** Not to be called when the upkeep has thrown, which ends the thread. */
  end(): void {
    Atomics.store(this.#collectionId, 0, nobody);
  }

  get collectionId(): number | null {
    const id = Atomics.load(this.#collectionId, 0);
    return id === nobody ? null : Number(id);
  }
}
