import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseFacets } from './facet-parser.ts';

describe('parseFacets', () => {
  test('fields and labelled ranges, open at either end, numbers or dates', () => {
    expect(parseFacets('brand, price( low :[0..50], "high" end:[50..]),at(old:[..1970-01-02])', 50)).toEqual({
      requests: [
        { field: 'brand', ranges: [] },
        {
          field: 'price',
          ranges: [
            { label: 'low', from: 0, to: 50 },
            { label: '"high" end', from: 50, to: null },
          ],
        },
        { field: 'at', ranges: [{ label: 'old', from: null, to: 86_400 }] },
      ],
      diagnostics: [],
    });
    expect(parseFacets(' ', 50)).toEqual({ requests: [], diagnostics: [] });
  });

  test.each([
    ['a,,b', 2, 'expected a field name'],
    ['a(', 2, 'expected a label'],
    ['a(x)', 3, 'expected ":"'],
    ['a(x:5)', 4, 'expected "["'],
    ['a(x:[5])', 6, 'expected ".."'],
    ['a(x:[5..six])', 8, 'expected a number or a date'],
    ['a(x:[1..2]', 10, 'expected "," or ")"'],
    ['a(x:[1..2]) b', 12, 'expected "," or the end'],
    [`a(${Array.from({ length: 101 }, () => 'x:[1..2]').join(',')})`, 902, 'at most 100'],
    [Array.from({ length: 51 }, (_, i) => `f${i}`).join(','), 190, 'at most 50'],
  ])('%s', (text, position, message) => {
    expect(parseFacets(text, 50)).toEqual({
      requests: [],
      diagnostics: [{ position, message: expect.stringContaining(message) }],
    });
  });

  test('never throws and points inside the text', () => {
    const piece = fc.constantFrom('a', '(', ')', ':', '[', ']', '..', ',', '5', ' ', '2024-01-01');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const text = pieces.join('');
        for (const { position } of parseFacets(text, 50).diagnostics) {
          expect(position).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
