import type { OpenIndex } from './open-index.ts';

/** Bytes that the indexes hold in their hosts. */
export function memoryOfIndexes(indexes: Iterable<OpenIndex>): number {
  let bytes = 0;
  for (const index of indexes) bytes += index.stats.memoryBytes;
  return bytes;
}

/**
 * The indexes that should leave so that the others fit: those used longest ago that can leave now. The one used last stays whatever its
 * size, since it is likely to be used next.
 */
export function indexesToEvict(
  indexes: OpenIndex[],
  { bytesMax, canLeave }: { bytesMax: number; canLeave: (index: OpenIndex) => boolean },
): OpenIndex[] {
  let excess = memoryOfIndexes(indexes) - bytesMax;
  if (excess <= 0) return [];
  const byAge = indexes.toSorted((a, b) => a.lastUsed - b.lastUsed);
  return byAge.slice(0, -1).filter((index) => {
    if (excess <= 0 || !canLeave(index)) return false;
    excess -= index.stats.memoryBytes;
    return true;
  });
}
