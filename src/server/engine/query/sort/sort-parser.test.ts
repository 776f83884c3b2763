import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSort } from './sort-parser.ts';

describe('parseSort', () => {
  test('up to three keys, ascending unless said otherwise', () => {
    expect(parseSort(' price:asc, _score:DESC ,author.name', 3)).toEqual({
      keys: [
        { field: 'price', descending: false },
        { field: '_score', descending: true },
        { field: 'author.name', descending: false },
      ],
      diagnostics: [],
    });
    expect(parseSort('  ', 3)).toEqual({ keys: [], diagnostics: [] });
  });

  test.each([
    ['price:up', 6, 'expected asc or desc'],
    ['price:', 6, 'expected asc or desc'],
    ['a,,b', 2, 'expected a field name'],
    [':asc', 0, 'expected a field name'],
    ['a:asc,b:asc, c:asc,d:desc', 19, 'at most 3'],
    ['a,', 2, 'expected a field name'],
    [' x:y:z', 5, 'expected asc or desc'],
  ])('%s', (text, position, message) => {
    expect(parseSort(text, 3)).toEqual({
      keys: [],
      diagnostics: [{ position, message: expect.stringContaining(message) }],
    });
  });

  test('never throws and points inside the text', () => {
    const piece = fc.constantFrom(
      'a',
      ':',
      ',',
      'asc',
      'desc',
      ' ',
      '_score',
      '😀',
      '(',
      ')',
      '(1, 2)',
      '91',
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('');
        const { keys, diagnostics } = parseSort(text, 3);
        expect(keys.length).toBeLessThanOrEqual(3);
        for (const { position } of diagnostics) expect(position).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
