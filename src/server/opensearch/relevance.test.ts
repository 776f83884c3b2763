import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Indexes, WritableCollection } from '#server/indexes/indexes.ts';
import { figuresOf, meansOf } from '#server/indexes/relevance/list-figures.ts';
import { documentsOf, judgedCollection } from '#server/testing/judged/judged-sets.ts';
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
import { Cluster, clientOf } from './cluster.ts';
import { readName } from './index-states.ts';

/** How far apart nDCG@10 of both engines may be. */
const apartMax = 0.01;
const datasets = process.env['DATASETS_DIR'];
const isLong = process.env['LONG_TESTS'] !== undefined;
const sets = isLong ? ['cranfield', 'cacm', 'cisi', 'medline'] : ['cranfield'];
/** Of documents: with all that they have, or what `npm run eval` searches. */
const forms = isLong ? (['whole', 'titles and texts'] as const) : (['whole'] as const);
const cases = sets.flatMap((name) => forms.map((form) => ({ name, form, of: `${name}, ${form}` })));
/** The least share of the ten nearest that a walk of the graph may find. */
const recallMin = 0.95;

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

    test.for(cases)('is that of the embedded engine, on $of', async ({ name, form, of }, { annotate }) => {
      const judged = judgedCollection(path.join(datasets, name));
      const documents = documentsOf(form === 'whole' ? { ...judged, fields: null } : judged);
      const [{ queries } = { queries: [] }] = judged.sets;
      expect(queries.length).toBeGreaterThan(25);
      const collection = await world.newCollection();
      const rows = rowsOf(documents.map(({ source }) => source));
      await collect(cluster.import(collection, { action: 'upsert', rows }));
      const embedded = world.openIndexes();
      for (const mode of ['keyword', 'hybrid']) {
        const ours = await measured(embedded, collection, { mode, queries });
        const theirs = await measured(cluster, collection, { mode, queries });
        await annotate(`${of} by ${mode}: ${ours.toFixed(4)} embedded, ${theirs.toFixed(4)} in the cluster`);
        expect(Math.abs(theirs - ours), `${mode}: ${ours}, and ${theirs}`).toBeLessThanOrEqual(apartMax);
      }
    });

    test.runIf(isLong)(
      'the ten nearest of 20,000 papers are found, and exactly under a small filter',
      async ({ annotate }) => {
        const folder = path.join(datasets, 'arxiv-100k');
        const collection = await world.newCollection();
        const papers = readCorpus(folder)
          .slice(0, 20_000)
          .map(({ _id: id, ...fields }, i) => ({ id, ...fields, part: i % 200 }));
        await collect(cluster.import(collection, { action: 'upsert', rows: rowsOf(papers) }));
        const queries = readQueries(folder).slice(0, 100);
        const nearest = async (given: object) => {
          const answer = await cluster.search(
            collection,
            parameters({ mode: 'vector', k: 10, per_page: 10, ...given }),
          );
          return shownHits(answer).map(({ id }) => id);
        };
        const recall = async (filter: object) => {
          let found = 0;
          for (const { text: query } of queries) {
            const walked = new Set(await nearest({ query, ...filter }));
            found += (await nearest({ query, exact: true, ...filter })).filter((id) => walked.has(id)).length;
          }
          return found / (10 * queries.length);
        };
        // As one segment, in which a walk of the graph misses most.
        const merging = new Cluster(await clientOf(nodes));
        const route = `/${await readName(world.record.sql, collection.id)}-*/_forcemerge`;
        const query = { max_num_segments: '1' };
        await merging
          .ask({ method: 'POST', path: route, query, timeoutMs: 600_000 })
          .finally(() => merging.close());
        const [all, few] = [await recall({}), await recall({ filter_by: 'part:7' })];
        await annotate(`recall@10 of ${papers.length} papers: ${all}, of the 100 that pass a filter: ${few}`);
        expect(all).toBeGreaterThanOrEqual(recallMin);
        expect(few).toBe(1);
      },
    );
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
