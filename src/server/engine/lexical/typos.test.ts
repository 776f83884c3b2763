import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lettersOf, TypoMatcher, typosAllowed } from './typos.ts';

const distance = (a: string, b: string, most = 2) => new TypoMatcher(a, most).distanceTo(lettersOf(b));

describe('typos', () => {
  it.each([
    ['matrix', 'matrix', 0],
    ['matrx', 'matrix', 1],
    ['matrrix', 'matrix', 1],
    ['matrox', 'matrix', 1],
    ['amtrix', 'matrix', 2],
    ['matirx', 'matrix', 1],
    ['natrix', 'matrix', 2],
    ['atrix', 'matrix', 2],
    ['mtrx', 'matrix', 2],
    ['natrx', 'matrix', 3],
    ['cup', 'cadbury', 3],
    ['мтарица', 'матрица', 1],
  ])('%s is %s with %i', (a, b, expected) => {
    expect(distance(a, b)).toBe(expected);
    expect(distance(b, a)).toBe(expected);
  });

  it('equals the definition, up to the limit', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 7 });
    fc.assert(
      fc.property(word, word, fc.integer({ min: 1, max: 2 }), (a, b, most) => {
        expect(distance(a, b, most)).toBe(Math.min(definition(a, b), most + 1));
      }),
      { numRuns: 2000 },
    );
  });

  it('allows them by length, and none in words with digits', () => {
    expect(
      ['cup', 'four', 'sevenle', 'eightlet', '2049', 'windows95'].map((word) => typosAllowed(word, 2)),
    ).toEqual([0, 1, 1, 2, 0, 0]);
    expect(typosAllowed('eightlet', 1)).toBe(1);
    expect(typosAllowed('eightlet', 0)).toBe(0);
  });
});

/** The recurrence, written down without rows or limits. */
function definition(a: string, b: string): number {
  const known = new Map<string, number>();
  const of = (i: number, j: number): number => {
    if (i === 0 && j === 0) return 0;
    const key = `${i},${j}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const ways: number[] = [];
    if (i > 0) ways.push(of(i - 1, j) + (i === 1 ? 2 : 1));
    if (j > 0) ways.push(of(i, j - 1) + (j === 1 ? 2 : 1));
    if (i > 0 && j > 0)
      ways.push(of(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : i === 1 && j === 1 ? 2 : 1));
    if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
      ways.push(of(i - 2, j - 2) + (i === 2 && j === 2 ? 2 : 1));
    const least = Math.min(...ways);
    known.set(key, least);
    return least;
  };
  return of(a.length, b.length);
}
