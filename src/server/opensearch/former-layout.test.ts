import { expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { gate } from '#server/testing/gate.ts';
import { asRead, openIndexesWorld, parameters } from '#server/testing/open-indexes.ts';
import { describeWithCluster, dropFromCluster } from '#server/testing/search-cluster.ts';
import type { SearchAnswer } from '#shared/search.ts';
import { Cluster, type ClusterRequest, clientOf } from './cluster.ts';
import { OpenSearchIndexes } from './opensearch-indexes.ts';

type Mapped = { mappings?: { properties: { content?: object }; dynamic_templates: object[] } };

/** Makes indexes as the release before did: without fields of content words. */
class FormerCluster extends Cluster {
  override async ask<Answer>(request: ClusterRequest, signal?: AbortSignal): Promise<Answer> {
    const { mappings } = (request.body ?? {}) as Mapped;
    if (mappings !== undefined) {
      delete mappings.properties.content;
      mappings.dynamic_templates = mappings.dynamic_templates.filter((template) => !('c' in template));
    }
    return await super.ask<Answer>(request, signal);
  }
}

describeWithCluster('an index that the release before has made', (nodes) => {
  test('is searched and written to until one with content words has taken its place', async () => {
    const world = await openIndexesWorld('bundled');
    const { record } = world;
    const { sql } = record;
    const log = createLog('silent');
    const openOn = (cluster: Cluster) => {
      const parts = { cluster, record, log, waitedForMax: 0 };
      return world.openIndexes({
        engineOf: (onChanged) => new OpenSearchIndexes({ ...parts, onChanged }),
      });
    };
    const before = openOn(new FormerCluster(await clientOf(nodes)));
    const collection = await world.newCollection();
    const found = async (by: typeof before, query: string) => {
      const { hits }: SearchAnswer = asRead(await by.search(collection, parameters({ query })));
      return hits.map(({ id, text_match = 0 }) => [id, text_match > 0]).toSorted();
    };
    const note = async () => {
      const [row] = await sql`select analyzer from search_indexes where collection_id = ${collection.id}`;
      return String(row?.['analyzer']);
    };
    expect(await found(before, 'torch')).toEqual([]);
    const own = await note();
    const [, name = ''] = /^(\S+) 3 /.exec(own) ?? [];
    await sql`update search_indexes set analyzer = ${`${name} 2`} where collection_id = ${collection.id}`;

    const { open, pass, reached } = gate();
    const renewing = record.servers.alone(`repair ${collection.id}`, pass);
    await reached;
    const indexes = openOn(new Cluster(await clientOf(nodes)));
    const write = (id: string) =>
      indexes.write(collection, { action: 'upsert', document: { id, title: 'the torch', text: 'of it' } });
    await write('a');
    expect(await found(indexes, 'torch')).toEqual([['a', true]]);
    expect(await found(indexes, 'of')).toEqual([['a', true]]);
    await write('b');
    const both = ['a', 'b'].map((id) => [id, true]);
    expect(await found(indexes, 'torch')).toEqual(both);
    expect(await note()).toBe(`${name} 2`);
    open();
    await renewing;
    await expect.poll(async () => [await found(indexes, 'torch'), await note()]).toEqual([both, own]);
    await dropFromCluster(nodes, record);
    await world.close();
  });
});
