// @vitest-environment node
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseFacets } from '#server/engine/query/facets/facet-parser.ts';
import { makeBins, plain, rangeFacet, toAxis } from './field-bins.ts';

it('cuts years and prices at round numbers', () => {
  const years = makeBins({ unit: 'number', min: 1902, max: 2023 });
  expect(years?.edges.slice(0, 3)).toEqual([1900, 1910, 1920]);
  expect(years?.edges.at(-1)).toBe(2030);
  expect(years?.step).toBe(1);
  expect(makeBins({ unit: 'number', min: 0.5, max: 2 })?.edges.slice(0, 2)).toEqual([0.5, 0.6]);
  expect(makeBins({ unit: 'number', min: 3, max: 3 })).toBe(null);
});

it('cuts dates at days', () => {
  const [from, to] = ['2024-01-30', '2024-02-02'].map((day) => toAxis('day', day) ?? 0);
  const bins = makeBins({ unit: 'day', min: from ?? 0, max: to ?? 0 });
  expect(bins?.edges.map((edge) => plain('day', edge))).toEqual([
    '2024-01-30',
    '2024-01-31',
    '2024-02-01',
    '2024-02-02',
    '2024-02-03',
  ]);
  expect(bins && rangeFacet('released', bins)).toMatch(
    /^released\(0:\[2024-01-30\.\.2024-01-31\],.*3:\[2024-02-02\.\.\]\)$/,
  );
});

it('covers any span with at most so many bars, in a form that the server reads', () => {
  const value = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 });
  fc.assert(
    fc.property(value, value, (a, b) => {
      const [min, max] = [Math.min(a, b), Math.max(a, b)];
      // Closer to one another they have no digits in between.
      fc.pre(max - min > Math.max(Math.abs(min), Math.abs(max), 1e-3) * 1e-6);
      const bins = makeBins({ unit: 'number', min, max });
      if (!bins) throw new Error('no bins');
      const { edges } = bins;
      expect(edges.length).toBeLessThanOrEqual(28);
      expect(edges[0]).toBeLessThanOrEqual(min + (max - min) * 1e-6);
      expect(edges.at(-1)).toBeGreaterThanOrEqual(max);
      const { requests, diagnostics } = parseFacets(rangeFacet('x', bins), 1);
      expect(diagnostics).toEqual([]);
      expect(requests[0]?.ranges.length).toBe(edges.length - 1);
    }),
  );
});
