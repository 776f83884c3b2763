import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runSteps } from '../../steps.ts';
import { document, idsFound, indexOf } from '../../testing/fixtures.ts';
import { runs } from '../../testing/runs.ts';
import { WorkBudget } from '../../work-budget.ts';
import { EntryList } from './entry-list.ts';

const genres = ['Drama', 'Comedy', 'Western'];
const documentOf = (id: number, seed: number) =>
  document(`d${id}`, {
    title: 'A film',
    genres: [genres[seed % 3], genres[(seed * 7) % 3]].filter((_, i) => i < 1 + (seed % 2)),
    year: 1900 + (seed % 100),
    isOld: seed % 5 === 0,
  });

const first = Array.from({ length: 5_200 }, (_, i) => documentOf(i, i));
const filters = [
  'year:[1930..1960]',
  'year:1931',
  'year:>1990',
  'genres:=Drama',
  'genres:!=Western',
  'isOld:=true && genres:=Comedy',
  'year:[1930..1990] && genres:=Drama',
  '!(genres:=Drama || year:<1950)',
];

it('filters find the same by what was kept as in an index that was never asked, whatever came and went since', () => {
  const change = fc.record({
    puts: fc.array(fc.tuple(fc.nat(6_000), fc.nat(300)), { maxLength: 5 }),
    // More than half of them: what is left of the columns moves up.
    goneBefore: fc.constantFrom(0, 10, 2_900),
  });
  const asked = fc.array(fc.constantFrom(...filters), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(fc.tuple(asked, change), { minLength: 2, maxLength: 4 }), (rounds) => {
      const index = indexOf(first);
      // One behind the other: what comes after places have moved up stands where others stood.
      const batches = rounds.map(([, { puts, goneBefore }], round) => [
        { version: 2 * round + 2, puts: [], deletes: Array.from({ length: goneBefore }, (_, i) => `d${i}`) },
        { version: 2 * round + 3, puts: puts.map(([id, seed]) => documentOf(id, seed)), deletes: [] },
      ]);
      for (const [round, [texts]] of rounds.entries()) {
        for (const filter of texts) idsFound(index, { text: '*', filter });
        for (const batch of batches[round] ?? []) index.apply(batch);
        const never = indexOf(first);
        for (const batch of batches.slice(0, round + 1).flat()) never.apply(batch);
        for (const filter of new Set(texts)) {
          expect(idsFound(index, { text: '*', filter, limit: 6_000 }), filter).toEqual(
            idsFound(never, { text: '*', filter, limit: 6_000 }),
          );
        }
      }
    }),
    { numRuns: runs(12) },
  );
}, 120_000);

it('what comes after places of a column have moved up is found by a condition that was asked before', () => {
  // Of all documents too few go for the index to be compacted.
  const others = Array.from({ length: 16_000 }, (_, i) => document(`other${i}`, { note: 'x' }));
  const index = indexOf([...first, ...others]);
  const count = (filter: string) => idsFound(index, { text: '*', filter, limit: 6_000 }).length;
  for (const filter of filters) count(filter);
  const gone = Array.from({ length: 2_900 }, (_, i) => `d${i}`);
  index.apply({ version: 2, puts: [], deletes: gone });
  index.apply({ version: 3, puts: [documentOf(5_900, 30)], deletes: [] });
  const plain = (holds: (seed: number) => boolean) =>
    [...Array.from({ length: 2_300 }, (_, i) => 2_900 + i), 30].filter(holds).length;
  expect(count('genres:=Drama')).toBe(plain((i) => i % 3 === 0 || (i % 2 === 1 && (i * 7) % 3 === 0)));
  expect(count('year:[1930..1960]')).toBe(plain((i) => i % 100 >= 30 && i % 100 <= 60));
});

it('looks at what came since alone, and keeps no more sets than their bytes let it', () => {
  const list = new EntryList(new Float64Array(0));
  let ordinal = 0;
  const add = (count: number) => {
    for (const end = ordinal + count; ordinal < end; ordinal += 1) list.add(ordinal, ordinal % 10);
  };
  let looked = 0;
  const ask = (key: string) => {
    looked = 0;
    const take = (from: number, to: number) => {
      looked += to - from;
    };
    runSteps(list.holders.find(list, { key, budget: new WorkBudget('filter'), take }));
    return looked;
  };
  add(10_000);
  expect([ask('a'), ask('a')]).toEqual([10_000, 0]);
  add(5);
  expect([ask('a'), ask('a')]).toEqual([5, 0]);
  for (let i = 0; i < 1_000; i += 1) ask(`b${i}`);
  expect(list.holders.bytes).toBeLessThanOrEqual(4 * list.size);
  expect(list.holders.bytes).toBeGreaterThan(2 * list.size);
});
