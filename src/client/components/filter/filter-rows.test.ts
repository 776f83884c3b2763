// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFilter } from '#server/engine/query/filter/filter-parser.ts';
import { type FilterRow, operators, readRows, writeRows } from './filter-rows.ts';

describe('readRows', () => {
  it.each<[string, FilterRow[] | null]>([
    ['', []],
    ['year:>2000', [{ field: 'year', operator: ':>', value: '2000' }]],
    [
      'genre:=[Noir, `Film noir`] && price:[-1.5..20]',
      [
        { field: 'genre', operator: ':=', value: 'Noir, Film noir' },
        { field: 'price', operator: '..', value: '-1.5..20' },
      ],
    ],
    [
      'title:"a && b" && tag:*',
      [
        { field: 'title', operator: ':', value: 'a && b' },
        { field: 'tag', operator: '*', value: '' },
      ],
    ],
    ['genre:!=Film noir', [{ field: 'genre', operator: ':!=', value: 'Film noir' }]],
    ['year:>2000 || genre:Noir', null],
    ['!genre:Noir', null],
    ['(year:>2000)', null],
    ['name:Ac*', null],
    ['year:>', null],
    ['genre:`a, b`', null],
    ['at:(48.85, 2.35, 5 km)', null],
  ])('%s', (text, rows) => {
    expect(readRows(text)).toEqual(rows);
  });
});

describe('writeRows', () => {
  const word = fc
    .string({ minLength: 1, maxLength: 12 })
    .map((text) => text.trim())
    .filter((text) => text !== '');
  const row: fc.Arbitrary<FilterRow> = fc.record({
    field: word,
    operator: fc.constantFrom(...operators.map(({ value }) => value)).filter((one) => one !== '..'),
    value: word,
  });

  it('writes what the server reads', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
        expect(parseFilter(writeRows(rows)).diagnostics).toEqual([]);
      }),
    );
  });

  it('writes what it reads again, or what it says it cannot', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), (rows) => {
        const text = writeRows(rows);
        const read = readRows(text);
        if (read) expect(writeRows(read)).toBe(text);
      }),
    );
  });

  it('leaves out what is not complete, and an open end', () => {
    expect(
      writeRows([
        { field: '', operator: ':=', value: 'x' },
        { field: 'a', operator: ':=', value: ' ' },
        { field: 'year', operator: '..', value: '1990..' },
        { field: 'year', operator: '..', value: '..2000' },
        { field: 'year', operator: '..', value: '1990..2000' },
      ]),
    ).toBe('year:>=1990 && year:<=2000 && year:[1990..2000]');
  });
});
