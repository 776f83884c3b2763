/** A collection that has ended its thread so often would end the next one too, and with it the indexes of others. */
const endsMax = 2;

/** Collections whose calls have ended engine threads. Kept until somebody repairs them or the server starts again. */
export class Quarantine {
  readonly #ends = new Map<number, number>();

  noteEnd(collectionId: number): void {
    this.#ends.set(collectionId, (this.#ends.get(collectionId) ?? 0) + 1);
  }

  has(collectionId: number): boolean {
    return (this.#ends.get(collectionId) ?? 0) >= endsMax;
  }

  release(collectionId: number): void {
    this.#ends.delete(collectionId);
  }
}
