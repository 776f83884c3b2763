// @vitest-environment node
import { expect, it } from 'vitest';
import { documentsDefaults, documentsState } from './documents-state.ts';
import { pickColumns } from './pick-columns.ts';
import { nextSort } from './sort-of.ts';

it('what an address cannot mean falls back', () => {
  const odd = { filter: {}, sort: 7, page: -1, view: 'cards', columns: ['a', 1], open: '' } as never;
  expect(documentsState(odd)).toEqual({
    ...documentsDefaults,
    sort: '7',
    columns: undefined,
    open: undefined,
  });
  expect(documentsState({ columns: ['year'], open: 'a/b', page: 3 })).toMatchObject({
    columns: ['year'],
    open: 'a/b',
    page: 3,
  });
});

it('a column is sorted upwards, downwards, and not at all', () => {
  expect(nextSort('', 'year')).toBe('year:asc');
  expect(nextSort('year:asc', 'year')).toBe('year:desc');
  expect(nextSort('year:desc', 'year')).toBe('');
  expect(nextSort('year:desc', 'a:b')).toBe('a:b:asc');
});

it('the columns are those that most documents bear, in their own order, without what cannot be asked for', () => {
  const field = (path: string, documentCount: number) => ({ path, types: ['string'], documentCount });
  const fields = [
    field('id', 9),
    field('title', 9),
    field('rare', 1),
    field('a', 5),
    field('b(c)', 9),
    field('d', 7),
    field('e', 6),
    field('f', 8),
    field('g', 9),
  ];
  expect(pickColumns(fields)).toEqual(['a', 'd', 'e', 'f', 'g']);
});
