import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FieldNameError, FilterFaultError, SearchIndex } from './search-index.ts';
import { runSteps } from './steps.ts';
import {
  document,
  fromSnapshot,
  idsFound,
  indexOf,
  searchFor,
  smallSettings,
  snapshotOf,
  titles,
} from './testing/fixtures.ts';
import { runs } from './testing/runs.ts';
import type { FoundDocument, IndexedDocument, SearchQuery } from './types.ts';

const word = fc.constantFrom('alpha', 'alphas', 'beta', 'gamma', 'gamna', 'delta', 'the', '東京');
const text = fc.array(word, { maxLength: 5 }).map((words) => words.join(' '));
const row = fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 }));
const put = fc
  .record({
    id: fc.nat(8).map(String),
    title: text,
    tags: fc.array(text, { maxLength: 2 }),
    n: fc.nat(4),
    extra: fc.constantFrom(undefined, undefined, 5, 'x', { deep: true }),
  })
  .chain(({ id, ...fields }) => fc.array(row, { maxLength: 3 }).map((rows) => document(id, fields, rows)));
const change = fc.record({
  puts: fc.array(put, { maxLength: 4 }),
  deletes: fc.array(fc.nat(8).map(String), { maxLength: 3 }),
});

const searches: Partial<SearchQuery>[] = [
  { text: 'alpha beta' },
  { text: 'alpha beta gamma delta' },
  { text: 'gam', facets: [{ field: 'n', ranges: [] }] },
  { text: '東', match: 'any', sort: [{ field: 'n', descending: true }] },
  { text: 'gamma', fields: [{ name: 'tags', weight: 2 }] },
  { mode: 'vector', vector: Float32Array.of(1, 2), k: 3 },
  { mode: 'hybrid', text: 'beta', vector: Float32Array.of(-1, 1), k: 3 },
  { mode: 'hybrid', text: 'beta alpha', vector: Float32Array.of(1, 0), k: 2, fusion: 'rrf' },
];

const filters = ['n:<3', 'extra:*', 'extra:>4', 'extra:=x', 'extra.deep:true', 'n:few'];

/** All ids in parts of two, and all documents in parts of 60 bytes. */
function inParts(index: SearchIndex) {
  const ids: string[] = [];
  for (let part = index.ids(null, { limit: 2 }); part.length > 0; ) {
    ids.push(...part);
    part = index.ids(null, { after: part.at(-1) ?? null, limit: 2 });
  }
  const documents: (FoundDocument | null)[] = [];
  while (documents.length < ids.length)
    documents.push(
      ...runSteps(index.documents({ ids: ids.slice(documents.length), withVectors: true, bytesMax: 60 })),
    );
  return { ids, documents };
}

/** The documents that pass, or what is wrong with the filter. */
function filtered(index: SearchIndex, filter: string) {
  try {
    const { hits } = index.search(searchFor({ text: '*', filter, limit: 250 }));
    return { ids: index.ids(filter), hits };
  } catch (error) {
    if (error instanceof FilterFaultError) return error.diagnostics;
    throw error;
  }
}

/** The answer, or what is said of a field that no document has. */
function answered(index: SearchIndex, query: Partial<SearchQuery>) {
  try {
    return index.search(searchFor({ ...query, limit: 250 }));
  } catch (error) {
    if (error instanceof FieldNameError) return error.message;
    throw error;
  }
}

/** Everything that can be seen of an index, its history (version, memory) aside. */
function visible(index: SearchIndex) {
  const ids = index.ids(null);
  return {
    ids,
    documents: runSteps(index.documents({ ids, withVectors: true })),
    vectorCount: index.stats().vectorCount,
    documentCount: index.stats().documentCount,
    fields: index.fields().toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    filtered: filters.map((filter) => filtered(index, filter)),
    answers: searches.map((query) => answered(index, query)),
  };
}

describe('SearchIndex', () => {
  it('holds what a map would hold, and answers as one filled at once', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
        const index = SearchIndex.create(smallSettings);
        const model = new Map<string, IndexedDocument>();
        changes.forEach(({ puts, deletes }, i) => {
          index.apply({ version: i + 1, puts, deletes });
          for (const id of deletes) model.delete(id);
          for (const each of puts) model.set(each.id, each);
        });
        const fresh = indexOf([...model.values()]);
        expect(index.ids(null)).toEqual([...model.keys()].sort());
        const found = runSteps(index.documents({ ids: [...model.keys(), 'none'], withVectors: true }));
        const asWritten = found.map(
          (each) => each && { ...each, source: new TextDecoder().decode(each.source) },
        );
        expect(asWritten).toEqual([...model.values(), null]);
        expect(new Set(found.map((each) => each?.source.buffer)).size).toBeLessThanOrEqual(2);
        expect(visible(index)).toEqual(visible(fresh));
        const ids = index.ids(null);
        expect(inParts(index)).toEqual({
          ids,
          documents: runSteps(index.documents({ ids, withVectors: true })),
        });
      }),
      { numRuns: runs(40) },
    );
  }, 60_000);

  it('scores the same to the last bit whichever field it met first', () => {
    const first = document('0', { title: '', tags: ['gamna'] });
    const documents = [
      document('1', { title: 'gamna gamma', tags: ['gamna gamna gamna gamma'] }),
      document('0', { title: '', tags: ['alpha'] }),
    ];
    const index = SearchIndex.create(smallSettings);
    [first, ...documents].forEach((each, i) => {
      index.apply({ version: i + 1, puts: [each], deletes: [] });
    });
    const fields = [
      { name: 'title', weight: 0.3 },
      { name: 'tags', weight: 0.7 },
    ];
    for (const query of [{ text: 'gam' }, { text: 'gam', fields }, { text: 'gamma', fields }])
      expect(index.search(searchFor(query)).hits).toEqual(indexOf(documents).search(searchFor(query)).hits);
  });

  it('is the same after a snapshot', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 5 }), change, (changes, after) => {
        const index = SearchIndex.create(smallSettings);
        changes.forEach((each, i) => {
          index.apply({ version: i + 1, ...each });
        });
        const decoded = fromSnapshot(snapshotOf(index), smallSettings);
        if ('refused' in decoded) throw new Error(decoded.refused);
        expect(decoded.index.stats().version).toBe(changes.length);
        expect(visible(decoded.index)).toEqual(visible(index));
        for (const each of [index, decoded.index]) each.apply({ version: 100, ...after });
        expect(visible(decoded.index)).toEqual(visible(index));
      }),
      { numRuns: runs(25) },
    );
  }, 60_000);

  it('answers the same after a compaction, in less memory', () => {
    const documents = Array.from({ length: 3000 }, (_, i) =>
      document(`d${i}`, { title: `alpha word${i} beta${i % 7}`, tags: ['gamma'], n: i % 5 }, [[i, 1]]),
    );
    const index = indexOf(documents);
    const gone = documents.slice(0, 2000).map((each) => each.id);
    const before = index.stats().memoryBytes;
    index.apply({ version: 2, puts: [], deletes: gone });
    expect(visible(index)).toEqual(visible(indexOf(documents.slice(2000))));
    expect(index.stats().memoryBytes).toBeLessThan(before / 2);
    index.apply({ version: 3, puts: [document('late', { title: 'alpha' }, [[1, 1]])], deletes: ['d2999'] });
    expect(idsFound(index, { text: 'alpha', filter: 'id:[late, d2999, d1]' })).toEqual(['late']);
  });

  it('keeps no word of documents that a compaction left out', () => {
    const documents = Array.from({ length: 1200 }, (_, i) =>
      document(`d${i}`, { title: `gone${i}ing word${i}ing` }),
    );
    const kept = [document('kept', { title: 'beta' })];
    const index = indexOf([...documents, ...kept]);
    index.apply({ version: 2, puts: [], deletes: documents.map(({ id }) => id) });
    expect(index.stats().memoryBytes).toBeLessThanOrEqual(indexOf(kept).stats().memoryBytes);
  });

  it('refuses a bad batch whole', () => {
    const index = titles('one');
    const good = document('9', { title: 'two' });
    const refused: [Partial<Parameters<SearchIndex['apply']>[0]>, RegExp][] = [
      [{ version: 0, puts: [good] }, /before 1/],
      [{ version: Number.NaN, puts: [good] }, /before 1/],
      [{ version: 2, deletes: ['0'], puts: [good, { ...good, vectors: Float32Array.of(1) }] }, /rows of 2/],
      [{ version: 2, puts: [good, { ...good, source: '{' }] }, /not JSON/],
      [{ version: 2, puts: [good, { ...good, source: '[]' }] }, /not an object/],
    ];
    for (const [batch, message] of refused)
      expect(() => index.apply({ version: 2, puts: [], deletes: [], ...batch })).toThrow(message);
    expect(index.stats()).toMatchObject({ version: 1, documentCount: 1 });
    expect(idsFound(index, { text: 'one' })).toEqual(['0']);
  });

  it('refuses a filter that does not parse or does not fit, and says where', () => {
    const index = titles('one');
    for (const [filter, position] of [
      ['title:', 6],
      ['title:one && price:>5', 13],
    ] as const) {
      const fault = expect.objectContaining({ diagnostics: [expect.objectContaining({ position })] });
      expect(() => index.search(searchFor({ filter }))).toThrow(fault);
      expect(() => index.ids(filter)).toThrow(fault);
    }
    expect(index.ids(' ')).toEqual(['0']);
  });

  it('refuses a query vector of another dimension', () => {
    expect(() => titles('one').search(searchFor({ mode: 'vector', vector: Float32Array.of(1) }))).toThrow(
      /1 components, not 2/,
    );
  });

  it('takes hostile documents: odd keys, deep nesting, long words, lone surrogates', () => {
    const deep = `${'{"a":'.repeat(500)}"needle"${'}'.repeat(500)}`;
    const index = titles('plain');
    index.apply({
      version: 2,
      deletes: [],
      puts: [
        { ...document('p', {}), source: '{"id":"p","__proto__":{"x":"proto word"},"constructor":"ctor"}' },
        { ...document('d', {}), source: deep },
        document('l', { title: 'y'.repeat(1_000_000), other: '\u0000 nul' }),
        { ...document('s', {}), source: '{"title":"\\ud800 broken"}' },
      ],
    });
    expect(idsFound(index, { text: 'proto' })).toEqual(['p']);
    expect(idsFound(index, { text: 'ctor' })).toEqual(['p']);
    expect(idsFound(index, { text: 'y'.repeat(1_000_000), prefix: false })).toEqual(['l']);
    expect(idsFound(index, { text: 'broken' })).toEqual(['s']);
  });

  it('pages never repeat or drop a hit, in any mode and order', () => {
    const index = indexOf(
      Array.from({ length: 40 }, (_, i) =>
        document(`d${i}`, { title: 'same words', n: i % 3 }, [[1, i % 4]]),
      ),
    );
    const modes: Partial<SearchQuery>[] = [
      { text: 'same' },
      { text: '*' },
      { text: 'same', sort: [{ field: 'n', descending: false }] },
      { mode: 'vector', vector: Float32Array.of(1, 1), k: 30 },
      { mode: 'hybrid', text: 'same', vector: Float32Array.of(1, 1), k: 30 },
    ];
    for (const mode of modes) {
      const all = idsFound(index, mode);
      const pages = Array.from({ length: 14 }, (_, page) =>
        idsFound(index, { ...mode, offset: page * 3, limit: 3 }),
      );
      expect(pages.flat()).toEqual(all);
      expect(new Set(all).size).toBe(index.search(searchFor(mode)).found);
    }
  });

  it('reports the memory of its arrays', () => {
    const small = indexOf([document('a', { title: 'x' }, [[1, 2]])]).stats();
    const large = indexOf(
      Array.from({ length: 2000 }, (_, i) => document(String(i), { title: `word${i}` }, [[1, 2]])),
    ).stats();
    expect(small.memoryBytes).toBeLessThan(40_000);
    expect(large.memoryBytes).toBeGreaterThan(2000 * 100);
    expect(large.memoryBytes).toBeLessThan(2000 * 600);
  });
});
