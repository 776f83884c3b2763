import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Indexes, WritableCollection } from '#server/indexes/indexes.ts';
import { figuresOf, meansOf } from '#server/indexes/relevance/list-figures.ts';
import { readCorpus, readQueries } from '#server/testing/judged/read-beir.ts';
import {
  collect,
  type IndexesWorld,
  openIndexesWorld,
  parameters,
  rowsOf,
  shownHits,
} from '#server/testing/open-indexes.ts';
import { describeWithCluster, dropFromCluster, engineIn } from '#server/testing/search-cluster.ts';

/** nDCG@10 that the cluster may be below the embedded engine. */
const lossMax = 0.01;
const datasets = process.env['DATASETS_DIR'];
const sets = process.env['LONG_TESTS'] ? ['cranfield', 'cacm', 'cisi', 'medline'] : ['cranfield'];

if (datasets === undefined)
  describe('relevance in a cluster', () => {
    test.skip('skipped: DATASETS_DIR is not set', () => undefined);
  });
else
  describeWithCluster('relevance in a cluster', (nodes) => {
    let world: IndexesWorld;
    let cluster: Indexes;
    beforeAll(async () => {
      world = await openIndexesWorld('bundled');
      cluster = world.openIndexes(await engineIn(nodes, world.record));
    });
    afterAll(async () => {
      await dropFromCluster(nodes, world.record);
      await world.close();
    });

    test.each(sets)('is that of the embedded engine, on %s', async (name) => {
      const folder = path.join(datasets, name);
      const collection = await world.newCollection();
      const documents = readCorpus(folder).map(({ _id: id, ...fields }) => ({ id, ...fields }));
      await collect(cluster.import(collection, { action: 'upsert', rows: rowsOf(documents) }));
      const queries = readQueries(folder);
      const embedded = world.openIndexes();
      for (const mode of ['keyword', 'hybrid']) {
        const ours = await measured(embedded, collection, { mode, queries });
        const theirs = await measured(cluster, collection, { mode, queries });
        expect(theirs, `${mode}: the embedded engine has ${ours}`).toBeGreaterThanOrEqual(ours - lossMax);
      }
    });
  });

type Asked = { mode: string; queries: ReturnType<typeof readQueries> };

async function measured(indexes: Indexes, collection: WritableCollection, { mode, queries }: Asked) {
  const figures: ReturnType<typeof figuresOf>[] = [];
  for (const { text, grades } of queries) {
    const answer = await indexes.search(collection, parameters({ mode, query: text, per_page: 10 }));
    figures.push(
      figuresOf(
        shownHits(answer).map(({ id }) => id),
        grades,
      ),
    );
  }
  return meansOf(figures).ndcg;
}
