import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asPoint, distanceMeters, isInPolygon, type Point, pointsIn } from './point.ts';

const radius = 6_371_008.8;
const point = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
});

/** By the angle between the two vectors from the middle of the earth. */
function plainDistance(a: Point, b: Point): number {
  const vectorOf = ({ lat, lng }: Point) => {
    const [phi, lambda] = [(lat * Math.PI) / 180, (lng * Math.PI) / 180];
    return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
  };
  const [ax = 0, ay = 0, az = 0] = vectorOf(a);
  const [bx = 0, by = 0, bz = 0] = vectorOf(b);
  const cross = Math.hypot(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx);
  return radius * Math.atan2(cross, ax * bx + ay * by + az * bz);
}

describe('distances', () => {
  test('are those of the plain formula, in both directions', () => {
    fc.assert(
      fc.property(point, point, (a, b) => {
        const distance = distanceMeters(a, b);
        // Of opposite points the haversine knows the last meter no better.
        expect(Math.abs(distance - plainDistance(a, b))).toBeLessThan(1);
        expect(distanceMeters(b, a)).toBeCloseTo(distance, 6);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each<[string, Point, Point, number]>([
    ['Paris to London', { lat: 48.8566, lng: 2.3522 }, { lat: 51.5074, lng: -0.1278 }, 343_557],
    ['over the date line', { lat: 0, lng: 179.5 }, { lat: 0, lng: -179.5 }, 111_195],
    ['at a pole all longitudes are one', { lat: 90, lng: 12 }, { lat: 90, lng: -150 }, 0],
    ['over a pole', { lat: 89.5, lng: 0 }, { lat: 89.5, lng: 180 }, 111_195],
    ['half around', { lat: 0, lng: 0 }, { lat: 0, lng: 180 }, 20_015_114],
  ])('%s', (_, a, b, meters) => {
    expect(Math.round(distanceMeters(a, b))).toBe(meters);
  });
});

describe('polygons', () => {
  const square = (lng: number): Point[] => [
    { lat: -1, lng: lng - 1 },
    { lat: -1, lng: lng + 1 },
    { lat: 1, lng: lng + 1 },
    { lat: 1, lng: lng - 1 },
  ];
  const wrapped = ({ lat, lng }: Point): Point => ({ lat, lng: lng > 180 ? lng - 360 : lng });

  test('hold what lies in them, the date line or not', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(0, 90, 179.5, 180),
        fc.double({ min: -1.9, max: 1.9, noNaN: true }),
        fc.double({ min: -1.9, max: 1.9, noNaN: true }),
        (middle, lat, lng) => {
          fc.pre(Math.abs(Math.abs(lat) - 1) > 1e-9 && Math.abs(Math.abs(lng) - 1) > 1e-9);
          const corners = square(middle).map(wrapped);
          const inside = Math.abs(lat) < 1 && Math.abs(lng) < 1;
          expect(isInPolygon(wrapped({ lat, lng: middle + lng }), corners)).toBe(inside);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('may be hollow at a side', () => {
    const arrow = [
      { lat: 0, lng: 0 },
      { lat: 10, lng: 5 },
      { lat: 0, lng: 10 },
      { lat: 4, lng: 5 },
    ];
    expect([isInPolygon({ lat: 2, lng: 5 }, arrow), isInPolygon({ lat: 6, lng: 5 }, arrow)]).toEqual([
      false,
      true,
    ]);
  });
});

test('what is a point in a document', () => {
  expect([asPoint([1, 2]), asPoint({ lat: 1, lng: 2 })]).toEqual([
    { lat: 1, lng: 2 },
    { lat: 1, lng: 2 },
  ]);
  for (const none of [[1], [1, 2, 3], [91, 0], [0, 181], ['1', '2'], { lat: 1 }, '1,2', null, 5])
    expect(asPoint(none)).toBeNull();
  expect(pointsIn([[1, 2], { lat: 3, lng: 4 }, 'x'])).toEqual([
    { lat: 1, lng: 2 },
    { lat: 3, lng: 4 },
  ]);
});
