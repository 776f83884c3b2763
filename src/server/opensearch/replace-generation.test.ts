import { expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { asRead, openIndexesWorld, parameters } from '#server/testing/open-indexes.ts';
import { describeWithCluster, dropFromCluster } from '#server/testing/search-cluster.ts';
import type { SearchAnswer } from '#shared/search.ts';
import { Cluster, type ClusterRequest, clientOf } from './cluster.ts';
import { ClusterError } from './cluster-error.ts';
import { readName } from './index-states.ts';
import { OpenSearchIndexes } from './opensearch-indexes.ts';

/** One of its copies may fail to be refreshed, all to be committed. */
class LameCluster extends Cluster {
  failed = 0;
  /** It commits none. */
  isFull = false;
  /** Which copies each search was to ask. */
  readonly preferences: unknown[] = [];

  override async ask<Answer>(request: ClusterRequest, signal?: AbortSignal): Promise<Answer> {
    if (request.path === '/_msearch') {
      const [head] = request.lines ?? [];
      this.preferences.push(JSON.parse(String(head)).preference);
    }
    if (this.isFull && request.path.endsWith('/_flush')) throw new ClusterError(403, 'planted');
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
    // A node that comes back has nothing of it to write again; where that fails it has, and no more.
    const route = `/${await readName(record.sql, collection.id)}/_stats/translog`;
    const uncommitted = async () => {
      const { _all: all } = await cluster.ask<{
        _all: { primaries: { translog: { uncommitted_operations: number } } };
      }>({ method: 'GET', path: route });
      return all.primaries.translog.uncommitted_operations;
    };
    expect(await uncommitted()).toBe(0);
    cluster.isFull = true;
    await indexes.repair(collection);
    expect(await asked()).toEqual([1, [undefined]]);
    expect(await uncommitted()).toBe(1);
    await dropFromCluster(nodes, record);
    await world.close();
  });
});
