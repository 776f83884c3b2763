import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Collection } from '#shared/collections.ts';
import type { CollectionHealth } from '#shared/monitoring.ts';
import type { SearchAnswer } from '#shared/search.ts';
import { call, createCollection, createKey, createProject, must, signUp } from './callers.ts';
import { type EmbeddingServer, startEmbeddingServer, status, well } from './embedding-server.ts';
import { type Kit, startKit } from './kit.ts';

const apiKey = 'sk-a-secret-of-the-operator';
let server: EmbeddingServer;
let kit: Kit;

beforeAll(async () => {
  server = await startEmbeddingServer();
  const service = {
    url: server.url,
    apiKey,
    model: 'm',
    dimensions: null,
    timeoutMs: 10_000,
    mayBePrivate: true,
  };
  kit = await startKit({
    database: 'bundled',
    logLevel: 'debug',
    settings: { embeddings: 'openai', embeddingService: service },
  });
});
afterAll(async () => {
  await kit.close();
  await server.close();
});

test('a server whose vectors a service makes: found by words at once, by meaning then, refused with when to come again while it is down', async () => {
  const owner = await signUp(kit);
  const project = await createProject(kit, owner);
  const collection = await createCollection(kit, owner, { projectId: project.id, dimension: 8 });
  expect(collection.model).toBe('openai:m');
  const { key } = await createKey(kit, owner, { projectId: project.id });
  const at = `/api/collections/${collection.id}`;
  const told: string[] = [];
  const get = async <T>(path: string, as: Parameters<typeof call>[1]['as'] = { key }) => {
    const answer = await call<T>(kit, { method: 'GET', path, as });
    told.push(JSON.stringify(answer.body));
    return answer;
  };
  const body = { id: '1', title: 'Pressure', text: 'Sailors below the frozen sea' };
  await must(call(kit, { method: 'POST', path: `${at}/documents`, body, as: { key } }));
  const found = async (way: string) => (await must(get<SearchAnswer>(`${at}/${way}?query=frozen+sea`))).hits;
  expect(await found('search')).toHaveLength(1);
  await expect.poll(async () => (await must(get<Collection>(at))).upgradedCount).toBe(1);
  expect(await found('vector-search')).toHaveLength(1);
  // Words that all are held, and such as are misspelt, count for what they are whatever model reads them.
  const meaning = async (asked: string) => {
    const { hits } = await must(get<SearchAnswer>(`${at}/hybrid-search?explain=true&query=${asked}`));
    return hits[0]?.explain?.parts.vector ?? 0;
  };
  const full = await meaning('frozen+sea&ranking=certain_words:0');
  expect(full).toBeGreaterThan(0);
  expect(await meaning('frozen+sea')).toBeCloseTo(full / 2, 9);
  const typed = await meaning('frozem+sea&num_typos=0&ranking=certain_words:0');
  expect(await meaning('frozem+sea&ranking=certain_words:0')).toBeLessThan(0.8 * typed);

  const health = async () => {
    const path = `/api/monitoring/collections?workspaceId=${owner.workspace.id}`;
    return (await must(get<CollectionHealth[]>(path, owner.as)))[0];
  };
  const healthy = {
    model: 'openai:m',
    modelState: 'working',
    documentsState: 'working',
    status: 'healthy',
    pending: 0,
    refused: 0,
  };
  expect(await health()).toMatchObject(healthy);

  server.plan(status(401, {}, { error: { message: `no such key: ${apiKey}` } }));
  const refused = await get(`${at}/vector-search?query=another`);
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(refused.body).toMatchObject({
    message: 'The embedding service is not available: it answers 401',
  });
  const hybrid = await must(get<SearchAnswer>(`${at}/hybrid-search?query=sailors`));
  expect(hybrid.hits).toHaveLength(1);
  expect(hybrid.request.without_meaning).toContain('401');
  expect(await health()).toMatchObject({
    status: 'warning',
    modelState: 'failing',
    documentsState: 'working',
    reason: expect.stringContaining('401'),
  });

  server.plan(well);
  expect(await found('vector-search')).toHaveLength(1);
  await must(get(`${at}/vector-search?query=once+more`));
  expect(await health()).toMatchObject(healthy);

  // A refusal of whatever is sent is the service's, in its own words; the document waits.
  server.plan(status(400, {}, { error: { message: `no model m for ${apiKey}`, param: 'model' } }));
  await must(
    call(kit, {
      method: 'POST',
      path: `${at}/documents`,
      body: { ...body, id: '2', text: 'Ice' },
      as: { key },
    }),
  );
  await expect.poll(health).toMatchObject({
    documentsState: 'failing',
    pending: 1,
    refused: 0,
    reason: expect.stringContaining('1 document waits: it answers 400: no model m for …'),
  });

  expect(kit.logLines.some((line) => line.includes('EMBEDDINGS_API_KEY may not use it'))).toBe(true);
  expect([...told, ...kit.logLines].join('\n')).not.toContain(apiKey);
  expect(server.asked[0]?.authorization).toBe(`Bearer ${apiKey}`);
});
