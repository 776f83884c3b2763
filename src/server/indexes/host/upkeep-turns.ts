import type { SearchIndex } from '#server/engine/search-index.ts';
import { UpkeepMark } from './upkeep-mark.ts';

/** Which index has its turn at what indexes do beside their calls: those that have changed, one after the other. */
export class UpkeepTurns {
  readonly #waiting = new Set<number>();
  readonly #mark: UpkeepMark;

  constructor(mark = new UpkeepMark()) {
    this.#mark = mark;
  }

  /** It was opened or written. */
  add(collectionId: number): void {
    this.#waiting.add(collectionId);
  }

  /** A millisecond of one index's, while no call has begun. @returns whether there is more to do */
  run(indexOf: (collectionId: number) => Pick<SearchIndex, 'upkeep'> | undefined): boolean {
    for (const collectionId of this.#waiting) {
      this.#waiting.delete(collectionId);
      this.#mark.begin(collectionId);
      const hasMore = indexOf(collectionId)?.upkeep() === true;
      this.#mark.end();
      if (!hasMore) continue;
      // The next time it is another one's turn.
      this.#waiting.add(collectionId);
      return true;
    }
    return false;
  }
}
