import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Point } from './point.ts';
import { Polygon } from './polygon.ts';

/** On a plane without a date line, in whole numbers: on an edge, or with an odd number of edges to the north. */
function isInPlane({ lat, lng }: Point, corners: Point[]): boolean {
  const edges = corners.map((corner, i): [Point, Point] => [corner, corners.at(i - 1) ?? corner]);
  const isOn = edges.some(([a, b]) => {
    const isBetween =
      Math.min(a.lat, b.lat) <= lat &&
      lat <= Math.max(a.lat, b.lat) &&
      Math.min(a.lng, b.lng) <= lng &&
      lng <= Math.max(a.lng, b.lng);
    return isBetween && (b.lat - a.lat) * (lng - a.lng) === (lat - a.lat) * (b.lng - a.lng);
  });
  const crossed = edges.filter(
    ([a, b]) =>
      a.lng <= lng !== b.lng <= lng && a.lat + ((b.lat - a.lat) * (lng - a.lng)) / (b.lng - a.lng) > lat,
  );
  return isOn || crossed.length % 2 === 1;
}

const whole = (most: number) => fc.record({ lat: fc.integer({ min: -9, max: 9 }), lng: fc.nat(most) });
const wrapped = (lng: number): number => {
  const around = (((lng + 180) % 360) + 360) % 360;
  return around - 180;
};
const box = (south: number, west: number, north: number, east: number): Point[] => [
  { lat: south, lng: west },
  { lat: south, lng: east },
  { lat: north, lng: east },
  { lat: north, lng: west },
];

describe('polygons', () => {
  test('hold what they hold on a plane, wherever the date line is', () => {
    const seen = { inside: 0, outside: 0 };
    fc.assert(
      fc.property(
        fc.array(whole(12), { minLength: 3, maxLength: 8 }),
        fc.array(whole(12), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: -180, max: 180 }),
        (corners, points, turn) => {
          const turned = ({ lat, lng }: Point): Point => ({ lat, lng: wrapped(lng + turn) });
          const polygon = new Polygon(corners.map(turned));
          fc.pre(polygon.hasInside);
          for (const point of points) {
            const isInside = isInPlane(point, corners);
            const { lat, lng } = turned(point);
            expect(polygon.holds(lat, lng)).toBe(isInside);
            // Both longitudes of the date line are one.
            if (lng === -180) expect(polygon.holds(lat, 180)).toBe(isInside);
            seen[isInside ? 'inside' : 'outside'] += 1;
          }
        },
      ),
      { numRuns: 1_000 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(300);
  });

  test('have edges that go the shorter way, those of half a turn as they are written', () => {
    const pacific = new Polygon(box(-10, 170, 10, -170));
    expect([pacific.holds(0, 175), pacific.holds(0, -175), pacific.holds(0, 0)]).toEqual([true, true, false]);
    const half = new Polygon(box(-10, -90, 10, 90));
    expect([half.holds(0, 0), half.holds(0, 180), half.holds(0, -91)]).toEqual([true, false, false]);
  });

  test('reach the poles and go around with corners between', () => {
    const world = new Polygon(
      [-180, 0, 180]
        .flatMap((lng) => ({ lat: -90, lng }))
        .concat([180, 0, -180].map((lng) => ({ lat: 90, lng }))),
    );
    expect(world.hasInside).toBe(true);
    for (const lat of [-90, -45, 0, 90])
      for (const lng of [-180, -91, 0, 7, 180]) expect(world.holds(lat, lng), `${lat}, ${lng}`).toBe(true);
    const cap = new Polygon(box(80, 0, 90, 120));
    expect([cap.holds(90, 60), cap.holds(85, 60), cap.holds(85, 121), cap.holds(79, 60)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test.each<[string, Point[]]>([
    ['one around a pole', [0, 90, 180, -90].map((lng, i) => ({ lat: 80 + (i % 2), lng }))],
    ['a line along a meridian', [0, 5, 9].map((lat) => ({ lat, lng: 3 }))],
    ['a line along a parallel', [0, 5, 9].map((lng) => ({ lat: 3, lng }))],
    [
      'a line across both',
      [0, 1, 3].map((each) => ({ lat: each, lng: 179 + 2 * each - (each > 0 ? 360 : 0) })),
    ],
    ['one corner', [0, 0, 0].map((lat) => ({ lat, lng: 3 }))],
    ['the whole width, which goes the shorter way', box(-10, -180, 10, 180)],
    ['one that overlaps itself', [0, 120, -120, 0, 60, 0, -120, 120].map((lng, i) => ({ lat: i, lng }))],
  ])('have no inside: %s', (_, corners) => {
    expect(new Polygon(corners).hasInside).toBe(false);
  });
});
