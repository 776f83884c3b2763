import { expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { asRead, openIndexesWorld, parameters } from '#server/testing/open-indexes.ts';
import { describeWithCluster, dropFromCluster } from '#server/testing/search-cluster.ts';
import type { SearchAnswer } from '#shared/search.ts';
import { Cluster, type ClusterRequest, clientOf } from './cluster.ts';
import { OpenSearchIndexes } from './opensearch-indexes.ts';

/** One of its copies may fail to be refreshed. */
class LameCluster extends Cluster {
  failed = 0;
  /** Which copies each search was to ask. */
  readonly preferences: unknown[] = [];

  override async ask<Answer>(request: ClusterRequest, signal?: AbortSignal): Promise<Answer> {
    if (request.path === '/_msearch') {
      const [head] = request.lines ?? [];
      this.preferences.push(JSON.parse(String(head)).preference);
    }
    const answer = await super.ask<Answer>(request, signal);
    if (!request.path.endsWith('/_refresh')) return answer;
    return { ...answer, _shards: { total: 2, successful: 2 - this.failed, failed: this.failed } };
  }
}

describeWithCluster('an index that takes the place of another', (nodes) => {
  test('is searched in its primary until each copy has been refreshed', async () => {
    const world = await openIndexesWorld('bundled');
    const { record } = world;
    const cluster = new LameCluster(await clientOf(nodes));
    const log = createLog('silent');
    const indexes = world.openIndexes({
      engineOf: (onChanged) => new OpenSearchIndexes({ cluster, record, log, onChanged }),
    });
    const collection = await world.newCollection();
    await indexes.write(collection, { action: 'upsert', document: { id: 'a', title: 'torch' } });
    const asked = async () => {
      cluster.preferences.length = 0;
      const answer: SearchAnswer = asRead(await indexes.search(collection, parameters({ q: 'torch' })));
      return [answer.found, [...new Set(cluster.preferences)]];
    };
    expect(await asked()).toEqual([1, [undefined]]);
    cluster.failed = 1;
    await indexes.repair(collection);
    expect(await asked()).toEqual([1, ['_primary']]);
    cluster.failed = 0;
    expect(await asked()).toEqual([1, [undefined]]);
    await indexes.repair(collection);
    expect(await asked()).toEqual([1, [undefined]]);
    await dropFromCluster(nodes, record);
    await world.close();
  });
});
