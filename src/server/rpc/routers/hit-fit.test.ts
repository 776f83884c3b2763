import { afterAll, beforeAll, expect, test } from 'vitest';
import { call, must } from '#server/testing/callers.ts';
import { type CuratedCollection, startCurated } from '#server/testing/curated-collection.ts';
import type { GroupedAnswer, MergedSearchAnswer, SearchAnswer } from '#shared/search.ts';

let goods: CuratedCollection;
beforeAll(async () => {
  goods = await startCurated('bundled');
});
afterAll(() => goods.kit.close());

const fitsOf = ({ hits, nothing_fits }: Pick<SearchAnswer, 'hits' | 'nothing_fits'>) => [
  hits.map(({ fits }) => fits),
  nothing_fits ?? false,
];

test.each(['vector-search', 'hybrid-search'])(
  '%s says whether hits fit, and when none does',
  async (mode) => {
    const right = await goods.search({ query: 'kitchen radio', k: 5 }, mode);
    expect(right.hits[0]).toMatchObject({ id: 'radio', fits: true });
    expect(right).not.toHaveProperty('nothing_fits');
    const nothing = await goods.search({ query: 'qqqxyz zzkjw', k: 5 }, mode);
    expect(nothing.hits.length).toBeGreaterThan(0);
    expect(fitsOf(nothing)).toEqual([nothing.hits.map(() => false), true]);
  },
);

test('one list of several collections, groups and words say it as well', async () => {
  const searches = (given: object) => ({ searches: [{ collections: '*', mode: 'hybrid', ...given }] });
  const path = '/api/multi-search';
  const multi = (body: object) =>
    must(
      call<MergedSearchAnswer>(goods.kit, {
        method: 'POST',
        path,
        body,
        as: { key: goods.headers['x-api-key'] ?? '' },
      }),
    );
  const merge = { page: 1, per_page: 3 };
  const nothing = await multi({ ...searches({ query: 'qqqxyz zzkjw' }), merge });
  expect(fitsOf(nothing)).toEqual([[false, false, false], true]);
  const right = await multi({ ...searches({ query: 'kitchen radio' }), merge });
  expect([right.hits[0]?.fits, right.nothing_fits]).toEqual([true, undefined]);
  const grouped = (await goods.search(
    { query: 'qqqxyz zzkjw', group_by: 'kind' },
    'hybrid-search',
  )) as unknown as GroupedAnswer;
  expect([grouped.nothing_fits, grouped.grouped_hits[0]?.hits[0]?.fits]).toEqual([true, false]);
  const words = await goods.search({ query: 'small idiot box', match: 'any' });
  expect(words.hits[0]).toMatchObject({ id: 'idiot-box', fits: true });
});

test('it is not told where nothing is asked that could fit, or by a vector of the caller’s own', async () => {
  for (const [given, mode] of [
    [{ query: '*' }, 'search'],
    [{ vector_query: { id: 'tv' } }, 'vector-search'],
  ] as const) {
    const answer = await goods.search(given, mode);
    expect(answer.hits.length).toBeGreaterThan(0);
    for (const hit of answer.hits) expect(hit).not.toHaveProperty('fits');
  }
});
