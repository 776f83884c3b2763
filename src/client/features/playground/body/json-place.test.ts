import { expect, test } from 'vitest';
import { optionsAt } from './complete-json.ts';
import { jsonPlace } from './json-place.ts';

/** `|` is the cursor. */
const placeIn = (marked: string) => jsonPlace(marked.replace('|', ''), marked.indexOf('|'));

test.each([
  ['{|', { expects: 'name', path: [], taken: [], from: 1 }],
  ['{ "qu|', { expects: 'name', path: [], taken: [], from: 2 }],
  ['{ "query": |', { expects: 'value', path: ['query'], taken: [], from: 11 }],
  ['{ "query": "a, b", "k|": 10 }', { expects: 'name', path: [], taken: ['query'], from: 19 }],
  ['{ "vector_query": { "k": 10, | } }', { expects: 'name', path: ['vector_query'], taken: ['k'], from: 29 }],
  [
    '{ "searches": [{ "mode": "key" }, { "mode": "h|',
    { expects: 'value', path: ['searches', 1, 'mode'], taken: [], from: 44 },
  ],
  ['{ "query_by": ["title", "|', { expects: 'value', path: ['query_by', 1], taken: [], from: 24 }],
  ['{ "a": { "b": [1, 2] }, "c|', { expects: 'name', path: [], taken: ['a'], from: 24 }],
  ['{ "text": "an escaped \\" and a { brace", |', { expects: 'name', path: [], taken: ['text'], from: 41 }],
])('what may be written at the cursor of %s', (marked, place) => {
  expect(placeIn(marked)).toEqual(place);
});

test.each(['', '|', '{ "query": "rain" |', '[1, 2] |', '{ "k": 10 }|'])(
  'nothing is proposed at the end of %j, where a comma or nothing comes',
  (marked) => {
    expect(placeIn(marked.includes('|') ? marked : `${marked}|`)).toBeNull();
  },
);

const known = {
  schema: {
    properties: {
      query: { type: 'string', description: 'What is searched for' },
      query_by: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      mode: { enum: ['keyword', 'vector'] },
      prefix: { type: 'boolean', default: true },
      searches: { type: 'array', items: { $ref: '#/components/schemas/Search' } },
    },
  },
  schemas: { Search: { properties: { collection: { type: 'string' } } } },
  fields: ['title', 'year'],
};
const labelsAt = (marked: string) => {
  const place = placeIn(marked);
  return place === null ? [] : optionsAt(place, known).map(({ label }) => label);
};

test('names are those of the schema that the object does not have yet', () => {
  expect(labelsAt('{ "query": "rain", "|')).toEqual(['"query_by"', '"mode"', '"prefix"', '"searches"']);
  expect(labelsAt('{ "searches": [{ "|')).toEqual(['"collection"']);
  expect(labelsAt('{ "query": { "|')).toEqual([]);
});

test('values are those that are listed, both of a switch, and fields where names of fields stand', () => {
  expect(labelsAt('{ "mode": |')).toEqual(['"keyword"', '"vector"']);
  expect(labelsAt('{ "prefix": |')).toEqual(['true', 'false']);
  expect(labelsAt('{ "query_by": ["|')).toEqual(['"title"', '"year"']);
});

test('a document may have what the documents of the collection have', () => {
  const place = placeIn('[{ "year": 1999, "|');
  const options = place && optionsAt(place, { ...known, schema: { items: { type: 'object' } } });
  expect(options?.map(({ label }) => label)).toEqual(['"title"']);
});
