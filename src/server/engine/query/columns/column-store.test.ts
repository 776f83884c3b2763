import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SectionWriter } from '../../memory/sections.ts';
import { runSteps } from '../../steps.ts';
import { readerOf, writtenBy } from '../../testing/fixtures.ts';
import { ColumnStore } from './column-store.ts';
import type { Field } from './field.ts';

const declared = [
  { name: 'price', type: 'number' as const },
  { name: 'sold', type: 'date' as const },
];

/** One document's values in a field, by column. */
function valuesOf(field: Field | undefined, ordinal: number): Record<string, unknown[]> {
  const values: Record<string, unknown[]> = {};
  for (const name of ['numbers', 'booleans', 'dates', 'strings'] as const) {
    const list = field?.[name];
    if (!list?.has(ordinal)) continue;
    const own = Array.from(list.values.subarray(list.start(ordinal), list.end(ordinal)));
    values[name] = name === 'strings' ? own.map((code) => field?.dictionary.textOf(code)) : own;
  }
  return values;
}

describe('what becomes a column', () => {
  const store = new ColumnStore(declared);
  runSteps(
    store.add(0, {
      id: 'x',
      embedding: [1, 2],
      price: 5,
      sold: '2024-01-01',
      at: '2024-01-01T00:00:10Z',
      tags: ['a', 'a', 'b', 7, null, true],
      author: { id: 'inner', name: 'Ann', embedding: [1] },
      parts: [{ size: 1 }, { size: [2, 3] }],
      empty: {},
      none: null,
      list: [],
      minusZero: -0,
      big: Number.POSITIVE_INFINITY,
    }),
  );
  runSteps(store.add(1, { sold: 1_704_067_200.5, price: 'free', ['__proto__x']: 1, constructor: 'c' }));

  test('types, arrays, objects, dates and what is left out', () => {
    expect(valuesOf(store.field('price'), 0)).toEqual({ numbers: [5] });
    expect(valuesOf(store.field('price'), 1)).toEqual({ strings: ['free'] });
    expect(valuesOf(store.field('sold'), 0)).toEqual({ dates: [1_704_067_200], strings: ['2024-01-01'] });
    expect(valuesOf(store.field('sold'), 1)).toEqual({ dates: [1_704_067_200.5] });
    expect(valuesOf(store.field('at'), 0)).toEqual({
      dates: [1_704_067_210],
      strings: ['2024-01-01T00:00:10Z'],
    });
    expect(valuesOf(store.field('tags'), 0)).toEqual({ strings: ['a', 'b'], numbers: [7], booleans: [1] });
    expect(valuesOf(store.field('author.id'), 0)).toEqual({ strings: ['inner'] });
    expect(valuesOf(store.field('author.embedding'), 0)).toEqual({ numbers: [1] });
    expect(valuesOf(store.field('parts.size'), 0)).toEqual({ numbers: [1, 2, 3] });
    expect(Object.is(valuesOf(store.field('minusZero'), 0)['numbers']?.[0], 0)).toBe(true);
    for (const path of ['id', 'embedding', 'empty', 'none', 'list', 'big', 'unknown']) {
      expect(store.field(path)).toBeUndefined();
    }
  });

  test('fields() names declared fields first and counts documents', () => {
    expect(store.fields().slice(0, 3)).toEqual([
      {
        path: 'price',
        types: ['number', 'string'],
        counts: [
          { type: 'number', documentCount: 1 },
          { type: 'string', documentCount: 1 },
        ],
        isDeclared: true,
        documentCount: 2,
      },
      {
        path: 'sold',
        types: ['date'],
        counts: [{ type: 'date', documentCount: 2 }],
        isDeclared: true,
        documentCount: 2,
      },
      {
        path: 'at',
        types: ['date', 'string'],
        counts: [
          { type: 'date', documentCount: 1 },
          { type: 'string', documentCount: 1 },
        ],
        isDeclared: false,
        documentCount: 1,
      },
    ]);
    expect(store.fields().map(({ path }) => path)).toContain('constructor');
  });
});

test('a document with __proto__ as a key is data like any other', () => {
  const store = new ColumnStore([]);
  runSteps(store.add(0, JSON.parse('{"__proto__": {"polluted": 1}, "toString": "x"}')));
  expect(valuesOf(store.field('__proto__.polluted'), 0)).toEqual({ numbers: [1] });
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('the thousand-and-first field is not indexed, the first thousand still are', () => {
  const store = new ColumnStore(declared);
  const document = Object.fromEntries(Array.from({ length: 1_500 }, (_, i) => [`f${i}`, i]));
  runSteps(store.add(0, document));
  runSteps(store.add(1, { f1: 'again', late: 1 }));
  expect(store.fields()).toHaveLength(ColumnStore.fieldsMax);
  expect(valuesOf(store.field('f1'), 1)).toEqual({ strings: ['again'] });
  expect(store.field('late')).toBeUndefined();
});

test('nesting deeper than the contract is ignored, not a stack overflow', () => {
  const store = new ColumnStore([]);
  const text = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
  runSteps(
    store.add(0, {
      deep: JSON.parse(text),
      list: JSON.parse(`${'['.repeat(5_000)}1${']'.repeat(5_000)}`),
      n: 1,
    }),
  );
  expect(store.fields().map(({ path }) => path)).toEqual(['n']);
});

test('a thousand fields of one document each cost little', () => {
  const store = new ColumnStore([]);
  for (let i = 0; i < 1_000; i++) runSteps(store.add(50_000 + i, { [`f${i}`]: i }));
  expect(store.memoryBytes).toBeLessThan(1_000 * 1_024);
});

test('memory follows the documents: updates over and over do not grow it', () => {
  const store = new ColumnStore([]);
  for (let i = 0; i < 200; i++) runSteps(store.add(i, { n: i, name: `name ${i}` }));
  const before = store.memoryBytes;
  for (let i = 200; i < 20_000; i++) {
    runSteps(store.remove(i - 200));
    runSteps(store.add(i, { n: i, name: `name ${i}` }));
  }
  expect(store.memoryBytes).toBeLessThan(before * 4);
  expect(store.field('n')?.documentCount).toBe(200);
});

const scalar = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 5 }),
  fc.constantFrom('A', 'a', '2024-02-29', '2023-02-29', 'x'.repeat(300)),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -3, max: 3 }),
  fc.boolean(),
  fc.constant(null),
);
const document = fc.dictionary(
  fc.constantFrom('a', 'b', 'price', 'sold', 'o'),
  fc.oneof(scalar, fc.array(scalar, { maxLength: 4 }), fc.record({ x: scalar })),
);
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ add: document }) },
  { weight: 1, arbitrary: fc.record({ remove: fc.nat(40) }) },
);

function encoded(store: ColumnStore): Uint8Array[] {
  const writer = new SectionWriter();
  runSteps(store.encode(writer));
  return writtenBy(writer);
}

function decoded(pieces: Uint8Array[]): ColumnStore {
  const reader = readerOf(pieces);
  const store = runSteps(ColumnStore.decode(reader, declared));
  reader.end();
  return store;
}

/** Everything that readers see: each live document's values and each field's count. */
function contents(store: ColumnStore, end: number): unknown {
  const paths = ['a', 'b', 'price', 'sold', 'o', 'a.x', 'b.x', 'price.x', 'sold.x', 'o.x'];
  return paths.map((path) => {
    const field = store.field(path);
    const documents = Array.from({ length: end }, (_, ordinal) =>
      store.isRemoved(ordinal) ? {} : valuesOf(field, ordinal),
    );
    return { path, count: field?.documentCount ?? 0, documents };
  });
}

/** Each field's documents by the type of their values, counted one by one. */
function countedByType(store: ColumnStore, end: number): unknown {
  const columns = { date: 'dates', string: 'strings', number: 'numbers', boolean: 'booleans' } as const;
  return store.fields().map(({ path, counts }) => ({
    path,
    counts: counts.map(({ type }) => {
      const of = Array.from({ length: end }, (_, ordinal) => ordinal).filter((ordinal) => {
        if (type === 'geopoint' || store.isRemoved(ordinal)) return false;
        return columns[type] in valuesOf(store.field(path), ordinal);
      });
      return { type, documentCount: of.length };
    }),
  }));
}

test('adding and removing in any order leaves what adding the survivors leaves, before and after a snapshot', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const store = new ColumnStore(declared);
      const model = new Map<number, Record<string, unknown>>();
      let end = 0;
      for (const each of steps) {
        if ('add' in each) {
          runSteps(store.add(end, each.add));
          model.set(end++, each.add);
        } else {
          runSteps(store.remove(each.remove));
          model.delete(each.remove);
        }
      }
      const fresh = new ColumnStore(declared);
      for (const [ordinal, survivor] of [...model].sort(([a], [b]) => a - b))
        runSteps(fresh.add(ordinal, survivor));
      const expected = contents(fresh, end);
      expect(contents(store, end)).toEqual(expected);
      const counted = countedByType(store, end);
      const told = (each: ColumnStore) => each.fields().map(({ path, counts }) => ({ path, counts }));
      expect(told(store)).toEqual(counted);
      const bytes = encoded(store);
      const copy = decoded(bytes);
      expect(contents(copy, end)).toEqual(expected);
      // A snapshot leaves out fields that nobody has any more.
      expect(told(copy)).toEqual(countedByType(copy, end));
      expect(contents(store, end)).toEqual(expected);
      expect(encoded(copy)).toEqual(bytes);
      expect(copy.memoryBytes).toBeGreaterThan(0);
      // What is added later finds the texts that are there.
      for (const each of [copy, store]) runSteps(each.add(end, { a: ['A', 'x'.repeat(300)], o: { x: 'a' } }));
      expect(contents(copy, end + 1)).toEqual(contents(store, end + 1));
      expect(copy.field('a')?.dictionary.size).toBe(store.field('a')?.dictionary.size);
    }),
  );
});

test('bytes that end early or late are refused', () => {
  const store = new ColumnStore(declared);
  for (let i = 0; i < 40; i++)
    runSteps(store.add(i, { a: [i, `t${i % 7}`, 'ü€'], price: i / 2, on: i % 2 === 0, sold: '2024-01-01' }));
  runSteps(store.remove(3));
  const [bytes = new Uint8Array(0), ...others] = encoded(store);
  expect(others).toEqual([]);
  for (let length = 0; length < bytes.length; length++)
    expect(() => decoded([bytes.subarray(0, length)]), `${length} bytes`).toThrow(RangeError);
  expect(() => decoded([Uint8Array.of(...bytes, 0)])).toThrow(RangeError);
  expect(() => decoded([bytes, Uint8Array.of(0)])).toThrow(RangeError);
});

test('renumbered without its removed documents, a store is as one made of the others', () => {
  const document = fc.record({
    a: fc.constantFrom<unknown>('x', 'X', 1, true, '2024-01-01', 'long '.repeat(60), null),
    b: fc.array(fc.constantFrom('x', 'y')),
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(document, fc.boolean()), { maxLength: 12 }), (entries) => {
      const declared = ['a', 'b'].map((name) => ({ name, type: 'string' as const }));
      const store = new ColumnStore(declared);
      const fresh = new ColumnStore(declared);
      const ordinals = new Int32Array(entries.length).fill(-1);
      let kept = 0;
      for (const [ordinal, [each, isKept]] of entries.entries()) {
        runSteps(store.add(ordinal, each));
        if (!isKept) continue;
        ordinals[ordinal] = kept;
        runSteps(fresh.add(kept, each));
        kept += 1;
      }
      for (const [ordinal, [, isKept]] of entries.entries()) if (!isKept) runSteps(store.remove(ordinal));
      const compacted = runSteps(store.compacted(ordinals, kept, declared));
      expect(compacted.fields()).toEqual(fresh.fields());
      expect(compacted.end).toBe(fresh.end);
      for (const path of ['a', 'b']) {
        expect(compacted.field(path)?.dictionary.size).toBe(fresh.field(path)?.dictionary.size);
        for (let ordinal = 0; ordinal <= kept; ordinal += 1)
          expect(valuesOf(compacted.field(path), ordinal)).toEqual(valuesOf(fresh.field(path), ordinal));
      }
    }),
  );
});
