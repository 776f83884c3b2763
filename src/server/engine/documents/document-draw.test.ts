import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashText } from '../memory/hash.ts';
import { runSteps } from '../steps.ts';
import { drawnMax } from './document-draw.ts';
import { DocumentTable } from './document-table.ts';

const idsDrawn = (table: DocumentTable) => {
  const { ordinals, weight } = runSteps(table.drawn());
  return { ids: Array.from(ordinals, (ordinal) => table.idOf(ordinal)).sort(), weight };
};

/** Plainly: level by level, until few enough are left. */
function plainlyDrawn(ids: string[]): { ids: string[]; weight: number } {
  let level = 0;
  const left = () => ids.filter((id) => Math.clz32(hashText(id)) >= level);
  while (left().length > drawnMax) level += 1;
  return { ids: left().sort(), weight: 2 ** level };
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `id ${from + i}`);

test('all of a few documents are drawn, and some hundreds of many, in proportion', () => {
  const table = new DocumentTable();
  expect(idsDrawn(table)).toEqual({ ids: [], weight: 1 });
  for (const id of range(0, drawnMax)) table.add(id, '{}');
  expect(idsDrawn(table)).toEqual({ ids: range(0, drawnMax).sort(), weight: 1 });
  for (const id of range(drawnMax, 20_000)) table.add(id, '{}');
  const { ids, weight } = idsDrawn(table);
  expect(ids.length).toBeGreaterThan(drawnMax / 3);
  expect(ids.length).toBeLessThanOrEqual(drawnMax);
  // Five standard deviations of a binomial count.
  expect(Math.abs(ids.length * weight - 20_000)).toBeLessThan(5 * weight * Math.sqrt(20_000 / weight));
});

test('who is drawn depends on the living documents alone', () => {
  const change = fc.oneof(
    fc.record({ from: fc.nat(1_500), count: fc.nat(1_500), isPut: fc.boolean() }),
    fc.constantFrom('draw' as const, 'compact' as const),
  );
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
      let table = new DocumentTable();
      const living = new Set<string>();
      for (const each of changes) {
        if (each === 'draw') expect(idsDrawn(table)).toEqual(plainlyDrawn([...living]));
        else if (each === 'compact') table = runSteps(table.compacted()).table;
        else
          for (const id of range(each.from, each.from + each.count)) {
            const known = table.ordinalOf(id);
            if (known !== undefined) table.remove(known);
            living.delete(id);
            if (!each.isPut) continue;
            table.add(id, '{}');
            living.add(id);
          }
      }
      expect(idsDrawn(table)).toEqual(plainlyDrawn([...living]));
    }),
    { numRuns: 60 },
  );
});

test('of documents with rows so many are drawn that their rows are few, by the same hashes', () => {
  fc.assert(
    fc.property(fc.nat(1_500), fc.integer({ min: 1, max: 50 }), fc.nat(4_000), (count, most, rowsMax) => {
      const table = new DocumentTable();
      const ids = range(0, count);
      for (const id of ids) table.add(id, '{}');
      const rowsOf = (ordinal: number) => (ordinal * 7) % most;
      const { ordinals, weight } = runSteps(table.drawn({ rowsOf, rowsMax }));
      const rowsFrom = (level: number) =>
        ids.reduce((sum, id, ordinal) => sum + (Math.clz32(hashText(id)) >= level ? rowsOf(ordinal) : 0), 0);
      let level = Math.log2(plainlyDrawn(ids).weight);
      // One level more may leave nothing to look at.
      while (rowsFrom(level) > rowsMax && rowsFrom(level + 1) > 0) level += 1;
      const expected = ids.flatMap((id, ordinal) => (Math.clz32(hashText(id)) >= level ? [ordinal] : []));
      expect({ ordinals: [...ordinals], weight }).toEqual({ ordinals: expected, weight: 2 ** level });
    }),
    { numRuns: 60 },
  );
});
