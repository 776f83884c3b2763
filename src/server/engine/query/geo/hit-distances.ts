import type { Steps } from '../../steps.ts';
import type { EngineHit, SortKey } from '../../types.ts';
import type { ColumnStore } from '../columns/column-store.ts';
import { eachDistance } from './each-distance.ts';

/** By place of a page: how far each hit is from where the keys sort from, by field; of two keys of one field the first counts. */
export function* hitDistances(
  columns: ColumnStore,
  sort: readonly SortKey[],
  page: Int32Array,
): Steps<EngineHit['distancesMeters'][]> {
  const byPlace: [string, number][][] = [];
  for (const { field: path, from } of sort.toReversed()) {
    const field = columns.field(path);
    if (field === undefined || from === undefined) continue;
    yield* eachDistance(field, { ordinals: page, from, isFarthest: false }, (place, meters) => {
      byPlace[place] = [...(byPlace[place] ?? []), [path, meters]];
    });
  }
  return byPlace.map((distances) => Object.fromEntries(distances));
}
