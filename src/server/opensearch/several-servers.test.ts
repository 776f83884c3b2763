import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { call, createCollection, createTenant, must, type SignedUp } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { describeWithCluster, dropFromCluster } from '#server/testing/search-cluster.ts';
import type { Collection, Verified } from '#shared/collections.ts';
import type { SearchAnswer } from '#shared/search.ts';
import { readName } from './index-states.ts';

/** Two servers on one record and one cluster: whatever is done through one holds for the other. */
describeWithCluster('two servers on one record', (nodes) => {
  let one: Kit;
  let two: Kit;
  let owner: SignedUp;
  let projectId: number;
  let collection: Collection;

  beforeAll(async () => {
    one = await startKit({ settings: { openSearch: { nodes } } });
    two = await startKit({ beside: one });
    const tenant = await createTenant(one);
    owner = tenant.owner;
    projectId = tenant.project.id;
  });
  let made = 0;
  beforeEach(async () => {
    made += 1;
    collection = await createCollection(one, owner, { projectId, name: `films ${made}`, dimension: 8 });
  });
  afterAll(async () => {
    await dropFromCluster(nodes, one.deps.record);
    await two.close();
    await one.close();
  });

  const path = (rest: string) => `/api/collections/${collection.id}/${rest}`;
  const write = (by: Kit, document: Record<string, unknown>) =>
    must(call(by, { method: 'POST', path: path('documents?action=upsert'), as: owner.as, body: document }));
  const search = (by: Kit, query = 'torch') =>
    must(
      call<SearchAnswer>(by, {
        method: 'GET',
        path: path(`search?query=${query}&per_page=250`),
        as: owner.as,
      }),
    );
  const verify = (by: Kit) =>
    must(call<Verified>(by, { method: 'POST', path: path('verify'), as: owner.as }));
  const ofCluster = async (rest: string) => {
    const name = await readName(one.deps.record.sql, collection.id);
    return (await fetch(`${nodes[0]}/${name}-*/${rest}`)).json() as Promise<object>;
  };
  const refreshes = async () => {
    const stats = (await ofCluster('_stats/refresh')) as {
      _all: { primaries: { refresh: { external_total: number } } };
    };
    return stats._all.primaries.refresh.external_total;
  };

  test('a write through one is found by the next search through the other, with a refresh a search and none a write', async () => {
    await write(one, { id: 'first', title: 'torch' });
    await search(two);
    const before = await refreshes();
    for (let i = 0; i < 10; i += 1) {
      await write(one, { id: `a${i}`, title: 'torch' });
      await write(two, { id: `b${i}`, title: 'torch' });
    }
    expect((await search(two)).found).toBe(21);
    expect((await search(one)).found).toBe(21);
    expect((await refreshes()) - before).toBeLessThanOrEqual(2);
    await must(call(one, { method: 'DELETE', path: path('documents/first'), as: owner.as }));
    expect((await search(two)).found).toBe(20);
  });

  test('an index that both find missing is made once', async () => {
    const answers = await Promise.all([one, two, one, two].map((by) => search(by, '*')));
    expect(answers.map(({ found }) => found)).toEqual([0, 0, 0, 0]);
    expect(Object.keys(await ofCluster('_alias'))).toHaveLength(1);
    const [row] = await one.deps.record.sql`
      select is_ready, generation from search_indexes where collection_id = ${collection.id}`;
    expect(row?.['is_ready']).toBe(true);
    await search(one, '*');
    await search(two, '*');
    const [after] = await one.deps.record.sql`
      select generation from search_indexes where collection_id = ${collection.id}`;
    expect(after?.['generation']).toEqual(row?.['generation']);
  });

  test('what is written through one while the other makes the index anew is in it', async () => {
    for (let i = 0; i < 20; i += 1) await write(one, { id: `d${i}`, title: 'torch' });
    const writing = async () => {
      for (let i = 10; i < 60; i += 1) await write(one, { id: `d${i}`, title: `torch again${i}` });
    };
    const repairing = async () => {
      for (let i = 0; i < 3; i += 1)
        await must(call(two, { method: 'POST', path: path('repair'), as: owner.as }));
    };
    await Promise.all([writing(), repairing()]);
    for (const by of [one, two]) expect((await search(by)).found).toBe(60);
    for (const by of [one, two])
      expect(await verify(by)).toMatchObject({
        documents: 60,
        indexed: 60,
        missing: [],
        ghosts: [],
        stale: [],
      });
    expect((await search(two, 'again59')).hits.map(({ id }) => id)).toEqual(['d59']);
    expect(Object.keys(await ofCluster('_alias'))).toHaveLength(1);
  });
});
