import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { EngineHost } from '#server/indexes/host/engine-host.ts';
import { createLocalHost } from '#server/indexes/host/local-host.ts';
import type { DocumentPage } from '#shared/documents.ts';
import type { ErrorBody } from '#shared/errors.ts';
import type { MergedSearchAnswer, MultiSearchAnswer, SearchAnswer } from '#shared/search.ts';
import { call, createCollection, createKey, createProject, must, signUp } from '../testing/callers.ts';
import { type Kit, startKit } from '../testing/kit.ts';

/** What an answer may have at most, with a limit that a few documents reach. */

const answerBytesMax = 200_000;
const documentBytes = 30_000;
const documents = Array.from({ length: 20 }, (_, i) => ({
  id: `d${String(i).padStart(2, '0')}`,
  year: 2_000 + i,
  words: 'lorem ipsum',
  text: 'x'.repeat(documentBytes),
}));

let kit: Kit;
let key: string;
/** Bytes of documents that left the engine. */
let leftEngine = 0;
let searchesAsked = 0;

/** The engine, and how many bytes its answers have. */
function countingHost(): EngineHost {
  const host = createLocalHost();
  return {
    ...host,
    async call(collectionId, request, signal) {
      if (request.call === 'search') searchesAsked += 1;
      const answer = await host.call(collectionId, request, signal);
      if (answer && 'hits' in answer) leftEngine += answer.hits.byteLength;
      return answer;
    },
  };
}

beforeAll(async () => {
  kit = await startKit({ settings: { answerBytesMax }, host: countingHost() });
  const owner = await signUp(kit);
  const project = await createProject(kit, owner);
  ({ key } = await createKey(kit, owner, { projectId: project.id }));
  for (const name of ['large', 'other']) {
    await createCollection(kit, owner, { projectId: project.id, name, dimension: 8 });
    const path = `/api/collections/${name}/documents/import`;
    await must(call(kit, { method: 'POST', path, body: documents, as: { key } }));
  }
});
afterAll(() => kit.close());
beforeEach(() => {
  leftEngine = 0;
  searchesAsked = 0;
});

const collection = '/api/collections/large';
const get = <T>(path: string) => call<T>(kit, { method: 'GET', path, as: { key } });
const post = <T>(path: string, body: unknown) => call<T>(kit, { method: 'POST', path, body, as: { key } });

function expectTooLarge({ status, body }: { status: number; body: ErrorBody }, parameter: string) {
  expect({ status, body }).toMatchObject({
    status: 422,
    body: {
      code: 'UNPROCESSABLE',
      message: expect.stringContaining('include_fields'),
      details: [{ path: parameter, message: expect.stringContaining(`${answerBytesMax} bytes`) }],
    },
  });
}

describe('one list', () => {
  test.each(['documents', 'search?query=*', 'search?query=lorem', 'hybrid-search?query=lorem'])(
    '%s with more is refused before a document leaves the engine',
    async (path) => {
      const separator = path.includes('?') ? '&' : '?';
      expectTooLarge(await get<ErrorBody>(`${collection}/${path}${separator}per_page=20`), 'per_page');
      expect(leftEngine).toBe(0);
      const fewer = await get<SearchAnswer & DocumentPage>(`${collection}/${path}${separator}per_page=5`);
      expect(fewer.status).toBe(200);
      expect((fewer.body.hits ?? fewer.body.documents).length).toBe(5);
    },
  );

  test('counts what is shown, not what is stored', async () => {
    for (const path of ['documents?', 'search?query=lorem&']) {
      const { status, body } = await get<SearchAnswer & DocumentPage>(
        `${collection}/${path}per_page=20&include_fields=year`,
      );
      expect(status).toBe(200);
      expect((body.hits ?? body.documents).length).toBe(20);
      const without = await get(`${collection}/${path}per_page=20&exclude_fields=text`);
      expect(without.status).toBe(200);
    }
    expect(leftEngine).toBeLessThan(answerBytesMax / 2);
    expectTooLarge(
      await get<ErrorBody>(`${collection}/search?query=lorem&per_page=20&exclude_fields=year`),
      'per_page',
    );
  });

  test('of similar documents names k', async () => {
    expectTooLarge(await get<ErrorBody>(`${collection}/similar?id=d00&k=20`), 'k');
    expect((await get(`${collection}/similar?id=d00&k=3`)).status).toBe(200);
  });
});

describe('several searches', () => {
  const search = (per_page: number, collection = 'large') => ({ collection, query: '*', per_page });

  test('have together what one answer may have; what does not fit fails in its place', async () => {
    const searches = [search(1), search(20), search(4), search(2), search(1)];
    const { results } = await must(post<MultiSearchAnswer>('/api/multi-search', { searches }));
    expect(results.map((result) => ('error' in result ? result.error.code : result.hits.length))).toEqual([
      1,
      'UNPROCESSABLE',
      4,
      'UNPROCESSABLE',
      1,
    ]);
    expect(leftEngine).toBeLessThanOrEqual(answerBytesMax);
    expect(leftEngine).toBeGreaterThan(6 * documentBytes);
  });

  test('fifty that are each too large are asked once, and none of their documents leaves the engine', async () => {
    const searches = Array.from({ length: 50 }, () => search(20));
    const { results } = await must(post<MultiSearchAnswer>('/api/multi-search', { searches }));
    expect(results.filter((result) => 'error' in result)).toHaveLength(50);
    expect({ leftEngine, searchesAsked }).toEqual({ leftEngine: 0, searchesAsked: 50 });
  });

  test('in one list, however its hits are spread over collections', async () => {
    const searches = [{ collections: ['large', 'other'], query: 'lorem' }];
    const merged = (per_page: number) =>
      post<MergedSearchAnswer & ErrorBody>('/api/multi-search', { searches, merge: { per_page } });
    expectTooLarge(await merged(20), 'merge.per_page');
    expect(leftEngine).toBeLessThanOrEqual(answerBytesMax);
    const { hits } = await must(merged(6));
    expect(hits.map(({ id, collection, document }) => [id, collection.name, Object.keys(document)])).toEqual(
      ['d00', 'd01', 'd02', 'd03', 'd04', 'd05'].flatMap((id) => [
        [id, 'large', ['id', 'year', 'words', 'text']],
      ]),
    );
  });
});

test('calls of one tRPC request share it', async () => {
  const input = { collection: 'large', query: '*', per_page: 4 };
  const batch = (calls: number) => {
    const inputs = Object.fromEntries(Array.from({ length: calls }, (_, i) => [i, input]));
    const names = Array.from({ length: calls }, () => 'search.keyword').join();
    const query = `batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`;
    return get<{ result?: object; error?: object }[]>(`/trpc/${names}?${query}`);
  };
  expect((await batch(1)).body[0]).toHaveProperty('result');
  leftEngine = 0;
  const { body } = await batch(3);
  for (const answer of body) expect(answer).toMatchObject({ error: { data: { appCode: 'UNPROCESSABLE' } } });
  expect(leftEngine).toBe(0);
});

test('maps of one tRPC request share it, and what is too large says what to ask for instead', async () => {
  const embedding = [1, 0, 0, 0, 0, 0, 0, 0];
  const rows = Array.from({ length: 500 }, (_, n) => ({ id: `${n}`.padEnd(500, 'x'), n, embedding }));
  const owner = await signUp(kit);
  const project = await createProject(kit, owner);
  await createCollection(kit, owner, { projectId: project.id, name: 'mapped', dimension: 8 });
  const path = '/api/collections/mapped/documents/import';
  await must(call(kit, { method: 'POST', path, body: rows, as: owner.as }));
  const ask = (...inputs: object[]) => {
    const each = Object.fromEntries(inputs.map((input, i) => [i, { collection: 'mapped', ...input }]));
    const names = inputs.map(() => 'documents.map').join();
    const query = `batch=1&input=${encodeURIComponent(JSON.stringify(each))}`;
    return call<object[]>(kit, { method: 'GET', path: `/trpc/${names}?${query}`, as: owner.as });
  };
  const most = { filter_by: 'n:<300' };
  const [whole] = (await ask({})).body;
  expect(whole).toMatchObject({
    error: {
      message: expect.stringContaining('200000 bytes'),
      data: {
        appCode: 'UNPROCESSABLE',
        details: [{ path: 'filter_by', message: expect.stringContaining('with_vectors') }],
      },
    },
  });
  expect((await ask(most)).body[0]).toHaveProperty('result.data.withVector', 300);
  const small = { filter_by: 'n:<10' };
  const { body } = await ask(most, small, most);
  expect(body[1]).toHaveProperty('result.data.withVector', 10);
  for (const i of [0, 2]) expect(body[i]).toHaveProperty('error.data.appCode', 'UNPROCESSABLE');
});

test('an export has all, whatever that is', async () => {
  const { status, body } = await get<string>(`${collection}/documents/export`);
  expect(status).toBe(200);
  const exported = body.trim().split('\n');
  expect(exported.map((line) => JSON.parse(line).id)).toEqual(documents.map(({ id }) => id));
});

test('a document with its vector is its text with one more field', async () => {
  const embedding = [1, 0, 0, 0, 0, 0, 0, 0.5];
  await must(post(`${collection}/documents`, { id: 'own', a: { b: 1 }, embedding }));
  expect((await get(`${collection}/documents/own?include_embedding=true`)).body).toEqual({
    id: 'own',
    a: { b: 1 },
    embedding,
  });
  await must(call(kit, { method: 'DELETE', path: `${collection}/documents/own`, as: { key } }));
});
