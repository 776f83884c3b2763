import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { document, idsFound, indexOf, searchFor } from '../testing/fixtures.ts';
import { runs } from '../testing/runs.ts';
import type { SearchQuery } from '../types.ts';
import { FieldLengths } from './field-lengths.ts';
import { KeptByUse } from './kept-by-use.ts';
import { Postings } from './postings.ts';

/** Words that many documents hold, so that lists of beginnings are kept. */
const stems = ['car', 'cart', 'carpet', 'care', 'cold', 'cure', 'dune', 'dance'];
const textOf = (seed: number): string =>
  Array.from({ length: 4 + (seed % 7) }, (_, i) => stems[(seed * 7 + i * i * 3) % stems.length]).join(' ');
const documentOf = (id: number, seed: number, more = '') =>
  document(`d${id}`, { title: textOf(seed), text: `${textOf(seed + 3)} ${more}` });

it('finds the same by a list that was kept as in an index that was never asked, whatever came and went since', () => {
  const change = fc.record({
    puts: fc.array(fc.tuple(fc.nat(1_600), fc.nat(90), fc.constantFrom('', 'cosmos', 'c', 'dunes dancing')), {
      maxLength: 5,
    }),
    deletes: fc.array(fc.nat(1_600), { maxLength: 30 }),
  });
  const fields = fc.constantFrom<SearchQuery['fields']>(
    null,
    [{ name: 'title', weight: 1 }],
    [
      { name: 'title', weight: 2.5 },
      { name: 'text', weight: 0.5 },
    ],
  );
  const asked = fc.record({ text: fc.constantFrom('c', 'ca', 'car', 'dune c', 'd', 'cold ca'), fields });
  const first = Array.from({ length: 1_500 }, (_, i) => documentOf(i, i));
  fc.assert(
    fc.property(fc.array(fc.tuple(change, fc.array(asked, { maxLength: 3 })), { maxLength: 4 }), (rounds) => {
      const index = indexOf(first);
      const batches = rounds.map(([{ puts, deletes }], version) => ({
        version: version + 2,
        puts: puts.map(([id, seed, more]) => documentOf(id, seed, more)),
        deletes: deletes.map((id) => `d${id}`),
      }));
      for (const [round, [, queries]] of rounds.entries()) {
        const batch = batches[round];
        if (batch === undefined) return;
        for (const query of queries) idsFound(index, query);
        index.apply(batch);
        const fresh = indexOf(first);
        for (const earlier of batches.slice(0, round + 1)) fresh.apply(earlier);
        for (const query of queries) {
          const search = searchFor({ ...query, limit: 40 });
          const found = index.search(search);
          expect(found).toEqual(fresh.search(search));
          // Of so long a page all matches are scored.
          const all = index.search({ ...search, limit: 4_000, highlightFields: [] });
          expect(found.hits.map(({ id, score }) => [id, score])).toEqual(
            all.hits.slice(0, 40).map(({ id, score }) => [id, score]),
          );
        }
      }
    }),
    { numRuns: runs(12) },
  );
}, 120_000);

it('takes in new documents once when a search is ended meanwhile', () => {
  const first = Array.from({ length: 1_500 }, (_, i) => documentOf(i, i));
  const more = Array.from({ length: 4_000 }, (_, i) => documentOf(2_000 + i, i));
  // Lengths by weights that no search names are kept too.
  const fields = ['title', 'text'].map((name) => ({ name, weight: 1 }));
  const search = searchFor({ text: 'c', fields, limit: 40, highlightFields: [] });
  const fresh = indexOf([...first, ...more]);
  const expected = fresh.search(search);
  const index = indexOf(first);
  index.search(search);
  index.apply({ version: 2, puts: more, deletes: [] });
  for (let ends = 0, isEnded = false; !isEnded; ends += 1) {
    const ended = index.searchSteps(search, { part: null });
    for (let i = 0; i <= ends && !isEnded; i += 1) isEnded = ended.next().done === true;
    if (!isEnded) ended.return(expected);
  }
  const before = index.stats().memoryBytes;
  expect(index.search(search)).toEqual(expected);
  // The kept list is as long as one that was made at once.
  const other = indexOf([...first, ...more]);
  const list = fresh.stats().memoryBytes - other.stats().memoryBytes;
  const without = indexOf(first);
  without.apply({ version: 2, puts: more, deletes: [] });
  expect(before - without.stats().memoryBytes).toBe(list);
}, 60_000);

it('reads no postings of a beginning that was asked for before', () => {
  const index = indexOf(Array.from({ length: 1_500 }, (_, i) => documentOf(i, i)));
  const read = vi.spyOn(Postings.prototype, 'readOrdinals');
  const query = searchFor({ text: 'c', highlightFields: [] });
  const before = index.search(query);
  const first = read.mock.calls.length;
  expect(index.search(query)).toEqual(before);
  expect(first).toBeGreaterThan(20);
  expect(read.mock.calls.length - first).toBeLessThan(5);
  read.mockRestore();
  expect(before.found).toBe(1_500);
});

it('looks at few documents of a beginning that was asked for before', () => {
  const lengths = Array.from({ length: 6_000 }, (_, i) =>
    i >= 3_000 && i < 3_012 ? 5 : 200 + ((i * 7_919) % 600),
  );
  const index = indexOf(
    lengths.map((length, i) => document(`d${i}`, { text: `cold ${'x '.repeat(length)}` })),
  );
  const look = vi.spyOn(FieldLengths.prototype, 'of');
  const query = searchFor({ text: 'c', highlightFields: [] });
  const before = index.search(query);
  const first = look.mock.calls.length;
  expect(index.search(query)).toEqual(before);
  // The shortest stand in one block of 128; four are looked at first.
  expect(look.mock.calls.length - first).toBeLessThan(5 * 128);
  expect(first).toBeGreaterThanOrEqual(6_000);
  look.mockRestore();
  expect(before.hits.map(({ id }) => lengths[Number(id.slice(1))])).toEqual(new Array(10).fill(5));
});

it('finds the best by a list whose documents have become longer on average', () => {
  const text = (i: number) => `${'cold '.repeat(1 + (i % 5))}${'x '.repeat(10 + ((i * 7_919) % 200))}`;
  const index = indexOf(Array.from({ length: 5_000 }, (_, i) => document(`d${i}`, { text: text(i) })));
  const query = searchFor({ text: 'c', highlightFields: [] });
  for (let version = 2; version < 12; version += 1) {
    const long = Array.from({ length: 20 }, (_, i) =>
      document(`e${version} ${i}`, { text: 'y '.repeat(900) }),
    );
    index.apply({ version, puts: long, deletes: [] });
    const all = index.search({ ...query, limit: 6_000 });
    const best = index.search(query);
    expect(best.hits).toEqual(all.hits.slice(0, 10));
  }
});

it('keeps longest what costs most for its bytes, but not for ever', () => {
  const kept = new KeptByUse<{ name: string; bytes: number; cost: number }>();
  kept.put('dear', { name: 'dear', bytes: 10, cost: 50 }, 30);
  const cheap = (i: number) => kept.put(`cheap ${i}`, { name: `cheap ${i}`, bytes: 10, cost: 10 }, 30);
  let i = 0;
  for (; i < 8; i += 1) cheap(i);
  expect(kept.get('dear')?.name).toBe('dear');
  expect([kept.get('cheap 5'), kept.get('cheap 7')?.name]).toEqual([undefined, 'cheap 7']);
  // Nobody asks for it any more.
  for (; i < 40; i += 1) cheap(i);
  expect(kept.get('dear')).toBeUndefined();
  expect(kept.bytes).toBe(30);
});

it('keeps what was used last, within the bytes there are', () => {
  const kept = new KeptByUse<{ name: string; bytes: number }>();
  for (const name of ['a', 'b', 'c']) kept.put(name, { name, bytes: 10 }, 30);
  kept.get('a');
  kept.put('d', { name: 'd', bytes: 10 }, 30);
  expect(['a', 'b', 'c', 'd'].map((name) => kept.get(name)?.name)).toEqual(['a', undefined, 'c', 'd']);
  kept.put('e', { name: 'e', bytes: 31 }, 30);
  expect([kept.get('e'), kept.bytes]).toEqual([undefined, 30]);
  kept.put('a', { name: 'a', bytes: 5 }, 30);
  expect(kept.bytes).toBe(25);
});
