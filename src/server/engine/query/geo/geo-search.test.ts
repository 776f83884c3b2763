import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FilterFaultError, type SearchIndex } from '../../search-index.ts';
import { document, fromSnapshot, idsFound, indexOf, searchFor, snapshotOf } from '../../testing/fixtures.ts';
import { printFilter } from '../filter/filter-ast.ts';
import { parseFilter } from '../filter/filter-parser.ts';
import { parseSort } from '../sort/sort-parser.ts';
import { distanceMeters, type Point } from './point.ts';

const settings = {
  dimension: 2,
  metric: 'cosine' as const,
  fields: [
    { name: 'at', type: 'geopoint' as const },
    { name: 'seat.of', type: 'geopoint' as const },
  ],
};

/** Near each other, near a pole, or on both sides of the date line. */
const point: fc.Arbitrary<Point> = fc.oneof(
  fc.record({
    lat: fc.double({ min: 47, max: 49, noNaN: true }),
    lng: fc.double({ min: 15, max: 17, noNaN: true }),
  }),
  fc.record({
    lat: fc.double({ min: 88, max: 90, noNaN: true }),
    lng: fc.double({ min: -180, max: 180, noNaN: true }),
  }),
  fc.record({
    lat: fc.double({ min: -1, max: 1, noNaN: true }),
    lng: fc.constantFrom(-180, -179.9, 179.8, 180),
  }),
);
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
      fc.property(
        fc.array(written, { maxLength: 12 }),
        point,
        fc.double({ min: 0, max: 400, noNaN: true }),
        (places, from, km) => {
          const index = indexWith(places);
          for (const field of ['at', 'seat.of']) {
            const wanted = places.flatMap(([points], i) =>
              isThere(i) && points.some((each) => distanceMeters(from, each) <= km * 1_000)
                ? [String(i)]
                : [],
            );
            const filter = `${field}:(${from.lat}, ${from.lng}, ${km} km)`;
            expect(index.ids(filter)).toEqual(wanted.sort());
            expect(index.ids(`!${filter}`)).toEqual(index.ids(null).filter((id) => !wanted.includes(id)));
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test('sort by distance, without one last, and the hits say how far', () => {
    fc.assert(
      fc.property(fc.array(written, { maxLength: 12 }), point, fc.boolean(), (places, from, descending) => {
        const index = indexWith(places);
        const { hits } = index.search(
          searchFor({ text: '*', limit: 50, sort: [{ field: 'at', descending, from }] }),
        );
        const distances = (id: string) =>
          (places[Number(id)]?.[0] ?? []).map((each) => distanceMeters(from, each));
        const keys = hits.map(({ id }) =>
          descending ? -Math.max(...distances(id)) : Math.min(...distances(id)),
        );
        const order = keys.map((key) => (Number.isFinite(key) ? key : Infinity));
        expect(order).toEqual(order.toSorted((a, b) => (a === b ? 0 : a - b)));
        for (const { id, distancesMeters } of hits) {
          const own = distances(id);
          expect(distancesMeters).toEqual(own.length === 0 ? undefined : { at: Math.min(...own) });
        }
        expect(hits.length).toBe(index.stats().documentCount);
      }),
      { numRuns: 300 },
    );
  });

  const cities = indexOf(
    [
      document('paris', { at: { lat: 48.8566, lng: 2.3522 } }),
      document('london', { at: [51.5074, -0.1278] }),
      document('nowhere', { name: 'at sea' }),
    ],
    settings,
  );

  test.each([
    ['at:(48.85, 2.35, 5 km)', ['paris']],
    ['at:(48.85, 2.35, 500mi)', ['london', 'paris']],
    ['at:(48.8566, 2.3522, 0 m)', ['paris']],
    ['at:(40, -10, 55, -10, 55, 1, 40, 1)', ['london']],
    ['at:* && !at:(51.5, 0, 20 km)', ['paris']],
  ])('%s', (filter, ids) => {
    expect(idsFound(cities, { text: '*', filter }).sort()).toEqual(ids);
    const { filter: tree } = parseFilter(filter);
    if (tree === null) throw new Error('it does not parse');
    expect(idsFound(cities, { text: '*', filter: printFilter(tree) }).sort()).toEqual(ids);
  });

  test.each([
    ['at:(48.85, 2.35)', 16, 'expected a distance (km, mi or m), or at least three corners'],
    ['at:(98.85, 2.35, 5 km)', 4, 'expected a latitude from -90 to 90'],
    ['at:(8.85, 200, 5 km)', 9, 'expected a longitude from -180 to 180'],
    ['at:(8.85, 2, -5 km)', 12, 'expected a point and then how far'],
    ['at:(8.85, 2, 5 miles', 17, 'expected ")"'],
    ['name:(1, 2, 3 km)', 0, '"name" is a string'],
    ['at:paris', 0, 'expected a point and a distance for "at"'],
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
    for (const bad of ['at(48.2)', 'at(100, 0)', 'at(1, 2', 'at(1, 2):up', 'at(1, 2) desc'])
      expect(parseSort(bad, 3).diagnostics, bad).toHaveLength(1);
  });

  test('a point is sorted from somewhere, and nothing else is', () => {
    const by = (field: string, from?: Point) => () =>
      cities.search(searchFor({ text: '*', sort: [{ field, descending: false, ...(from && { from }) }] }));
    expect(by('at')).toThrow(/expected from where "at" is sorted/);
    expect(by('name', { lat: 0, lng: 0 })).toThrow(/declared as a geopoint: "name" is none/);
  });
});
