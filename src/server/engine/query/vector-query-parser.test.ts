import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseVectorQuery } from './vector-query-parser.ts';

const nothing = { vector: null, k: null, distanceThreshold: null };

describe('parseVectorQuery', () => {
  test.each<[string, object]>([
    ['[]', { vector: [] }],
    [' [ .5,-200. ] ', { vector: [0.5, -200] }],
    ['{}', {}],
    ['{"k": 7, "vector": [1]}', { k: 7, vector: [1] }],
    ['{distance_threshold:2.5e-1}', { distanceThreshold: 0.25 }],
    ['embedding:()', {}],
    ['embedding : ( k:3 )', { k: 3 }],
    ['embedding:([], id:a b, k:3)', { vector: [], id: 'a b', k: 3 }],
    ['embedding:(id:"a, \\"b\\")")', { id: 'a, "b")' }],
    ['{"id": "1"}', { id: '1' }],
    ['embedding:([1, 2], k:10, distance_threshold:0.4)', { vector: [1, 2], k: 10, distanceThreshold: 0.4 }],
  ])('%s', (text, expected) => {
    expect(parseVectorQuery(text, 3)).toEqual({ query: { ...nothing, ...expected }, diagnostics: [] });
  });

  test.each([
    ['', 0, 'a list of numbers in brackets'],
    ['vec:([1])', 0, 'expected "embedding"'],
    ['embedding([1])', 9, 'expected ":"'],
    ['embedding:[1]', 10, 'expected "("'],
    ['embedding:([1, two])', 15, 'expected a number'],
    ['embedding:([1] k:3)', 15, 'expected ","'],
    ['embedding:([1], q:3)', 16, 'expected vector, k, distance_threshold or id'],
    ['embedding:([1]', 14, 'expected ","'],
    ['{"k: 3}', 3, 'expected """'],
    ['{"k": 3', 7, 'expected ","'],
    ['{"k": 3,}', 8, 'expected'],
    ['[1,]', 3, 'expected a number'],
    ['[1, 2, 3, 4]', 11, 'at most 3 numbers'],
    ['[1] and more', 4, 'expected the end'],
  ])('%s', (text, position, message) => {
    const diagnostics = [{ position, message: expect.stringContaining(message) }];
    expect(parseVectorQuery(text, 3)).toEqual({ query: null, diagnostics });
  });

  test('never throws, and points inside the text', () => {
    const piece = fc.constantFrom(...'embedding|:|(|)|[|]|{|}|,|"|k|vector|1|-2.5e3| |.|é'.split('|'));
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(text, (text) => {
        const { query, diagnostics } = parseVectorQuery(text, 100);
        expect(diagnostics).toHaveLength(query === null ? 1 : 0);
        for (const { position } of diagnostics) expect(position).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 2_000 },
    );
  });
});
