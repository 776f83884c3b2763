import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createTrpcClient, type TrpcClient } from '#client/lib/trpc.ts';
import { createCollection, createProject, origin, type SignedUp, signUp } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { limits } from '#shared/limits.ts';

/** The console's own client against a real server, at the limits of what it may send. */
let kit: Kit;
let owner: SignedUp;
let collection: string;
let client: TrpcClient;
let requests: { url: URL; answer: Response }[];

beforeAll(async () => {
  kit = await startKit({ database: 'bundled' });
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

test('more calls than one request may hold go in several', async () => {
  const calls = Array.from({ length: limits.batchCallsMax + 1 }, () => client.workspaces.list.query());
  expect((await Promise.all(calls)).flat()).toHaveLength(limits.batchCallsMax + 1);
  expect(requests.map(({ url }) => url.pathname.split(',').length)).toEqual([limits.batchCallsMax, 1]);
});

test('the cookie that a mutation sets is in its answer', async () => {
  await client.auth.logout.mutate();
  expect(requests[0]?.answer.headers.getSetCookie().join()).toContain('Max-Age=0');
});
