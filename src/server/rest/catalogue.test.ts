import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { RestLine } from '#server/rpc/procedure-meta.ts';
import type { ProcedureEntry } from '#server/rpc/procedures.ts';
import { playgroundTabs } from '#shared/playground.ts';
import { restAddresses } from '#shared/rest-addresses.ts';
import { catalogue, type Operation, readLines } from './catalogue.ts';
import { inputSchema } from './input-schema.ts';

/** What is wrong with the lines of a router, each as a sentence. */
function faultsOf(operations: readonly Operation[]): string[] {
  return [
    ...operations.flatMap(faultsIn),
    ...operations.flatMap((one, index) => doubles(operations, one, index)),
  ];
}

function faultsIn(operation: Operation): string[] {
  const { id, path, parameters, query, body, method, procedure, summary } = operation;
  const fields = Object.keys(inputSchema(operation).properties ?? {});
  const named = [
    ...parameters.map(({ field }) => field),
    ...(query === 'all' ? [] : query),
    ...(typeof body === 'object' ? [body.as] : []),
  ];
  const faults = named
    .filter((field) => !fields.includes(field))
    .map((field) => `${id}: the input has no field "${field}"`);
  if (new Set(named).size !== named.length) faults.push(`${id}: a field is given in two places`);
  if (!/^(\/([a-z][a-z-]*|\{\w+\}))+$/.test(path)) faults.push(`${id}: the path ${path} is not well formed`);
  if (!['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].includes(method)) faults.push(`${id}: no such method`);
  if (method === 'GET' && procedure.type !== 'query') faults.push(`${id}: a GET changes something`);
  if (method !== 'GET' && method !== 'POST' && procedure.type === 'query') {
    faults.push(`${id}: a ${method} only reads`);
  }
  if (summary === '') faults.push(`${id}: has no summary`);
  return faults;
}

/** Two operations that one request would fit equally. */
function doubles(operations: readonly Operation[], one: Operation, index: number): string[] {
  const shape = ({ method, path }: Operation) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
  return operations
    .slice(index + 1)
    .filter((other) => shape(other) === shape(one) || other.id === one.id)
    .map((other) => `${one.id} and ${other.id} are the same operation`);
}

test('every line of the router is well formed, and no two are the same operation', () => {
  expect(faultsOf(catalogue)).toEqual([]);
});

describe('a malformed line is reported', () => {
  const planted = (rest: RestLine, more: Partial<ProcedureEntry> = {}): Operation[] =>
    readLines({
      name: 'projects.get',
      type: 'query',
      access: 'session',
      roleMin: null,
      isCounted: true,
      input: z.strictObject({ id: z.number(), name: z.string().optional() }),
      act: null,
      rest,
      ...more,
    });
  const good: RestLine = { at: 'GET /api/things/{thingId:id}', summary: 'Get a thing' };

  test('a good one is not', () => {
    expect(faultsOf(planted(good))).toEqual([]);
  });

  test.each<[what: string, operations: Operation[], fault: string]>([
    ['an unknown path parameter', planted({ ...good, at: 'GET /api/things/{thing}' }), 'no field "thing"'],
    [
      'an unknown query parameter',
      planted({ ...good, at: 'POST /api/things', query: ['page'] }),
      'no field "page"',
    ],
    [
      'an unknown body field',
      planted({ ...good, at: 'POST /api/things', body: 'thing' }),
      'no field "thing"',
    ],
    [
      'a field in path and query',
      planted({ ...good, at: 'POST /api/things/{id}', query: ['id'] }),
      'given in two places',
    ],
    ['a parameter that is never closed', planted({ ...good, at: 'GET /api/things/{id' }), 'not well formed'],
    ['a slash too many', planted({ ...good, at: 'GET /api/things//{id}' }), 'not well formed'],
    ['a GET that changes something', planted(good, { type: 'mutation' }), 'a GET changes something'],
    ['a PUT that only reads', planted({ ...good, at: 'PUT /api/things/{id}' }), 'only reads'],
    ['no summary', planted({ ...good, summary: '' }), 'no summary'],
    [
      'one address twice',
      planted({ ...good, at: ['GET /api/things/{id}', 'GET /api/things/{id}'] }),
      'the same operation',
    ],
    [
      'two procedures for one operation',
      [...planted(good), ...planted({ ...good, at: 'GET /api/things/{id}' }, { name: 'projects.list' })],
      'the same operation',
    ],
  ])('%s', (_, operations, fault) => {
    expect(faultsOf(operations).join('\n')).toContain(fault);
  });
});

test.each(restAddresses)('the console may show %s', (address) => {
  expect(catalogue.map(({ method, path }) => `${method} ${path}`)).toContain(address);
});

test('a group is read as people write it, in the order of the router', () => {
  const groups = [...new Set(catalogue.map(({ group }) => group))];
  const known = [
    'Auth',
    'Workspaces',
    'Projects',
    'API Keys',
    'Dashboard',
    'Collections',
    'Documents',
    'Search',
  ];
  // A noun that is added stands between them.
  expect(groups.filter((group) => known.includes(group))).toEqual(known);
  for (const group of groups) expect(group).toMatch(/^[A-Z][A-Za-z]*( [A-Z][A-Za-z]*)*$/);
});

test('the playground has these 27, in this order', () => {
  const shown = playgroundTabs.map((tab) => [
    tab,
    catalogue
      .filter(({ playground }) => playground === tab)
      .map(({ method, path }) => `${method} ${path.replace('/api/collections/{name}', '…')}`),
  ]);
  expect(Object.fromEntries(shown)).toEqual({
    Collections: ['GET /api/collections', 'GET …', 'POST /api/collections', 'DELETE …'],
    Documents: [
      'POST …/documents',
      'POST …/documents/import',
      'GET …/documents/{docId}',
      'PUT …/documents/{docId}',
      'DELETE …/documents/{docId}',
    ],
    Search: [
      'GET …/search',
      'POST …/search',
      'GET …/vector-search',
      'POST …/vector-search',
      'GET …/hybrid-search',
      'POST …/hybrid-search',
      'GET …/similar',
      'POST …/similar',
      'POST /api/multi-search',
      'POST …/chat',
    ],
    Synonyms: [
      'GET …/synonyms',
      'GET …/synonyms/{synonymId}',
      'POST …/synonyms',
      'DELETE …/synonyms/{synonymId}',
    ],
    Overrides: [
      'GET …/overrides',
      'GET …/overrides/{overrideId}',
      'POST …/overrides',
      'DELETE …/overrides/{overrideId}',
    ],
  });
});

test('what the playground sends at first names ten hits, ten neighbours, an even weight and five sources', () => {
  const exampleOf = (path: string) =>
    catalogue.find((one) => one.method === 'POST' && one.path === `/api/collections/{name}/${path}`)?.example;
  expect(exampleOf('search')).toMatchObject({ per_page: 10 });
  expect(exampleOf('vector-search')).toMatchObject({ vector_query: { k: 10 } });
  expect(exampleOf('hybrid-search')).toMatchObject({ k: 10, alpha: 0.5 });
  expect(exampleOf('similar')).toMatchObject({ k: 10 });
  expect(exampleOf('chat')).toMatchObject({ context_limit: 5 });
});

test('every operation of the playground says what it is for', () => {
  const silent = catalogue.filter(({ playground, description }) => playground !== null && description === '');
  expect(silent.map(({ id }) => id)).toEqual([]);
});
