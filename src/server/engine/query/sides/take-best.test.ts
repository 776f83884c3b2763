import fc from 'fast-check';
import { expect, test } from 'vitest';
import { takeBest } from './take-best.ts';

/** By a look at all lists for each. */
function plainTakeBest(lists: number[][], count: number): number[] {
  const left = lists.map((list) => [...list]);
  const taken: number[] = [];
  while (taken.length < count && left.some(({ length }) => length > 0)) {
    let best = -1;
    for (const [list, [value]] of left.entries()) {
      if (value !== undefined && (best < 0 || value > (left[best]?.[0] ?? 0))) best = list;
    }
    left[best]?.shift();
    taken.push(best);
  }
  return taken;
}

const value = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(Number.NEGATIVE_INFINITY, 1e300));
const list = fc.array(value, { maxLength: 8 }).map((values) => values.sort((a, b) => (a < b ? 1 : -1)));

test('the best of all lists, of equals those of the earlier list', () => {
  fc.assert(
    fc.property(fc.array(list, { maxLength: 12 }), fc.nat(60), (lists, count) => {
      const taken = takeBest(
        lists.map((each) => Float64Array.from(each)),
        count,
      );
      expect([...taken]).toEqual(plainTakeBest(lists, count));
    }),
    { numRuns: 500 },
  );
});

test('looks at few of many lists for each that it takes', () => {
  let looks = 0;
  const lists = Array.from({ length: 500 }, (_, i) => {
    const values = Float64Array.from({ length: 50 }, (__, place) => 1_000 - place - i / 500);
    return new Proxy(values, {
      get(target, name) {
        if (typeof name === 'string' && /^\d+$/.test(name)) looks += 1;
        return Reflect.get(target, name);
      },
    });
  });
  expect(takeBest(lists, 10_000)).toHaveLength(10_000);
  expect(looks).toBeLessThan(10_000 * 4 * Math.log2(500) + 4 * 500);
});
