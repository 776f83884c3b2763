import { expect, test } from 'vitest';
import { parseDate } from '#server/engine/search-index.ts';
import { runSteps } from '#server/engine/steps.ts';
import { checkDeclaredFields } from './declared-fields.ts';

const check = (when: unknown) =>
  runSteps(checkDeclaredFields([{ name: 'when', type: 'date', required: true }], { when }));

test.each([
  '2024-02-30',
  '2023-02-29',
  '2024-04-31T10:00:00Z',
  '2024-13-01',
  '2024-00-10',
  '2024-01-00',
  '24:00',
  '2024-01-01T24:00:00Z',
])('%s, which is on no calendar, is not taken for a date', (when) => {
  expect(() => check(when)).toThrow('when: must be an ISO 8601 date or Unix seconds');
});

test.each([
  '2024-02-29',
  '2024-04-30 10:00',
  '2024-12-31T23:59:59.123+05:30',
  '0001-01-01',
  '2024-05-01T10:00+05',
  '2024-05-01t10:00:00z',
  1_700_000_000,
  -1,
])('%s is a date', (when) => {
  expect(() => check(when)).not.toThrow();
});

test('what is taken for a date is what the index finds, and nothing else', () => {
  for (const when of [
    '2024-05-01',
    '2024-05-01 10:00Z',
    '2024-05-01T10:00+05',
    '2024-05',
    '1.5.2024',
    'now',
  ]) {
    const isTaken = (() => {
      try {
        check(when);
        return true;
      } catch {
        return false;
      }
    })();
    expect({ when, isTaken }).toEqual({ when, isTaken: parseDate(when) !== null });
  }
});

const required = (name: string, document: Record<string, unknown>) =>
  runSteps(checkDeclaredFields([{ name, type: 'string', required: true }], document));

test.each([
  { author: { name: 'x' } },
  { author: [{ name: 'x' }, { born: 1 }] },
  { author: [[{ name: ['x', null] }]] },
  { 'author.name': 'x' },
])('a required field is found in %j', (document) => {
  expect(() => required('author.name', document)).not.toThrow();
});

test.each([
  { author: [{ name: 'x' }, { name: 7 }] },
  { author: [{ name: [7] }] },
  { author: { name: { first: 'x' } } },
])('a value of another type is found in %j', (document) => {
  expect(() => required('author.name', document)).toThrow('author.name: must be a string');
});

test.each([{}, { author: [] }, { author: [{ name: null }] }, { author: 'name' }])(
  'a required field is missing in %j',
  (document) => {
    expect(() => required('author.name', document)).toThrow('author.name: is required');
  },
);

test('a large list is tested with pauses, and walked once for all fields that lead into it', () => {
  const days = Array.from({ length: 50_000 }, () => '2024-05-01');
  const fields = [
    { name: 'days', type: 'date' as const, required: true },
    ...Array.from({ length: 999 }, (_, i) => ({
      name: `rows.f${i}`,
      type: 'string' as const,
      required: false,
    })),
  ];
  const rows = Array.from({ length: 50_000 }, () => []);
  const steps = checkDeclaredFields(fields, { days, rows });
  let pauses = 0;
  while (!steps.next().done) pauses += 1;
  expect(pauses).toBeGreaterThan(100);
  expect(pauses).toBeLessThan(1_000);
});

test.each([{ 'seat.at': [48, 200] }, { seat: [{ at: [48, 16] }, { at: [91, 0] }] }])(
  'a point in an object, or in a key with a dot, is tested as others are: %j',
  (document) => {
    const fields = [{ name: 'seat.at', type: 'geopoint' as const, required: false }];
    expect(() => runSteps(checkDeclaredFields(fields, document))).toThrow('seat.at: must be a point');
  },
);

const checkPlace = (place: unknown) =>
  runSteps(checkDeclaredFields([{ name: 'place', type: 'geopoint', required: false }], { place }));

test.each([[[48.2, 16.37]], [{ lat: -90, lng: 180 }], [[[48.2, 16.37], { lat: 0, lng: 0 }]], [null], [[]]])(
  '%j is a point, or a list of these',
  (place) => {
    expect(() => checkPlace(place)).not.toThrow();
  },
);

test.each([
  [[91, 0]],
  [[1, 2, 3]],
  ['48.2, 16.37'],
  [{ lat: 1 }],
  [[[1, 2], 'x']],
  [
    [
      [1, 2],
      [0, 200],
    ],
  ],
  [5],
])('%j is not taken for a point', (place) => {
  expect(() => checkPlace(place)).toThrow('place: must be a point: {"lat": -90 to 90, "lng": -180 to 180}');
});
