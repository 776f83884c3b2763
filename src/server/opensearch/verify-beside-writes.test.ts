import { expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { asRead, openIndexesWorld, parameters } from '#server/testing/open-indexes.ts';
import { describeWithCluster, dropFromCluster, engineIn } from '#server/testing/search-cluster.ts';
import { Cluster, type ClusterRequest, clientOf } from './cluster.ts';
import { OpenSearchIndexes } from './opensearch-indexes.ts';

/** Lets others write before it is asked something. */
class InterruptedCluster extends Cluster {
  before: (request: ClusterRequest) => Promise<void> = async () => undefined;

  override async ask<Answer>(request: ClusterRequest, signal?: AbortSignal): Promise<Answer> {
    await this.before(request);
    return await super.ask(request, signal);
  }
}

describeWithCluster('Verify beside writes of another server', (nodes) => {
  test('tells no difference that there is not, and each that there is', async () => {
    const world = await openIndexesWorld('bundled');
    const { record } = world;
    const cluster = new InterruptedCluster(await clientOf(nodes));
    const log = createLog('silent');
    const indexes = world.openIndexes({
      engineOf: (onChanged) => new OpenSearchIndexes({ cluster, record, log, onChanged }),
    });
    const other = world.openIndexes(await engineIn(nodes, record));
    const collection = await world.newCollection();
    const write = (id: string, title = 'torch') =>
      other.write(collection, { action: 'upsert', document: { id, title } });
    const see = async () => asRead(await other.search(collection, parameters({ q: '*' })));
    for (const id of ['changed', 'again', 'kept', 'astray']) await write(id);
    await see();

    /** What the other one does, each time before this one asks for the versions of documents, or how many there are. */
    const beforeVersions = [
      async () => {
        await write('changed', 'lamp');
        await other.delete(collection, 'again');
      },
      async () => {
        await write('changed', 'river');
        await write('again', 'river');
      },
    ];
    const beforeCounts = [() => write('new')];
    cluster.before = async ({ lines = [] }) => {
      const searches = lines.map((line) => (typeof line === 'string' ? JSON.parse(line) : line));
      const asks = (field: string) => searches.some((search) => field in search);
      const isCount = searches.some(({ size }) => size === 0) && !asks('aggs');
      const next = asks('version') ? beforeVersions.shift() : isCount ? beforeCounts.shift() : undefined;
      await next?.();
      if (next) await see();
    };
    const same = { missing: [], ghosts: [], stale: [], more: false };
    expect(await indexes.verify(collection)).toMatchObject({ documents: 5, indexed: 5, ...same });
    expect([beforeVersions, beforeCounts]).toEqual([[], []]);

    await record.sql`update documents set version = version - 1 where collection_id = ${collection.id} and id = 'kept'`;
    await record.sql`delete from documents where collection_id = ${collection.id} and id = 'astray'`;
    beforeVersions.push(async () => {
      await write('changed', 'stone');
    });
    const differing = { missing: [], ghosts: ['astray'], stale: ['kept'], more: false };
    expect(await indexes.verify(collection)).toMatchObject(differing);
    await dropFromCluster(nodes, record);
    await world.close();
  });
});
