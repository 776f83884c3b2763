import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { figuresOf, meansOf } from './list-figures.ts';

const judged = (grades: Record<string, number>) => new Map(Object.entries(grades));

describe('a list', () => {
  /** Worked out by hand: gains 7, 1 and 3; discounts log2 of 2, 3, 4. */
  test('gains by grade, the later the less', () => {
    const best = 7 / Math.log2(2) + 3 / Math.log2(3) + 1 / Math.log2(4);
    const grades = judged({ a: 3, b: 1, c: 2, d: 0 });
    expect(figuresOf(['a', 'c', 'b', 'd'], grades)).toEqual({ ndcg: 1, rank: 1 });
    const { ndcg, rank } = figuresOf(['d', 'b', 'unjudged', 'a'], grades);
    expect(ndcg).toBeCloseTo((1 / Math.log2(3) + 7 / Math.log2(5)) / best, 12);
    expect(rank).toBe(2);
  });

  test('has ten places, and nothing counts behind them', () => {
    const others = Array.from({ length: 10 }, (_, i) => `other-${i}`);
    expect(figuresOf([...others, 'a'], judged({ a: 1 }))).toEqual({ ndcg: 0, rank: null });
    expect(figuresOf([...others.slice(1), 'a'], judged({ a: 1 })).rank).toBe(10);
    // More relevant documents than places: ten of them are all that can be asked for.
    const many = judged(Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`r-${i}`, 2])));
    expect(figuresOf([...many.keys()], many).ndcg).toBe(1);
  });

  test('is between 0 and 1, and 1 just where no better list is possible', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const lists = fc.record({
      grades: fc.tuple(...ids.map(() => fc.integer({ min: 0, max: 3 }))).filter((all) => all.some(Boolean)),
      found: fc.shuffledSubarray(ids),
    });
    fc.assert(
      fc.property(lists, ({ grades, found }) => {
        const of = new Map(ids.map((id, i) => [id, grades[i] ?? 0]));
        const { ndcg, rank } = figuresOf(found, of);
        const shown = found.map((id) => of.get(id) ?? 0);
        const best = [...of.values()].sort((a, b) => b - a);
        const isBest = best.every((grade, i) => (shown[i] ?? 0) === grade);
        expect(ndcg === 1).toBe(isBest);
        expect(ndcg).toBeGreaterThanOrEqual(0);
        expect(ndcg).toBeLessThanOrEqual(1);
        expect(rank).toBe(shown.some(Boolean) ? shown.findIndex(Boolean) + 1 : null);
      }),
    );
  });
});

test('means are of all queries, a miss counts 0', () => {
  const lists = [
    { ndcg: 1, rank: 1 },
    { ndcg: 0.5, rank: 4 },
    { ndcg: 0, rank: null },
    { ndcg: 0.5, rank: 2 },
  ];
  expect(meansOf(lists)).toEqual({ ndcg: 0.5, hitRate: 0.75, mrr: (1 + 1 / 4 + 1 / 2) / 4 });
});
