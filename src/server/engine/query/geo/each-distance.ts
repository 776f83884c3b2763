import { isPauseDue, type Steps } from '../../steps.ts';
import type { Field } from '../columns/field.ts';
import { distancesFrom, distanceUnits } from './distances-from.ts';
import type { Point } from './point.ts';

/** Units of work: to look for a document's points. */
const documentUnits = 16;

/** Of documents in which a field has points: the place in the list, and how far the nearest point is, or the farthest. */
export function* eachDistance(
  { latitudes, longitudes }: Field,
  { ordinals, from, isFarthest }: { ordinals: Int32Array; from: Point; isFarthest: boolean },
  take: (place: number, meters: number) => void,
): Steps<void> {
  if (latitudes === null || longitudes === null) return;
  const metersTo = distancesFrom(from);
  for (let place = 0; place < ordinals.length; place += 1) {
    const ordinal = ordinals[place] ?? 0;
    let best: number | null = null;
    for (let at = latitudes.start(ordinal); latitudes.isOf(ordinal, at); at += 1) {
      const meters = metersTo(latitudes.values[at] ?? 0, longitudes.values[at] ?? 0);
      if (best === null || (isFarthest ? meters > best : meters < best)) best = meters;
      if (isPauseDue(distanceUnits)) yield;
    }
    if (best !== null) take(place, best);
    if (isPauseDue(documentUnits)) yield;
  }
}
