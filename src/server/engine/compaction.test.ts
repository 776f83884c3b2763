import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SearchIndex } from './search-index.ts';
import { decodeWhole, encodeSnapshot } from './snapshot.ts';
import { runSteps } from './steps.ts';
import { idsFound, searchFor } from './testing/fixtures.ts';
import { runs } from './testing/runs.ts';
import type { IndexedDocument, IndexSettings, SearchQuery } from './types.ts';

const settings: IndexSettings = {
  dimension: 4,
  metric: 'cosine',
  fields: [{ name: 'at', type: 'geopoint' }],
};
const words = ['red', 'wine', 'old', 'house', 'river', 'stone', 'mason', 'C++', 'xj-200', 'wines'];

function documentOf(i: number, seed: number): IndexedDocument {
  const word = (place: number) => words[(seed * 7 + place * place * 3 + i) % words.length];
  const source = {
    title: `${word(0)} ${word(1)}`,
    text: Array.from({ length: 3 + (seed % 5) }, (_, place) => word(place)).join(' '),
    ...(seed % 3 === 0 ? { year: 1900 + (seed % 50) } : {}),
    ...(seed % 4 === 0 ? { [`rare${seed % 12}`]: `tag ${seed % 9}`, at: [seed % 50, i % 90] } : {}),
  };
  const passages = seed % 7 === 0 ? 2 : Number(seed % 11 !== 0);
  return {
    id: `d${i}`,
    source: JSON.stringify(source),
    vectors: Float32Array.from({ length: 4 * passages }, (_, place) => Math.sin(seed + place * (i + 1))),
    spans: Int32Array.from({ length: 3 * passages }, (_, place) => (place % 3 === 0 ? -1 : 0)),
  };
}

const size = 1_400;
const vector = Float32Array.of(0.3, -0.2, 0.8, 0.1);
const queries: Partial<SearchQuery>[] = [
  { text: 'red wine' },
  { text: 'stnoe hou', match: 'any' },
  { text: '"old house" -xj200', limit: 40 },
  { text: 'c++', sort: [{ field: 'title', descending: false }], limit: 40 },
  { text: '*', filter: 'year:>1920', facets: [{ field: 'title', ranges: [] }], limit: 40 },
  { text: '*', filter: 'at:(10, 20, 3000 km)' },
  { mode: 'vector', vector, limit: 40 },
  { mode: 'hybrid', text: 'river stone', vector },
];

function expectSame(index: SearchIndex, fresh: SearchIndex): void {
  for (const query of queries)
    expect(index.search(searchFor(query)), JSON.stringify(query)).toEqual(fresh.search(searchFor(query)));
  const { documentCount, vectorCount } = fresh.stats();
  expect(index.stats()).toMatchObject({ documentCount, vectorCount });
  const byPath = (fields: ReturnType<SearchIndex['fields']>) =>
    fields.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  expect(byPath(index.fields())).toEqual(byPath(fresh.fields()));
}

const change = fc.record({
  puts: fc.array(fc.tuple(fc.nat(size + 60), fc.nat(500)), { maxLength: 4 }),
  deletes: fc.array(fc.nat(size + 60), { maxLength: 4 }),
  /** Of upkeep, before it comes. */
  pieces: fc.nat(12),
  isSearched: fc.boolean(),
  isGathered: fc.constantFrom(false, false, false, true),
});

it('an index that is compacted amid searches, writes and snapshots is as one that was never written to before', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      const index = SearchIndex.create(settings);
      const held = new Map<string, IndexedDocument>();
      let version = 0;
      const write = (puts: IndexedDocument[], deletes: string[]) => {
        version += 1;
        for (const id of deletes) held.delete(id);
        for (const put of puts) held.set(put.id, put);
        runSteps(index.applySteps({ version, puts, deletes }));
      };
      const all = Array.from({ length: size }, (_, i) => i);
      write(
        all.map((i) => documentOf(i, i)),
        [],
      );
      write(
        all.map((i) => documentOf(i, 5 * i + 2)),
        [],
      );
      // From here on more are dead than alive.
      write([], ['d0', 'd7', 'd9']);
      for (const { puts, deletes, pieces, isSearched, isGathered } of changes) {
        for (let piece = 0; piece < pieces; piece += 1) index.upkeep();
        write(
          puts.map(([i, seed]) => documentOf(i, seed)),
          deletes.map((i) => `d${i}`),
        );
        if (isSearched) idsFound(index, { text: 'red' });
        if (isGathered) runSteps(encodeSnapshot(index));
      }
      const fresh = SearchIndex.create(settings);
      fresh.apply({ version, puts: [...held.values()], deletes: [] });
      expectSame(index, fresh);
      const isOver = () => !index.upkeep();
      write([], ['nothing']);
      while (!isOver());
      // What came since it ended.
      expect(index.capacity).toBeLessThan(held.size + 250);
      expectSame(index, fresh);
      const again = runSteps(decodeWhole(runSteps(encodeSnapshot(index)), settings));
      if (!('index' in again)) throw new Error(again.refused);
      expectSame(again.index, fresh);
    }),
    { numRuns: runs(12) },
  );
}, 120_000);

it('comes to its end where each write is followed by a snapshot', () => {
  const index = SearchIndex.create(settings);
  const all = Array.from({ length: size }, (_, i) => i);
  const write = (version: number, ids: number[]) =>
    runSteps(index.applySteps({ version, puts: ids.map((i) => documentOf(i, version + i)), deletes: [] }));
  write(1, all);
  write(2, all);
  for (let version = 3; version < 7; version += 1) {
    write(version, [version]);
    runSteps(encodeSnapshot(index));
  }
  expect(index.capacity).toBeLessThan(size + 10);
  expect(index.stats().documentCount).toBe(size);
});
