import { expect, test } from 'vitest';
import { collectionRow } from '#client/testing/rows.ts';
import type { CollectionSample } from './collection-sample.ts';
import type { Endpoint } from './endpoints.ts';
import { fitRequest } from './fit-request.ts';

const films = { ...collectionRow(1, 'my films'), projectId: 7 };
const sample: CollectionSample = {
  fields: [
    { path: 'id', types: ['string'] },
    { path: 'plot', types: ['string'] },
    { path: 'title', types: ['string'] },
    { path: 'genre', types: ['string'] },
    { path: 'year', types: ['number'] },
  ],
  documents: [
    {
      id: 'a/1',
      title: 'Blade Runner',
      plot: 'A policeman hunts beings who are like people. '.repeat(9),
      genre: 'drama',
      year: 1982,
    },
    {
      id: 'b',
      title: 'Solaris',
      plot: 'A sea that thinks makes visitors. '.repeat(9),
      genre: 'drama',
      year: 1972,
    },
  ],
  comparableId: 'b',
};
const place = { projectId: 7, collection: films, sample, names: ['my films'] };
const bareSample: CollectionSample = { fields: [], documents: [], comparableId: null };
const parameter = (name: string, where: 'path' | 'query', example?: unknown) => ({
  name,
  in: where,
  schema: {},
  example,
});
const endpoint = (part: Partial<Endpoint>): Endpoint => ({
  id: 'some.endpoint',
  tab: 'Search',
  name: '',
  description: '',
  method: 'POST',
  path: '/api/collections/{name}/search',
  needsCollection: true,
  parameters: [parameter('name', 'path', 'films')],
  body: null,
  ...part,
});

test('a search asks the fields that the collection has, for words that are there', () => {
  const example = {
    query: 'robots',
    query_by: 'title,extract',
    filter_by: 'year:>1980',
    sort_by: '_score:desc,year:desc',
    facet_by: 'genres',
    per_page: 10,
  };
  const { url, body } = fitRequest(endpoint({ body: { schema: {}, example } }), place);
  expect(url).toBe('/api/collections/my%20films/search');
  expect(JSON.parse(body ?? '')).toEqual({
    query: 'Blade Runner',
    query_by: 'title,plot,genre',
    filter_by: 'year:>=1982',
    sort_by: '_score:desc,year:desc',
    facet_by: 'genre',
    per_page: 10,
  });
});

test('documents are asked for that are like one with a vector', () => {
  const parameters = [parameter('id', 'query', 'example'), parameter('k', 'query', 10)];
  const path = '/api/collections/{name}/similar';
  expect(fitRequest(endpoint({ method: 'GET', path, parameters }), place).url).toMatch(/similar\?id=b&k=10$/);
  const { body } = fitRequest(endpoint({ path, body: { schema: {}, example: { id: 'x', k: 10 } } }), place);
  expect(JSON.parse(body ?? '')).toEqual({ id: 'b', k: 10 });
});

test('an empty collection is asked for nothing that it has not', () => {
  const example = { query: 'robots', query_by: 'title', filter_by: 'year:>1980', facet_by: 'genres', k: 10 };
  const empty = { ...place, sample: bareSample };
  const { body } = fitRequest(endpoint({ body: { schema: {}, example } }), empty);
  expect(JSON.parse(body ?? '')).toEqual({ query: 'hello', k: 10 });
});

test('a document is read by an id that exists, written and deleted by the one of the example', () => {
  const parameters = [parameter('name', 'path'), parameter('docId', 'path', 'example')];
  const path = '/api/collections/{name}/documents/{docId}';
  const urlOf = (method: 'GET' | 'DELETE') =>
    fitRequest(endpoint({ tab: 'Documents', method, path, parameters }), place).url;
  expect(urlOf('GET')).toBe('/api/collections/my%20films/documents/a%2F1');
  expect(urlOf('DELETE')).toBe('/api/collections/my%20films/documents/example');
});

test('documents to add have the fields of those that are there, their texts cut', () => {
  const example = [
    { id: 'example', name: 'Shoes' },
    { id: 'example-2', name: 'Boots' },
  ];
  const { body } = fitRequest(endpoint({ tab: 'Documents', body: { schema: {}, example } }), place);
  const [first, second] = JSON.parse(body ?? '') as Record<string, string>[];
  expect(first).toMatchObject({ id: 'example', title: 'Blade Runner', year: 1982 });
  expect(second).toMatchObject({ id: 'example-2', title: 'Solaris' });
  expect(first?.['plot']?.length).toBeLessThan(170);
  const bare = { ...place, sample: bareSample };
  expect(
    JSON.parse(fitRequest(endpoint({ tab: 'Documents', body: { schema: {}, example } }), bare).body ?? ''),
  ).toEqual(example);
});

test('a new collection goes into the chosen project, by a name that is free', () => {
  const schema = { properties: { projectId: {} } };
  const example = { name: 'books', dimension: 384, metadata: {} };
  const create = endpoint({
    tab: 'Collections',
    path: '/api/collections',
    parameters: [],
    body: { schema, example },
  });
  const { body } = fitRequest(create, { ...place, names: ['books', 'books 2'] });
  expect(JSON.parse(body ?? '')).toEqual({ name: 'books 3', dimension: 384, projectId: 7 });
});

test('a rule keeps its own id and places documents that are there', () => {
  const example = {
    id: 'love',
    rule: { query: 'love', match: 'exact' },
    includes: [{ id: 'Casablanca', position: 1 }],
    excludes: [{ id: 'Other' }],
  };
  const { body } = fitRequest(endpoint({ tab: 'Overrides', body: { schema: {}, example } }), place);
  expect(JSON.parse(body ?? '')).toEqual({
    id: 'love',
    rule: { query: 'Blade Runner', match: 'exact' },
    includes: [{ id: 'a/1', position: 1 }],
    excludes: [{ id: 'b' }],
  });
});

test('without a collection the address says where its name goes', () => {
  const nowhere = { projectId: null, collection: null, sample: null, names: [] };
  expect(fitRequest(endpoint({}), nowhere).url).toBe('/api/collections/{name}/search');
});
