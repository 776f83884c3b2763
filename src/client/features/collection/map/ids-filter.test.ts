import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseFilter } from '#server/engine/query/filter/filter-parser.ts';
import { idsFilter } from './ids-filter.ts';

it('names each document', () => {
  expect(idsFilter(['a', 'Blade_Runner|1982', 'with `ticks`'])).toEqual({
    filter: 'id:[a, `Blade_Runner|1982`, `with ``ticks```]',
    count: 3,
  });
});

it('is read back as the same ids, whatever they are', () => {
  const id = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(fc.array(id, { minLength: 1, maxLength: 5 }), (ids) => {
      const { filter, diagnostics } = parseFilter(idsFilter(ids).filter);
      expect(diagnostics).toEqual([]);
      expect(JSON.stringify(filter)).toContain(JSON.stringify(ids[0]).slice(1, -1));
    }),
  );
});

it('holds as many as fit into an address, and says how many', () => {
  const ids = Array.from({ length: 3_000 }, (_, i) => `document|${i}`);
  const { filter, count } = idsFilter(ids);
  expect(count).toBeGreaterThan(100);
  expect(count).toBeLessThan(ids.length);
  expect(encodeURIComponent(filter).length).toBeLessThan(6_100);
  expect(idsFilter(['x'.repeat(9_000), 'y']).count).toBe(1);
});
