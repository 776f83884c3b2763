import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { must } from '#server/testing/callers.ts';
import { type CuratedCollection, startCurated } from '#server/testing/curated-collection.ts';
import { databases } from '#server/testing/databases.ts';
import type { ErrorBody } from '#shared/errors.ts';
import type { SearchAnswer } from '#shared/search.ts';
import type { ExplainAnswer } from '#shared/standing.ts';

describe.each(databases)('explanations on the %s database', (database) => {
  let goods: CuratedCollection;
  beforeAll(async () => {
    goods = await startCurated(database);
  });
  afterAll(() => goods.kit.close());

  const explain = (body: object) => must(goods.send<ExplainAnswer>('POST', 'explain', body));

  test('each hit says what its score is made of, in every mode, where it is asked for', async () => {
    const sides = {
      search: ['keyword'],
      'vector-search': ['vector'],
      'hybrid-search': ['keyword', 'vector'],
    };
    for (const [mode, wanted] of Object.entries(sides)) {
      const { hits } = await goods.search({ query: 'flat screen tv', match: 'any', explain: true }, mode);
      expect(hits.length).toBeGreaterThan(1);
      for (const { score, explain: explained } of hits) {
        const parts = explained?.parts ?? {};
        expect(Object.keys(parts)).toEqual(wanted);
        expect(Math.abs((parts.keyword ?? 0) + (parts.vector ?? 0) - score)).toBeLessThan(1e-9);
      }
      expect((await goods.search({ query: 'tv' }, mode)).hits[0]).not.toHaveProperty('explain');
    }
    const asked = await must(goods.send<SearchAnswer>('GET', 'search?q=tv&explain=true'));
    expect(asked.hits[0]?.explain?.keyword?.words).toMatchObject([
      { word: 'tv', matches: [{ field: 'title', as: 'word' }] },
    ]);
    const similar = await must(goods.send<SearchAnswer>('POST', 'similar', { id: 'tv', explain: true }));
    expect(similar.hits[0]?.explain?.vector?.neighbour).toBe(true);
  });

  test('a document that is found has its rank, another what would bring it in', async () => {
    expect(await explain({ id: 'radio', query: 'kitchen radio' })).toMatchObject({
      rank: 1,
      page: 1,
      lost: null,
      changes: [],
      explain: { parts: { keyword: expect.any(Number) } },
    });
    const asked = { query: 'radio', filter_by: 'kind:screen && price:<100' };
    const told = await explain({ id: 'radio', ...asked });
    expect(told).toMatchObject({
      rank: null,
      lost: { step: 'filter', clauses: [{ clause: 'kind:screen', position: 0 }] },
      changes: [{ parameter: 'filter_by', value: 'price:<100' }],
    });
    expect(await goods.idsOf({ ...asked, filter_by: 'price:<100' })).toEqual(['radio']);
    expect((await explain({ id: 'nobody', ...asked })).lost?.step).toBe('document');
  });

  test('settings and overrides act, and can be what is to change', async () => {
    await must(goods.send('PUT', 'settings', { num_typos: 0 }));
    await must(
      goods.send('POST', 'overrides', {
        id: 'o',
        rule: { query: 'laptop', match: 'exact' },
        excludes: [{ id: 'laptop' }],
      }),
    );
    expect((await explain({ id: 'laptop', query: 'latpop' })).changes).toEqual([
      { parameter: 'num_typos', value: 1 },
    ]);
    const hidden = await explain({ id: 'laptop', query: 'laptop', mode: 'hybrid' });
    expect([hidden.lost?.step, hidden.changes]).toEqual([
      'rule',
      [{ parameter: 'enable_overrides', value: false }],
    ]);
    await must(goods.send('PUT', 'settings', {}));
    await must(goods.send('DELETE', 'overrides/o'));
  });

  test.each([
    [{ query: 'tv' }, 'id: is required'],
    [{ id: 'tv', query: 'tv', mode: 'both' }, 'mode: must be keyword, vector or hybrid'],
    [{ id: 'tv', query: 'tv', filter_by: 'price:>' }, expect.stringMatching(/^filter_by: .* at position 7$/)],
    [{ id: 'tv', query: 'tv', page: 1001 }, expect.stringMatching(/^page: /)],
  ])('%j is refused', async (body, message) => {
    const { status, body: said } = await goods.send<ErrorBody>('POST', 'explain', body);
    expect([status, said.message]).toEqual([400, message]);
  });
});
