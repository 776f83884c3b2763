import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runSteps } from '#server/engine/steps.ts';
import { parseJson } from '#server/wire/json.ts';
import { limits } from '#shared/limits.ts';
import type { WritableCollection } from '../indexes.ts';
import { checkStored, generateId, parseDocument, parseInSteps } from './document.ts';

const collection: WritableCollection = {
  id: 1,
  for: { tenant: 't', caller: 'c' },
  dimension: 3,
  metric: 'cosine',
  metadata: null,
  rulesVersion: 0,
};
const refusal = (value: unknown, handle: WritableCollection = collection) => {
  try {
    parseDocument(handle, value);
  } catch (error) {
    return error;
  }
  throw new Error('it was accepted');
};
const badPath = (path: string) => ({ code: 'BAD_REQUEST', details: [{ path }] });

describe('parseDocument', () => {
  it('makes every id a string and leaves the rest as it is, in its order', () => {
    const { document, embedding } = parseDocument(collection, { a: [1, { b: null }], id: 7, z: 'ü' });
    expect(JSON.stringify(document)).toBe('{"a":[1,{"b":null}],"id":"7","z":"ü"}');
    expect(embedding).toBeNull();
    expect(parseDocument(collection, { id: 'a/b%20 ..' }).document.id).toBe('a/b%20 ..');
  });

  it('makes an id where there is none: unique, and later ones sort later', () => {
    const ids = Array.from({ length: 1_000 }, () => String(parseDocument(collection, {}).document.id));
    expect(new Set(ids).size).toBe(1_000);
    expect(generateId(1_700_000_000_000) < generateId(1_700_000_000_001)).toBe(true);
    expect(generateId()).toMatch(/^[0-9a-v]{26}$/);
  });

  it('refuses what cannot be an id', () => {
    for (const id of [
      '',
      1.5,
      2 ** 53,
      true,
      {},
      [],
      'x'.repeat(513),
      'é'.repeat(257),
      'a\u0000',
      '\ud800',
    ]) {
      expect(refusal({ id })).toMatchObject(badPath('id'));
    }
    expect(parseDocument(collection, { id: 'x'.repeat(512) }).document.id).toHaveLength(512);
  });

  it('refuses values that JSON, UTF-8 or Postgres cannot hold, with their path', () => {
    expect(refusal({ a: { b: ['x', 'a\u0000'] } })).toMatchObject(badPath('a.b.1'));
    expect(refusal({ a: '\udc00' })).toMatchObject(badPath('a'));
    expect(refusal({ a: { 'b\u0000': 1 } })).toMatchObject(badPath('a.b\\u0000'));
    expect(refusal({ 'a\udc00': 1 })).toMatchObject(badPath('a\ufffd'));
    expect(refusal({ a: [Number.POSITIVE_INFINITY] })).toMatchObject(badPath('a.0'));
    expect(refusal({ a: Number.NaN })).toMatchObject(badPath('a'));
    expect(refusal(JSON.parse('{"a": {"__proto__": 1}}'))).toMatchObject(badPath('a.__proto__'));
    expect(refusal(JSON.parse('{"constructor": 1}'))).toMatchObject(badPath('constructor'));
    const nested = (levels: number) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
    expect(refusal(nested(limits.jsonDepthMax + 1))).toMatchObject({ code: 'BAD_REQUEST' });
    // As deep as the JSON reader takes it.
    expect(() =>
      parseDocument(collection, parseJson(JSON.stringify(nested(limits.jsonDepthMax)))),
    ).not.toThrow();
    for (const value of [null, 5, 'text', [], undefined])
      expect(refusal(value)).toMatchObject(badPath('document'));
  });

  it('takes a thousand fields and says so of one more', () => {
    const fields = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, i]));
    expect(() => parseDocument(collection, fields(1_000))).not.toThrow();
    expect(refusal(fields(1_001))).toMatchObject({ code: 'UNPROCESSABLE' });
    expect(refusal({ a: { ...fields(999), empty: {} }, b: [] })).toMatchObject({ code: 'UNPROCESSABLE' });
    expect(() => parseDocument(collection, { a: [fields(600), fields(600)] })).not.toThrow();
  });

  it('looks at no field beyond those that a document may have', () => {
    const many = Object.fromEntries(Array.from({ length: 1_002 }, (_, i) => [`f${i}`, i]));
    Object.defineProperty(many, 'f1001', {
      enumerable: true,
      get: () => {
        throw new Error('it was looked at');
      },
    });
    expect(refusal(many)).toMatchObject({ code: 'UNPROCESSABLE' });
  });

  it('takes an embedding of the right dimension and finite numbers, and nothing else', () => {
    const { document, embedding } = parseDocument(collection, { id: 'e', embedding: [1, -2, 0.5] });
    expect(document).toEqual({ id: 'e' });
    expect(embedding).toEqual(Float32Array.of(1, -2, 0.5));
    expect(parseDocument(collection, { embedding: null }).embedding).toBeNull();
    expect(refusal({ embedding: [1, 2] })).toMatchObject(badPath('embedding'));
    expect(refusal({ embedding: 'text' })).toMatchObject(badPath('embedding'));
    expect(refusal({ embedding: [1, '2', 3] })).toMatchObject(badPath('embedding.1'));
    expect(refusal({ embedding: [1, 2, 1e39] })).toMatchObject(badPath('embedding.2'));
    expect(refusal({ embedding: [1e20, 1e20, 1e20] })).toMatchObject(badPath('embedding'));
    expect(refusal({ embedding: [3.2e18, 0, 0] })).toMatchObject(badPath('embedding'));
    expect(() => parseDocument(collection, { embedding: [3.1e18, 0, 0] })).not.toThrow();
    expect(refusal({ embedding: [0, 0, 0] })).toMatchObject(badPath('embedding'));
    const euclidean = { ...collection, metric: 'euclidean' as const };
    expect(parseDocument(euclidean, { embedding: [0, 0, 0] }).embedding).toEqual(new Float32Array(3));
  });

  it('looks at a large document with pauses, and finds what is at fault behind them', () => {
    const lists = (last: unknown) => ({ a: { b: [...Array.from({ length: 100_000 }, () => []), last] } });
    const steps = parseInSteps(collection, lists(1));
    let pauses = 0;
    while (!steps.next().done) pauses += 1;
    expect(pauses).toBeGreaterThan(40);
    expect(refusal(lists('\u0000'))).toMatchObject(badPath('a.b.100000'));
    expect(refusal(lists({ constructor: 1 }))).toMatchObject(badPath('a.b.100000.constructor'));
    const many = Object.fromEntries(Array.from({ length: 998 }, (_, i) => [`f${i}`, 'x'.repeat(100)]));
    expect(() => parseDocument(collection, { many, list: lists(1) })).not.toThrow();
    expect(refusal({ many: { ...many, a: {}, b: [] }, list: lists(1) })).toMatchObject({
      code: 'UNPROCESSABLE',
    });
  });

  it('gives back any JSON object as it came', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (fields) => {
        fc.pre(!('embedding' in fields) && !('id' in fields));
        fc.pre(!JSON.stringify(fields).match(/__proto__|constructor|prototype|\\u0000|\\ud[89a-f]/i));
        const { id: _, ...rest } = parseDocument(collection, fields).document;
        expect(JSON.stringify(rest)).toBe(JSON.stringify(fields));
      }),
    );
  });
});

describe('checkStored', () => {
  const declared: WritableCollection = {
    ...collection,
    metadata: {
      fields: [
        { name: 'title', type: 'string', required: true },
        { name: 'price', type: 'number', required: false },
        { name: 'inStock', type: 'boolean', required: false },
        { name: 'made.at', type: 'date', required: false },
      ],
    },
  };
  const check = (document: Record<string, unknown>) => {
    const { document: stored } = parseDocument(declared, document);
    runSteps(checkStored(declared, stored, JSON.stringify(stored)));
  };

  it('accepts declared fields of their types, alone or in lists', () => {
    check({ title: 'x', price: 1.5, inStock: false, made: { at: '2024-02-29' } });
    check({ title: ['x', 'y'], price: [1, 2], made: { at: 1_700_000_000 } });
    check({ title: 'x', price: null, made: { at: '2024-02-29T10:00:00.123+01:00' }, other: {} });
  });

  it('names every declared field that is missing or of another type', () => {
    expect(() => check({ title: 5, price: '1', inStock: 'yes', made: { at: '29.2.2024' } })).toThrow(
      expect.objectContaining({
        code: 'BAD_REQUEST',
        details: ['title', 'price', 'inStock', 'made.at'].map((path) => expect.objectContaining({ path })),
      }),
    );
    expect(() => check({})).toThrow('title: is required');
    expect(() => check({ title: null })).toThrow('title: is required');
    expect(() => check({ title: 'x', made: { at: '2024-13-01' } })).toThrow('made.at');
  });

  it('refuses a document of more than four megabytes', () => {
    expect(() => check({ title: 'x'.repeat(4 * 1024 * 1024) })).toThrow(
      expect.objectContaining({ code: 'PAYLOAD_TOO_LARGE' }),
    );
  });
});
