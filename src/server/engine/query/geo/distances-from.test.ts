import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainDistance } from '../../testing/plain-distance.ts';
import { distancesFrom } from './distances-from.ts';
import type { Point } from './point.ts';

const point = fc.record({
  lat: fc.oneof(fc.double({ min: -90, max: 90, noNaN: true }), fc.constantFrom(-90, 0, 90)),
  lng: fc.oneof(fc.double({ min: -180, max: 180, noNaN: true }), fc.constantFrom(-180, 0, 180)),
});
const metersBetween = (a: Point, b: Point) => distancesFrom(a)(b.lat, b.lng);
const degrees = (whole: number, minutes: number, seconds: number) => whole + minutes / 60 + seconds / 3_600;

describe('distances', () => {
  test('are those of the plain formula, in both directions', () => {
    fc.assert(
      fc.property(point, point, (a, b) => {
        const distance = metersBetween(a, b);
        // Of opposite points the haversine knows the last meter no better.
        expect(Math.abs(distance - plainDistance(a, b))).toBeLessThan(1);
        expect(metersBetween(b, a)).toBeCloseTo(distance, 6);
      }),
      { numRuns: 2_000 },
    );
  });

  test('are to the millimeter those that others publish for a sphere', () => {
    // Rosetta Code, "Haversine formula": Nashville to Los Angeles, with a radius of 6,371 km.
    const published = 2_886_444.442_838;
    const own = metersBetween({ lat: 36.12, lng: -86.67 }, { lat: 33.94, lng: -118.4 });
    expect(own * (6_371_000 / 6_371_008.8)).toBeCloseTo(published, 3);
    // C. Veness, "Calculate distance, bearing and more": Land's End to John o' Groats, in four figures.
    const landsEnd = { lat: degrees(50, 3, 59), lng: -degrees(5, 42, 53) };
    const johnOGroats = { lat: degrees(58, 38, 38), lng: -degrees(3, 4, 12) };
    expect((metersBetween(landsEnd, johnOGroats) / 1_000).toFixed(1)).toBe('968.9');
  });

  test.each<[string, Point, Point, number]>([
    // C. F. F. Karney, documentation and tests of GeographicLib, on the ellipsoid WGS84.
    ['New York to London', { lat: 40.6, lng: -73.8 }, { lat: 51.6, lng: -0.5 }, 5_551_759.4],
    ['Wellington to Salamanca', { lat: -41.32, lng: 174.81 }, { lat: 40.96, lng: -5.5 }, 19_959_679.267],
    ['half around the equator', { lat: 0, lng: 0 }, { lat: 0, lng: 180 }, 20_003_931.459],
    // Geoscience Australia, "GDA94 Technical Manual".
    [
      'Flinders Peak to Buninyong',
      { lat: -degrees(37, 57, 3.7203), lng: degrees(144, 25, 29.5244) },
      { lat: -degrees(37, 39, 10.1561), lng: degrees(143, 55, 35.3839) },
      54_972.271,
    ],
  ])('are within 0.6 % those that others publish for the ellipsoid: %s', (_, a, b, meters) => {
    expect(Math.abs(metersBetween(a, b) / meters - 1)).toBeLessThan(0.006);
  });

  test.each<[string, Point, Point, number]>([
    ['over the date line', { lat: 0, lng: 179.5 }, { lat: 0, lng: -179.5 }, 111_195],
    ['at a pole all longitudes are one', { lat: 90, lng: 12 }, { lat: 90, lng: -150 }, 0],
    ['over a pole', { lat: 89.5, lng: 0 }, { lat: 89.5, lng: 180 }, 111_195],
    ['half around', { lat: 0, lng: 0 }, { lat: 0, lng: 180 }, 20_015_114],
  ])('%s', (_, a, b, meters) => {
    expect(Math.round(metersBetween(a, b))).toBe(meters);
  });
});
