import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { MultiSearchAnswer, SearchAnswer } from '#shared/search.ts';
import {
  call,
  createCollection,
  createKey,
  createProject,
  must,
  origin,
  signUp,
} from '../testing/callers.ts';
import { type Kit, startKit } from '../testing/kit.ts';

/** Hits, facets and documents are written in the engine's thread: what the main thread reads and writes of an answer is small. */

const documents = Array.from({ length: 300 }, (_, i) => ({
  id: `d${i}`,
  year: i % 3,
  maker: `${'é'.repeat(200)}${i}`,
  text: 'wörter "in" \\ it',
}));
const question = { collection: 'things', query: 'wörter', facet_by: 'maker,year', max_facet_values: 1_000 };
const page = { collection: 'things', per_page: 100 };
const ownCharactersMax = 4_000;

let kit: Kit;
let key: string;

beforeAll(async () => {
  kit = await startKit();
  const owner = await signUp(kit);
  const project = await createProject(kit, owner);
  ({ key } = await createKey(kit, owner, { projectId: project.id, permissions: ['read', 'write'] }));
  await createCollection(kit, owner, { projectId: project.id, dimension: 8 });
  const path = '/api/collections/things/documents/import';
  await must(call(kit, { method: 'POST', path, body: documents, as: { key } }));
  // What answers are held against is made of JSON, once.
  await overRest();
  await ask('/api/multi-search', { method: 'POST', body: { searches: [question] } });
});
afterAll(() => kit.close());

interface Sent {
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Of which question JSON is read or written: batches of the log of requests are written at any time, with what was asked and answered before. */
const counters = new AsyncLocalStorage<{ characters: number }>();
const count = (text: string | undefined) => {
  const counter = counters.getStore();
  if (counter) counter.characters += text?.length ?? 0;
};

/** The answer's text, and the characters of JSON that the main thread read and wrote for it. */
async function ask(path: string, { method = 'GET', body, headers = {} }: Sent = {}) {
  const sent = body === undefined ? null : JSON.stringify(body);
  const all = { 'x-api-key': key, ...(sent !== null && { 'content-type': 'application/json' }), ...headers };
  const counter = { characters: 0 };
  const { parse, stringify } = JSON;
  vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    // Vitest reads source maps for stacks.
    if (!text.startsWith('{"version":3,')) count(text);
    return parse(text, reviver);
  });
  vi.spyOn(JSON, 'stringify').mockImplementation((value) => {
    const text = stringify(value);
    count(text);
    return text;
  });
  try {
    return await counters.run(counter, async () => {
      const response = await kit.app.request(`${origin}${path}`, { method, body: sent, headers: all });
      // Not as text, which is held against the API's description: that reads it as JSON.
      const text = Buffer.from(await response.arrayBuffer()).toString();
      return { status: response.status, text, characters: counter.characters };
    });
  } finally {
    vi.restoreAllMocks();
  }
}

const asInput = (input: unknown) => encodeURIComponent(JSON.stringify(input));
const untimed = (text: string) =>
  text
    .replaceAll(/"search_time_ms":[\d.]+,"timings":\[[^\]]*\]/g, '"search_time_ms":0,"timings":[]')
    .replaceAll(/,"query_id":"[^"]*"/g, '');
const parameters = Object.entries(question)
  .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  .slice(1)
  .join('&');
const overRest = () => ask(`/api/collections/things/search?${parameters}`);

function expectWhole(text: string) {
  const { facet_counts, hits, request } = JSON.parse(text) as SearchAnswer;
  expect(hits.map(({ id, document }) => [id, document])).toEqual(
    documents
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, 10)
      .map((document) => [document.id, document]),
  );
  expect(facet_counts).toEqual([
    {
      field_name: 'maker',
      counts: documents
        .map(({ maker }) => ({ value: maker, count: 1 }))
        .sort((a, b) => (a.value < b.value ? -1 : 1)),
    },
    {
      field_name: 'year',
      counts: ['0', '1', '2'].map((value) => ({ value, count: 100 })),
      stats: { min: 0, max: 2, avg: 1, sum: 300 },
    },
  ]);
  expect(Object.keys(JSON.parse(untimed(text)))).toEqual([
    'found',
    'out_of',
    'page',
    'per_page',
    'search_time_ms',
    'timings',
    'facet_counts',
    'request',
    'hits',
  ]);
  expect(request).toMatchObject({ mode: 'keyword', query: 'wörter' });
}

describe('a search with large facets', () => {
  test('over REST', async () => {
    const { status, text, characters } = await overRest();
    expect(status).toBe(200);
    expect(text.length).toBeGreaterThan(60_000);
    expect(characters).toBeLessThan(ownCharactersMax);
    expectWhole(text);
    expect(text).toBe(JSON.stringify(JSON.parse(text)));
  });

  test('over REST, several in one request', async () => {
    const body = { searches: [question, { ...question, collection: 'none' }, question] };
    const { text, characters } = await ask('/api/multi-search', { method: 'POST', body });
    expect(characters).toBeLessThan(ownCharactersMax);
    const { results } = JSON.parse(text) as MultiSearchAnswer;
    const [first, second, third] = results.map((result) => untimed(JSON.stringify(result)));
    expect(third).toBe(first);
    expect(second).toContain('NOT_FOUND');
    expectWhole(first ?? '');
  });

  test('over tRPC it is the same text, alone, in a batch and in a batch that is told line by line', async () => {
    const expected = untimed((await overRest()).text);
    const alone = await ask(`/trpc/search.keyword?input=${asInput(question)}`);
    expect(untimed(alone.text)).toBe(`{"result":{"data":${expected}}}`);

    const names = 'search.keyword,search.keyword,search.keyword';
    const inputs = { 0: question, 1: { ...question, collection: 'none' }, 2: question };
    const path = `/trpc/${names}?batch=1&input=${asInput(inputs)}`;
    const batch = await ask(path);
    expect(batch.status).toBe(207);
    const [first, second, third] = JSON.parse(untimed(batch.text));
    expect([first, third].map((each) => JSON.stringify(each))).toEqual(
      Array.from({ length: 2 }, () => `{"result":{"data":${expected}}}`),
    );
    expect(second).toMatchObject({ error: { data: { appCode: 'NOT_FOUND' } } });

    const lines = await ask(path, { headers: { 'trpc-accept': 'application/jsonl' } });
    expect(untimed(lines.text).split(expected)).toHaveLength(3);
    for (const { characters } of [alone, batch, lines]) expect(characters).toBeLessThan(ownCharactersMax);
  });

  test('over tRPC beside a call that is no search', async () => {
    const expected = untimed((await overRest()).text);
    const inputs = { 0: question };
    const path = `/trpc/search.keyword,workspaces.list?batch=1&input=${asInput(inputs)}`;
    for (const accept of ['application/json', 'application/jsonl']) {
      const { text, characters } = await ask(path, { headers: { 'trpc-accept': accept } });
      expect(untimed(text)).toContain(expected);
      expect(text).toContain('"appCode":"FORBIDDEN"');
      expect(characters).toBeLessThan(ownCharactersMax);
    }
  });
});

test('documents that are listed or written', async () => {
  const lists = [
    await ask('/api/collections/things/documents?per_page=100'),
    await ask(`/trpc/documents.list?input=${asInput(page)}`),
  ];
  for (const { text, characters } of lists) {
    expect(text.length).toBeGreaterThan(20_000);
    expect(characters).toBeLessThan(ownCharactersMax);
  }
  const [rest = '', trpc] = lists.map(({ text }) => text);
  expect(trpc).toBe(`{"result":{"data":${rest}}}`);
});

test('a map of documents', async () => {
  const embedding = [1, 0, 0, 0, 0, 0, 0, 0];
  const rows = documents.map((document) => ({ ...document, embedding }));
  const importing = { method: 'POST', body: rows };
  expect((await ask('/api/collections/things/documents/import?action=update', importing)).status).toBe(200);
  const input = { collection: 'things', color_by: 'maker' };
  const { status, text, characters } = await ask(`/trpc/documents.map?input=${asInput(input)}`);
  expect([status, Object.keys(JSON.parse(text).result.data)]).toEqual([
    200,
    ['found', 'withVector', 'ids', 'titles', 'values', 'isDate', 'components', 'rows', 'scales'],
  ]);
  expect(text.length).toBeGreaterThan(60_000);
  expect(characters).toBeLessThan(ownCharactersMax);
});

test('a document that is deleted', async () => {
  const document = { id: 'gone', text: 'x'.repeat(50_000) };
  const path = '/api/collections/things/documents';
  await must(call(kit, { method: 'POST', path, body: document, as: { key } }));
  const body = { collection: 'things', id: document.id };
  const { text, characters } = await ask('/trpc/documents.delete', { method: 'POST', body });
  expect(text).toBe(`{"result":{"data":${JSON.stringify(document)}}}`);
  expect(characters).toBeLessThan(ownCharactersMax);
});
