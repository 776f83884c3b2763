// @vitest-environment node
import { expect, it } from 'vitest';
import type { RequestDetail } from '#shared/requests.ts';
import { searchOf } from './search-of.ts';

const event = (operation: string, input: unknown) =>
  ({ operation, input, collection: { id: 3, name: 'films' } }) as RequestDetail;

it('opens a search with all that it said, also what the page has no control for', () => {
  const input = { query: 'robot', num_typos: 0, match: 'all', min_relevance: 0.5, alpha: 0.3, per_page: 5 };
  expect(searchOf(event('search.hybrid', input))).toEqual({
    q: 'robot',
    mode: 'hybrid',
    collection: 3,
    alpha: 0.3,
    // It is off over REST, and on in the page.
    tuned: { num_typos: 0, match: 'all', min_relevance: 0.5, understand: false },
  });
});

it('leaves out of a search of the page what the page asks anyway', () => {
  const input = { query: 'robot', understand: true, k: 100, explain: true };
  expect(searchOf(event('search.vector', input))).toEqual({ q: 'robot', mode: 'vector', collection: 3 });
});

it('opens a list of all documents as one', () => {
  const input = { query: '*', filter_by: 'year:>2000', sort_by: 'year:asc' };
  expect(searchOf(event('search.keyword', input))).toEqual({
    q: '',
    mode: 'keyword',
    collection: 3,
    filter: 'year:>2000',
    sort: 'year:asc',
  });
  expect(searchOf(event('documents.list', input))).toBe(null);
});
