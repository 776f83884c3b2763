import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Indexes, WritableCollection } from '#server/indexes/indexes.ts';
import {
  asRead,
  collect,
  type IndexesWorld,
  openIndexesWorld,
  parameters,
  rowsOf,
} from '#server/testing/open-indexes.ts';
import { describeWithCluster, dropFromCluster, engineIn } from '#server/testing/search-cluster.ts';
import { JsonText } from '#server/wire/json-text.ts';
import type { DocumentMap } from '#shared/document-map.ts';
import type { SearchAnswer } from '#shared/search.ts';

/** The rows of "What differs" in `docs/scaling.md` that no other test shows: the same documents in both engines. */
describeWithCluster('what differs', (nodes) => {
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

  /** Asks both engines about these documents. */
  async function given(rows: object[], made: Partial<WritableCollection> = {}) {
    const collection = await world.newCollection(made);
    const results = await collect(cluster.import(collection, { action: 'upsert', rows: rowsOf(rows) }));
    expect(results.filter(({ success }) => !success)).toEqual([]);
    const embedded = world.openIndexes();
    const ask = async <T = SearchAnswer>(asked: Record<string, unknown>): Promise<[ours: T, theirs: T]> => {
      const each = async (by: Indexes) => asRead(await by.search(collection, parameters(asked)));
      return [await each(embedded), await each(cluster)];
    };
    const found = async (asked: Record<string, unknown>) =>
      (await ask(asked)).map(({ hits }) => hits.map(({ id }) => id).sort());
    return { collection, embedded, ask, found };
  }

  test('scores of words: the cluster counts lengths in steps', async ({ annotate }) => {
    const rows = Array.from({ length: 200 }, (_, i) => ({
      id: `d${i}`,
      text: `lamp ${'of iron '.repeat(i)}`,
    }));
    const { ask } = await given(rows);
    const [ours, theirs] = await ask({ query: 'lamp', per_page: 250 });
    const known = new Map(ours.hits.map(({ id, score }) => [id, score ?? 0]));
    const apart = theirs.hits.map(({ id, score }) => Math.abs((score ?? 0) / (known.get(id) ?? 0) - 1));
    const most = Math.max(...apart);
    const stepsOf = ({ hits }: SearchAnswer) => new Set(hits.map(({ score }) => score)).size;
    await annotate(
      `${stepsOf(ours)} and ${stepsOf(theirs)} scores, up to ${(most * 100).toFixed(1)} % apart`,
    );
    expect([theirs.found, stepsOf(ours)]).toEqual([200, 200]);
    expect(stepsOf(theirs)).toBeLessThan(100);
    expect(most).toBeLessThan(0.1);
  });

  test('similarities of a hybrid search: of all candidates, and of the best of both sides', async ({
    annotate,
  }) => {
    const rows = Array.from({ length: 300 }, (_, i) => ({ id: `d${i}`, title: `lamp ${i}` }));
    const { ask } = await given(rows);
    const answers = await ask({ mode: 'hybrid', query: 'lamp', per_page: 250, explain: true });
    const counts = answers.map(
      ({ hits }) => hits.filter(({ explain }) => (explain?.parts.vector ?? 0) > 0).length,
    );
    await annotate(`similarities count in ${counts.join(' and ')} of 250 hits`);
    expect(counts[0]).toBe(250);
    expect(counts[1]).toBeGreaterThanOrEqual(100);
    expect(counts[1]).toBeLessThanOrEqual(200);
  });

  test('how similarities are spread: known from documents that each engine draws', async ({ annotate }) => {
    const rows = Array.from({ length: 1_500 }, (_, i) => ({
      id: `d${i}`,
      title: `${['lamp', 'river', 'stone', 'cloud'][i % 4]} ${['of iron', 'at night'][i % 2]} ${i}`,
    }));
    const { ask } = await given(rows);
    const answers = await ask({
      mode: 'hybrid',
      query: 'a lamp by night',
      match: 'any',
      per_page: 20,
      explain: true,
    });
    const [ours, theirs] = answers.map(
      ({ hits }) => new Map(hits.map(({ id, explain }) => [id, explain?.fusion?.vector?.value ?? 0])),
    );
    const apart = [...(theirs ?? [])].flatMap(([id, value]) => {
      const known = ours?.get(id);
      return known === undefined ? [] : [Math.abs(value - known)];
    });
    await annotate(`values of ${apart.length} similarities up to ${Math.max(...apart).toFixed(3)} apart`);
    expect(apart.length).toBeGreaterThan(5);
    expect(Math.max(...apart)).toBeLessThan(0.1);
  });

  test('ways in which a word is held: all add up, and the best counts alone', async () => {
    const { ask } = await given([
      { id: 'a', title: 'torch torchlight' },
      { id: 'b', title: 'river' },
    ]);
    const answers = await ask({ query: 'torch', explain: true });
    const ways = answers.map(({ hits }) =>
      hits.flatMap(({ explain }) => explain?.keyword?.words.flatMap(({ matches }) => matches) ?? []),
    );
    const shares = ways.map((each) => each.map(({ as, score }) => [as, score > 0]));
    expect(shares).toEqual([
      [
        ['word', true],
        ['prefix', true],
      ],
      [
        ['word', true],
        ['prefix', false],
      ],
    ]);
  });

  test('a title that is what was asked for earns more, and nothing more than its words', async () => {
    const { ask } = await given([
      { id: 'a', title: 'torch' },
      { id: 'b', title: 'torch light' },
    ]);
    const answers = await ask({ query: 'torch', explain: true });
    const earned = answers.map(({ hits }) => hits.map(({ explain }) => explain?.keyword?.whole_title ?? 0));
    expect(earned).toEqual([
      [expect.any(Number), 0],
      [0, 0],
    ]);
    expect(earned[0]?.[0]).toBeGreaterThan(0);
  });

  test('typos: in the first letter of long words too, and in all others', async () => {
    const { found } = await given([
      { id: 'a', title: 'notebooks' },
      { id: 'b', title: 'river' },
    ]);
    expect(await found({ query: 'motebooks' })).toEqual([['a'], []]);
    expect(await found({ query: 'notebokks' })).toEqual([['a'], ['a']]);
  });

  test('beginnings: other forms of the words that begin so too, and these words', async () => {
    const { found } = await given([
      { id: 'a', title: 'running' },
      { id: 'b', title: 'runs' },
      { id: 'c', title: 'river' },
    ]);
    expect(await found({ query: 'runni', num_typos: 0 })).toEqual([['a', 'b'], ['a']]);
  });

  test('places: as they are, and rounded to a centimetre', async () => {
    const fields = [{ name: 'at', type: 'geopoint' as const, required: false }];
    // Four millimetres.
    const { found } = await given([{ id: 'a', at: { lat: 0, lng: 4e-8 } }], { metadata: { fields } });
    expect(await found({ q: '*', filter_by: 'at:(0, 0, 0 m)' })).toEqual([[], ['a']]);
    expect(await found({ q: '*', filter_by: 'at:(0, 0, 0.01 m)' })).toEqual([['a'], ['a']]);
  });

  test('whole values: compared whole, and by their first 8,000 characters', async () => {
    const start = 'x'.repeat(8_000);
    const { found } = await given([
      { id: 'a', code: `${start}b` },
      { id: 'b', code: `${start}a` },
    ]);
    expect(await found({ q: '*', filter_by: `code:="${start}a"` })).toEqual([['b'], ['a', 'b']]);
  });

  test('long lists: each text for itself, and the last ones as one', async () => {
    const tags = Array.from({ length: 20_010 }, (_, i) => `t${i}`);
    const { found } = await given([{ id: 'a', tags }]);
    expect(await found({ q: '*', filter_by: 'tags:"t7 t8"' })).toEqual([[], []]);
    expect(await found({ q: '*', filter_by: 'tags:"t20005 t20006"' })).toEqual([[], ['a']]);
  });

  test('fields: as they were met, and by name', async () => {
    const { collection, embedded } = await given([{ id: 'a', zeta: 1, alpha: 'x' }]);
    const paths = async (by: Indexes) =>
      (await by.read(collection, { call: 'fields' })).map(({ path }) => path);
    expect(await paths(embedded)).toEqual(['zeta', 'alpha']);
    expect(await paths(cluster)).toEqual(['alpha', 'zeta']);
  });

  test('an order beyond the Basic Multilingual Plane: by UTF-16, and by code point', async () => {
    const { ask } = await given([
      { id: 'a', name: '\u{1F600}' },
      { id: 'b', name: '\uFF5E' },
    ]);
    const orders = (await ask({ q: '*', sort_by: 'name:asc' })).map(({ hits }) => hits.map(({ id }) => id));
    expect(orders).toEqual([
      ['a', 'b'],
      ['b', 'a'],
    ]);
  });

  test('suggestions: words of documents too, and queries, titles and values', async () => {
    const { collection, embedded } = await given([{ id: 'a', title: 'Over Berlin', text: 'a zeppelin' }]);
    const suggested = async (by: Indexes, q: string) =>
      (await by.suggest(collection, { q, limit: 5 })).suggestions.map(({ query }) => query);
    expect(await suggested(embedded, 'zepp')).toEqual(['zeppelin']);
    expect(await suggested(cluster, 'zepp')).toEqual([]);
    expect(await suggested(cluster, 'over')).toEqual(['Over Berlin']);
  });

  test('Verify: compares texts, and versions', async () => {
    const { collection, embedded } = await given([{ id: 'a', title: 'torch' }]);
    await embedded.search(collection, parameters({ q: '*' }));
    await world.record
      .sql`update documents set source = '{"id":"a","title":"lamp"}' where collection_id = ${collection.id}`;
    expect((await embedded.verify(collection)).stale).toEqual(['a']);
    expect((await cluster.verify(collection)).stale).toEqual([]);
    await world.record.sql`update documents set version = version + 1 where collection_id = ${collection.id}`;
    expect((await cluster.verify(collection)).stale).toEqual(['a']);
  });

  test('timings: what a thread worked, and what was waited for the cluster', async () => {
    const { ask } = await given([{ id: 'a', title: 'torch' }]);
    const steps = (await ask({ mode: 'hybrid', query: 'torch' })).map(({ timings }) => timings);
    const [ours, theirs] = steps.map((each) => each.map(({ step }) => step));
    expect(theirs).toEqual(ours);
  });

  test('one list over several collections: ranked as one, and by the lengths within each', async () => {
    const textsOf = (name: string, words: number) =>
      given(
        Array.from({ length: 20 }, (_, i) => ({
          id: `${name}${i}`,
          text: `lamp ${'long '.repeat(words * i)}`,
        })),
      );
    const both = [await textsOf('short', 1), await textsOf('long', 10)];
    const targets = both.map(({ collection }, index) => ({
      index,
      reference: String(collection.id),
      collection: { ...collection, name: `c${collection.id}` },
      search: parameters({ query: 'lamp' }),
    }));
    const firsts = async (by: Indexes): Promise<string[]> => {
      const { answer } = asRead(await by.searchMerged(targets, { page: 1, per_page: 20 }));
      return answer.hits.map(({ id }: { id: string }) => id.replace(/\d+/, ''));
    };
    const shortOnes = (names: string[]) => names.filter((name) => name === 'short').length;
    expect(shortOnes(await firsts(both[0]?.embedded ?? cluster))).toBeGreaterThan(17);
    expect(shortOnes(await firsts(cluster))).toBeLessThan(13);
  });

  test('another model: both sides are ranked by the engine in the server, which tells of it', async () => {
    const query = 'yeppelins';
    const vector = Array.from(await world.embedder.embedQuery(query, 384));
    // By meaning the one that its words would find is the farthest of all.
    const far = vector.map((component) => -component);
    const { collection, ask } = await given([
      { id: 'typo', title: 'zeppelins', embedding: far },
      { id: 'near', title: 'river', embedding: vector },
    ]);
    const settings = { alpha: 0.05 };
    const searched = await ask({ mode: 'hybrid', query, ...settings });
    expect(searched.map(({ hits }) => hits[0]?.id)).toEqual(['typo', 'near']);
    const change = {
      ...{ model: 'static', draft: { settings }, at: new Date(), mode: 'hybrid' as const, documentsMax: 10 },
      judged: [{ query, grades: new Map([['typo', 1]]) }],
    };
    const { signal } = new AbortController();
    const { compared, among } = await cluster.compareModel(collection, change, signal);
    expect(compared.map(({ after }) => after.hits[0])).toEqual(['typo']);
    expect(among).toMatchObject({ documents: 2, of: 2, engine: 'embedded' });
  });

  test('what is drawn of a collection: by hashes of ids, and others', async () => {
    const { collection, embedded } = await given(
      Array.from({ length: 60 }, (_, i) => ({ id: `d${i}`, title: `lamp ${i}` })),
    );
    const asked = {
      filter: null,
      titleFields: [],
      colorField: null,
      componentsMax: 8,
      withVectors: false,
      bytesMax: 10_000,
    };
    const drawn = async (by: Indexes) => {
      const { map } = await by.read(collection, { call: 'sample', limit: 10, ...asked });
      const { ids, withVector } = new JsonText<DocumentMap>(map).parse();
      expect([ids.length, withVector]).toEqual([10, 60]);
      return ids.toSorted();
    };
    expect(await drawn(cluster)).not.toEqual(await drawn(embedded));
  });
});
