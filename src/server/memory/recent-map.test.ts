import { expect, test } from 'vitest';
import { RecentMap } from './recent-map.ts';

const keysOf = (map: RecentMap<number>, keys: string) =>
  [...keys].filter((key) => map.peek(key) !== undefined);

test('what was used longest ago leaves first; a look does not count as use', () => {
  const map = new RecentMap<number>({ entriesMax: 3 });
  for (const key of 'abc') map.set(key, 1);
  map.get('a');
  map.peek('b');
  map.set('d', 1);
  expect(keysOf(map, 'abcd')).toEqual(['a', 'c', 'd']);
});

test('a large map makes room for some at once', () => {
  const left: string[] = [];
  const map = new RecentMap<number>({ entriesMax: 640, onEvicted: (key) => left.push(key) });
  for (let i = 0; i < 640; i += 1) map.set(String(i), i);
  expect(left).toEqual([]);
  map.set('one more', 0);
  expect(left).toEqual(Array.from({ length: 11 }, (_, i) => String(i)));
  for (let i = 0; i < 10; i += 1) map.set(`more ${i}`, i);
  expect(left).toHaveLength(11);
});

test('sizes together stay within their bound, and what is larger alone is not taken', () => {
  const map = new RecentMap<number>({ entriesMax: 100, sizeMax: 10 });
  map.set('a', 1, 4);
  map.set('b', 1, 4);
  map.set('c', 1, 4);
  expect(keysOf(map, 'abc')).toEqual(['b', 'c']);
  map.set('b', 2, 6);
  expect(keysOf(map, 'abc')).toEqual(['b', 'c']);
  map.set('d', 1, 11);
  expect(keysOf(map, 'abcd')).toEqual(['b', 'c']);
  map.deleteWhere((value) => value === 2);
  map.set('e', 1, 6);
  expect(keysOf(map, 'abcde')).toEqual(['c', 'e']);
});
