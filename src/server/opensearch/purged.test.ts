import { expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { purge } from '#server/rpc/deletion/purge.ts';
import { call, createCollection, createTenant, must } from '#server/testing/callers.ts';
import { openCutLine } from '#server/testing/cut-line.ts';
import { startKit } from '#server/testing/kit.ts';
import { describeWithCluster, dropFromCluster } from '#server/testing/search-cluster.ts';
import { readName } from './index-states.ts';

const hourMs = 3_600_000;

describeWithCluster('a collection that is purged', (nodes) => {
  test('leaves no index in the cluster, of any generation, and others stay', async () => {
    const line = await openCutLine(nodes[0] ?? '');
    const kit = await startKit({ settings: { openSearch: { nodes: [line.url] } } });
    const { record, indexes } = kit.deps;
    const { owner, project, collection } = await createTenant(kit);
    const kept = await createCollection(kit, owner, { projectId: project.id, name: 'kept', dimension: 8 });
    const ask = (method: string, path: string, body?: object) =>
      must(call(kit, { method, path, body, as: owner.as }));
    for (const { id } of [collection, kept])
      await ask('POST', `/api/collections/${id}/documents`, { id: 'a', title: 'torch' });
    // The generation before stays for a minute.
    await ask('POST', `/api/collections/${collection.id}/repair`);
    const namesOf = async ({ id }: { id: number }) => `${nodes[0]}/${await readName(record.sql, id)}-*`;
    const [gone, stays] = [await namesOf(collection), await namesOf(kept)];
    const aliases = async (names: string) =>
      Object.values((await (await fetch(`${names}/_alias`)).json()) as object).length;
    expect([await aliases(gone), await aliases(stays)]).toEqual([2, 1]);

    // Deleting takes it away at once, where the cluster is there.
    line.isCut = true;
    await ask('DELETE', `/api/collections/${collection.id}`);
    const purgeIn = (ms: number) =>
      purge({
        record,
        log: createLog('silent'),
        clock: () => new Date(Date.now() + ms),
        purgeAfterMs: hourMs,
        auditKeepDays: 1,
        dropIndex: (id) => indexes.drop(id),
      });
    const rows = () => record.sql`select from collections where id = ${collection.id}`;
    await purgeIn(2 * hourMs);
    // It is kept by the record until its indexes are gone.
    expect([await aliases(gone), (await rows()).length]).toEqual([2, 1]);
    line.isCut = false;
    const purged = async () => {
      await purgeIn(2 * hourMs);
      return (await rows()).length;
    };
    await expect.poll(purged, { timeout: 30_000 }).toBe(0);
    expect([await aliases(gone), await aliases(stays)]).toEqual([0, 1]);
    expect(await record.sql`select from search_indexes where collection_id = ${collection.id}`).toHaveLength(
      0,
    );
    await dropFromCluster(nodes, record);
    await kit.close();
    await line.close();
  });
});
