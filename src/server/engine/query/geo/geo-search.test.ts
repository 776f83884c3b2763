import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FilterFaultError, type SearchIndex } from '../../search-index.ts';
import { document, fromSnapshot, idsFound, indexOf, searchFor, snapshotOf } from '../../testing/fixtures.ts';
import { longestStep } from '../../testing/longest-step.ts';
import { plainDistance } from '../../testing/plain-distance.ts';
import { runs } from '../../testing/runs.ts';
import { printFilter } from '../filter/filter-ast.ts';
import { parseFilter } from '../filter/filter-parser.ts';
import { parseSort } from '../sort/sort-parser.ts';
import { distancesFrom } from './distances-from.ts';
import type { Point } from './point.ts';

const settings = {
  dimension: 2,
  metric: 'cosine' as const,
  fields: [
    { name: 'at', type: 'geopoint' as const },
    { name: 'seat.of', type: 'geopoint' as const },
  ],
};

const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true });
/** Anywhere, near each other, at or near a pole, or on both sides of the date line. */
const point: fc.Arbitrary<Point> = fc.oneof(
  fc.record({ lat: degrees(-90, 90), lng: degrees(-180, 180) }),
  fc.record({ lat: degrees(47, 49), lng: degrees(15, 17) }),
  fc.record({ lat: fc.oneof(degrees(88, 90), fc.constantFrom(-90, 90)), lng: degrees(-180, 180) }),
  fc.record({ lat: degrees(-1, 1), lng: fc.constantFrom(-180, -179.9, 179.8, 180) }),
);
const kilometers = fc.oneof(degrees(0, 400), degrees(0, 20_100));
/** As documents write them. */
const written = fc.oneof(
  point.map((each): [Point[], unknown] => [[each], each]),
  point.map((each): [Point[], unknown] => [[each], [each.lat, each.lng]]),
  fc
    .array(point, { minLength: 1, maxLength: 3 })
    .map((all): [Point[], unknown] => [
      all,
      all.map((each, i) => (i % 2 === 0 ? each : [each.lat, each.lng])),
    ]),
  fc.constant<[Point[], unknown]>([[], undefined]),
);

/** Some are replaced and some deleted, and the index comes from its snapshot. */
function indexWith(places: [Point[], unknown][]): SearchIndex {
  const documents = places.map(([, at], i) => document(String(i), { at, seat: [{ of: at }] }));
  const index = indexOf(documents, settings);
  index.apply({
    version: 2,
    puts: documents.slice(0, 3),
    deletes: documents.slice(3, 5).map(({ id }) => id),
  });
  const restored = fromSnapshot(snapshotOf(index), settings);
  if ('refused' in restored) throw new Error(restored.refused);
  return restored.index;
}

const isThere = (i: number) => i < 3 || i >= 5;

describe('points', () => {
  test('are found within a distance, as by a look at each', () => {
    fc.assert(
      fc.property(fc.array(written, { maxLength: 12 }), point, kilometers, (places, from, km) => {
        const index = indexWith(places);
        const nearest = places.map(([points]) =>
          Math.min(...points.map((each) => plainDistance(from, each))),
        );
        // Two formulas do not agree on the last meter of half the earth.
        const isTold = (meters: number) => Math.abs(meters - km * 1_000) > meters * 1e-7 + 1e-6;
        fc.pre(nearest.every((meters) => meters === Number.POSITIVE_INFINITY || isTold(meters)));
        const wanted = nearest.flatMap((meters, i) =>
          isThere(i) && meters <= km * 1_000 ? [String(i)] : [],
        );
        for (const field of ['at', 'seat.of']) {
          const filter = `${field}:(${from.lat}, ${from.lng}, ${km} km)`;
          expect(index.ids(filter)).toEqual(wanted.sort());
          expect(index.ids(`!${filter}`)).toEqual(index.ids(null).filter((id) => !wanted.includes(id)));
          // Beside another condition only what that leaves is looked at.
          expect(index.ids(`id:[0, 7] && ${filter}`)).toEqual(wanted.filter((id) => '07'.includes(id)));
        }
      }),
      { numRuns: runs(300) },
    );
  });

  test('sort by distance, without one last, and the hits say how far', () => {
    fc.assert(
      fc.property(fc.array(written, { maxLength: 12 }), point, fc.boolean(), (places, from, descending) => {
        const index = indexWith(places);
        const { hits } = index.search(
          searchFor({ text: '*', limit: 50, sort: [{ field: 'at', descending, from }] }),
        );
        expect(hits.length).toBe(index.stats().documentCount);
        const distances = (id: string) =>
          (places[Number(id)]?.[0] ?? []).map((each) => plainDistance(from, each));
        let last = Number.NEGATIVE_INFINITY;
        for (const { id, distancesMeters } of hits) {
          const own = distances(id);
          const key = descending ? -Math.max(...own) : Math.min(...own);
          // Without a point it is infinite, and so comes last.
          expect(own.length === 0 ? Number.POSITIVE_INFINITY : key).toBeGreaterThanOrEqual(last - 1);
          last = own.length === 0 ? Number.POSITIVE_INFINITY : key;
          if (own.length === 0) expect(distancesMeters).toBeUndefined();
          else expect(Math.abs((distancesMeters?.['at'] ?? 0) - Math.min(...own))).toBeLessThan(1);
        }
      }),
      { numRuns: runs(300) },
    );
  });

  test('within a distance no hit is shown to be farther', () => {
    fc.assert(
      fc.property(fc.array(written, { maxLength: 12 }), point, kilometers, (places, from, km) => {
        const { hits } = indexWith(places).search(
          searchFor({
            text: '*',
            filter: `at:(${from.lat}, ${from.lng}, ${km} km)`,
            sort: [{ field: 'at', descending: false, from }],
            limit: 50,
          }),
        );
        for (const { distancesMeters } of hits)
          expect(distancesMeters?.['at']).toBeLessThanOrEqual(km * 1_000);
      }),
      { numRuns: 100 },
    );
  });

  test('lie within their own distance, also due north and south, where it is a difference of latitudes', () => {
    const latitude = degrees(-90, 90);
    fc.assert(
      fc.property(latitude, latitude, degrees(-180, 180), (from, to, lng) => {
        const meters = distancesFrom({ lat: from, lng })(to, lng);
        expect(indexWith([[[], [to, lng]]]).ids(`at:(${from}, ${lng}, ${meters} m)`)).toEqual(['0']);
      }),
    );
  });

  test('their coordinates are no fields of their own', () => {
    const index = indexOf([document('1', { at: { lat: 1, lng: 2 }, seat: { of: [1, 2] } })], settings);
    expect(index.fields().map(({ path, types, documentCount }) => [path, types, documentCount])).toEqual([
      ['at', ['geopoint'], 1],
      ['seat.of', ['geopoint'], 1],
    ]);
    expect(index.ids('at:*')).toEqual(['1']);
  });

  const cities = indexOf(
    [
      document('paris', { at: { lat: 48.8566, lng: 2.3522 } }),
      document('london', { at: [51.5074, -0.1278] }),
      document('nowhere', { name: 'at sea', camp: { lat: 1, lng: 2 } }),
    ],
    settings,
  );

  test.each([
    ['at:(48.85, 2.35, 5 km)', ['paris']],
    ['at:(48.85, 2.35, 500mi)', ['london', 'paris']],
    ['at:(48.8566, 2.3522, 0 m)', ['paris']],
    // Paris is 1,609.19 m to the south; a mile has 1,609.344.
    ['at:(48.8710718, 2.3522, 1 mi)', ['paris']],
    ['at:(40, -10, 55, -10, 55, 1, 40, 1)', ['london']],
    ['at:* && !at:(51.5, 0, 20 km)', ['paris']],
    ['at:(48.8566, 2.3522, 50, 3, 48.8566, 4)', ['paris']],
  ])('%s', (filter, ids) => {
    expect(idsFound(cities, { text: '*', filter }).sort()).toEqual(ids);
    const { filter: tree } = parseFilter(filter);
    if (tree === null) throw new Error('it does not parse');
    expect(idsFound(cities, { text: '*', filter: printFilter(tree) }).sort()).toEqual(ids);
  });

  test.each([
    ['at:(48.85, 2.35)', 15, 'expected a distance (km, mi or m), or at least three corners'],
    ['at:(1, 2, 3, 4)', 14, 'expected a distance (km, mi or m), or at least three corners'],
    ['at:(98.85, 2.35, 5 km)', 4, 'expected a latitude from -90 to 90'],
    ['at:(8.85, 200, 5 km)', 10, 'expected a longitude from -180 to 180'],
    ['at:(8.85, 2, -5 km)', 13, 'expected a point and then how far'],
    ['at:(8.85, 2, 5 miles)', 15, 'expected km, mi or m'],
    ['at:(8.85, 2, 5)', 14, 'expected km, mi or m'],
    ['at:(8.85, 2, 1e999 km)', 13, 'expected a number'],
    ['at:(8.85, 2, 5 km, 3)', 17, 'expected ")"'],
    ['at:(8.85, two, 5 km)', 10, 'expected a number'],
    ['at:(1, 2, 3, 4, 5 km)', 16, 'expected a point and then how far'],
    ['at:(1, 2, 3, 4, 5, 6', 20, 'expected "," or ")"'],
    ['at:( 80, 0, 80, 90, 80, 180, 80, -90)', 5, 'a pole cannot be inside'],
    ['at:(1, 1, 2, 2, 3, 3)', 4, 'expected corners that enclose an area'],
    ['at:(1, 1, 2, 1, 3, 1)', 4, 'expected corners that enclose an area'],
    [`at:(${'1, 2, '.repeat(1_001)}3, 4)`, 6_003, 'expected at most 1000 corners'],
    ['name:(1, 2, 3 km)', 0, '"name" is a string'],
    ['camp:(1, 2, 3 km)', 0, '"camp" is an object'],
    ['att:(1, 2, 3 km)', 0, 'the nearest is "at"'],
    ['id:(1, 2, 3 km)', 0, 'expected : or := after "id", and ids'],
    ['at:paris', 0, 'expected a point and a distance for "at"'],
    ['at:>5', 0, 'expected a point and a distance for "at"'],
  ])('%s is refused', (filter, position, message) => {
    try {
      cities.ids(filter);
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof FilterFaultError)) throw error;
      expect(error.diagnostics).toEqual([{ position, message: expect.stringContaining(message) }]);
    }
  });

  test('a key that sorts by distance is read', () => {
    expect(parseSort('at(48.2, 16.37):desc, name:asc,seat.of( 0,-1 )', 3).keys).toEqual([
      { field: 'at', descending: true, from: { lat: 48.2, lng: 16.37 } },
      { field: 'name', descending: false },
      { field: 'seat.of', descending: false, from: { lat: 0, lng: -1 } },
    ]);
    expect(parseSort('at (home)(1, 2), a:b(c)(3, 4):desc,at(5)(6, 7)', 3).keys).toEqual([
      { field: 'at (home)', descending: false, from: { lat: 1, lng: 2 } },
      { field: 'a:b(c)', descending: true, from: { lat: 3, lng: 4 } },
      { field: 'at(5)', descending: false, from: { lat: 6, lng: 7 } },
    ]);
    expect(parseSort('price (eur):asc, sales(2020)', 3).keys).toEqual([
      { field: 'price (eur)', descending: false },
      { field: 'sales(2020)', descending: false },
    ]);
  });

  test.each([
    ['at(100, 0)', 3, 'expected a latitude'],
    ['name, at(1, 181)', 12, 'expected a longitude'],
    ['at(1, 2', 7, 'expected ")"'],
    ['at(x, 2)', 3, 'expected a number'],
    ['at(1, 2):up', 8, 'expected ":asc", ":desc"'],
    ['at(1, 2) desc', 8, 'expected ":asc", ":desc"'],
    ['at(1, 2, 3)', 7, 'expected ")"'],
  ])('a key that is none is refused: %s', (text, position, message) => {
    const { diagnostics } = parseSort(text, 3);
    expect(diagnostics).toEqual([{ position, message: expect.stringContaining(message) }]);
  });

  test('a point is sorted from somewhere, and nothing else is', () => {
    const by = (field: string, from?: Point) => () =>
      cities.search(searchFor({ text: '*', sort: [{ field, descending: false, ...(from && { from }) }] }));
    const from = { lat: 0, lng: 0 };
    expect(by('at')).toThrow(/expected from where "at" is sorted/);
    for (const other of ['name', 'camp', 'id', '_score'])
      expect(by(other, from)).toThrow(`declared as a geopoint: "${other}" is none`);
    expect(by('att', from)).toThrow('"att" is unknown; the nearest is "at"');
  });

  test('points are not counted, and form no groups', () => {
    const counted = searchFor({ text: '*', facets: [{ field: 'at', ranges: [] }] });
    expect(() => cities.search(counted)).toThrow(
      'facets: expected a field whose values are counted: "at" is a geopoint',
    );
    const grouped = searchFor({ text: '*', group: { fields: ['at'], limit: 3, joinsMissing: true } });
    expect(() => cities.search(grouped)).toThrow(
      'group: expected a field whose values form groups: "at" is a geopoint',
    );
  });

  test("of two keys of one field the hits say the first one's distances", () => {
    const keys = [
      { field: 'at', descending: false, from: { lat: 48.8566, lng: 2.3522 } },
      { field: 'at', descending: false, from: { lat: 0, lng: 0 } },
    ];
    const [first] = cities.search(searchFor({ text: '*', sort: keys })).hits;
    expect([first?.id, first?.distancesMeters]).toEqual(['paris', { at: 0 }]);
  });

  test('a thousand corners, and a document with many points, are looked at with pauses', () => {
    const corners = Array.from({ length: 1_000 }, (_, i) => {
      const angle = (i / 1_000) * 2 * Math.PI;
      return `${(40 + (i % 2)) * Math.sin(angle)}, ${(80 + (i % 2)) * Math.cos(angle)}`;
    });
    // Beside the polygon, and within its latitudes and longitudes.
    const at = Array.from({ length: 20_000 }, (_, i) => [35 + (i % 5_000) / 1_000, 70 + i / 2_000]);
    const index = indexOf([document('many', { at })], settings);
    const filtered = longestStep(index.idSteps({ filter: `at:(${corners.join(', ')})` }, { part: null }));
    expect(filtered.result).toEqual([]);
    const sort = [{ field: 'at', descending: false, from: { lat: 35, lng: 70 } }];
    const sorted = longestStep(index.searchSteps(searchFor({ text: '*', sort }), { part: null }));
    expect(sorted.result.hits.map(({ distancesMeters }) => distancesMeters)).toEqual([{ at: 0 }]);
    for (const { reads } of [filtered, sorted]) expect(reads).toBeLessThan(150_000);
    expect(filtered.steps).toBeGreaterThan(500);
    expect(sorted.steps).toBeGreaterThan(20);
  });
});
