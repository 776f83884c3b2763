import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Deps } from '#server/deps.ts';
import { startKit } from '#server/testing/kit.ts';
import { callAs, newTenant } from '#server/testing/procedure-caller.ts';
import { type SampleName, sampleNames, sampleSets } from '#shared/sample-sets.ts';

let deps: Deps;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ deps, close } = await startKit());
});
afterAll(() => close());

const sample = 'products' satisfies SampleName;

test('a new account has a project, into which a sample is loaded and found', async () => {
  const { call, workspace, project } = await newTenant(deps);
  const loaded = await call.samples.load({ workspaceId: workspace.id, sample });
  expect(loaded.collection).toMatchObject({
    name: 'products',
    projectId: project.id,
    documentCount: sampleSets.products.documents,
  });
  expect(loaded.import).toMatchObject({ state: 'done', failed: 0, rows: sampleSets.products.documents });
  const { query } = sampleSets.products;
  const answer = await call.search.hybrid({ collection: loaded.collection.id, query });
  expect(answer.found).toBeGreaterThan(0);
});

test('every sample has as many documents as its card says', async () => {
  const { readSample } = await import('#server/samples/read-sample.ts');
  for (const name of sampleNames) {
    const ids = new Set<string>();
    for await (const row of readSample('samples', name)) {
      if (!('text' in row)) throw new Error(`${name} has a row that is no text`);
      ids.add((JSON.parse(row.text) as { id: string }).id);
    }
    expect(ids.size, name).toBe(sampleSets[name].documents);
  }
});

test('twice at once, and once more, is one collection', async () => {
  const { call, workspace } = await newTenant(deps);
  const given = { workspaceId: workspace.id, sample } as const;
  const [one, other] = await Promise.all([call.samples.load(given), call.samples.load(given)]);
  expect(one.collection.id).toBe(other.collection.id);
  expect(await call.samples.load(given)).toMatchObject({
    collection: { id: one.collection.id },
    import: null,
  });
  expect(await call.collections.list()).toHaveLength(1);
});

test('a workspace without a project gets one', async () => {
  const { call } = await newTenant(deps);
  const second = await call.workspaces.create({ name: 'Second' });
  const given = { workspaceId: second.id, sample } as const;
  const [one, other] = await Promise.all([call.samples.load(given), call.samples.load(given)]);
  expect(one.collection.projectId).toBe(other.collection.projectId);
  expect(await call.projects.list({ workspaceId: second.id })).toMatchObject([{ name: 'First project' }]);
});

test('what bears its name already stays as it is', async () => {
  const { call, project } = await newTenant(deps);
  const own = await call.collections.create({ name: 'products', projectId: project.id, dimension: 384 });
  const { collection } = await call.samples.load({ projectId: project.id, sample });
  expect(collection.name).toBe('products-2');
  expect(await call.collections.get({ collection: own.id })).toMatchObject({ documentCount: 0 });
});

test('it needs a place of the caller’s, and only one', async () => {
  const { call, workspace, project } = await newTenant(deps);
  const stranger = await newTenant(deps);
  for (const place of [{ projectId: project.id }, { workspaceId: workspace.id }]) {
    await expect(stranger.call.samples.load({ ...place, sample })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  }
  const both = { projectId: project.id, workspaceId: workspace.id, sample } as const;
  await expect(call.samples.load(both)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  expect(await call.collections.list()).toEqual([]);
});

test('one that goes on is seen in its workspace, and can be cancelled', async () => {
  const { call, workspace } = await newTenant(deps);
  const stranger = await newTenant(deps);
  const loading = call.samples.load({ workspaceId: workspace.id, sample: 'artworks' });
  const find = async () => (await call.dashboard.importsUnderWay({ workspaceId: workspace.id }))[0];
  let seen = await find();
  while (!seen) seen = await find();
  expect(seen).toMatchObject({ state: 'running', collection: { name: 'artworks' } });
  expect(seen.idempotencyKey).toMatch(/^sample:artworks:/);
  expect(await stranger.call.dashboard.importsUnderWay({ workspaceId: stranger.workspace.id })).toEqual([]);
  await call.imports.cancel({ collection: seen.collection.id, id: seen.id });
  expect((await loading).import).toMatchObject({ state: 'canceled' });
  expect(await find()).toBeUndefined();
  // Another load goes on from there.
  const again = await call.samples.load({ workspaceId: workspace.id, sample: 'artworks' });
  expect(again.collection.documentCount).toBe(sampleSets.artworks.documents);
});

test('whoever loses the right to write ends it', async () => {
  const { workspace, principal } = await newTenant(deps);
  const call = callAs(deps, principal);
  const loading = call.samples.load({ workspaceId: workspace.id, sample: 'films' });
  const find = async () => (await call.dashboard.importsUnderWay({ workspaceId: workspace.id }))[0];
  let seen = await find();
  while (!seen) seen = await find();
  await call.collections.update({ collection: seen.collection.id, isActive: false });
  const ended = await loading;
  expect(ended.import?.state).not.toBe('done');
  expect(ended.collection.documentCount).toBeLessThan(sampleSets.films.documents);
});

test('the first steps are what has been done', async () => {
  const { call, workspace, project } = await newTenant(deps);
  const steps = () => call.dashboard.firstSteps({ workspaceId: workspace.id });
  const nothing = {
    hasDocuments: false,
    hasSearched: false,
    hasKey: false,
    hasUsedKey: false,
    hasTuned: false,
  };
  expect(await steps()).toEqual(nothing);
  const { collection } = await call.samples.load({ projectId: project.id, sample });
  expect(await steps()).toEqual({ ...nothing, hasDocuments: true });
  await call.apiKeys.create({ name: 'Website', projectId: project.id });
  await call.searchSettings.update({ collection: collection.id, num_typos: 1 });
  await call.search.hybrid({ collection: collection.id, query: 'coffee' });
  await deps.searchLog.stop();
  expect(await steps()).toEqual({
    hasDocuments: true,
    hasSearched: true,
    hasKey: true,
    hasUsedKey: false,
    hasTuned: true,
  });
});
