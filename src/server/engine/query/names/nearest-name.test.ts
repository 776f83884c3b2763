import { expect, test } from 'vitest';
import { nearestName } from './nearest-name.ts';

const third = { most: (length: number) => Math.floor(length / 3), isPart: () => false };

test.each([
  ['limt', ['limit', 'list'], 'limit'],
  ['LIMIT', ['limit'], 'limit'],
  ['x', ['k', 'q'], null],
  ['facets', ['facet_by', 'offset'], null],
  ['limit', [], null],
])('of %j and %j the nearest is %j', (name, known, nearest) => {
  expect(nearestName(name, known, third)).toBe(nearest);
});

test('a part is nearer than any that is misspelt, and of equals the first is taken', () => {
  const isPart = (name: string, known: string) => known.startsWith(`${name}_`);
  expect(nearestName('facet', ['facer', 'facet_by', 'facet_query'], { ...third, isPart })).toBe('facet_by');
  expect(nearestName('facet', ['facer', 'faces'], third)).toBe('facer');
});
