import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SharedMap } from './shared-map.ts';

const made = (entriesMax: number, sizeMax = Number.POSITIVE_INFINITY) =>
  new SharedMap<number>({ entriesMax, sizeMax });
const keysOf = (map: SharedMap<number>, owner: string, count: number) =>
  Array.from({ length: count }, (_, i) => i).filter((i) => map.peek(`${owner}${i}`) !== undefined);
const fill = (map: SharedMap<number>, owner: string, count: number, size = 1) => {
  for (let i = 0; i < count; i += 1) map.set(`${owner}${i}`, i, { owner, size });
};

test('who holds most makes room for all others, what was used longest ago first', () => {
  const map = made(100);
  fill(map, 'few', 5);
  fill(map, 'many', 1_000);
  expect(keysOf(map, 'few', 5)).toEqual([0, 1, 2, 3, 4]);
  const left = keysOf(map, 'many', 1_000);
  expect(left.length).toBeGreaterThanOrEqual(85);
  expect(left.length).toBeLessThanOrEqual(95);
  expect(left.at(-1)).toBe(999);
  expect(left).toEqual(Array.from({ length: left.length }, (_, i) => 1_000 - left.length + i));
});

test('of several who hold much all are cut to the same', () => {
  const map = made(160);
  fill(map, 'one', 80);
  fill(map, 'other', 80);
  map.set('new', 1, { owner: 'new', size: 1 });
  expect([keysOf(map, 'one', 80).length, keysOf(map, 'other', 80).length]).toEqual([74, 75]);
});

test('one alone may have all of it', () => {
  const map = made(100);
  fill(map, 'one', 100);
  expect(keysOf(map, 'one', 100)).toHaveLength(100);
});

test('sizes count as entries do, and what is larger alone is not taken', () => {
  const map = made(100, 1_000);
  fill(map, 'small', 20, 10);
  fill(map, 'large', 50, 100);
  expect(keysOf(map, 'small', 20)).toHaveLength(20);
  expect(keysOf(map, 'large', 50).length).toBeLessThanOrEqual(8);
  map.set('too large', 1, { owner: 'small', size: 1_001 });
  expect(map.peek('too large')).toBeUndefined();
});

test('of those who hold as much, who used theirs longest ago makes room; a look is no use', () => {
  const map = made(16);
  for (let i = 0; i < 16; i += 1) map.set(`key ${i}`, i, { owner: `owner ${i}`, size: 1 });
  map.get('key 0');
  map.peek('key 1');
  map.set('another', 1, { owner: 'another', size: 1 });
  expect(map.peek('key 0')).toBe(0);
  expect([1, 2, 3].map((i) => map.peek(`key ${i}`))).toEqual([undefined, undefined, 3]);
});

test('another owner of a key has it, and what is dropped is gone', () => {
  const map = made(10);
  map.set('a', 1, { owner: 'one', size: 1 });
  map.set('a', 2, { owner: 'two', size: 1 });
  expect(map.get('a')).toBe(2);
  fill(map, 'b', 5);
  map.deleteWhere((value, key) => value === 3 || key === 'a');
  expect(map.peek('a')).toBeUndefined();
  expect(keysOf(map, 'b', 5)).toEqual([0, 1, 2, 4]);
});

test('whatever happens it stays within its bounds, and no owner loses anything who holds less than a share of them', () => {
  const step = fc.tuple(fc.nat(7), fc.nat(60), fc.integer({ min: 1, max: 60 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
      const [entriesMax, sizeMax] = [40, 1_000];
      const map = made(entriesMax, sizeMax);
      const held = new Map<string, { owner: string; size: number }>();
      const costOf = (owner?: string) =>
        [...held.values()]
          .filter((one) => owner === undefined || one.owner === owner)
          .reduce((sum, { size }) => sum + Math.max(size / sizeMax, 1 / entriesMax), 0);
      for (const [owner, n, size] of steps) {
        const key = `${owner}-${n}`;
        const before = new Set(held.keys());
        held.delete(key);
        const small = [...Array(8).keys()]
          .map(String)
          .filter((name) => costOf(name) < (1 - 1 / 16) / 8 - 0.06);
        map.set(key, n, { owner: String(owner), size });
        held.set(key, { owner: String(owner), size });
        for (const [each, { owner: name }] of held) {
          if (map.peek(each) !== undefined) continue;
          expect(small.includes(name) && before.has(each) && name !== String(owner)).toBe(false);
          held.delete(each);
        }
        expect(costOf()).toBeLessThanOrEqual(1 + 1e-6);
      }
    }),
  );
});
