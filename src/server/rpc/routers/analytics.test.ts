import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeSearches } from '#server/search-log/write-searches.ts';
import { type Credentials, call, createKey, createTenant, must } from '#server/testing/callers.ts';
import { databases } from '#server/testing/databases.ts';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { statementsOf } from '#server/testing/statements.ts';
import type { Analytics } from '#shared/analytics.ts';
import { limits } from '#shared/limits.ts';
import type { MergedSearchAnswer, MultiSearchAnswer, SearchAnswer } from '#shared/search.ts';

const dayMs = 24 * 60 * 60_000;
const documents = [
  { id: '1', title: 'Red shoes' },
  { id: '2', title: 'Blue shoes' },
  { id: '3', title: 'Green hat' },
];

describe.each(databases)('what is searched for, on the %s database', (database) => {
  let kit: Kit;
  const { clock, pass } = fakeClock(new Date('2026-06-01T12:00:00Z'));
  beforeAll(async () => {
    kit = await startKit({ database, clock, settings: { purgeAfterMs: 24 * dayMs } });
  });
  afterAll(() => kit.close());

  /** A collection of one's own. */
  async function open() {
    const { owner, project, collection, key } = await createTenant(kit, { name: 'shop', dimension: 384 });
    const as: Credentials = { key: key.key };
    const send = <T>(method: string, path: string, body?: unknown, caller: Credentials = as) =>
      call<T>(kit, { method, path: `/api/collections/shop/${path}`, body, as: caller });
    await must(send('POST', 'documents/import', documents));
    const search = (query: string, given: object = {}, mode = 'search') =>
      must(send<SearchAnswer>('POST', mode, { query, ...given }));
    const idOf = async (query: string, given: object = {}) => (await search(query, given)).query_id ?? '';
    const tell = (query_id: string, id: string, position?: number, type = 'click') =>
      send<{ ok: true }>('POST', 'events', { type, query_id, id, position });
    const analytics = async (query = '', caller: Credentials = as) => {
      await kit.deps.searchLog.flush();
      return await must(send<Analytics>('GET', `analytics?${query}`, undefined, caller));
    };
    return { owner, project, collection, key, send, search, idOf, tell, analytics };
  }

  test('top queries, those without results, those without clicks', async () => {
    const { search, idOf, tell, analytics } = await open();
    for (const query of ['shoes', 'Hat', 'SHOES ', 'hat', 'shoes', 'zzzz']) await search(query);
    await must(tell(await idOf('hat'), '3', 1));
    const { queries, ...all } = await analytics();
    expect(queries.map(({ query, searches }) => [query, searches])).toEqual([
      ['hat', 3],
      ['shoes', 3],
      ['zzzz', 1],
    ]);
    expect(queries[0]).toEqual({
      query: 'hat',
      searches: 3,
      without_results: 0,
      found: 1,
      clicks: 1,
      click_through_rate: 0.333,
      click_position: 1,
      conversions: 0,
      conversion_rate: 0,
    });
    expect(all).toMatchObject({
      from: '2026-05-03',
      to: '2026-06-01',
      searches: 7,
      without_results: 1,
      clicks: 1,
      click_through_rate: 0.143,
      clicks_by_position: [{ position: 1, clicks: 1 }],
    });
    expect(all.search_time_ms).toBeGreaterThan(0);
    expect(all.days).toHaveLength(30);
    expect(all.days.at(-1)).toEqual({
      date: '2026-06-01',
      searches: 7,
      without_results: 1,
      clicks: 1,
      conversions: 0,
    });
    const namesOf = async (query: string) => (await analytics(query)).queries.map((each) => each.query);
    expect(await namesOf('kind=no_results')).toEqual(['zzzz']);
    expect(await namesOf('kind=no_clicks')).toEqual(['shoes']);
    expect(await namesOf('mode=vector')).toEqual([]);
  });

  test('what is typed letter by letter is one search, a further page is none, and a search may say that it is none', async () => {
    const { search, analytics } = await open();
    for (const query of ['s', 'sh', 'sho', 'shoe', 'shoes']) await search(query);
    await search('hat', { page: 2 });
    await search('hat', { offset: 10 });
    expect(await search('probe', { enable_analytics: false })).not.toHaveProperty('query_id');
    const { queries, searches } = await analytics();
    expect(searches).toBe(1);
    expect(queries.map(({ query }) => query)).toEqual(['shoes']);
    const { next_cursor } = await search('shoes', { per_page: 1, cursor: '' });
    expect((await analytics()).searches).toBe(2);
    await search('shoes', { per_page: 1, cursor: next_cursor });
    expect((await analytics()).searches).toBe(2);
  });

  test('two keys at one address are two who type', async () => {
    const { owner, project, search, send, analytics } = await open();
    const { key } = await createKey(kit, owner, { projectId: project.id });
    await search('sho');
    await must(send('POST', 'search', { query: 'shoes' }, { key }));
    expect((await analytics()).searches).toBe(2);
  });

  test('each mode counts, and each search of several', async () => {
    const { search, send, analytics } = await open();
    await search('red', {}, 'hybrid-search');
    await search('blue', {}, 'vector-search');
    const searches = ['green', 'hat'].map((query) => ({ collection: 'shop', query }));
    const each = await must(
      send<MultiSearchAnswer>('POST', '../../multi-search', { searches: [...searches, { query: '' }] }),
    );
    const merged = await must(
      send<MergedSearchAnswer>('POST', '../../multi-search', {
        searches: [{ collection: 'shop', query: 'shoes' }],
        merge: {},
      }),
    );
    const ids = each.results.slice(0, 2).map((result) => ('query_id' in result ? result.query_id : null));
    expect([...ids, merged.collection_counts[0]?.query_id]).toEqual(Array(3).fill(expect.any(String)));
    const { queries } = await analytics();
    expect(queries.map(({ query }) => query).sort()).toEqual(['blue', 'green', 'hat', 'red', 'shoes']);
    expect((await analytics('mode=hybrid')).queries.map(({ query }) => query)).toEqual(['red']);
    expect((await analytics('mode=vector')).queries.map(({ query }) => query)).toEqual(['blue']);
  });

  test('a click of a search and a document counts once; positions far down count together', async () => {
    const { idOf, tell, analytics } = await open();
    const id = await idOf('shoes');
    for (const [document, position] of [
      ['1', 1],
      ['1', 1],
      ['2', 2],
      ['3', 400],
    ] as const)
      await must(tell(id, document, position));
    await must(tell(id, '1', undefined, 'conversion'));
    expect(await analytics()).toMatchObject({
      searches: 1,
      clicks: 3,
      click_through_rate: 1,
      conversions: 1,
      conversion_rate: 1,
      clicks_by_position: [
        { position: 1, clicks: 1 },
        { position: 2, clicks: 1 },
        { position: 21, clicks: 1 },
      ],
    });
    // In another batch, after the first is in the record.
    await must(tell(id, '1', 1));
    await must(tell(id, '2', 2, 'conversion'));
    const { clicks, conversions, conversion_rate, queries } = await analytics();
    expect({ clicks, conversions, conversion_rate }).toEqual({
      clicks: 3,
      conversions: 2,
      conversion_rate: 1,
    });
    expect(queries).toMatchObject([{ query: 'shoes', clicks: 3, click_position: 134.333, conversions: 2 }]);
  });

  test('a click that comes before its search is in the record joins it; of a further page it is no more than a search', async () => {
    const { idOf, search, tell, analytics, collection } = await open();
    const { record, searchLog } = kit.deps;
    const id = await idOf('shoes');
    await must(tell(id, '1', 1));
    await must(tell(await idOf('shoes', { page: 2, per_page: 1 }), '2', 2));
    await search('hat');
    await searchLog.flush();
    // As another server would have it: the clicks alone.
    await record.sql`update search_queries set query = null where collection_id = ${collection.id} and query = 'shoes'`;
    expect((await analytics()).queries.map(({ query }) => query)).toEqual(['hat']);
    await search('shoes');
    expect(await analytics('kind=top')).toMatchObject({
      searches: 3,
      queries: [{ query: 'shoes', searches: 2, clicks: 2, click_through_rate: 1 }, { query: 'hat' }],
    });
  });

  test('an event is refused where its search is not known or it is not whole', async () => {
    const { idOf, send, search, project, owner, key } = await open();
    const id = await idOf('shoes');
    const event = { type: 'click', query_id: id, id: '1', position: 1 };
    const refused = async (given: object, status: number, path?: string) => {
      const { body, ...answer } = await send<{ message: string; details?: { path: string }[] }>(
        'POST',
        'events',
        {
          ...event,
          ...given,
        },
      );
      expect(answer.status, JSON.stringify(body)).toBe(status);
      if (path) expect(body.details?.map((detail) => detail.path)).toContain(path);
      return body.message;
    };
    expect(await refused({ query_id: `${id.slice(0, -1)}!` }, 404)).toContain('query_id');
    await refused({ query_id: 'x'.repeat(65) }, 400, 'query_id');
    await refused({ type: 'look' }, 400, 'type');
    await refused({ position: undefined }, 400, 'position');
    await refused({ position: 0 }, 400, 'position');
    await refused({ id: 'a\u0000' }, 400, 'id');
    await refused({ who: 'ada' }, 400);
    // Of another collection of the same project.
    await must(
      call(kit, {
        method: 'POST',
        path: '/api/collections',
        body: { name: 'other', projectId: project.id },
        as: owner.as,
      }),
    );
    const answer = await call(kit, {
      method: 'POST',
      path: '/api/collections/other/events',
      body: event,
      as: { key: key.key },
    });
    expect(answer.status).toBe(404);
    await search('hat');
    pass(31 * dayMs);
    await refused({}, 404);
  });

  test('one tenant sees nothing of another, and a key that only reads nothing that few searched for', async () => {
    const { search, analytics, owner, project } = await open();
    const stranger = await open();
    for (let i = 0; i < limits.suggestedSearchesMin; i += 1) {
      await search('shoes');
      await search(`hat ${i}`);
    }
    expect(await stranger.analytics()).toMatchObject({ searches: 0, click_through_rate: null, queries: [] });
    const { key } = await createKey(kit, owner, { projectId: project.id, permissions: ['read'] });
    const shown = await analytics('', { key });
    expect(shown.searches).toBe(2 * limits.suggestedSearchesMin);
    expect(shown.queries.map(({ query }) => query)).toEqual(['shoes']);
    expect((await analytics()).queries).toHaveLength(1 + limits.suggestedSearchesMin);
  });

  test('a list has pages, and days before it are left out', async () => {
    const { search, send } = await open();
    for (const query of ['a1', 'b1', 'c1']) await search(query);
    await kit.deps.searchLog.flush();
    pass(3 * dayMs);
    await search('d1');
    await kit.deps.searchLog.flush();
    const page = (query: string) => send<Analytics>('GET', `analytics?${query}`);
    const second = await page('per_page=2&page=2');
    expect(second.body.queries.map(({ query }) => query)).toEqual(['c1', 'd1']);
    expect(second.headers.get('x-total-count')).toBe('4');
    expect((await page('page=9')).body.queries).toEqual([]);
    expect((await must(page('days=3'))).queries.map(({ query }) => query)).toEqual(['d1']);
    expect((await must(page('days=4'))).searches).toBe(4);
    expect((await page('days=91')).status).toBe(400);
    expect((await page('page=1000000')).status).toBe(400);
  });

  test('of a day with too many queries the most frequent stay, and its sums with them', async () => {
    const { collection, analytics } = await open();
    const { record } = kit.deps;
    const day = clock().toISOString().slice(0, 10);
    const most = limits.countedQueriesMax;
    const row = (i: number) => ({
      collectionId: collection.id,
      day,
      mode: 'keyword' as const,
      key: i + 1,
      query: `query ${String(i).padStart(5, '0')}`,
      searches: i % 2 === 0 ? 5 : 1,
      withoutResults: 0,
      found: 5,
      tookMs: 1,
    });
    const write = (from: number, to: number) =>
      record.write((db) =>
        writeSearches(
          db,
          Array.from({ length: to - from }, (_, i) => row(from + i)),
        ),
      );
    const rows = async () =>
      Number(
        (await record.sql`select count(*) from search_queries where collection_id = ${collection.id}`)[0]?.[
          'count'
        ],
      );
    await write(0, 2 * most);
    expect(await rows()).toBe(2 * most);
    // Those that there was no room for go first, however many they are.
    await record.write((db) => writeSearches(db, [{ ...row(0), key: 0, query: null, searches: 50 }]));
    expect(await rows()).toBe(most);
    const { searches, queries } = await analytics('per_page=250');
    expect(searches).toBe(most * 6 + 50);
    const names = await record.sql`
      select count(query) from search_queries where collection_id = ${collection.id}`;
    expect(Number(names[0]?.['count'])).toBe(most);
    expect(queries[0]).toMatchObject({ query: 'query 00000', searches: 5 });
    expect(queries.every((each) => each.searches === 5)).toBe(true);
    const [kept] = await record.sql`select queries from search_days where collection_id = ${collection.id}`;
    expect(kept?.['queries']).toBe(most);
  });

  test('a day takes so many events and no more', async () => {
    const { collection, idOf, tell, analytics } = await open();
    await must(tell(await idOf('shoes'), '1', 1));
    await kit.deps.searchLog.flush();
    await kit.deps.record.sql`update search_days set events = ${limits.searchEventsPerDayMax - 2}
      where collection_id = ${collection.id}`;
    const id = await idOf('shoes');
    for (const position of [1, 2, 3]) await must(tell(id, String(position), position));
    expect((await analytics()).clicks).toBe(3);
    await must(tell(await idOf('shoes'), '1', 1));
    expect((await analytics()).clicks).toBe(3);
  });

  test('a search and an event send no statement, and a batch of either is two, its turn and its sums', async () => {
    const { search, idOf, tell } = await open();
    const { record, searchLog } = kit.deps;
    const ask = async () => {
      for (const query of ['shoes', 'red', 'blue']) await search(query);
      await must(tell(await idOf('hat'), '3', 1));
    };
    await ask();
    await searchLog.flush();
    await expect.poll(() => statementsOf(record, ask)).toEqual([]);
    const written = await statementsOf(record, () => searchLog.flush());
    const ofLog = written.filter((text) => /search_|advisory/.test(text));
    expect(ofLog).toHaveLength(4);
  });

  test('figures are four statements, however many days and queries', async () => {
    const { search, analytics } = await open();
    for (const query of ['shoes', 'red', 'blue']) await search(query);
    await analytics();
    const written = await statementsOf(kit.deps.record, () => analytics('days=90&per_page=250'));
    expect(written.filter((text) => /search_(days|queries)|click_positions/.test(text))).toHaveLength(4);
  });

  test('what is written of a search does not say who searched', async () => {
    const { search, collection, owner } = await open();
    await search('shoes');
    await kit.deps.searchLog.flush();
    const rows = await kit.deps.record.sql`
      select to_jsonb(q) as row from search_queries q where collection_id = ${collection.id}
      union all select to_jsonb(d) from search_days d where collection_id = ${collection.id}`;
    const names = rows.flatMap(({ row }) => Object.keys(row));
    expect(names.filter((name) => /user|key_id|caller|address|actor/.test(name))).toEqual([]);
    expect(JSON.stringify(rows)).not.toContain(owner.user.username);
  });
});
