import type { IndexStats } from '#server/engine/types.ts';

/**
 * How an index stands to the record:
 *
 *     opening → fresh ⇄ behind        each of them → lost
 *
 * fresh: it has every answered write, and every write that was handed to it. behind: the record may have more, so it is compared before
 * it answers again. lost: gone with its thread, or a batch failed in it. That is final; an index opened anew takes its place.
 */
export type IndexState = 'opening' | 'fresh' | 'behind' | 'lost';

interface Standing {
  state: IndexState;
  stats: IndexStats;
}

/** What is known of a collection's index without asking it. `too large`: it was opened once and had no room. */
export type IndexLook = Standing | { state: 'too large'; stats: null };

/** How much there is of all indexes. */
export interface IndexesLoad {
  loaded: number;
  memoryBytes: number;
  /** Versions that the record has and no index yet, and those that none takes; absent: an index is never behind what was answered. */
  behind?: { waiting: number; givenUp: number };
}

/** Null: it is not in memory, and nothing is known against it. */
export function lookAt(index: Standing | undefined, isTooLarge: boolean): IndexLook | null {
  if (index) return { state: index.state, stats: index.stats };
  return isTooLarge ? { state: 'too large', stats: null } : null;
}
