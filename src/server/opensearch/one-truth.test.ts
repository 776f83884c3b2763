import { afterAll, beforeAll, expect, test } from 'vitest';
import { supportedMax, supportedScores } from '#server/engine/search-index.ts';
import { runSteps } from '#server/engine/steps.ts';
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
import type { GroupedAnswer, SearchAnswer } from '#shared/search.ts';
import type { ExplainAnswer } from '#shared/standing.ts';

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

/** As the record has them. */
const floatsIn = (bytes: Uint8Array) => new Float32Array(Uint8Array.from(bytes).buffer);

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
    { query: 'unheard of' },
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

  test('good hits of both sides lift each other as in the embedded engine, also page by page', async () => {
    const many = await world.newCollection();
    // More than are compared, and than both scores are known of; none has both "motor" and "quietly".
    const rows = Array.from({ length: 300 }, (_, i) => ({
      id: `m${i}`,
      title: `${colors[i % 4]} ${nouns[i % 7]}`,
      text: `number ${i} ${i % 2 === 0 ? 'with a motor' : 'runs quietly'}`,
    }));
    await collect(cluster.import(many, { action: 'upsert', rows: rowsOf(rows) }));
    const ask = async (given: Record<string, unknown>): Promise<SearchAnswer> =>
      asRead(await cluster.search(many, parameters(given)));
    const given = { mode: 'hybrid', q: 'red lamp motor quietly', match: 'any', per_page: 250, explain: true };
    const weighed = (neighbours_weight: number) => ({ ...given, ranking: { neighbours_weight } });
    const [plain, lifted] = [await ask(weighed(0)), await ask(weighed(0.4))];
    expect([plain.found, lifted.found]).toEqual([300, 300]);
    const stored = await world.record.sql`select id, vectors from documents where collection_id = ${many.id}`;
    const vectors = new Map(stored.map(({ id, vectors: bytes }) => [id, floatsIn(bytes)]));
    const best = plain.hits.slice(0, supportedMax);
    const ofBest = {
      scores: Float64Array.from(best, ({ score = 0 }) => score),
      vectors: best.map(({ id }) => vectors.get(id) ?? new Float32Array(0)),
    };
    const { weight = 0 } = lifted.hits[0]?.explain?.fusion?.neighbours ?? {};
    expect(weight).toBeGreaterThan(0);
    const expected = runSteps(supportedScores(ofBest, weight));
    const scores = new Map(lifted.hits.map(({ id, score }) => [id, score]));
    expect(idsOf(lifted)).not.toEqual(idsOf(plain));
    plain.hits.forEach(({ id, score = 0 }, place) => {
      const own = scores.get(id);
      if (place < supportedMax || own !== undefined)
        expect(own).toBeCloseTo(expected[place] ?? (1 - weight) * score, 6);
    });
    for (const { score = 0, explain } of lifted.hits)
      expect((explain?.parts.keyword ?? 0) + (explain?.parts.vector ?? 0)).toBeCloseTo(score, 6);
    const walked: string[] = [];
    for (let cursor: string | null | undefined = ''; cursor != null && walked.length < 250; ) {
      const page: SearchAnswer = await ask({ ...weighed(0.4), per_page: 35, cursor });
      walked.push(...idsOf(page));
      cursor = page.next_cursor;
    }
    expect(walked.slice(0, 250)).toEqual(idsOf(lifted));
    // A list of this collection alone ranks as it does, and tells the same of each hit.
    const target = {
      index: 0,
      reference: String(many.id),
      collection: { ...many, name: 'many' },
      search: parameters(weighed(0.4)),
    };
    const { answer }: { answer: Pick<SearchAnswer, 'hits'> } = asRead(
      await cluster.searchMerged([target], { page: 1, per_page: 100 }),
    );
    expect(answer.hits.map(({ id }) => id)).toEqual(idsOf(lifted).slice(0, 100));
    answer.hits.forEach(({ score, explain }, place) => {
      const alone = lifted.hits[place];
      expect(score).toBeCloseTo(alone?.score ?? -1, 5);
      expect(explain?.parts.keyword).toBeCloseTo(alone?.explain?.parts.keyword ?? -1, 5);
      expect(explain?.fusion?.neighbours?.value).toBeCloseTo(
        alone?.explain?.fusion?.neighbours?.value ?? -1,
        4,
      );
    });
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
      metadata: {
        fields: ['at', 'east'].map((name) => ({ name, type: 'geopoint' as const, required: false })),
      },
    });
    const rows = Array.from({ length: 20 }, (_, i) => ({
      id: `p${i}`,
      // On both sides of the date line.
      east: { lat: (i - 10) / 2, lng: i % 2 === 0 ? 175 + i / 5 : -175 - i / 5 },
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
      { filter_by: 'at:(48.2, 16.125, 0 m)' },
      { sort_by: 'at(48.2, 16.3):asc' },
      { filter_by: 'at:(48.2, 16.3, 900 mi)', sort_by: 'at(10, 10):asc' },
      { sort_by: 'at(48.2, 16.31):desc' },
      { filter_by: 'at:(48.1, 16.04, 48.3, 16.04, 48.25, 16.41)' },
      { filter_by: '!at:(48.1, 16.04, 48.3, 16.04, 48.25, 16.41)' },
      { filter_by: 'east:(10, 170, 10, -170, -10, -170, -10, 170)' },
      { filter_by: 'east:(10, 178, 0, -170, -10, 178, -3, -178)' },
    ]) {
      const asked = parameters({ q: '*', per_page: 50, ...given });
      const ours: SearchAnswer = asRead(await embedded.search(own, asked));
      const theirs: SearchAnswer = asRead(await cluster.search(own, asked));
      expect(theirs.hits).toEqual(ours.hits);
      expect(ours.found).toBeGreaterThan(0);
    }
  });

  const grouped = async (indexes: Indexes, given: Record<string, unknown>): Promise<GroupedAnswer> =>
    asRead(await indexes.search(collection, parameters(given)));
  const groupsIn = ({ grouped_hits }: GroupedAnswer) =>
    grouped_hits.map(({ group_key, found, hits }) => ({ group_key, found, ids: hits.map(({ id }) => id) }));
  const byKey = (answer: GroupedAnswer) =>
    Object.fromEntries(groupsIn(answer).map(({ group_key, found }) => [JSON.stringify(group_key), found]));

  test.each([
    { q: '*', group_by: 'tags' },
    { q: '*', group_by: 'price,sold', sort_by: 'stock:desc' },
    { q: '*', group_by: 'made', sort_by: 'price:asc,stock:desc', group_limit: 1 },
    { q: '*', group_by: 'maker.name', group_missing_values: false, sort_by: 'stock:desc' },
    { q: '*', group_by: 'maker.name,maker.city.zip', group_missing_values: false },
    { q: '*', group_by: 'maker.name', sort_by: 'title:desc', filter_by: 'price:>10' },
    { q: '*', group_by: 'text', facet_by: 'tags', per_page: 100 },
    { query: 'red lamp', match: 'any', group_by: 'title', sort_by: 'stock:asc', facet_by: 'sold' },
    { mode: 'vector', query: 'a lamp', k: 25, group_by: 'title', facet_by: 'sold' },
    { mode: 'hybrid', query: 'red lamp', k: 25, group_by: 'tags', sort_by: 'stock:asc', facet_by: 'sold' },
  ])('groups %o', async (given) => {
    const asked = { group_limit: 2, per_page: 5, ...given };
    const ours = await grouped(embedded, asked);
    const theirs = await grouped(cluster, asked);
    expect(ours.found).toBeGreaterThan(1);
    expect([theirs.found, theirs.found_docs]).toEqual([ours.found, ours.found_docs]);
    expect(groupsIn(theirs)).toEqual(groupsIn(ours));
    expect(theirs.facet_counts).toEqual(ours.facet_counts);
    const page = { ...asked, page: 2 };
    expect(groupsIn(await grouped(cluster, page))).toEqual(groupsIn(await grouped(embedded, page)));
  });

  test.each([
    { query: 'red lamp', match: 'any', group_by: 'title' },
    { mode: 'hybrid', query: 'a red lamp', k: 10, group_by: 'tags' },
    { mode: 'hybrid', query: 'a red lamp', k: 10, group_by: 'maker.name', group_missing_values: false },
  ])('groups in the order of their scores %o', async (given) => {
    const whole = { group_limit: 99, per_page: 100, ...given };
    const [ours, theirs] = [await grouped(embedded, whole), await grouped(cluster, whole)];
    const plain = await search(cluster, { ...given, group_by: undefined, per_page: 250 });
    expect(byKey(theirs)).toEqual(byKey(ours));
    expect([theirs.found, theirs.found_docs]).toEqual([ours.found, plain.found]);
    // Each group stands where the best of its hits does, and has them in the order of the list.
    const order = idsOf(plain);
    const heads = theirs.grouped_hits.map(({ hits }) => order.indexOf(hits[0]?.id ?? ''));
    expect(heads).toEqual(heads.toSorted((a, b) => a - b));
    for (const { hits } of theirs.grouped_hits) {
      const places = hits.map(({ id }) => order.indexOf(id));
      expect(places).toEqual(places.toSorted((a, b) => a - b));
    }
    const pages = [];
    for (let page = 1; page <= Math.ceil(theirs.found / 3); page += 1)
      pages.push(...groupsIn(await grouped(cluster, { ...whole, per_page: 3, page })));
    expect(pages).toEqual(groupsIn(theirs));
    const walked = [];
    for (let cursor: string | null | undefined = ''; cursor != null; ) {
      const page: GroupedAnswer = await grouped(cluster, { ...whole, per_page: 3, cursor });
      walked.push(...groupsIn(page));
      cursor = page.next_cursor;
    }
    expect(walked).toEqual(groupsIn(theirs));
  });

  test.each([
    { mode: 'vector', k: 40 },
    { mode: 'hybrid', k: 12 },
    { mode: 'hybrid', k: 12, fusion: 'rrf', alpha: 0.1 },
    { mode: 'hybrid', k: 12, sort_by: 'price:asc' },
    { mode: 'hybrid', k: 12, sort_by: 'sold:asc,_score:desc' },
    { mode: 'vector', k: 40, sort_by: 'sold:desc,_vector_distance:asc' },
  ])('a walk with meaning %o', async (given) => {
    // More match the words than both scores are known of.
    const asked = {
      query: 'lamp table chair notebook torch',
      match: 'any',
      ranking: { calibration_documents: 10 },
      ...given,
    };
    const pages: string[] = [];
    for (let page = 1; page <= 10; page += 1)
      pages.push(...idsOf(await search(cluster, { ...asked, per_page: 7, page })));
    const walked: string[] = [];
    let walks = 0;
    for (let cursor: string | null | undefined = ''; cursor != null; walks += 1) {
      const page: SearchAnswer = await search(cluster, { ...asked, per_page: 7, cursor });
      walked.push(...idsOf(page));
      cursor = page.next_cursor;
    }
    expect(walks).toBe(Math.ceil(pages.length / 7));
    expect(walked).toEqual(pages);
    const ours = await search(embedded, { ...asked, per_page: 250 });
    expect(walked.length).toBe(ours.found);
    expect(walked.toSorted()).toEqual(idsOf(ours).toSorted());
    if (given.mode === 'vector') expect(walked).toEqual(idsOf(ours));
  });

  test.each([
    { query: 'lamp', match: 'any', sort_by: '_text_match:desc' },
    { query: 'lamp', sort_by: 'sold:asc,_text_match:asc' },
    { q: '*', sort_by: '_vector_distance:asc' },
    { mode: 'vector', query: 'a lamp', k: 20, sort_by: '_vector_distance:desc' },
    { mode: 'vector', query: 'a lamp', k: 20, sort_by: 'price:desc,_score:desc' },
    { mode: 'hybrid', query: 'red lamp', k: 20, sort_by: '_text_match:asc' },
    { mode: 'hybrid', query: 'red lamp', k: 20, sort_by: 'sold:asc,_score:asc' },
    { mode: 'hybrid', query: 'red lamp', k: 20, sort_by: '_vector_distance:asc,title:asc' },
  ])('orders by scores %o', async (given) => {
    const { ours, theirs } = await both({ ...given, per_page: 100 });
    expect(theirs.found).toBe(ours.found);
    const isOfWords = /_text_match|_score/.test(given.sort_by) && given.mode !== 'vector';
    if (!isOfWords) return expect(idsOf(theirs)).toEqual(idsOf(ours));
    // Scores of words are the cluster's own: its hits are in the order of these.
    expect(idsOf(theirs).toSorted()).toEqual(idsOf(ours).toSorted());
    const sign = given.sort_by.endsWith('desc') ? -1 : 1;
    const isByText = given.sort_by.includes('_text_match');
    const rowOf = ({ document, score, text_match }: SearchAnswer['hits'][number]) => [
      given.sort_by.startsWith('sold') ? Number(document['sold']) : 0,
      sign * (isByText ? (text_match ?? sign * Number.POSITIVE_INFINITY) : score),
    ];
    const rows = theirs.hits.map(rowOf);
    expect(rows).toEqual(rows.toSorted(([a = 0, b = 0], [c = 0, d = 0]) => a - c || (b === d ? 0 : b - d)));
  });

  const sumOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0);

  test.each([
    { query: 'red lamp quietly', match: 'any' },
    { query: 'tabel' },
    { query: 'note book', query_by: ['title', 'text'], query_by_weights: [3, 1] },
    { query: 'lam', query_by: ['title'] },
    { mode: 'vector', query: 'a lamp', k: 10 },
    { mode: 'hybrid', query: 'red lamp', k: 10 },
    { mode: 'hybrid', query: 'red lamp', k: 10, fusion: 'rrf', match: 'any' },
  ])('explained hits %o', async (given) => {
    const { ours, theirs } = await both({ ...given, explain: true, per_page: 100 });
    expect(theirs.hits.length).toBeGreaterThan(3);
    const known = new Map(ours.hits.map(({ id, explain }) => [id, explain]));
    for (const { id, score, text_match, explain } of theirs.hits) {
      const { parts, keyword, vector } = explain ?? { parts: {} };
      expect((parts.keyword ?? 0) + (parts.vector ?? 0)).toBeCloseTo(score, 4);
      expect(keyword?.missing).toEqual(known.get(id)?.keyword?.missing);
      expect(vector?.similarity ?? 0).toBeCloseTo(known.get(id)?.vector?.similarity ?? 0, 5);
      if (!keyword) continue;
      expect(keyword.score).toBeCloseTo(text_match ?? 0, 4);
      expect(sumOf(keyword.words.map((word) => word.score))).toBeCloseTo(keyword.score, 8);
      expect(keyword.length).toBeGreaterThan(0);
      expect(keyword.mean_length).toBeGreaterThan(0);
      for (const word of keyword.words) {
        expect(word.score, word.word).toBeGreaterThan(0);
        expect(sumOf(word.matches.map((match) => match.score))).toBeCloseTo(word.score, 8);
        expect(word.weight * word.saturation).toBeCloseTo(word.score, 8);
      }
    }
  });

  test('where a document stands, and what has lost it', async () => {
    const standing = async (
      indexes: Indexes,
      id: string,
      { mode = 'keyword', ...given }: Record<string, unknown>,
    ) => {
      const { lost, also_lost, ...answer } = asRead(
        await indexes.explain(collection, { ...parameters({ mode, ...given }), id }),
      ) as ExplainAnswer;
      return { ...answer, lost: [lost, ...(also_lost ?? [])].map((each) => each?.step ?? null) };
    };
    const ranked = [
      { q: '*', sort_by: 'price:asc' },
      { query: 'red lamp', match: 'any' },
      { mode: 'vector', query: 'a lamp', k: 20 },
      { mode: 'hybrid', query: 'red lamp', k: 20 },
      { q: '*', sort_by: 'stock:desc', group_by: 'tags' },
    ];
    for (const given of ranked) {
      const { group_by: _, ...plain } = { group_by: '', ...given };
      const ids = idsOf(await search(cluster, { ...plain, per_page: 100 }));
      for (const place of [0, 7, 13]) {
        const id = ids[place] ?? '';
        const own = await standing(cluster, id, given);
        const told = `${id} in ${JSON.stringify(given)}`;
        if ('group_by' in given) {
          const { rank, group, found } = await standing(embedded, id, given);
          expect(own, told).toMatchObject({ rank, group, found });
        } else expect(own.rank, told).toBe(place + 1);
        expect(own.score).toBeDefined();
      }
    }
    const lost = [
      ['nobody', { q: '*' }],
      ['d1', { q: '*', filter_by: 'price:>40 && sold:true' }],
      ['d1', { query: 'lamp "running motor"' }],
      ['d0', { query: 'lamp -red' }],
      ['d1', { query: 'unheard of', match: 'all' }],
      ['d1', { query: 'red tabel', query_by: ['tags'] }],
      ['d2', { mode: 'vector', query: 'a notebook', k: 2 }],
      ['d5', { mode: 'hybrid', query: 'red lamp', match: 'all', k: 1 }],
    ] as const;
    for (const [id, given] of lost) {
      const [ours, theirs] = [await standing(embedded, id, given), await standing(cluster, id, given)];
      expect(ours.rank).toBeNull();
      // On which page it would be is a matter of scores.
      const changesIn = ({ changes }: typeof ours) => changes.filter(({ parameter }) => parameter !== 'page');
      expect([theirs.rank, theirs.lost]).toEqual([null, ours.lost]);
      expect(changesIn(theirs)).toEqual(changesIn(ours));
    }
  });

  test('relevance where a collection is calibrated, and the least that is asked for', async () => {
    const own = await world.newCollection();
    await collect(cluster.import(own, { action: 'upsert', rows: rowsOf(documents) }));
    const weights = JSON.stringify({ base: -2, score: 4, words: 0.5, nearest: 0.1 });
    for (const mode of ['keyword', 'vector', 'hybrid'])
      await world.record
        .sql`insert into calibrations (collection_id, mode, fitted_at, weights, unjudged, queries, pairs, relevant, calibration_error, brier, settings, model, judgements)
        values (${own.id}, ${mode}, now(), ${weights}::text::jsonb, 'ignored', 1, 1, 1, 0, 0, '{}', 'builtin', 1)`;
    await world.record.sql`update collections set rules_version = rules_version + 1 where id = ${own.id}`;
    const calibrated = { ...own, rulesVersion: 1 };
    const asked = async (indexes: Indexes, given: Record<string, unknown>): Promise<SearchAnswer> =>
      asRead(await indexes.search(calibrated, parameters({ per_page: 100, facet_by: 'sold', ...given })));
    for (const given of [
      { query: 'red lamp quietly', match: 'any' },
      { mode: 'vector', query: 'a red lamp', k: 40 },
      { mode: 'hybrid', query: 'lamp table chair notebook torch', match: 'any', k: 20, alpha: 0.5 },
    ]) {
      const plain = await asked(cluster, given);
      const relevances = plain.hits.map(({ relevance }) => relevance ?? Number.NaN);
      expect(relevances).toEqual(relevances.toSorted((a, b) => b - a));
      expect(relevances[0]).toBeGreaterThan(0.5);
      const min = ((relevances[8] ?? 0) + (relevances[9] ?? 0)) / 2;
      const kept = plain.hits.filter(({ relevance = 0 }) => relevance >= min);
      expect(kept.length).toBeLessThan(plain.found);
      const cut = await asked(cluster, { ...given, min_relevance: min });
      expect(cut.found).toBe(kept.length);
      expect(idsOf(cut)).toEqual(kept.map(({ id }) => id));
      expect(sumOf(cut.facet_counts[0]?.counts.map(({ count }) => count) ?? [])).toBe(kept.length);
      const out = plain.hits.at(-1)?.id ?? '';
      const { lost } = await cluster.explain(calibrated, {
        ...parameters({ ...given, min_relevance: min }),
        id: out,
      });
      expect(lost?.step).toBe('relevance');
      // Vectors are the same in both.
      if (given.mode !== 'vector') continue;
      const ours = await asked(embedded, { ...given, min_relevance: min });
      expect(idsOf(cut)).toEqual(idsOf(ours));
    }
  });

  test('scores of words in short texts, which stop words make no longer', async () => {
    const texts = [
      'torch',
      'the torch of it',
      'a torch and a torch',
      'it is not the torch of a lamp',
      'of iron',
    ];
    const own = await world.newCollection();
    const rows = texts.map((text, i) => ({ id: `t${i}`, text, title: i % 2 === 0 ? 'the lamp' : 'lamp' }));
    await collect(cluster.import(own, { action: 'upsert', rows: rowsOf(rows) }));
    for (const given of [
      { query: 'torch' },
      { query: 'torch', query_by: ['text'] },
      { query: 'the lamp torch', match: 'any' },
      { query: 'torhc' },
    ]) {
      const asked = parameters({ mode: 'keyword', per_page: 100, ...given });
      const [ours, theirs] = await Promise.all(
        [embedded, cluster].map(async (by) => {
          const { hits }: SearchAnswer = asRead(await by.search(own, asked));
          return new Map(hits.map(({ id, text_match }) => [id, text_match ?? 0]));
        }),
      );
      expect(theirs?.size).toBeGreaterThan(3);
      for (const [id, score] of ours ?? [])
        expect(theirs?.get(id), `${id} of ${given.query}`).toBeCloseTo(score, 4);
    }
    for (const query of ['of', '"torch of a lamp"', '"of it"']) {
      const asked = parameters({ mode: 'keyword', query });
      const found = async (by: Indexes) => {
        const { hits }: SearchAnswer = asRead(await by.search(own, asked));
        return hits.map(({ id, text_match = 0 }) => [id, text_match > 0]).toSorted();
      };
      expect(await found(cluster)).toEqual(await found(embedded));
      expect(await found(cluster)).not.toEqual([]);
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
    for (const given of [{ ranking: { b: 0.1 } }, { mode: 'hybrid', fusion: 'rrf', group_by: ['tags'] }])
      await expect(search(cluster, { q: 'lamp', ...given })).rejects.toThrow(
        'is not available with SEARCH_ENGINE=opensearch',
      );
  });
});
