import { afterAll, beforeAll, expect, test } from 'vitest';
import { toCollectionHealth } from '#server/rpc/to-collection-health.ts';
import { call, createCollection, createKey, createProject, must, signUp } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import type { TransformerState } from '#shared/embedding.ts';
import type { CollectionHealth, Monitoring } from '#shared/monitoring.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

async function begin() {
  const owner = await signUp(kit);
  const project = await createProject(kit, owner);
  const collection = await createCollection(kit, owner, { projectId: project.id, dimension: 8 });
  const { key } = await createKey(kit, owner, { projectId: project.id });
  const { id: workspaceId } = owner.workspace;
  const get = <T>(path: string) => must(call<T>(kit, { method: 'GET', path, as: owner.as }));
  const figures = (range = '1h') =>
    get<Monitoring>(`/api/monitoring?workspaceId=${workspaceId}&range=${range}`);
  const health = () => get<CollectionHealth[]>(`/api/monitoring/collections?workspaceId=${workspaceId}`);
  return { owner, collection, as: { key }, figures, health, workspaceId };
}

test('each API request is in the figures by its status; to look at them is none', async () => {
  const { collection, as, figures } = await begin();
  const before = (await figures()).totals;
  const path = `/api/collections/${collection.id}/search`;
  for (const query of ['one', 'two']) await call(kit, { method: 'GET', path: `${path}?query=${query}`, as });
  const faults = ['?query=x&per_page=-1', '?query=x&filter_by=('];
  for (const fault of faults)
    expect((await call(kit, { method: 'GET', path: `${path}${fault}`, as })).status).toBe(400);
  const { totals, points, range, now } = await figures();
  expect(range).toBe('1h');
  expect(totals.requests).toBe(before.requests + 4);
  expect(totals.clientErrors).toBe(before.clientErrors + 2);
  expect(totals.serverErrors).toBe(before.serverErrors);
  expect(totals.p50).toBeGreaterThan(0);
  expect(points.reduce((sum, { requests }) => sum + requests, 0)).toBe(totals.requests);
  expect(now.memory.total).toBeGreaterThan(now.memory.used);
  for (const other of ['24h', '7d', '30d'])
    expect((await figures(other)).totals.requests).toBe(totals.requests);
});

test('an upload counts, and its time does not', async () => {
  const { collection, owner, figures } = await begin();
  const before = await figures();
  await must(
    call(kit, {
      method: 'POST',
      path: `/api/collections/${collection.id}/documents/import`,
      body: [{ id: '1', title: 'one' }],
      as: owner.as,
    }),
  );
  const { totals } = await figures();
  expect(totals.requests).toBe(before.totals.requests + 1);
  expect([totals.p50, totals.p99]).toEqual([before.totals.p50, before.totals.p99]);
});

test('health tells documents, searches of the last hour, and what is not as it should be', async () => {
  const { collection, as, owner, health } = await begin();
  expect(await health()).toEqual([
    expect.objectContaining({ id: collection.id, name: 'things', documents: 0, queriesPerHour: 0 }),
  ]);
  const path = `/api/collections/${collection.id}`;
  const body = { id: '1', title: 'one' };
  await must(call(kit, { method: 'POST', path: `${path}/documents`, body, as }));
  for (const query of ['one', 'two'])
    await must(call(kit, { method: 'GET', path: `${path}/search?query=${query}`, as }));
  const [asked] = await health();
  expect(asked).toMatchObject({
    status: 'healthy',
    reason: null,
    documents: 1,
    upgraded: 0,
    indexed: 1,
    backlog: 0,
    queriesPerHour: 2,
  });
  expect(asked?.bytes).toBeGreaterThan(10);
  expect(asked?.indexBytes).toBeGreaterThan(0);

  await must(call(kit, { method: 'PUT', path, body: { isActive: false }, as: owner.as }));
  expect(await health()).toMatchObject([{ status: 'warning', reason: expect.stringContaining('Inactive') }]);
});

const move = { nextModel: null, moved: 0 };

test('what an index lacks is told, and why', () => {
  const row = {
    id: 1,
    name: 'c',
    projectId: 1,
    isActive: true,
    model: 'builtin',
    dimension: 8,
    documentCount: 3,
    upgradedCount: 1,
    documentBytes: 9,
    version: 7,
  };
  const scanned = { scan: 'exact' as const, recall: 1 };
  const stats = { version: 7, documentCount: 3, vectorCount: 0, ...scanned, memoryBytes: 1 };
  const judged = (
    index: Parameters<typeof toCollectionHealth>[1],
    transformer: TransformerState = 'ready',
  ) => {
    const models = { transformer, service: null };
    const around = { queriesPerHour: 0, models, without: { pending: 0, refused: 0 }, move };
    const { status, reason, backlog } = toCollectionHealth(row, index, around);
    return [status, reason, backlog];
  };
  expect(judged({ state: 'fresh', stats })).toEqual(['healthy', null, 0]);
  expect(judged({ state: 'fresh', stats }, 'failed')).toEqual([
    'warning',
    expect.stringContaining('transformer'),
    0,
  ]);
  expect(judged(null)).toEqual(['healthy', expect.stringContaining('next search'), null]);
  expect(judged({ state: 'fresh', stats: { ...stats, version: 6 } })).toEqual([
    'warning',
    '1 write is not in the index yet',
    1,
  ]);
  // The row was read before a further write.
  expect(judged({ state: 'fresh', stats: { ...stats, version: 8, documentCount: 4 } })).toEqual([
    'healthy',
    null,
    0,
  ]);
  expect(judged({ state: 'fresh', stats: { ...stats, documentCount: 2 } })[0]).toBe('error');
  expect(judged({ state: 'behind', stats })[0]).toBe('warning');
  expect(judged({ state: 'opening', stats })[0]).toBe('warning');
  expect(judged({ state: 'lost', stats })[0]).toBe('error');
  expect(judged({ state: 'too large', stats: null })).toEqual([
    'error',
    expect.stringContaining('no room'),
    null,
  ]);
});

test('health tells how the model of a collection is', () => {
  const row = {
    id: 1,
    name: 'c',
    projectId: 1,
    isActive: true,
    model: 'openai:m',
    dimension: 8,
    documentCount: 3,
    upgradedCount: 1,
    documentBytes: 9,
    version: 7,
  };
  const judged = (models: Parameters<typeof toCollectionHealth>[2]['models'], refused = 0) => {
    const around = { queriesPerHour: 0, models, without: { pending: 1, refused }, move };
    const { status, reason, modelState, documentsState } = toCollectionHealth(row, null, around);
    return [status, reason, modelState, documentsState];
  };
  const transformer = 'off' as const;
  const works = { state: 'working' as const, reason: null };
  const service = { id: 'openai:m', queries: works, documents: works, dimensions: new Map<number, string>() };
  expect(judged({ transformer, service })).toEqual(['healthy', expect.anything(), 'working', 'working']);
  expect(judged({ transformer, service }, 2)).toEqual([
    'warning',
    expect.stringContaining('2 documents no vector'),
    'working',
    'working',
  ]);
  const paused = { state: 'paused' as const, reason: 'it does not answer within 3 s' };
  const slow = { ...service, queries: paused };
  expect(judged({ transformer, service: slow })).toEqual([
    'warning',
    'The embedding service is not available for queries; only words are compared: it does not answer within 3 s',
    'paused',
    'working',
  ]);
  const failing = { state: 'failing' as const, reason: 'it answers 500' };
  expect(judged({ transformer, service: { ...service, documents: failing } })).toEqual([
    'warning',
    'The embedding service gives documents no vectors for now; 1 document waits: it answers 500',
    'working',
    'failing',
  ]);
  expect(judged({ transformer, service: { ...slow, documents: failing } })).toEqual([
    'warning',
    expect.stringMatching(/for queries; .*for now; .*: it answers 500/),
    'paused',
    'failing',
  ]);
  const ofOthers = new Map([[9, 'it answers 400']]);
  expect(judged({ transformer, service: { ...service, dimensions: ofOthers } })[0]).toBe('healthy');
  const own = new Map([[8, 'its vector has 1024 components in place of 8']]);
  expect(judged({ transformer, service: { ...service, dimensions: own } })).toEqual([
    'warning',
    'The embedding service gives no vectors of 8 components; only words are compared, and 1 document waits: its vector has 1024 components in place of 8',
    'failing',
    'failing',
  ]);
  const ofMove = { nextModel: 'openai:m', moved: 1 };
  const moving = (documents: typeof works | typeof failing) => {
    const models = { transformer, service: { ...service, documents } };
    const around = { queriesPerHour: 0, models, without: { pending: 0, refused: 0 }, move: ofMove };
    return toCollectionHealth({ ...row, model: 'builtin' }, null, around).reason;
  };
  expect(moving(works)).toContain('Not in memory');
  expect(moving(failing)).toBe('It is not moved to openai:m for now: it answers 500');
  const ours = { ...service, id: 'onnx:tiny@0123456789ab' };
  const ofOurs = { queriesPerHour: 0, models: { transformer, service: { ...ours, queries: failing } }, move };
  expect(
    toCollectionHealth({ ...row, model: ours.id }, null, { ...ofOurs, without: { pending: 0, refused: 1 } })
      .reason,
  ).toBe('The embedding model is not available for queries; only words are compared: it answers 500');
  const other = { ...service, id: 'openai:other' };
  for (const set of [null, other])
    expect(judged({ transformer, service: set })).toEqual([
      'warning',
      expect.stringContaining('not set up'),
      'absent',
      'absent',
    ]);
});

test('another workspace is not found', async () => {
  const { workspaceId } = await begin();
  const stranger = await signUp(kit);
  for (const path of ['monitoring', 'monitoring/collections'])
    expect(
      (await call(kit, { method: 'GET', path: `/api/${path}?workspaceId=${workspaceId}`, as: stranger.as }))
        .status,
    ).toBe(404);
});
