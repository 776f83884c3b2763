// @vitest-environment node
import { expect, it } from 'vitest';
import { searchState } from '../search-state.ts';
import { applyChanges } from './apply-changes.ts';

const address: object = { q: 'robt', facets: { genre: ['Noir'] }, tuned: { k: 200 } };
const state = searchState(address as Parameters<typeof searchState>[0]);

it('says on the page what was said in parameters', () => {
  expect(applyChanges(state, [{ parameter: 'num_typos', value: 1 }])).toEqual({
    page: 1,
    tuned: { k: 200, num_typos: 1 },
  });
  expect(applyChanges(state, [{ parameter: 'filter_by', value: 'year:>2000' }])).toEqual({
    page: 1,
    filter: 'year:>2000',
    facets: {},
    ranges: {},
  });
  expect(
    applyChanges(state, [
      { parameter: 'alpha', value: 0.5 },
      { parameter: 'page', value: 3 },
      { parameter: 'query', value: '*' },
    ]),
  ).toEqual({ alpha: 0.5, page: 3, q: '' });
});

it('says nothing where the page has no words for it', () => {
  expect(applyChanges(state, [{ parameter: 'vector_query', value: { k: 3 } }])).toBe(null);
  expect(applyChanges(state, [{ parameter: 'num_typos', value: 9 }])).toBe(null);
  expect(applyChanges(state, [])).toBe(null);
});
