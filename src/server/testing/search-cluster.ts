import { describe, test } from 'vitest';
import type { IndexesOptions } from '#server/indexes/indexes-options.ts';
import { createLog } from '#server/log.ts';
import { Cluster, clientOf } from '#server/opensearch/cluster.ts';
import { OpenSearchIndexes } from '#server/opensearch/opensearch-indexes.ts';
import type { IndexesWorld } from './open-indexes.ts';

/** Nodes of a cluster that tests may make indexes in; null: there is none (`scripts/opensearch-dev.mjs` starts one). */
const clusterNodes = process.env['OPENSEARCH_URL']?.split(',') ?? null;

/** Tests that need a cluster; without one they are skipped, and say so. */
export function describeWithCluster(name: string, tests: (nodes: string[]) => void): void {
  if (clusterNodes === null) {
    describe(name, () => {
      test.skip('skipped: OPENSEARCH_URL is not set', () => undefined);
    });
  } else {
    const nodes = clusterNodes;
    describe(name, () => tests(nodes));
  }
}

/** For `openIndexes`: indexes that a cluster keeps. */
export async function engineIn(
  nodes: string[],
  record: IndexesWorld['record'],
): Promise<Pick<IndexesOptions, 'engineOf'>> {
  const cluster = new Cluster(await clientOf(nodes));
  const log = createLog('silent');
  return { engineOf: (onChanged) => new OpenSearchIndexes({ cluster, record, log, onChanged }) };
}

/** Indexes of the collections of a record, gone from the cluster. */
export async function dropFromCluster(nodes: string[], record: IndexesWorld['record']): Promise<void> {
  const cluster = new Cluster(await clientOf(nodes));
  const indexes = new OpenSearchIndexes({
    cluster,
    record,
    log: createLog('silent'),
    onChanged: () => undefined,
  });
  try {
    for (const row of await record.sql`select id from collections`) await indexes.drop(Number(row['id']));
  } finally {
    await indexes.stop();
  }
}
