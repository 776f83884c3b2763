import { expect, test } from 'vitest';
import type { WritableCollection } from '../indexes.ts';
import { tableDocument } from './table-document.ts';

const row = {
  columns: ['id', 'price', 'size', 'code'].map((name) => ({ name, type: 'decimal comma' as const })),
  cells: ['1,5', '1.234,50', '12', '0,7'],
};

test('numbers with a decimal comma are numbers, whether or not they are declared as such', () => {
  const fields = [
    { name: 'price', type: 'number' },
    { name: 'code', type: 'string' },
  ];
  expect(tableDocument({ metadata: { fields } } as WritableCollection, row)).toEqual({
    id: '1,5',
    price: 1234.5,
    size: 12,
    code: '0,7',
  });
});

test('a cell behind the first rows that is none stays a text', () => {
  const cells = ['2', '1,234.50', '', ''];
  expect(tableDocument({} as WritableCollection, { ...row, cells })).toEqual({ id: '2', price: '1,234.50' });
});
