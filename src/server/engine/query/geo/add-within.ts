import type { Bitset } from '../../bits/bitset.ts';
import type { Steps } from '../../steps.ts';
import type { WorkBudget } from '../../work-budget.ts';
import { entryRanges } from '../columns/entry-ranges.ts';
import type { Field } from '../columns/field.ts';
import type { FilterArea } from '../filter/filter-ast.ts';
import { distanceMeters, isInPolygon, type Point } from './point.ts';

const metersOf = { m: 1, km: 1_000, mi: 1_609.344 } as const;
/** Units of work for a point: its distance, and a corner of a polygon. */
const distanceUnits = 32;
const cornerUnits = 4;

/** Documents with any point in the area: one pass over the points. @throws TooDearError */
export function* addWithin(
  { latitudes, longitudes }: Field,
  area: FilterArea,
  { within, budget, found }: { within: Bitset; budget: WorkBudget; found: Bitset },
): Steps<void> {
  if (latitudes === null || longitudes === null) return;
  budget.spend(latitudes.size * (area.kind === 'circle' ? distanceUnits : area.corners.length * cornerUnits));
  const holds = holdsIn(area);
  const take = (from: number, to: number) => {
    for (let place = from; place < to; place += 1) {
      const point = { lat: latitudes.values[place] ?? 0, lng: longitudes.values[place] ?? 0 };
      if (holds(point)) found.add(latitudes.ordinals[place] ?? 0);
    }
  };
  yield* entryRanges(latitudes, within, { budget, take });
}

function holdsIn(area: FilterArea): (point: Point) => boolean {
  if (area.kind === 'polygon') return (point) => isInPolygon(point, area.corners);
  const meters = area.radius * metersOf[area.unit];
  return (point) => distanceMeters(area.center, point) <= meters;
}

/** Of a document's points the nearest, or the farthest. Null: it has none. */
export function distanceOfField(
  { latitudes, longitudes }: Field,
  { ordinal, from, isFarthest }: { ordinal: number; from: Point; isFarthest: boolean },
): number | null {
  if (latitudes === null || longitudes === null) return null;
  let best: number | null = null;
  const end = latitudes.end(ordinal);
  for (let place = latitudes.start(ordinal); place < end; place += 1) {
    const point = { lat: latitudes.values[place] ?? 0, lng: longitudes.values[place] ?? 0 };
    const distance = distanceMeters(from, point);
    if (best === null || (isFarthest ? distance > best : distance < best)) best = distance;
  }
  return best;
}
