import { expect, test } from 'vitest';
import { deletedId, nextDeleted } from './deleted.ts';
import type { Endpoint, Method } from './endpoints.ts';
import type { ApiResponse } from './send-request.ts';

const endpoint = (tab: Endpoint['tab']): Endpoint => ({
  id: 'some.endpoint',
  tab,
  name: '',
  description: '',
  method: 'GET',
  path: '',
  needsCollection: true,
  parameters: [],
  body: null,
});
const answered = (
  method: Method,
  path: string,
  { status = 200, body = '', data = '{}', tab = 'Documents' as Endpoint['tab'] } = {},
) => {
  const about = { statusText: '', isJson: true, headers: [], timeMs: 1, bytes: 1 };
  const response: ApiResponse = { status, data, ...about };
  return { endpoint: endpoint(tab), request: { method, path, body: body || null }, response };
};
const list = '/api/collections/films/documents';
const gone = nextDeleted([], answered('DELETE', `${list}/a%2Fb?x=1`));

test('what was deleted is known by its id', () => {
  expect(deletedId(gone, `${list}/a%2Fb`)).toBe('a/b');
  expect(deletedId(gone, `${list}/a%2Fbc`)).toBeNull();
  expect(deletedId(gone, list)).toBeNull();
});

test('a deletion that failed deleted nothing, and a collection is seen to by its selector', () => {
  expect(nextDeleted([], answered('DELETE', `${list}/a`, { status: 404 }))).toEqual([]);
  expect(nextDeleted([], answered('DELETE', '/api/collections/films', { tab: 'Collections' }))).toEqual([]);
});

test.each([
  ['replaced', answered('PUT', `${list}/a%2Fb`)],
  ['read, since somebody else made it', answered('GET', `${list}/a%2Fb`)],
  ['added by its id', answered('POST', list, { body: '{"id": "a/b"}' })],
  ['imported', answered('POST', `${list}/import`, { body: '[{"id": "c"}, {"id": "a/b"}]' })],
  ['given its id by the server', answered('POST', list, { data: '{"id": "a/b"}' })],
])('it is there again: %s', (_, again) => {
  expect(nextDeleted(gone, again)).toEqual([]);
});

test.each([
  ['another one is added', answered('POST', list, { body: '{"id": "c"}' })],
  ['its replacement is refused', answered('PUT', `${list}/a%2Fb`, { status: 400 })],
  ['it is searched for', answered('POST', '/api/collections/films/similar', { body: '{"id": "a/b"}' })],
])('it stays deleted: %s', (_, other) => {
  expect(nextDeleted(gone, other)).toEqual(gone);
});
