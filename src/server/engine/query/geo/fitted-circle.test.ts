import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runSteps } from '../../steps.ts';
import { ColumnStore } from '../columns/column-store.ts';
import type { FilterArea } from '../filter/filter-ast.ts';
import { distancesFrom, metersOf } from './distances-from.ts';
import { fittedCircle } from './fitted-circle.ts';
import type { Point } from './point.ts';

const point: fc.Arbitrary<Point> = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
});
const unit = fc.constantFrom('m' as const, 'km' as const, 'mi' as const);

/** Of a document with one point, or with none. */
function fitted(area: FilterArea, at: Point | null, isOutside: boolean) {
  const columns = new ColumnStore([{ name: 'at', type: 'geopoint' }]);
  runSteps(columns.add(0, at === null ? {} : { at }));
  const clause = { kind: 'within' as const, path: 'at', position: 0, area };
  const found = runSteps(fittedCircle(clause, columns, { ordinal: 0, isOutside }));
  return found?.area.kind === 'circle' ? found.area.radius : null;
}

test('a radius in which a point just lies, and one in which it just does not', () => {
  fc.assert(
    fc.property(point, point, unit, (center, at, unit) => {
      const distance = distancesFrom(center)(at.lat, at.lng) / metersOf[unit];
      const circle = { kind: 'circle' as const, center, radius: 0, unit };
      const inside = fitted(circle, at, false) ?? -1;
      expect(inside).toBeGreaterThan(distance);
      expect(inside).toBeLessThanOrEqual(distance + 0.0011);
      const outside = fitted(circle, at, true);
      if (outside === null) expect(distance).toBe(0);
      else expect([outside < distance, outside >= distance - 0.0011]).toEqual([true, true]);
    }),
  );
});

test('there is none beside a point that is the center, for a document without points, and for a polygon', () => {
  const center = { lat: 1, lng: 2 };
  const circle = { kind: 'circle' as const, center, radius: 5, unit: 'km' as const };
  expect([fitted(circle, center, true), fitted(circle, center, false)]).toEqual([null, 0.001]);
  expect(fitted(circle, null, false)).toBeNull();
  const corners = [center, { lat: 2, lng: 2 }, { lat: 1, lng: 3 }];
  expect(fitted({ kind: 'polygon', corners }, center, false)).toBeNull();
});
