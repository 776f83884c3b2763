import { describe, expect, test } from 'vitest';
import { runSteps } from '../../steps.ts';
import { ColumnStore } from '../columns/column-store.ts';
import { checkFilter } from './check-filter.ts';
import { parseFilter } from './filter-parser.ts';
import { asNumber } from './filter-value.ts';

const declared = [
  { name: 'price', type: 'number' as const },
  { name: 'sold', type: 'date' as const },
];

describe('checking against the fields', () => {
  const columns = new ColumnStore(declared);
  runSteps(columns.add(0, { name: 'x', price: 1, on: true, at: '2024-01-01', author: { name: 'y' } }));
  const faults = (filter: string, store = columns) => {
    const { filter: tree } = parseFilter(filter);
    return tree === null ? null : checkFilter(tree, store);
  };

  test.each([
    ['price:>abc', 7, 'expected a number for "price"'],
    ['name:x && price:[1..ten]', 20, 'expected a number'],
    ['price:=[1, two]', 11, 'expected a number'],
    ['price:1*', 6, 'not a prefix'],
    ['name:>5', 6, 'expected a number or date field'],
    ['on:maybe', 3, 'expected true or false'],
    ['sold:yesterday', 5, 'expected a date'],
    ['brand:Acme', 0, '"brand" is unknown'],
    ['author:Ann', 0, '"author" is unknown'],
    ['id:>5', 0, 'after "id"'],
    ['id:[1..5]', 0, 'not a range'],
  ])('%s', (filter, at, message) => {
    expect(faults(filter)).toEqual([{ position: at, message: expect.stringContaining(message) }]);
  });

  test.each([
    'price:[1..]',
    'name:5',
    'on:TRUE',
    'at:>2024-01',
    'sold:1700000000',
    'author:*',
    'id:a*',
    'at:2024*',
  ])('%s is fine', (filter) => {
    expect(faults(filter)).toEqual([]);
  });

  test('a collection without documents knows its declared fields only', () => {
    const empty = new ColumnStore(declared);
    expect(faults('brand:Acme', empty)).toEqual([]);
    expect(faults('price:abc', empty)).toHaveLength(1);
  });

  test('fields and types of removed documents are gone at once', () => {
    const store = new ColumnStore(declared);
    runSteps(store.add(0, { name: 'x', size: 5, author: { name: 'y' } }));
    runSteps(store.add(1, { size: 'large' }));
    runSteps(store.remove(0));
    expect(faults('name:x', store)).toHaveLength(1);
    expect(faults('author:*', store)).toHaveLength(1);
    expect(faults('size:>1', store)).toHaveLength(1);
    expect(faults('size:large', store)).toEqual([]);
    runSteps(store.remove(1));
    expect(faults('name:x', store)).toEqual([]);
  });
});

test('reads a number of many digits, with a fault at its end, in one way', () => {
  // In all ways it would take hours.
  expect(asNumber(`${'1'.repeat(4_000_000)}x`)).toBeNull();
  expect(asNumber(`1.${'1'.repeat(100)}`)).toBeCloseTo(1.11);
  expect(['1.', '.5', '-1.5e3', '+2', '1e5'].map(asNumber)).toEqual([1, 0.5, -1500, 2, 100_000]);
  expect(['.', '1.2.3', '', 'e5', '1e'].map(asNumber)).toEqual([null, null, null, null, null]);
});
