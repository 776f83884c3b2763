import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Credentials, call, createTenant, must, signUp } from '#server/testing/callers.ts';
import { freshDatabase } from '#server/testing/databases.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { describeWithCluster, dropFromCluster } from '#server/testing/search-cluster.ts';
import type { SearchAnswer } from '#shared/search.ts';
import type { Engine } from '#shared/search-engines.ts';

const films = Array.from({ length: 25 }, (_, i) => ({
  id: `f${String(i).padStart(2, '0')}`,
  title: `${['The robot', 'A love story', 'Silent river'][i % 3]} ${i}`,
  year: 1990 + i,
  genre: i % 2 === 0 ? 'drama' : 'comedy',
}));

describeWithCluster('a server whose indexes a cluster keeps', (nodes) => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let kit: Kit;
  let as: Credentials;
  const start = () => startKit({ settings: { ...database.settings, openSearch: { nodes } } });

  beforeAll(async () => {
    database = await freshDatabase();
    kit = await start();
    const { key } = await createTenant(kit, { name: 'films', dimension: 384 });
    as = { key: key.key ?? '' };
    const body = films.map((film) => JSON.stringify(film)).join('\n');
    await must(
      call(kit, {
        method: 'POST',
        path: '/api/collections/films/documents/import',
        body,
        as,
        headers: { 'content-type': 'application/x-ndjson' },
      }),
    );
  });
  afterAll(async () => {
    await dropFromCluster(nodes, kit.deps.record);
    await kit.close();
    await database.cleanup();
  });

  const search = (query: string, mode = 'search') =>
    must(
      call<SearchAnswer>(kit, {
        method: 'GET',
        path: encodeURI(`/api/collections/films/${mode}?${query}`),
        as,
      }),
    );
  const everything = async () => ({
    words: idsOf(await search('query=robot&per_page=50')),
    page: idsOf(await search('query=*&filter_by=year:>2000&sort_by=year:desc&per_page=5&page=2')),
    facets: (await search('query=*&facet_by=genre')).facet_counts,
    meaning: (await search('query=machines that think&k=5', 'vector-search')).found,
    both: idsOf(await search('query=robot love&per_page=50', 'hybrid-search')),
  });
  const idsOf = ({ hits }: SearchAnswer) => hits.map(({ id }) => id);

  test('says what it is, and what it refuses', async () => {
    const somebody = await signUp(kit);
    const engine = await must(call<Engine>(kit, { method: 'GET', path: '/api/engine', as: somebody.as }));
    expect(engine.engine).toBe('opensearch');
    expect(engine.capabilities.groups_by_ranks).toBe(false);
    const grouped = 'query=robot&group_by=genre&fusion=rrf';
    const path = `/api/collections/films/hybrid-search?${grouped}`;
    expect((await call(kit, { method: 'GET', path, as })).status).toBe(422);
  });

  test('searches in all modes, and says the same after a restart', async () => {
    const before = await everything();
    expect(before.words).toHaveLength(9);
    expect(before.page).toEqual(['f19', 'f18', 'f17', 'f16', 'f15']);
    expect(before.facets).toMatchObject([
      {
        counts: [
          { value: 'drama', count: 13 },
          { value: 'comedy', count: 12 },
        ],
      },
    ]);
    expect(before.meaning).toBe(5);
    expect(before.both.length).toBeGreaterThan(9);
    await kit.close();
    kit = await start();
    expect(await everything()).toEqual(before);
  });

  test('a filter of more conditions than it takes is refused by name, and is no fault of the cluster', async () => {
    const filter_by = Array.from({ length: 700 }, (_, i) => `title:the robot${i}`).join(' || ');
    for (const mode of ['search', 'hybrid-search']) {
      const path = `/api/collections/films/${mode}`;
      const refused = await call(kit, { method: 'POST', path, body: { query: 'robot', filter_by }, as });
      expect([refused.status, refused.body]).toMatchObject([
        422,
        { code: 'UNPROCESSABLE', details: [{ path: 'filter_by' }] },
      ]);
    }
    expect((await search('query=robot')).found).toBe(9);
  });

  test('weighs words by the constants of a collection’s settings, and anew when they change', async () => {
    const path = '/api/collections/torches';
    const { key } = await createTenant(kit, { name: 'torches', dimension: 8 });
    const own = { key: key.key ?? '' };
    const settings = (ranking: object) =>
      must(call(kit, { method: 'PUT', path: `${path}/settings`, body: { ranking }, as: own }));
    await settings({ k1: 2, b: 0, title_weight: 3 });
    for (const body of [
      { id: 'titled', title: 'torch' },
      { id: 'twice', text: 'torch and torch' },
      { id: 'both', title: 'torch', text: 'a torch of iron and a long text about it' },
      { id: 'none', text: 'river' },
    ])
      await must(call(kit, { method: 'POST', path: `${path}/documents`, body, as: own }));
    const ask = (ranking?: object) =>
      call<SearchAnswer>(kit, {
        method: 'POST',
        path: `${path}/search`,
        body: { query: 'torch', explain: true, ...(ranking && { ranking }) },
        as: own,
      });
    const scores = async () => {
      const { hits } = await must(ask());
      for (const { score, explain } of hits) expect(explain?.parts.keyword).toBeCloseTo(score ?? 0, 5);
      return Object.fromEntries(hits.map(({ id, score }) => [id, Number(score?.toFixed(5))]));
    };
    // Three of four have it; lengths count nothing, so that a score is this times tf / (tf + k1).
    const idf = Math.log(1 + 1.5 / 3.5);
    const expected = (shares: Record<string, number>) =>
      Object.fromEntries(Object.entries(shares).map(([id, share]) => [id, Number((idf * share).toFixed(5))]));
    expect(await scores()).toEqual(expected({ both: 4 / 6, titled: 3 / 5, twice: 2 / 4 }));
    await settings({ k1: 1, b: 0, title_weight: 1 });
    expect(await scores()).toEqual(expected({ both: 2 / 3, twice: 2 / 3, titled: 1 / 2 }));
    const refused = await ask({ k1: 0.5 });
    expect([refused.status, refused.body]).toMatchObject([422, { details: [{ path: 'ranking.k1' }] }]);
    expect((await ask({ k1: 1 })).status).toBe(200);
  });

  test('finds what was written at once, and no longer what was deleted', async () => {
    const path = '/api/collections/films/documents';
    await must(call(kit, { method: 'POST', path, body: { id: 'new', title: 'Zeppelin' }, as }));
    expect(idsOf(await search('query=zeppelin'))).toEqual(['new']);
    await must(call(kit, { method: 'DELETE', path: `${path}/new`, as }));
    expect(idsOf(await search('query=zeppelin'))).toEqual([]);
  });

  test('is back at the embedded engine without a word, and back again', async () => {
    const before = await everything();
    await kit.close();
    kit = await startKit({ settings: database.settings });
    expect(idsOf(await search('query=robot&per_page=50')).sort()).toEqual(before.words.sort());
    await must(call(kit, { method: 'DELETE', path: '/api/collections/films/documents/f00', as }));
    await kit.close();
    kit = await start();
    expect((await search('query=*')).found).toBe(films.length - 1);
    expect(idsOf(await search('query=robot&per_page=50'))).not.toContain('f00');
  });
});
