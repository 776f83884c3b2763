import { afterAll, beforeAll, expect, test } from 'vitest';
import { must } from '#server/testing/callers.ts';
import { type CuratedCollection, startCurated } from '#server/testing/curated-collection.ts';

let goods: CuratedCollection;
beforeAll(async () => {
  goods = await startCurated('bundled');
});
afterAll(() => goods.kit.close());

const asked = { query: 'something to watch', k: 3 };

test.each(['vector-search', 'hybrid-search'])(
  '%s finds the same where all fits, and says that it was exact',
  async (mode) => {
    const usual = await goods.search(asked, mode);
    const exact = await goods.search({ ...asked, exact: true }, mode);
    expect(usual.request).not.toHaveProperty('exact');
    expect(exact.request['exact']).toBe(true);
    expect(exact.hits).toEqual(usual.hits);
    expect(exact.hits.length).toBeGreaterThan(0);
  },
);

test('it is said in a query string, by a preset, and of what is similar', async () => {
  await must(goods.send('PUT', 'presets/sure', { parameters: { exact: true } }));
  for (const query of ['exact=true', 'preset=sure', 'preset=sure&exact=false']) {
    const found = await goods.send<{ request: object }>('GET', `vector-search?q=tv&${query}`);
    const isExact = !query.includes('exact=false');
    expect([found.status, Object.hasOwn(found.body.request, 'exact')]).toEqual([200, isExact]);
  }
  const similar = await must(goods.send<{ request: object }>('GET', 'similar?id=tv&exact=true'));
  expect(similar.request).toMatchObject({ exact: true });
});

test('words alone have no neighbours, and what is neither true nor false is refused', async () => {
  expect((await goods.search({ ...asked, exact: true })).request).not.toHaveProperty('exact');
  const refused = await goods.send<{ message: string }>('POST', 'vector-search', { ...asked, exact: 2 });
  expect([refused.status, refused.body.message]).toEqual([400, expect.stringMatching(/^exact: /)]);
});
