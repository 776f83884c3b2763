import type { Sql } from 'postgres';
import { limits } from '#shared/limits.ts';
import { readSizes } from '../registry/rows.ts';

/** Stored documents that are merged into at once; a larger one is alone. */
const mergedBytesMax = 2 * 1024 * 1024;

/** How many of these documents may be read at once, and what they have at most. A single one need not be measured. */
export async function readablePart(
  sql: Sql,
  collectionId: number,
  ids: string[],
): Promise<{ count: number; bytes: number }> {
  if (ids.length === 1) return { count: 1, bytes: limits.documentBytesMax };
  const sizes = await readSizes(sql, collectionId, [...new Set(ids)]);
  let bytes = 0;
  for (const [count, id] of ids.entries()) {
    const more = sizes.get(id) ?? 0;
    if (count > 0 && bytes + more > mergedBytesMax) return { count, bytes };
    bytes += more;
    // Of equal ids one is read.
    sizes.delete(id);
  }
  return { count: ids.length, bytes };
}
