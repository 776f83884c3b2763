import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, must } from '#server/testing/callers.ts';
import { type CuratedCollection, startCurated } from '#server/testing/curated-collection.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { type GroupedAnswer, type SearchAnswer, searchSteps } from '#shared/search.ts';

/** Groups, cursors, disjunctive facets and searches inside facets, as callers of the API see them. */

let goods: CuratedCollection;
beforeAll(async () => {
  goods = await startCurated('bundled');
});
afterAll(() => goods.kit.close());

const grouped = (given: object, mode = 'search') => must(goods.send<GroupedAnswer>('POST', mode, given));
const refusalOf = async (given: object, mode = 'search') => {
  const { status, body } = await goods.send<ErrorBody>('POST', mode, given);
  return [status, body.details?.[0]?.path];
};

describe('group_by', () => {
  test('answers groups in place of hits, and counts both', async () => {
    const answer = await grouped({ query: '*', group_by: ['kind'], group_limit: 2, sort_by: 'price:desc' });
    expect(answer).toMatchObject({
      found: 2,
      found_docs: 5,
      out_of: 5,
      grouped_hits: [
        { group_key: ['screen'], found: 4, hits: [{ id: 'laptop' }, { id: 'tv', document: { price: 300 } }] },
        { group_key: ['sound'], found: 1, hits: [{ id: 'radio' }] },
      ],
      request: { group_by: ['kind'], group_limit: 2, group_missing_values: true },
    });
    expect(answer).not.toHaveProperty('hits');
    expect(answer.grouped_hits.map(({ hits }) => hits.length)).toEqual([2, 1]);
  });

  test('in a query string, in every mode, page by page', async () => {
    for (const mode of ['search', 'vector-search', 'hybrid-search']) {
      const keys: unknown[] = [];
      for (const page of [1, 2, 3]) {
        const path = `${mode}?q=screen radio tv&match=any&group_by=kind&per_page=1&page=${page}`;
        const { found, grouped_hits } = await must(goods.send<GroupedAnswer>('GET', encodeURI(path)));
        keys.push(...grouped_hits.map(({ group_key }) => group_key[0]));
        expect(found, mode).toBe(2);
      }
      expect(keys.toSorted(), mode).toEqual(['screen', 'sound']);
    }
  });

  test('documents without the field are one group, or each its own', async () => {
    await must(
      goods.send('POST', 'documents/import', [
        { id: 'x1', price: 1 },
        { id: 'x2', price: 2 },
      ]),
    );
    const given = { query: '*', filter_by: 'price:<3', group_by: 'kind' };
    expect((await grouped(given)).grouped_hits).toMatchObject([{ group_key: [null], found: 2 }]);
    const apart = await grouped({ ...given, group_missing_values: false });
    expect(apart.grouped_hits).toMatchObject([
      { group_key: [null], found: 1, hits: [{ id: 'x1' }] },
      { group_key: [null], found: 1, hits: [{ id: 'x2' }] },
    ]);
    await must(goods.send('DELETE', 'documents?filter_by=price:<3'));
  });

  test('a pinned document brings its group to its place', async () => {
    const override = {
      id: 'radio',
      rule: { query: 'tv', match: 'exact' },
      includes: [{ id: 'radio', position: 1 }],
    };
    await must(goods.send('POST', 'overrides', override));
    const { grouped_hits } = await grouped({ query: 'tv', group_by: 'kind' });
    expect(grouped_hits).toMatchObject([
      { group_key: ['sound'], hits: [{ id: 'radio', curated: true }] },
      { group_key: ['screen'], hits: [{ id: 'tv' }] },
    ]);
    await must(goods.send('DELETE', 'overrides/radio'));
  });

  test('is bounded', async () => {
    expect(await refusalOf({ query: '*', group_by: 'a,b,c,d,e,f' })).toEqual([400, 'group_by']);
    expect(await refusalOf({ query: '*', group_by: 'kind', group_limit: 100 })).toEqual([400, 'group_limit']);
    expect(await refusalOf({ query: '*', group_by: 'kind', group_limit: 0 })).toEqual([400, 'group_limit']);
  });
});

describe('cursor', () => {
  test.each(['search', 'vector-search', 'hybrid-search'])(
    '%s: each hit once, and no next one at the end',
    async (mode) => {
      const given = { query: 'television radio', match: 'any', per_page: 2 };
      const all = await must(goods.send<SearchAnswer>('POST', mode, { ...given, per_page: 250 }));
      const ids: string[] = [];
      const pages: number[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const answer: SearchAnswer = await must(goods.send('POST', mode, { ...given, cursor }));
        ids.push(...answer.hits.map(({ id }) => id));
        pages.push(answer.page);
        cursor = answer.next_cursor ?? null;
      }
      expect(ids).toEqual(all.hits.map(({ id }) => id));
      expect(pages).toEqual(Array.from({ length: Math.ceil(ids.length / 2) }, (_, i) => i + 1));
      expect(all).not.toHaveProperty('next_cursor');
    },
  );

  test('goes on where it was, whatever is written meanwhile', async () => {
    const given = { query: '*', sort_by: 'price:asc', per_page: 2, filter_by: 'price:>0' };
    const first = await must(goods.send<SearchAnswer>('POST', 'search', { ...given, cursor: '' }));
    expect(first.hits.map(({ id }) => id)).toEqual(['radio', 'idiot-box']);
    await must(goods.send('DELETE', 'documents/radio'));
    await must(
      goods.send('POST', 'documents', { id: 'new', title: 'Cheap radio', kind: 'sound', price: 10 }),
    );
    const query = new URLSearchParams({ ...given, per_page: '2', cursor: first.next_cursor ?? '' });
    const second = await must(goods.send<SearchAnswer>('GET', `search?${query}`));
    expect(second.hits.map(({ id }) => id)).toEqual(['television', 'tv']);
    await must(goods.send('DELETE', 'documents/new'));
    await must(
      goods.send('POST', 'documents', { id: 'radio', title: 'Kitchen radio', kind: 'sound', price: 40 }),
    );
  });

  test('that is none, or is of another search, is a 400 that names it', async () => {
    const given = { query: '*', per_page: 2 };
    const { next_cursor: cursor } = await must(
      goods.send<SearchAnswer>('POST', 'search', { ...given, cursor: '' }),
    );
    expect(await refusalOf({ ...given, cursor: 'abc' })).toEqual([400, 'cursor']);
    expect(await refusalOf({ ...given, cursor, sort_by: 'price:asc' })).toEqual([400, 'cursor']);
    expect(await refusalOf({ ...given, cursor, page: 2 })).toEqual([400, 'page']);
    const more = await goods.send<SearchAnswer>('POST', 'search', { ...given, cursor, per_page: 4 });
    expect([more.status, more.body.hits.length]).toEqual([200, 3]);
    const parameters = { cursor: '' };
    expect((await goods.send('PUT', 'presets/walk', { parameters })).status).toBe(400);
  });

  test('walks over groups too', async () => {
    const given = { query: '*', group_by: 'title', per_page: 2 };
    const titles: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer: GroupedAnswer = await grouped({ ...given, cursor });
      titles.push(...answer.grouped_hits.flatMap(({ group_key }) => group_key));
      cursor = answer.next_cursor ?? null;
    }
    expect(titles).toHaveLength(5);
    expect(new Set(titles).size).toBe(5);
  });
});

describe('facets', () => {
  test('facet_mode disjunctive leaves a field its other values', async () => {
    const given = { query: '*', facet_by: ['kind', 'price'], filter_by: 'kind:=sound && price:<1000' };
    const kinds = async (more: object) =>
      (await goods.search({ ...given, ...more })).facet_counts[0]?.counts.map(({ value, count }) => [
        value,
        count,
      ]);
    expect(await kinds({})).toEqual([['sound', 1]]);
    expect(await kinds({ facet_mode: 'disjunctive' })).toEqual([
      ['screen', 4],
      ['sound', 1],
    ]);
  });

  test('facet_query looks among the values of one field, with a typo too', async () => {
    const values = async (facet_query: string) =>
      (await goods.search({ query: '*', facet_by: 'title,kind', facet_query })).facet_counts.map(
        ({ counts }) => counts.map(({ highlighted }) => highlighted),
      );
    expect(await values('title:rad')).toEqual([['Kitchen <mark>rad</mark>io'], [undefined, undefined]]);
    expect((await values('title:kitchne'))[0]).toEqual(['<mark>Kitchen</mark> radio']);
  });
});

describe('timings', () => {
  const stepsOf = ({ timings }: Pick<SearchAnswer, 'timings'>) => timings.map(({ step }) => step);
  const sumOf = ({ timings }: Pick<SearchAnswer, 'timings'>) => timings.reduce((sum, { ms }) => sum + ms, 0);

  test('name what a search was at, in its order, and add up to its time', async () => {
    const words = await goods.search({ query: 'radio' });
    expect(stepsOf(words)).toEqual([
      'query',
      'waiting',
      'filter',
      'words',
      'ranking',
      'highlights',
      'answer',
    ]);
    const all = { group_by: 'kind', facet_by: 'kind', explain: true };
    const both = await grouped({ query: 'radio', ...all }, 'hybrid-search');
    expect(stepsOf(both)).toEqual([...searchSteps]);
    const like = await must(goods.send<SearchAnswer>('POST', 'similar', { id: 'tv' }));
    expect(stepsOf(like)).toEqual([
      'query',
      'waiting',
      'filter',
      'vector',
      'ranking',
      'highlights',
      'answer',
    ]);
    for (const answer of [words, both, like])
      expect(Math.abs(sumOf(answer) - answer.search_time_ms)).toBeLessThan(0.02);
  });
});

describe('several searches', () => {
  const send = <T>(body: object) => {
    const as = { key: goods.headers['x-api-key'] ?? '' };
    return call<T>(goods.kit, { method: 'POST', path: '/api/multi-search', body, as });
  };

  test('take them one by one', async () => {
    const searches = [
      { collection: 'goods', query: '*', group_by: 'kind' },
      { collection: 'goods', query: '*', cursor: '', per_page: 1 },
    ];
    const { results } = await must(send<{ results: [GroupedAnswer, SearchAnswer] }>({ searches }));
    expect(results[0].grouped_hits).toHaveLength(2);
    expect(results[1].next_cursor).toEqual(expect.any(String));
  });

  test.each([
    ['group_by', { group_by: 'kind' }],
    ['cursor', { cursor: '' }],
    ['facet_mode', { facet_by: 'kind', facet_mode: 'disjunctive', mode: 'hybrid' }],
  ])('one list refuses %s', async (name, given) => {
    const searches = [{ collection: 'goods', query: 'tv', ...given }];
    const { status, body } = await send<ErrorBody>({ searches, merge: {} });
    expect([status, body.details?.[0]?.path]).toEqual([400, `searches.0.${name}`]);
  });

  test('one list explains its hits, and says what it was at', async () => {
    const searches = [{ collection: 'goods', query: 'radio', mode: 'hybrid', explain: true }];
    const { hits, timings } = await must(send<SearchAnswer>({ searches, merge: {} }));
    expect(hits[0]).toMatchObject({ id: 'radio', explain: { keyword: { words: [{ word: 'radio' }] } } });
    for (const { score, explain } of hits) {
      const { keyword = 0, vector = 0 } = explain?.parts ?? {};
      expect(Math.abs(keyword + vector - score)).toBeLessThan(1e-9);
    }
    const steps = timings.map(({ step }) => step);
    expect(steps).toEqual([
      'embedding',
      'filter',
      'words',
      'vector',
      'ranking',
      'highlights',
      'explain',
      'answer',
    ]);
  });

  test('one list by words takes disjunctive facets', async () => {
    const search = { collection: 'goods', query: '*', facet_by: 'kind', filter_by: 'kind:=sound' };
    const searches = [{ ...search, facet_mode: 'disjunctive' }];
    const { facet_counts } = await must(send<SearchAnswer>({ searches, merge: {} }));
    expect(facet_counts[0]?.counts).toEqual([
      { value: 'screen', count: 4 },
      { value: 'sound', count: 1 },
    ]);
  });
});
