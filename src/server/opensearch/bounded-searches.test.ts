import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Indexes, WritableCollection } from '#server/indexes/indexes.ts';
import { createLog } from '#server/log.ts';
import {
  asRead,
  collect,
  type IndexesWorld,
  openIndexesWorld,
  parameters,
  rowsOf,
} from '#server/testing/open-indexes.ts';
import { describeWithCluster, dropFromCluster } from '#server/testing/search-cluster.ts';
import type { GroupedAnswer, SearchAnswer } from '#shared/search.ts';
import { Cluster, type ClusterRequest, clientOf } from './cluster.ts';
import { OpenSearchIndexes } from './opensearch-indexes.ts';

/** What it is asked is counted. */
class CountedCluster extends Cluster {
  bytes = 0;
  largest = 0;

  override async ask<Answer>(request: ClusterRequest, signal?: AbortSignal): Promise<Answer> {
    const bytes = (request.lines ?? []).reduce<number>(
      (sum, line) => sum + Buffer.byteLength(typeof line === 'string' ? line : JSON.stringify(line)),
      0,
    );
    this.bytes += bytes;
    this.largest = Math.max(this.largest, bytes);
    return await super.ask(request, signal);
  }
}

const groups = 100;
const documents = 1_000;
const padding = 'i'.repeat(200);
/** Of all ids, written once. */
const idBytes = documents * (padding.length + 8);
const k = documents;

/** A search that knows thousands of documents by both scores names them to the cluster: a few times, however many groups and facets it has. */
describeWithCluster('what a search sends', (nodes) => {
  let world: IndexesWorld;
  let cluster: CountedCluster;
  let indexes: Indexes;
  let embedded: Indexes;
  let collection: WritableCollection;
  beforeAll(async () => {
    world = await openIndexesWorld('bundled');
    cluster = new CountedCluster(await clientOf(nodes));
    const parts = { cluster, record: world.record, log: createLog('silent') };
    indexes = world.openIndexes({ engineOf: (onChanged) => new OpenSearchIndexes({ ...parts, onChanged }) });
    collection = await world.newCollection({ dimension: 4 });
    const rows = Array.from({ length: documents }, (_, i) => ({
      id: `${padding}${i}`,
      title: i % 10 === 0 ? 'river' : 'torch',
      g: `g${i % groups}`,
      n: i,
      ...Object.fromEntries(Array.from({ length: 20 }, (_, facet) => [`f${facet}`, `v${i % 3}`])),
      embedding: [1 + (i % 7), 1 + (i % 11), 1 + (i % 13), 1],
    }));
    const results = await collect(indexes.import(collection, { action: 'upsert', rows: rowsOf(rows) }));
    expect(results.filter(({ success }) => !success)).toEqual([]);
    await indexes.search(collection, parameters({ q: '*' }));
    embedded = world.openIndexes();
  });
  afterAll(async () => {
    await dropFromCluster(nodes, world.record);
    await world.close();
  });

  const vector_query = { vector: [1, 1, 1, 1], k };
  async function counted(asked: Record<string, unknown>, by = indexes) {
    [cluster.bytes, cluster.largest] = [0, 0];
    const answer: SearchAnswer & GroupedAnswer = asRead(await by.search(collection, parameters(asked)));
    return { answer, times: cluster.bytes / idBytes };
  }
  const listed = ({ grouped_hits: list }: GroupedAnswer) =>
    list.map(({ group_key, found, hits }) => [group_key, found, hits.map(({ id }) => id)]);

  test.each([
    ['by score', {}],
    ['by a field', { sort_by: 'n:desc' }],
  ])('a page of groups, %s', async (_, order) => {
    const asked = { mode: 'hybrid', query: 'torch', vector_query, group_by: 'g', group_limit: 3, ...order };
    const page = await counted({ ...asked, per_page: groups });
    const few = await counted({ ...asked, per_page: 2 });
    expect(listed(page.answer)).toHaveLength(groups);
    expect(listed(page.answer).slice(0, 2)).toEqual(listed(few.answer));
    // Those on the page once more between them.
    expect(page.times - few.times).toBeLessThan(2);
    expect(page.times).toBeLessThan(12);
    const ours = listed((await counted({ ...asked, per_page: groups }, embedded)).answer);
    if ('sort_by' in order) expect(listed(page.answer)).toEqual(ours);
    else
      expect(
        listed(page.answer)
          .map(([key, found]) => [key, found])
          .sort(),
      ).toEqual(ours.map(([key, found]) => [key, found]).sort());
  });

  test('a page of groups of the nearest alone, by a field', async () => {
    const asked = { mode: 'vector', query: '', vector_query, group_by: 'g', sort_by: 'n:asc' };
    const { answer, times } = await counted({ ...asked, per_page: groups });
    expect(listed(answer)).toEqual(listed((await counted({ ...asked, per_page: groups }, embedded)).answer));
    expect(times).toBeLessThan(8);
  });

  test('many facets', async () => {
    const facets = Array.from({ length: 20 }, (_, i) => `f${i}`);
    const asked = { mode: 'hybrid', query: 'torch', vector_query, per_page: 1 };
    const one = await counted({ ...asked, facet_by: 'f0' });
    const all = await counted({ ...asked, facet_by: facets.join(',') });
    expect(all.answer.facet_counts?.map(({ field_name }) => field_name)).toEqual(facets);
    for (const { counts } of all.answer.facet_counts ?? [])
      expect(counts).toEqual(one.answer.facet_counts?.[0]?.counts);
    expect(all.times - one.times).toBeLessThan(0.5);
  });

  test('conditions that the cluster would refuse', async () => {
    const found = async (filter_by: string) =>
      await Promise.all(
        [indexes, embedded].map(async (by) => (await counted({ q: '*', filter_by }, by)).answer.found),
      );
    expect(await found('n:>1.7976931348623157e308')).toEqual([0, 0]);
    expect(await found('n:<-1.7976931348623157e308')).toEqual([0, 0]);
    expect(await found('n:[1.7976931348623157e308..1.7976931348623157e308, 7]')).toEqual([1, 1]);
    expect(await found(`id:="${'y'.repeat(40_000)}"*`)).toEqual([0, 0]);
    expect(await found(`title:="${'y'.repeat(1_000)}"*`)).toEqual([0, 0]);
    await expect(found(`title:="${'y'.repeat(1_001)}"*`)).rejects.toMatchObject({
      code: 'UNPROCESSABLE',
      message: expect.stringContaining('"title"'),
      details: [{ path: 'filter_by' }],
    });
  });

  test('a circle around more than the earth', async () => {
    const fields = [{ name: 'at', type: 'geopoint' as const, required: false }];
    const places = await world.newCollection({ metadata: { fields } });
    const rows = rowsOf([{ id: 'a', at: [48, 2] }, { id: 'b', at: [-48, -178] }, { id: 'c' }]);
    await collect(indexes.import(places, { action: 'upsert', rows }));
    for (const unit of ['m', 'km', 'mi']) {
      const asked = parameters({ q: '*', filter_by: `at:(48, 2, 1e308 ${unit})` });
      expect(asRead(await indexes.search(places, asked)).found).toBe(2);
    }
  });
});
