import { compareIds } from '#server/indexes/id-order.ts';

/** Compares hits by what they are ordered by: a value a key, and the id. */
export interface HitOrder {
  /** By key. */
  areDescending: boolean[];
}

export const byScore: HitOrder = { areDescending: [true] };

type Ordered = { sort: readonly unknown[] };

/** As the cluster does: what has no value is last, texts by code point. */
export function compareHits({ areDescending }: HitOrder, a: Ordered, b: Ordered): number {
  for (const [i, isDescending] of areDescending.entries()) {
    const order = compareValues(a.sort[i] ?? null, b.sort[i] ?? null, isDescending);
    if (order !== 0) return order;
  }
  return compareIds(String(a.sort.at(-1)), String(b.sort.at(-1)));
}

function compareValues(a: unknown, b: unknown, isDescending: boolean): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  const order =
    typeof a === 'number' && typeof b === 'number' ? a - b || 0 : compareIds(String(a), String(b));
  return isDescending ? -order : order;
}
