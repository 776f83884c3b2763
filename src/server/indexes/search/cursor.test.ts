import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SortValue, WalkPlace } from '#server/engine/search-index.ts';
import type { SearchQuery } from '#server/engine/types.ts';
import { AppError } from '#server/errors.ts';
import { nextCursor, walkFrom } from './cursor.ts';
import { plainQuery } from './query.ts';

const collection = { id: 7 };
const page = { page: 1, perPage: 10, offset: 0 };
const query = (given: Partial<SearchQuery> = {}) => plainQuery('price:>5', given);

/** JSON has one zero, and so has what compares values. */
const withoutSign = (value: number) => (value === 0 ? 0 : value);

const sortValue: fc.Arbitrary<SortValue> = fc.oneof(
  fc.record({ class: fc.constantFrom(0, 1, 2, 255), value: fc.double({ noNaN: true }).map(withoutSign) }),
  fc.record({ class: fc.constant(3), value: fc.string({ unit: 'binary', maxLength: 80 }) }),
);
const place: fc.Arbitrary<WalkPlace> = fc.record({
  shown: fc.nat(),
  pin: fc.option(fc.string({ maxLength: 20 })),
  last: fc.option(
    fc.record({
      id: fc.string({ minLength: 1, maxLength: 20 }),
      seal: fc.nat(2 ** 31 - 1),
      values: fc.array(sortValue, { minLength: 1, maxLength: 3 }),
    }),
  ),
});

function readBy(asked: SearchQuery, cursor: string, id = collection.id) {
  return walkFrom({ id }, { query: asked, page }, cursor).query.walk?.from;
}

function refusalOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error instanceof AppError ? [error.code, error.details?.[0]?.path] : error;
  }
}

const refused = ['BAD_REQUEST', 'cursor'];

test('a cursor says again what was written, with another page size and other facets too', () => {
  fc.assert(
    fc.property(place, (written) => {
      const cursor = nextCursor(collection, query(), written) ?? '';
      const again = query({ limit: 50, facets: [{ field: 'a', ranges: [] }], highlightFields: null });
      expect(readBy(again, cursor)).toEqual(written);
    }),
  );
  expect(nextCursor(collection, query(), null)).toBeNull();
});

test('one of another search, collection or vector is none', () => {
  const last = { id: 'a', seal: 1, values: [{ class: 0, value: 1.5 }] };
  const cursor = nextCursor(collection, query(), { shown: 10, pin: null, last }) ?? '';
  expect(readBy(query(), cursor)?.last?.id).toBe('a');
  const others: SearchQuery[] = [
    query({ text: 'other' }),
    query({ sort: [{ field: 'price', descending: true }] }),
    query({ vector: Float32Array.of(1, 2) }),
    query({ group: { fields: ['a'], limit: 3, joinsMissing: true } }),
    query({ pins: [{ id: 'p', position: 1 }] }),
    plainQuery('price:>6', {}),
  ];
  for (const other of others) expect(refusalOf(() => readBy(other, cursor))).toEqual(refused);
  expect(refusalOf(() => readBy(query(), cursor, 8))).toEqual(refused);
  const grouped = (limit: number) => query({ group: { fields: ['a'], limit, joinsMissing: true } });
  const ofGroups = nextCursor(collection, grouped(3), { shown: 10, pin: null, last }) ?? '';
  expect(readBy(grouped(5), ofGroups)?.shown).toBe(10);
});

test('whatever is sent, it is read or refused', () => {
  const whole = nextCursor(collection, query(), { shown: 10, pin: 'é', last: null }) ?? '';
  const cut = fc.tuple(fc.nat(whole.length), fc.nat(whole.length)).map(([from, to]) => whole.slice(from, to));
  const anything = fc.oneof(fc.string({ minLength: 1 }), fc.base64String({ minLength: 4 }), cut);
  fc.assert(
    fc.property(anything, (cursor) => {
      fc.pre(cursor !== '' && cursor !== whole);
      expect(refusalOf(() => readBy(query(), cursor))).toEqual(refused);
    }),
  );
  for (let at = 0; at < whole.length; at += 1) {
    const other = whole[at] === 'A' ? 'B' : 'A';
    const changed = whole.slice(0, at) + other + whole.slice(at + 1);
    expect(refusalOf(() => readBy(query(), changed))).toEqual(refused);
  }
});

test('an empty one begins a walk, at the page that is asked for', () => {
  const asked = { query: query({ offset: 30 }), page: { page: 4, perPage: 10, offset: 30 } };
  expect(walkFrom(collection, asked, '')).toEqual({
    ...asked,
    query: { ...asked.query, walk: { from: null } },
  });
  expect(walkFrom(collection, asked, undefined)).toEqual(asked);
});
