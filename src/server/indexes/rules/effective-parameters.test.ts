import { expect, test } from 'vitest';
import { searchDefaults, searchParameters } from '#shared/search-parameters.ts';
import { effectiveParameters } from './effective-parameters.ts';

test('what nobody says is the default, and who counts most is last', () => {
  expect(effectiveParameters([])).toEqual(searchDefaults);
  const effective = effectiveParameters([
    { num_typos: 0, alpha: 0.1 },
    { alpha: 0.2, match: 'any' },
    { match: 'all' },
  ]);
  expect(effective).toEqual({ ...searchDefaults, num_typos: 0, alpha: 0.2, match: 'all' });
  expect(effectiveParameters([{ alpha: 0.1 }, { alpha: undefined }]).alpha).toBe(0.1);
});

test('fields and their weights are of one layer, as are the two ways to say a page', () => {
  const fields = { query_by: ['title', 'text'], query_by_weights: [2, 1] };
  expect(effectiveParameters([fields, { query_by: ['text'] }])).toEqual({
    ...searchDefaults,
    query_by: ['text'],
  });
  expect(effectiveParameters([{ per_page: 50 }, { limit: 5 }])).toEqual({ ...searchDefaults, limit: 5 });
});

test('every parameter has its place, and nothing else is taken over', () => {
  const names = Object.keys(searchParameters.shape).sort();
  expect(Object.keys(effectiveParameters([])).sort()).toEqual(names);
  const search = { alpha: 0.1, mode: 'keyword', answerBytesMax: 1 };
  expect(effectiveParameters([search])).toEqual({ ...searchDefaults, alpha: 0.1 });
});

test('each ranking constant counts for itself', () => {
  const effective = effectiveParameters([{ ranking: { k1: 1, b: 0 } }, { ranking: { b: 1 } }]);
  expect(effective.ranking).toEqual({ k1: 1, b: 1 });
});
