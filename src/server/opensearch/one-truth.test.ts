import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Indexes, WritableCollection } from '#server/indexes/indexes.ts';
import {
  asRead,
  collect,
  exported,
  type IndexesWorld,
  openIndexesWorld,
  parameters,
  rowsOf,
} from '#server/testing/open-indexes.ts';
import { describeWithCluster, dropFromCluster, engineIn } from '#server/testing/search-cluster.ts';
import type { SearchAnswer } from '#shared/search.ts';

/** The same documents in both engines: what is exact must be equal. */

const colors = ['red', 'Green', 'blue', 'Bleu clair'];
const nouns = ['lamp', 'lamps', 'table', 'chair', 'notebook', 'torch', 'Café table'];

/** With values of several types, lists, objects, dates, long texts, and fields that only some have. */
const documents = Array.from({ length: 60 }, (_, i) => ({
  id: `d${i}`,
  title: `${colors[i % 4]} ${nouns[i % 7]}`,
  text: `A ${nouns[(i * 3) % 7]} number ${i} ${i % 5 === 0 ? 'with a running motor' : 'runs quietly'}, ${'long '.repeat(i % 3 === 0 ? 80 : 1)}`,
  price: i % 9 === 0 ? `about ${i}` : (i * 7) % 50,
  stock: i - 30,
  tags: i % 2 === 0 ? [colors[i % 4], nouns[i % 7]] : nouns[(i + 1) % 7],
  sold: i % 4 === 0,
  made: `20${10 + (i % 9)}-0${1 + (i % 8)}-1${i % 9}`,
  'maker.name': i % 6 === 0 ? 'Ada & Co' : undefined,
  maker: i % 6 === 1 ? { name: 'Béla', city: { zip: 1000 + i } } : undefined,
}));

describeWithCluster('both engines', (nodes) => {
  let world: IndexesWorld;
  let collection: WritableCollection;
  let cluster: Indexes;
  let embedded: Indexes;

  beforeAll(async () => {
    world = await openIndexesWorld('bundled');
    cluster = world.openIndexes(await engineIn(nodes, world.record));
    collection = await world.newCollection();
    const results = await collect(cluster.import(collection, { action: 'upsert', rows: rowsOf(documents) }));
    expect(results.filter(({ success }) => !success)).toEqual([]);
    embedded = world.openIndexes();
  });

  afterAll(async () => {
    await dropFromCluster(nodes, world.record);
    await world.close();
  });

  const search = async (indexes: Indexes, given: Record<string, unknown>): Promise<SearchAnswer> =>
    asRead(await indexes.search(collection, parameters(given)));
  const both = async (given: Record<string, unknown>) => {
    const [ours, theirs] = [await search(embedded, given), await search(cluster, given)];
    return { ours, theirs };
  };
  const idsOf = ({ hits }: SearchAnswer) => hits.map(({ id }) => id);

  test.each([
    'price:>20',
    'price:<=20 && stock:>=0',
    'price:[10..30]',
    'price:"about 9"',
    'price:about',
    'stock:-5',
    'stock:[-30..-20, 5, 10..]',
    'sold:true',
    'sold:!=true',
    'title:lamp',
    'title:=“red lamp”'.replace(/[“”]/g, '"'),
    'title:="RED LAMP"',
    'title:="red la"*',
    'title:red ta*',
    'title:=bl*',
    'tags:blue',
    'tags:="Bleu clair"',
    'tags:"clair bleu"',
    'tags:"green table"',
    'tags:[red, lamps]',
    'tags:!=[red, lamps]',
    'text:"running motor"',
    'text:"a lamp number 3 runs quietly,"*',
    'made:2012-03-12',
    'made:2012',
    'made:>2015-01-01',
    'made:[2011-01-01..2013-12-31]',
    'made:="2012-03-12"',
    'maker.name:*',
    'maker:*',
    'maker.name:!=*',
    'maker.name:="ada & co"',
    'maker.city.zip:>1020',
    'id:[d1, d2, nobody]',
    'id:d1*',
    'id:!=d1',
    '!(price:>20) && (tags:red || sold:true)',
  ])('filter %s', async (filter_by) => {
    const given = { q: '*', filter_by, per_page: 100 };
    const { ours, theirs } = await both(given);
    expect(ours.found, 'so that the filter tells some apart').toBeLessThan(documents.length);
    expect(theirs.found).toBe(ours.found);
    expect(idsOf(theirs)).toEqual(idsOf(ours));
  });

  test.each(['nowhere:1', 'price:>much', 'title:>3', 'price:'])(
    'a bad filter %s is refused in the same words',
    async (filter_by) => {
      const fault = (indexes: Indexes) =>
        search(indexes, { q: '*', filter_by }).then(
          () => 'none',
          (error: Error) => error.message,
        );
      const expected = await fault(embedded);
      expect(expected).toContain('filter_by');
      expect(await fault(cluster)).toBe(expected);
    },
  );

  test.each([
    'price:asc',
    'price:desc',
    'stock:desc',
    'title:asc',
    'title:desc',
    'tags:asc',
    'tags:desc',
    'made:desc',
    'sold:asc,stock:desc',
    'maker.name:asc',
    'maker.city.zip:desc,title:asc',
    'text:asc',
    'id:desc',
  ])('order %s', async (sort_by) => {
    const { ours, theirs } = await both({ q: '*', sort_by, per_page: 100 });
    expect(idsOf(theirs)).toEqual(idsOf(ours));
  });

  test('pages', async () => {
    const pages = [1, 2, 3].map(async (page) =>
      idsOf(await search(cluster, { q: '*', sort_by: 'price:asc', page, per_page: 25 })),
    );
    const whole = await search(embedded, { q: '*', sort_by: 'price:asc', per_page: 100 });
    expect((await Promise.all(pages)).flat()).toEqual(idsOf(whole));
  });

  test.each([
    { q: '*' },
    { q: '*', sort_by: 'price:asc' },
    { q: '*', sort_by: 'maker.city.zip:desc,tags:asc' },
    { q: '*', sort_by: 'id:desc', filter_by: 'price:>10' },
    { query: 'lamp', match: 'any' },
  ])('a walk over %o', async (given) => {
    const walk = async (indexes: Indexes) => {
      const ids: string[] = [];
      for (let cursor: string | null | undefined = ''; cursor != null; ) {
        const page: SearchAnswer = await search(indexes, { ...given, per_page: 7, cursor });
        ids.push(...idsOf(page));
        cursor = page.next_cursor;
      }
      return ids;
    };
    const [ours, theirs] = [await walk(embedded), await walk(cluster)];
    expect(theirs.length).toBeGreaterThan(7);
    // Scores of words are the cluster's own.
    if ('query' in given) expect(theirs.toSorted()).toEqual(ours.toSorted());
    else expect(theirs).toEqual(ours);
  });

  test.each([
    { facet_by: 'title,tags,price,sold,made,maker.name' },
    { facet_by: 'stock(few:[..0], some:[0..20], many:[20..])' },
    { facet_by: 'tags', filter_by: 'price:>20' },
    { facet_by: 'tags,sold', filter_by: 'tags:red && price:>5', facet_mode: 'disjunctive' },
    { facet_by: 'tags', facet_query: 'tags:la' },
    { facet_by: 'tags', max_facet_values: 2 },
  ])('facets %o', async (given) => {
    const { ours, theirs } = await both({ q: '*', max_facet_values: 100, ...given });
    expect(ours.facet_counts.flatMap(({ counts }) => counts).length).toBeGreaterThan(0);
    expect(theirs.facet_counts).toEqual(ours.facet_counts);
  });

  test.each([
    { query: 'lamp', match: 'all' },
    { query: 'red lamp', match: 'all' },
    { query: 'red lamp', match: 'any' },
    { query: 'runs', match: 'all' },
    { query: 'red tab', match: 'all' },
    { query: 'lamp', query_by: ['title'] },
    { query: '"running motor"' },
    { query: 'lamp -red' },
    { query: 'tabel' },
    { query: 'note book' },
    { query: 'cafe', filter_by: 'price:>5' },
    { query: 'red lamp quietly', match: 'auto' },
    { query: 'zzzz' },
  ])('words %o', async (given) => {
    const { ours, theirs } = await both({ ...given, facet_by: 'tags', per_page: 100 });
    expect(theirs.found).toBe(ours.found);
    expect(idsOf(theirs).sort()).toEqual(idsOf(ours).sort());
    expect(theirs.facet_counts).toEqual(ours.facet_counts);
    expect(theirs.request).toEqual(ours.request);
    const marked = ({ hits }: SearchAnswer) =>
      Object.fromEntries(hits.map(({ id, highlights }) => [id, highlights]));
    expect(marked(theirs)).toEqual(marked(ours));
  });

  test.each(['cosine', 'euclidean', 'dotproduct'] as const)('vectors by %s', async (metric) => {
    const own = await world.newCollection({ dimension: 4, metric });
    const rows = Array.from({ length: 40 }, (_, i) => ({
      id: `v${i}`,
      even: i % 2 === 0,
      ...(i % 10 !== 3 && { embedding: [Math.sin(i), Math.cos(i * 2), i / 40, 0.5] }),
    }));
    await collect(cluster.import(own, { action: 'upsert', rows: rowsOf(rows) }));
    for (const given of [
      {},
      { filter_by: 'even:true' },
      { exact: true },
      { vector_query: { vector: [0.1, 0.9, 0.5, 0.2], k: 7, distance_threshold: 0.4 } },
    ]) {
      const asked = parameters({
        mode: 'vector',
        vector_query: [0.1, 0.9, 0.5, 0.2],
        k: 7,
        facet_by: 'even',
        ...given,
      });
      const ours: SearchAnswer = asRead(await embedded.search(own, asked));
      const theirs: SearchAnswer = asRead(await cluster.search(own, asked));
      expect(theirs.found).toBe(ours.found);
      expect(idsOf(theirs)).toEqual(idsOf(ours));
      expect(theirs.facet_counts).toEqual(ours.facet_counts);
      theirs.hits.forEach(({ score, vector_distance }, i) => {
        expect(score).toBeCloseTo(ours.hits[i]?.score ?? 0, 4);
        expect(vector_distance).toBeCloseTo(ours.hits[i]?.vector_distance ?? 0, 6);
      });
    }
    const similar = { id: 'v1', k: 5 };
    const ids = (answer: unknown) => idsOf(asRead(answer) as SearchAnswer);
    expect(ids(await cluster.similar(own, similar))).toEqual(ids(await embedded.similar(own, similar)));
  });

  test('vectors and both sides together', async () => {
    for (const mode of ['vector', 'hybrid']) {
      const given = { mode, query: 'a red lamp', k: 20, per_page: 50, facet_by: 'sold' };
      const { ours, theirs } = await both(given);
      expect(theirs.found).toBe(ours.found);
      expect(idsOf(theirs).sort()).toEqual(idsOf(ours).sort());
      expect(theirs.facet_counts).toEqual(ours.facet_counts);
    }
  });

  test('one list over several collections', async () => {
    const others = await world.newCollection();
    const more = documents
      .slice(0, 30)
      .map(({ id, title, tags }) => ({ id: `x${id}`, title: `${title} lamp`, tags }));
    await collect(cluster.import(others, { action: 'upsert', rows: rowsOf(more) }));
    for (const given of [
      { mode: 'keyword', query: 'red lamp', match: 'all' },
      { mode: 'keyword', query: 'tabel', facet_by: 'tags' },
      { mode: 'vector', query: 'a lamp', k: 15 },
      { mode: 'hybrid', query: 'red lamp', k: 15, facet_by: 'tags' },
    ]) {
      const targets = [collection, others].map((own, index) => ({
        index,
        reference: String(own.id),
        collection: { ...own, name: `c${own.id}` },
        search: parameters(given),
      }));
      const ask = async (indexes: Indexes) =>
        asRead(await indexes.searchMerged(targets, { page: 1, per_page: 100 }));
      const [ours, theirs] = [await ask(embedded), await ask(cluster)];
      expect(theirs.failed).toEqual([]);
      expect(theirs.answer.found).toBe(ours.answer.found);
      const placesOf = (hits: { id: string; collection: { id: number } }[]) =>
        hits.map(({ id, collection: { id: of } }) => `${of} ${id}`);
      expect(placesOf(theirs.answer.hits).sort()).toEqual(placesOf(ours.answer.hits).sort());
      expect(theirs.answer.facet_counts).toEqual(ours.answer.facet_counts);
      expect(theirs.answer.request).toEqual(ours.answer.request);
    }
  });

  test('places', async () => {
    const own = await world.newCollection({
      metadata: { fields: [{ name: 'at', type: 'geopoint', required: false }] },
    });
    const rows = Array.from({ length: 20 }, (_, i) => ({
      id: `p${i}`,
      ...(i % 5 !== 4 && {
        at:
          i % 3 === 0
            ? [
                { lat: 48 + i / 50, lng: 16 },
                { lat: 10, lng: 10 },
              ]
            : { lat: 48.2, lng: 16 + i / 40 },
      }),
    }));
    await collect(cluster.import(own, { action: 'upsert', rows: rowsOf(rows) }));
    for (const given of [
      { filter_by: 'at:(48.2, 16.3, 12 km)' },
      { filter_by: 'at:!=*' },
      { sort_by: 'at(48.2, 16.3):asc' },
      { filter_by: 'at:(48.2, 16.3, 900 mi)', sort_by: 'at(10, 10):asc' },
    ]) {
      const asked = parameters({ q: '*', per_page: 50, ...given });
      const ours: SearchAnswer = asRead(await embedded.search(own, asked));
      const theirs: SearchAnswer = asRead(await cluster.search(own, asked));
      expect(theirs.hits).toEqual(ours.hits);
      expect(ours.found).toBeGreaterThan(0);
    }
  });

  test('documents, lists and exports', async () => {
    const found = await cluster.get(collection, { id: 'd7', withEmbedding: false });
    expect(asRead(found)).toEqual(asRead(documents[7]));
    const page = {
      page: 2,
      perPage: 10,
      filterBy: 'price:>5',
      sortBy: 'stock:desc',
      includeFields: ['id'],
      excludeFields: undefined,
    };
    expect(asRead(await cluster.list(collection, page))).toEqual(
      asRead(await embedded.list(collection, page)),
    );
    expect(await exported(cluster, collection, 'sold:true')).toEqual(
      await exported(embedded, collection, 'sold:true'),
    );
    expect(await exported(cluster, collection)).toHaveLength(documents.length);
  });

  test('what is not built is refused by name', async () => {
    for (const given of [
      { group_by: ['tags'] },
      { mode: 'vector', cursor: '' },
      { explain: true },
      { ranking: { b: 0.1 } },
    ])
      await expect(search(cluster, { q: 'lamp', ...given })).rejects.toThrow(
        'is not available with SEARCH_ENGINE=opensearch',
      );
  });
});
