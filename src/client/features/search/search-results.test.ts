// @vitest-environment node
import { expect, it } from 'vitest';
import { lastPage, searchedWords } from './search-results.ts';
import { searchState } from './search-state.ts';

it.each([
  ['gift under $30', 'gift', 'gift'],
  ['under $30', '*', ''],
  ['', '*', ''],
  [' robots ', 'robots', 'robots'],
])('of %j, as which %j was searched for, the words are %j', (q, query, words) => {
  const of = searchState({ q } as Parameters<typeof searchState>[0]);
  expect(searchedWords({ of, request: { mode: 'hybrid', query } })).toBe(words);
});

it('the last page ends where the server does', () => {
  expect([lastPage(0), lastPage(10), lastPage(11), lastPage(1e6)]).toEqual([1, 1, 2, 1_000]);
});
