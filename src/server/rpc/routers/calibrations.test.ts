import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { call, must } from '#server/testing/callers.ts';
import { type CuratedCollection, startCurated } from '#server/testing/curated-collection.ts';
import { databases } from '#server/testing/databases.ts';
import type { Calibration } from '#shared/calibrations.ts';
import type { MultiSearchResult, SearchAnswer } from '#shared/search.ts';

const minute = 60_000;
const colours = ['amber', 'beige', 'coral', 'denim', 'ebony', 'fawn', 'green', 'hazel', 'ivory', 'jade'];
/** The first three have the colour in their titles, the others in a longer text. */
const things = ['lamp', 'chair', 'table', 'mirror', 'carpet', 'shelf'];
const furniture = colours.flatMap((colour) =>
  things.map((thing, i) => ({
    id: `${colour}-${thing}`,
    title: i < 3 ? `${colour} ${thing}` : thing,
    text: i < 3 ? '' : `made for rooms with many other things in ${colour} and whatever else there may be`,
    kind: i < 3 ? 'own' : 'other',
  })),
);
/** Sixty pairs: what has the colour in its title is relevant. */
const judged = colours.flatMap((colour) =>
  things.map((thing, i) => ({ query: colour, document: `${colour}-${thing}`, grade: i < 3 ? 2 : 0 })),
);

describe.each(databases)('a calibration on the %s database', (database) => {
  let goods: CuratedCollection;
  beforeAll(async () => {
    goods = await startCurated(database);
    await must(goods.send('POST', 'documents/import', furniture));
  });
  afterAll(() => goods.kit.close());
  beforeEach(async () => {
    const { sql } = goods.kit.deps.record;
    await sql`delete from judgements`;
    await goods.send('DELETE', 'calibration');
    await must(goods.send('PUT', 'settings', {}));
  });

  const judgeAll = () => must(goods.send('POST', 'judgements/import', judged));
  const calibrate = (given: object = {}) =>
    goods.send<Calibration & { message: string }>('POST', 'calibration', { mode: 'keyword', ...given });
  const listed = async () =>
    (await must(goods.send<{ calibrations: Calibration[] }>('GET', 'calibration'))).calibrations;
  const search = (given: object, path = 'search') =>
    goods.send<SearchAnswer & { message: string }>('POST', path, { per_page: 20, ...given });

  test('is refused before enough is judged, of both kinds, and says how much there is', async () => {
    await must(goods.send('POST', 'judgements/import', judged.slice(0, 30)));
    const refused = await calibrate();
    expect(refused.status).toBe(422);
    expect(refused.body.message).toContain('So far 5 queries find 30: 15 relevant, 15 not');
    await must(
      goods.send(
        'POST',
        'judgements/import',
        judged.map((each) => ({ ...each, grade: 1 })),
      ),
    );
    expect((await calibrate()).body.message).toContain('60 relevant, 0 not');
    expect(await listed()).toEqual([]);
  });

  test('is fitted to what is judged, tells its error about queries it has not seen, and is listed until it is removed', async () => {
    await judgeAll();
    const fitted = await must(calibrate());
    expect(fitted).toMatchObject({
      mode: 'keyword',
      unjudged: 'ignored',
      queries: 10,
      pairs: 60,
      relevant: 30,
      stale: [],
    });
    expect(fitted.weights.score).toBeGreaterThan(0);
    // What is relevant stands out in each query alike.
    expect(fitted.heldOut.calibrationError).toBeLessThan(0.1);
    expect(fitted.heldOut.brier).toBeLessThan(0.1);
    const hybrid = await must(calibrate({ mode: 'hybrid', unjudged: 'not_relevant' }));
    expect(hybrid.pairs).toBeGreaterThan(60);
    expect(await listed()).toEqual([hybrid, fitted]);
    expect(await must(goods.send('DELETE', 'calibration?mode=keyword'))).toEqual({ deleted: 1 });
    expect((await listed()).map(({ mode }) => mode)).toEqual(['hybrid']);
    expect(await must(goods.send('DELETE', 'calibration'))).toEqual({ deleted: 1 });
    expect((await goods.send('DELETE', 'calibration')).status).toBe(404);
  });

  test('is stale once settings or a tenth of the judgements are others, until it is fitted again', async () => {
    await judgeAll();
    await must(calibrate());
    const stale = async () => (await listed()).map((each) => each.stale);
    goods.pass(minute);
    await must(goods.send('POST', 'judgements/import', judged.slice(0, 9)));
    expect(await stale()).toEqual([[]]);
    await must(goods.send('POST', 'judgements/import', judged.slice(0, 10)));
    // What is left out changes no score.
    await must(goods.send('PUT', 'settings', { min_relevance: 0.5 }));
    expect(await stale()).toEqual([['judgements']]);
    await must(goods.send('PUT', 'settings', { num_typos: 0, min_relevance: 0.5 }));
    expect(await stale()).toEqual([['settings', 'judgements']]);
    await must(calibrate());
    expect(await stale()).toEqual([[]]);
    for (const colour of colours.slice(0, 2)) await must(goods.send('DELETE', `judgements?query=${colour}`));
    expect(await stale()).toEqual([['judgements']]);
  });

  test('is stale once a release has other defaults, or kept none with it, and once the vectors are others', async () => {
    const { sql } = goods.kit.deps.record;
    await judgeAll();
    await must(calibrate());
    await must(calibrate({ mode: 'hybrid' }));
    const stale = async () => Object.fromEntries((await listed()).map((each) => [each.mode, each.stale]));
    expect(await stale()).toEqual({ hybrid: [], keyword: [] });
    // To say what is the default anyway changes nothing.
    await must(goods.send('PUT', 'settings', { alpha: 0.5, ranking: { neighbours_weight: 0.4 } }));
    expect(await stale()).toEqual({ hybrid: [], keyword: [] });
    await sql`update calibrations set settings = jsonb_set(settings, '{ranking,neighbours_weight}', '0') where mode = 'hybrid'`;
    await sql`update calibrations set settings = '{}' where mode = 'keyword'`;
    expect(await stale()).toEqual({ hybrid: ['settings'], keyword: ['settings'] });
    await must(goods.send('PUT', 'settings', { ranking: { neighbours_weight: 0 } }));
    expect((await stale())['hybrid']).toEqual([]);

    // The goods, and those that were there.
    const upgraded = async (documents: number, share: number) => {
      await sql`update collections set upgraded_count = ${documents}`;
      await sql`update calibrations set upgraded_share = ${share}`;
      const { hybrid, keyword } = await stale();
      return [hybrid?.includes('model'), keyword?.includes('model')];
    };
    const [counted] = await sql`select document_count as count from collections`;
    const all = Number(counted?.['count']);
    expect(all).toBeGreaterThan(60);
    expect(await upgraded(0, 0)).toEqual([false, false]);
    expect(await upgraded(1, 0)).toEqual([true, false]);
    expect(await upgraded(1, 1 / all)).toEqual([false, false]);
    expect(await upgraded(all, 1 / all)).toEqual([true, false]);
    expect(await upgraded(all - 1, 1)).toEqual([false, false]);
    expect(await upgraded(0, 1)).toEqual([true, false]);
    await upgraded(0, 0);
  });

  describe('of searches by words', () => {
    beforeEach(async () => {
      await judgeAll();
      await must(calibrate());
    });

    test('hits tell their relevance from the next search on, in the order of their scores', async () => {
      const { hits } = await must(search({ query: 'coral' }));
      expect(hits).toHaveLength(6);
      const told = hits.map(({ relevance }) => relevance ?? -1);
      expect(told).toEqual(told.toSorted((a, b) => b - a));
      expect(told[0]).toBeGreaterThan(0.7);
      expect(told[5]).toBeLessThan(0.3);
      // Nothing is asked for, so nothing is more relevant than other things.
      expect((await must(search({ query: '*' }))).hits[0]).not.toHaveProperty('relevance');
      await must(goods.send('DELETE', 'calibration'));
      expect((await must(search({ query: 'coral' }))).hits[0]).not.toHaveProperty('relevance');
    });

    test('what is less relevant than is asked for is no match: found, facets, groups, pages and walks agree', async () => {
      const asked = { query: 'coral', min_relevance: 0.5, facet_by: 'kind', filter_by: 'kind:*' };
      const { hits, found, facet_counts, request } = await must(search(asked));
      expect(hits.map(({ id }) => id).sort()).toEqual(['coral-chair', 'coral-lamp', 'coral-table']);
      expect([found, request['min_relevance']]).toEqual([3, 0.5]);
      expect(facet_counts[0]?.counts).toEqual([{ value: 'own', count: 3 }]);
      const disjunctive = { ...asked, filter_by: 'kind:=own', facet_mode: 'disjunctive' };
      expect((await must(search(disjunctive))).facet_counts[0]?.counts).toEqual([{ value: 'own', count: 3 }]);
      const grouped = await must(search({ ...asked, group_by: 'kind' }));
      expect([grouped.found, Reflect.get(grouped, 'found_docs')]).toEqual([1, 3]);
      const first = await must(search({ ...asked, per_page: 2, cursor: '' }));
      const next = await must(search({ ...asked, per_page: 2, cursor: first.next_cursor }));
      expect([...first.hits, ...next.hits].map(({ id }) => id)).toEqual(hits.map(({ id }) => id));
      expect(next.next_cursor).toBeNull();
      const merged = await must(
        call<SearchAnswer>(goods.kit, {
          method: 'POST',
          path: '/api/multi-search',
          body: { searches: [{ collection: 'goods', ...asked }], merge: {} },
          headers: goods.headers,
        }),
      );
      expect([merged.found, merged.hits.length]).toEqual([3, 3]);
      expect(merged.hits[0]?.relevance).toBeCloseTo(hits[0]?.relevance ?? 0, 6);
      // Everything has at least 0.
      expect((await must(search({ ...asked, min_relevance: 0 }))).found).toBe(6);
    });

    test('the least relevance of the settings acts where relevance is told, and a search may say another', async () => {
      await must(goods.send('PUT', 'settings', { min_relevance: 0.5 }));
      const counted = async (given: object, path?: string) => {
        const { found, request } = await must(search({ query: 'coral', ...given }, path));
        return [found, request['min_relevance']];
      };
      expect(await counted({})).toEqual([3, 0.5]);
      expect(await counted({ min_relevance: 0 })).toEqual([6, undefined]);
      expect(await counted({ query_by: 'title,text' })).toEqual([6, undefined]);
      expect((await counted({}, 'hybrid-search'))[1]).toBeUndefined();
      const merged = (given: object) =>
        must(
          call<SearchAnswer>(goods.kit, {
            method: 'POST',
            path: '/api/multi-search',
            body: { searches: [{ collection: 'goods', query: 'coral', ...given }], merge: {} },
            headers: goods.headers,
          }),
        );
      expect((await merged({})).found).toBe(3);
      expect((await merged({ facet_by: 'kind', facet_mode: 'disjunctive' })).found).toBe(6);
      const told = await must(
        goods.send<{ lost: { step: string } }>('POST', 'explain', { id: 'coral-carpet', query: 'coral' }),
      );
      expect(told.lost.step).toBe('relevance');
      // What it leaves out is learnt from all the same.
      expect((await must(calibrate())).pairs).toBe(60);
      expect((await goods.send('PUT', 'settings', { min_relevance: 2 })).status).toBe(400);
    });

    test('what it cannot tell is refused, with what to do', async () => {
      const hybrid = await search({ query: 'coral', min_relevance: 0.5 }, 'hybrid-search');
      expect(hybrid.status).toBe(400);
      expect(hybrid.body.message).toMatch(/min_relevance.*needs a calibration .* for hybrid searches/);
      const other = await search({ query: 'coral', min_relevance: 0.5, query_by: 'title' });
      expect(other.status).toBe(400);
      expect(other.body.message).toMatch(/min_relevance.*query_by/);
      expect((await must(search({ query: 'coral', query_by: 'title' }))).hits[0]).not.toHaveProperty(
        'relevance',
      );
      expect((await search({ query: 'coral', min_relevance: 1.1 })).status).toBe(400);
      const searches = [
        { collection: 'goods', query: 'coral', min_relevance: 0.5 },
        { collection: 'goods', query: 'coral', min_relevance: 0.5, mode: 'hybrid' },
      ];
      const several = await must(
        call<{ results: MultiSearchResult[] }>(goods.kit, {
          method: 'POST',
          path: '/api/multi-search',
          body: { searches },
          headers: goods.headers,
        }),
      );
      expect(several.results.map((result) => 'error' in result)).toEqual([false, true]);
    });

    test('a document that it leaves out is told so, with the relevance by which it comes', async () => {
      const told = await must(
        goods.send<{ lost: { step: string }; changes: { parameter: string; value: number }[] }>(
          'POST',
          'explain',
          { id: 'coral-carpet', query: 'coral', min_relevance: 0.5 },
        ),
      );
      expect(told.lost.step).toBe('relevance');
      const [change] = told.changes;
      expect(change?.parameter).toBe('min_relevance');
      const ids = await goods.idsOf({ query: 'coral', min_relevance: change?.value, per_page: 20 });
      expect(ids).toContain('coral-carpet');
    });

    test('a pin stands whatever its relevance is', async () => {
      await must(
        goods.send('POST', 'overrides', {
          id: 'pin',
          rule: { query: 'coral', match: 'exact' },
          includes: [{ id: 'coral-carpet', position: 1 }],
        }),
      );
      const { hits, found } = await must(search({ query: 'coral', min_relevance: 0.5 }));
      expect([hits[0]?.id, hits[0]?.curated, found]).toEqual(['coral-carpet', true, 4]);
      await must(goods.send('DELETE', 'overrides/pin'));
    });
  });
});
