import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { searchCollections } from '#client/features/search/search-results.ts';
import { type SearchState, searchState } from '#client/features/search/search-state.ts';
import { createTrpcClient, type TrpcClient } from '#client/lib/trpc.ts';
import {
  call,
  createCollection,
  createProject,
  must,
  origin,
  type SignedUp,
  signUp,
} from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import type { Collection } from '#shared/collections.ts';
import { limits } from '#shared/limits.ts';

/** The console's own client against a real server, at the limits of what it may send. */
let kit: Kit;
let owner: SignedUp;
let collection: string;
let client: TrpcClient;
let requests: { url: URL; answer: Response }[];

beforeAll(async () => {
  kit = await startKit();
  owner = await signUp(kit);
  const project = await createProject(kit, owner);
  collection = String((await createCollection(kit, owner, { projectId: project.id, name: 'films' })).id);
  client = createTrpcClient(origin);
});

beforeEach(() => {
  requests = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const headers = { ...init.headers, host: 'localhost', origin, cookie: owner.as.cookie };
    const answer = await kit.app.request(url, { ...init, headers });
    requests.push({ url: new URL(url), answer });
    return answer;
  });
});
afterEach(() => vi.unstubAllGlobals());
afterAll(() => kit.close());

const longQuery = 'робот '.repeat(limits.queryCharactersMax).slice(0, limits.queryCharactersMax);

test('a query of the greatest length in any script is a search', async () => {
  for (const mode of ['keyword', 'vector', 'hybrid'] as const) {
    expect((await client.search[mode].query({ collection, query: longQuery })).found).toBe(0);
  }
});

test('a filter of the greatest length reaches the server, which answers about its words', async () => {
  const filter_by = `title:=[${'`Metropolis`,'.repeat(limits.filterCharactersMax)}`;
  await expect(
    client.search.keyword.query({
      collection,
      query: '*',
      filter_by: filter_by.slice(0, limits.filterCharactersMax),
    }),
  ).rejects.toMatchObject({ data: { appCode: 'BAD_REQUEST', details: [{ path: 'filter_by' }] } });
});

test('fifty searches with long words are one request', async () => {
  const searches = Array.from({ length: limits.multiSearchMax }, () => ({ collection, query: longQuery }));
  const answer = await client.search.multi.query({ searches });
  const results = 'results' in answer ? answer.results : [];
  expect(results.filter((result) => !('error' in result))).toHaveLength(limits.multiSearchMax);
  expect(requests).toHaveLength(1);
});

describe('a search over all collections of a workspace', () => {
  const collections: Collection[] = [];
  const search = (state: Partial<SearchState>) =>
    searchCollections(
      client,
      { state: searchState(state as Parameters<typeof searchState>[0]), collections },
      new AbortController().signal,
    );

  beforeAll(async () => {
    const project = await createProject(kit, owner, 'Many');
    for (let i = 0; i < 65; i++) {
      const made = await createCollection(kit, owner, { projectId: project.id, name: `part ${i}` });
      collections.push(made);
      const document = { id: `${i}`, title: i % 2 === 0 ? 'Робот' : 'Metropolis' };
      const path = `/api/collections/${made.id}/documents`;
      await must(call(kit, { method: 'POST', path, body: document, as: owner.as }));
    }
  });

  test.each(['keyword', 'vector', 'hybrid'] as const)('by %s is one request and one page', async (mode) => {
    const results = await search({ q: 'робот', mode });
    expect(results).toMatchObject({ outOf: 65, failures: [] });
    expect(results.hits).toHaveLength(10);
    expect(new Set(results.hits.map(({ document }) => document['title']))).toEqual(new Set(['Робот']));
    expect(requests).toHaveLength(1);
  });

  test('reaches its last page', async () => {
    const { found, hits } = await search({ q: 'робот', mode: 'keyword', page: 4 });
    expect([found, hits.length]).toEqual([33, 3]);
  });

  test('takes a query of the greatest length and a long filter', async () => {
    const values = Array.from({ length: 900 }, (_, i) => `\`Название ${'ж'.repeat(40)} ${i}\``);
    const filter = `title:=[Робот, ${values.join(', ')}]`;
    expect(filter.length).toBeGreaterThan(40_000);
    const results = await search({ q: longQuery, mode: 'keyword', filter });
    expect(results).toMatchObject({ found: 33, failures: [] });
  });
});

test('more calls than one request may hold go in several', async () => {
  const calls = Array.from({ length: limits.batchCallsMax + 1 }, () => client.workspaces.list.query());
  expect((await Promise.all(calls)).flat()).toHaveLength(limits.batchCallsMax + 1);
  expect(requests.map(({ url }) => url.pathname.split(',').length)).toEqual([limits.batchCallsMax, 1]);
});

test('the cookie that a mutation sets is in its answer', async () => {
  await client.auth.logout.mutate();
  expect(requests[0]?.answer.headers.getSetCookie().join()).toContain('Max-Age=0');
});
