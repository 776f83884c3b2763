import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Credentials, call, createTenant, must } from '#server/testing/callers.ts';
import { freshDatabase } from '#server/testing/databases.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { describeWithCluster, dropFromCluster } from '#server/testing/search-cluster.ts';
import type { SearchAnswer } from '#shared/search.ts';

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
