/** A collection that has ended its thread twice within this time would end the next one too, and with it the indexes of others. */
const rememberedMs = 60 * 60_000;

/**
 * Collections whose calls or upkeep have ended engine threads. One end is forgotten after an hour; a collection that rests does so until
 * somebody repairs it or the server starts again.
 */
export class Quarantine {
  readonly #now: () => number;
  /** When each has ended a thread last. */
  readonly #endedAt = new Map<number, number>();
  readonly #resting = new Set<number>();

  /** @param now milliseconds that only grow */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  noteEnd(collectionId: number): void {
    const now = this.#now();
    for (const [id, at] of this.#endedAt) if (now - at >= rememberedMs) this.#endedAt.delete(id);
    if (this.#endedAt.has(collectionId)) this.#resting.add(collectionId);
    this.#endedAt.set(collectionId, now);
  }

  has(collectionId: number): boolean {
    return this.#resting.has(collectionId);
  }

  release(collectionId: number): void {
    this.#endedAt.delete(collectionId);
    this.#resting.delete(collectionId);
  }
}
