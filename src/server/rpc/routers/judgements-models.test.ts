import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, createTenant, must } from '#server/testing/callers.ts';
import { type EmbeddingServer, startEmbeddingServer } from '#server/testing/embedding-server.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import type { ComparableModels, RelevanceComparison } from '#shared/comparisons.ts';

/** Another model is compared over REST, by a server that has a service beside what is built in. */
let server: EmbeddingServer;
let kit: Kit;
let key: string;
beforeAll(async () => {
  server = await startEmbeddingServer();
  const { url } = server;
  const service = { url, apiKey: null, model: 'm', dimensions: null, timeoutMs: 10_000, mayBePrivate: true };
  kit = await startKit({
    database: 'bundled',
    settings: { embeddings: 'openai', embeddingService: service },
  });
  ({
    key: { key },
  } = await createTenant(kit, { name: 'films', dimension: 64 }));
  const films = [
    { id: 'chess', title: 'The Defence', text: 'A grandmaster of the board game loses his mind' },
    { id: 'crush', title: 'Pressure', text: 'Sailors are caught below the frozen sea' },
    { id: 'train', title: 'Last Train', text: 'Passengers are locked in a carriage' },
  ];
  await must(send('POST', 'documents/import', films));
  for (const [query, document] of [
    ['chess player', 'chess'],
    ['submarine crew', 'crush'],
  ])
    await must(send('POST', 'judgements', { query, document, grade: 3 }));
});
afterAll(async () => {
  await kit.close();
  await server.close();
});

const send = <T>(method: string, path: string, body?: unknown, as = { key }) =>
  call<T>(kit, { method, path: `/api/collections/films/${path}`, body, as });
const compare = (given: object, as?: { key: string }) =>
  send<RelevanceComparison & { message: string }>('POST', 'judgements/compare', given, as);

test('names the models that the collection could have, and compares one of them', async () => {
  const { sql } = kit.deps.record;
  await expect
    .poll(async () => (await sql`select 1 from documents where model_id = 'openai:m'`).length)
    .toBe(3);
  expect(await must(send<ComparableModels>('GET', 'judgements/models'))).toEqual({
    live: 'openai:m',
    models: ['static', 'transformer', 'openai:m'],
    comparing: null,
  });
  const compared = await must(compare({ mode: 'vector', model: 'static' }));
  expect(compared.among).toEqual({ model: 'static', documents: 3, of: 3, refused: 0, engine: 'embedded' });
  expect(compared.queries).toBe(2);
  const crew = compared.results.find(({ query }) => query === 'submarine crew');
  // No word is in it, so that the service, which counts words, has found it by chance.
  expect(crew?.after.hits[0]).toBe('crush');
  const same = await must(compare({ mode: 'vector', model: 'openai:m', documents: 3 }));
  expect(same.counts).toMatchObject({ same: 2 });
  const among = await must(
    compare({ mode: 'hybrid', model: 'static', documents: 2, queries: ['chess player'] }),
  );
  expect(among.among).toMatchObject({ documents: 2, of: 3 });
  // Without a model nothing of it changes.
  expect((await must(compare({ mode: 'hybrid' }))).among).toBeNull();
});

test.each([
  [{ model: 'unknown' }, 400, /^model: is none that this server has for 64 dimensions/],
  [{ model: 'static', mode: 'keyword' }, 400, /^mode: must be vector or hybrid/],
  [{ model: 'static', documents: 1 }, 400, /^documents: must be at least 2/],
  [{ model: 'static', documents: 100_000 }, 400, /documents/],
  [{ model: 'x'.repeat(2_000) }, 400, /model/],
])('%j is refused', async (given, status, message) => {
  const { status: answered, body } = await compare(given);
  expect([answered, body.message]).toEqual([status, expect.stringMatching(message)]);
});

test("another tenant's collection has no models, and is not compared", async () => {
  const { key: other } = await createTenant(kit, { name: 'elsewhere', dimension: 64 });
  const as = { key: other.key };
  expect((await send('GET', 'judgements/models', undefined, as)).status).toBe(404);
  expect((await compare({ mode: 'vector', model: 'static' }, as)).status).toBe(404);
});
