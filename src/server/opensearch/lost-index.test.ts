import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Indexes, WritableCollection } from '#server/indexes/indexes.ts';
import type { CollectionIndexes } from '#server/indexes/registry/collection-indexes.ts';
import { createLog } from '#server/log.ts';
import { call, createCollection, createTenant, must } from '#server/testing/callers.ts';
import { startKit } from '#server/testing/kit.ts';
import {
  asRead,
  collect,
  type IndexesWorld,
  openIndexesWorld,
  parameters,
  rowsOf,
} from '#server/testing/open-indexes.ts';
import { describeWithCluster, dropFromCluster } from '#server/testing/search-cluster.ts';
import type { SearchAnswer } from '#shared/search.ts';
import { Cluster, type ClusterRequest, clientOf } from './cluster.ts';
import { readName } from './index-states.ts';
import { OpenSearchIndexes } from './opensearch-indexes.ts';

/** Tells what it is asked, and does something before and after. */
class WatchedCluster extends Cluster {
  readonly asked: string[] = [];
  before: (request: ClusterRequest) => Promise<void> = async () => undefined;
  after: (request: ClusterRequest) => Promise<void> = async () => undefined;

  override async ask<Answer>(request: ClusterRequest, signal?: AbortSignal): Promise<Answer> {
    this.asked.push(`${request.method} ${request.path}`);
    await this.before(request);
    const answer = await super.ask<Answer>(request, signal);
    await this.after(request);
    return answer;
  }

  /** How many indexes it was told to make. */
  get made(): number {
    return this.asked.filter((request) => request.startsWith('PUT /vectora-')).length;
  }
}

describeWithCluster('an index that is gone from the cluster', (nodes) => {
  let world: IndexesWorld;
  let collection: WritableCollection;
  let cluster: WatchedCluster;
  let engine: CollectionIndexes;
  let indexes: Indexes;

  beforeAll(async () => {
    world = await openIndexesWorld('bundled');
    cluster = new WatchedCluster(await clientOf(nodes));
    const log = createLog('silent');
    const { record } = world;
    indexes = world.openIndexes({
      engineOf(onChanged) {
        engine = new OpenSearchIndexes({ cluster, record, log, onChanged, turnWaitMs: 30_000 });
        return engine;
      },
    });
  });
  beforeEach(async () => {
    cluster.before = async () => undefined;
    cluster.after = async () => undefined;
    collection = await world.newCollection();
    await write({ id: 'a', title: 'torch' });
    await write({ id: 'b', title: 'torch' });
    cluster.asked.length = 0;
  });
  afterAll(async () => {
    await dropFromCluster(nodes, world.record);
    await world.close();
  });

  const write = (document: Record<string, unknown>) =>
    indexes.write(collection, { action: 'upsert', document });
  const found = async (q = 'torch'): Promise<string[]> => {
    const answer: SearchAnswer = asRead(await indexes.search(collection, parameters({ q })));
    return answer.hits.map(({ id }) => id).sort();
  };
  const indexesNow = async () => {
    const name = await readName(world.record.sql, collection.id);
    return Object.keys((await (await fetch(`${nodes[0]}/${name}-*/_alias`)).json()) as object);
  };
  /** By hand: no server is told. */
  const lose = async () => {
    for (const index of await indexesNow()) await fetch(`${nodes[0]}/${index}`, { method: 'DELETE' });
  };
  const pending = async () =>
    (await world.record.sql`select version from index_outbox where collection_id = ${collection.id}`).length;
  const isWhole = async (documents: number) =>
    expect(await indexes.verify(collection)).toMatchObject({
      ...{ documents, indexed: documents },
      ...{ missing: [], ghosts: [], stale: [] },
    });

  test('is made anew by a write, which is answered as written', async () => {
    await lose();
    await write({ title: 'torch' });
    expect([cluster.made, await pending(), (await indexesNow()).length]).toEqual([1, 0, 1]);
    await write({ title: 'lamp' });
    const before = cluster.made;
    expect(await found()).toHaveLength(3);
    // The search found it there.
    expect([before, cluster.made]).toEqual([1, 1]);
    await isWhole(4);
  });

  test.each([
    ['a deletion', async () => void (await indexes.delete(collection, 'a')), ['b']],
    [
      'an import',
      async () => {
        const rows = rowsOf(['c', 'd'].map((id) => ({ id, title: 'torch' })));
        const results = await collect(indexes.import(collection, { action: 'upsert', rows }));
        expect(asRead(results)).toMatchObject([{ success: true }, { success: true }]);
      },
      ['a', 'b', 'c', 'd'],
    ],
    [
      'a change by a filter',
      async () => {
        const filter = { filterBy: 'title:=torch' };
        expect(await indexes.mergeByFilter(collection, filter, { title: 'lamp' })).toBe(2);
      },
      [],
    ],
  ])('is made anew by %s', async (_, change, left) => {
    await lose();
    await change();
    expect([cluster.made, await pending()]).toEqual([1, 0]);
    expect(await found()).toEqual(left);
    expect(cluster.made).toBe(1);
  });

  test('is made once for many writes that meet it together, each of which is in it as it was written last', async () => {
    await lose();
    const writes = Array.from({ length: 12 }, (_, i) =>
      write({ id: `d${i % 4}`, title: `torch edition${i}` }),
    );
    const settled = await Promise.allSettled([...writes, indexes.delete(collection, 'a')]);
    expect(settled.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect([cluster.made, await pending()]).toEqual([1, 0]);
    expect(await found()).toEqual(['b', 'd0', 'd1', 'd2', 'd3']);
    await isWhole(5);
  });

  test('is made once by a write where it is taken away again and again; the next one heals it', async () => {
    await lose();
    cluster.after = async ({ path }) => {
      if (path === '/_aliases') await lose();
    };
    await expect(write({ id: 'c', title: 'torch' })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('is stored'),
    });
    expect(cluster.made).toBe(1);
    cluster.after = async () => undefined;
    await write({ id: 'c', title: 'torch' });
    expect([cluster.made, await pending(), await found()]).toEqual([2, 0, ['a', 'b', 'c']]);
    await isWhole(3);
  });

  test('is made by the next write where it could not be made, and nothing is lost', async () => {
    await lose();
    cluster.before = async ({ method }) => {
      if (method === 'PUT') throw new Error('planted');
    };
    await expect(write({ id: 'c', title: 'torch' })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    cluster.before = async () => undefined;
    await write({ id: 'd', title: 'torch' });
    expect(await pending()).toBe(0);
    await isWhole(4);
  });

  test('is made anew by the worker, which brings what is noted without any search', async () => {
    cluster.before = async ({ path }) => {
      if (path === '/_bulk') throw new Error('planted');
    };
    await expect(write({ id: 'c', title: 'torch' })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(indexes.delete(collection, 'a')).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    cluster.before = async () => undefined;
    await lose();
    expect(await pending()).toBe(2);
    // As if it had been a while ago.
    await world.record.sql`update index_outbox set due_at = now() where collection_id = ${collection.id}`;
    engine.tick();
    const isReady = async () => {
      const rows = await world.record
        .sql`select is_ready from search_indexes where collection_id = ${collection.id}`;
      return [await pending(), rows[0]?.['is_ready']];
    };
    await expect.poll(isReady).toEqual([0, true]);
    expect(await found()).toEqual(['b', 'c']);
    expect(cluster.made).toBe(1);
    await isWhole(2);
  });

  test('is made anew by a write that asks first whether the index has room again', async () => {
    const block = { 'index.blocks.read_only_allow_delete': true };
    await cluster.ask({ method: 'PUT', path: `/${(await indexesNow())[0]}/_settings`, body: block });
    await expect(write({ id: 'c', title: 'torch' })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await lose();
    await write({ id: 'd', title: 'torch' });
    expect(await found()).toEqual(['a', 'b', 'c', 'd']);
  });
});

describeWithCluster('a collection that was deleted and restored through one server', (nodes) => {
  test('is written to through another one that knew its index before', async () => {
    const one = await startKit({ settings: { openSearch: { nodes } } });
    const two = await startKit({ beside: one });
    const { owner, project } = await createTenant(one);
    const { id } = await createCollection(one, owner, { projectId: project.id, name: 'films', dimension: 8 });
    const path = `/api/collections/${id}`;
    const as = owner.as;
    const write = (by: typeof one, title: string) =>
      call(by, { method: 'POST', path: `${path}/documents`, body: { title }, as });
    await must(write(one, 'torch'));
    await must(write(two, 'torch'));
    await must(call(one, { method: 'DELETE', path, as }));
    const gone = async () =>
      Object.keys((await (await fetch(`${nodes[0]}/vectora-${id}-*/_alias`)).json()) as object);
    await expect.poll(gone).toEqual([]);
    await must(call(one, { method: 'POST', path: '/trpc/collections.restore', body: { id }, as }));
    for (let i = 0; i < 2; i += 1) expect((await write(two, 'torch')).status).toBe(201);
    const found = async (by: typeof one) =>
      (await must(call<SearchAnswer>(by, { method: 'GET', path: `${path}/search?query=torch`, as }))).found;
    expect([await found(one), await found(two)]).toEqual([4, 4]);
    await dropFromCluster(nodes, one.deps.record);
    await two.close();
    await one.close();
  });
});
