import type { Bitset } from '../../bits/bitset.ts';
import { noteWork, type Steps } from '../../steps.ts';
import type { WorkBudget } from '../../work-budget.ts';
import { entryRanges } from '../columns/entry-ranges.ts';
import type { Field } from '../columns/field.ts';
import type { FilterArea } from '../filter/filter-ast.ts';
import { distancesFrom, distanceUnits, metersOf, metersPerDegree } from './distances-from.ts';
import { Polygon } from './polygon.ts';

/** Units of work, for a corner of a polygon. */
const cornerUnits = 2;

interface AreaTest {
  /** Latitudes that the area lies between: these alone tell most points. */
  south: number;
  north: number;
  /** Of work, for one of the other points. */
  units: number;
  holds: (lat: number, lng: number) => boolean;
}

/** Adds the documents with any point in the area, of those within: one pass over the points. @throws TooDearError */
export function* addWithin(
  { latitudes, longitudes }: Field,
  area: FilterArea,
  { within, budget, found }: { within: Bitset; budget: WorkBudget; found: Bitset },
): Steps<void> {
  if (latitudes === null || longitudes === null) return;
  const { south, north, units, holds } = area.kind === 'circle' ? circleTest(area) : polygonTest(area);
  const take = (from: number, to: number) => {
    let tested = 0;
    for (let place = from; place < to; place += 1) {
      const lat = latitudes.values[place] ?? 0;
      if (lat < south || lat > north) continue;
      const ordinal = latitudes.ordinals[place] ?? 0;
      if (!within.has(ordinal) || found.has(ordinal)) continue;
      budget.spend(units);
      tested += 1;
      if (holds(lat, longitudes.values[place] ?? 0)) found.add(ordinal);
    }
    noteWork(tested * units);
  };
  yield* entryRanges(latitudes, within, { budget, take, takeUnits: units });
}

/** Units of work, for a point that its latitude does not tell. */
export function areaUnits(area: FilterArea): number {
  return area.kind === 'circle' ? distanceUnits : area.corners.length * cornerUnits;
}

function circleTest(area: Extract<FilterArea, { kind: 'circle' }>): AreaTest {
  const { center, radius, unit } = area;
  const meters = radius * metersOf[unit];
  const metersTo = distancesFrom(center);
  // A little wider, so that rounding leaves nobody out.
  const band = (meters / metersPerDegree) * (1 + 1e-6) + 1e-6;
  return {
    south: center.lat - band,
    north: center.lat + band,
    units: areaUnits(area),
    holds: (lat, lng) => metersTo(lat, lng) <= meters,
  };
}

function polygonTest(area: Extract<FilterArea, { kind: 'polygon' }>): AreaTest {
  const polygon = new Polygon(area.corners);
  const { south, north } = polygon;
  return { south, north, units: areaUnits(area), holds: (lat, lng) => polygon.holds(lat, lng) };
}
