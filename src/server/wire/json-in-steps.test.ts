import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonPieces, jsonTextInSteps } from './json-in-steps.ts';
import { weightOf } from './weight-of.ts';

const json = fc
  .jsonValue({ maxDepth: 6, stringUnit: 'binary' })
  .map((value): unknown => JSON.parse(JSON.stringify(value)));

it('writes what JSON.stringify writes, wherever it is cut', () => {
  fc.assert(
    fc.property(json, fc.integer({ min: 1, max: 200 }), (value, unitsMax) => {
      expect([...jsonPieces(value, unitsMax)].join('')).toBe(JSON.stringify(value));
    }),
    { numRuns: 1_000 },
  );
  for (const value of [[], {}, [[]], [{}], { 1: 'b', a: [], 0: {} }, '\ud800', 'a😀b', null, -0, ['', '']])
    for (const unitsMax of [1, 2, 3, 9, 17]) {
      expect([...jsonPieces(value, unitsMax)].join('')).toBe(JSON.stringify(value));
    }
});

const lists = (count: number): unknown[] => Array.from({ length: count }, () => []);
const nested = (depth: number): unknown => (depth === 0 ? [] : [nested(depth - 1)]);

it.each<[string, unknown]>([
  ['many empty lists', lists(200_000)],
  ['many empty lists in an object in a list', [{ deep: { deeper: lists(200_000) } }]],
  ['chains of lists', Array.from({ length: 3_000 }, () => nested(60))],
  ['many members', Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, {}]))],
  ['a long text', { text: 'é"\n'.repeat(1_000_000) }],
])('little is written between two pauses: %s', (_, value) => {
  let longest = 0;
  for (const piece of jsonPieces(value)) longest = Math.max(longest, piece.length);
  expect(longest).toBeLessThan(100_000);
  const steps = jsonTextInSteps(value);
  let pauses = 0;
  let step = steps.next();
  for (; !step.done; step = steps.next()) pauses += 1;
  expect(pauses).toBeGreaterThan(10);
  expect(step.value).toBe(JSON.stringify(value));
});

it('weighs no more of a value than is asked', () => {
  let looks = 0;
  const counting = new Proxy(lists(100_000), {
    get(target, name) {
      looks += 1;
      return Reflect.get(target, name);
    },
  });
  expect(weightOf(counting, 100)).toBeGreaterThan(100);
  expect(looks).toBeLessThan(100);
  expect(weightOf({ a: 'xyz', b: [1, null] }, 1_000)).toBe(8 + 1 + 11 + 1 + 8 + 16);
});
