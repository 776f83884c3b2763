import type { IndexStats } from '#server/engine/types.ts';

/** Of an index that has not been opened yet. */
export const noStats: IndexStats = {
  version: 0,
  documentCount: 0,
  vectorCount: 0,
  scan: 'exact',
  recall: 1,
  memoryBytes: 0,
};
