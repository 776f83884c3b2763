import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { call, must } from '#server/testing/callers.ts';
import { type CuratedCollection, startCurated } from '#server/testing/curated-collection.ts';
import { databases } from '#server/testing/databases.ts';
import type { SearchAnswer } from '#shared/search.ts';
import type { RuleDraft } from '#shared/search-preview.ts';

const hour = 3_600_000;

describe.each(databases)('a search with rules that are not saved, on the %s database', (database) => {
  let goods: CuratedCollection;
  beforeAll(async () => {
    goods = await startCurated(database);
  });
  afterAll(() => goods.kit.close());
  beforeEach(async () => {
    await must(goods.send('PUT', 'settings', {}));
    for (const kind of ['synonyms', 'overrides'] as const) {
      const page = await must(goods.send<Record<string, { id: string }[]>>('GET', kind));
      for (const { id } of page[kind] ?? []) await must(goods.send('DELETE', `${kind}/${id}`));
    }
  });

  const ask = (draft: object, more: object = {}) => {
    const input = { collection: 'goods', query: 'tv', mode: 'keyword', draft, ...more };
    return call<{ result: { data: SearchAnswer }; error: { message: string } }>(goods.kit, {
      method: 'GET',
      path: `/trpc/search.preview?input=${encodeURIComponent(JSON.stringify(input))}`,
      headers: goods.headers,
    });
  };
  const preview = async (draft: object, more?: object) => (await must(ask(draft, more))).result.data;
  const idsOf = async (draft: object, more?: object) => (await preview(draft, more)).hits.map(({ id }) => id);

  const tvIsRadio = { id: 'm', synonyms: ['tv', 'radio'], root: null };
  const radioFirst = {
    id: 'm',
    rule: { query: 'tv', match: 'exact' as const },
    includes: [{ id: 'radio', position: 1 }],
    active: true,
  };

  const drafts: [string, RuleDraft][] = [
    ['nothing', {}],
    ['settings', { settings: { query_by: ['kind'] } }],
    ['a synonym', { synonyms: { put: [tvIsRadio], remove: [] } }],
    ['an override', { overrides: { put: [radioFirst], remove: [] } }],
    [
      'all of them',
      {
        settings: { num_typos: 0, stop_words: ['flat'] },
        synonyms: { put: [tvIsRadio, { id: 'b', synonyms: ['laptop'], root: 'tv' }], remove: [] },
        overrides: { put: [radioFirst], remove: ['unknown'] },
      },
    ],
  ];
  test.each(drafts)(
    '%s: is answered as it is once the draft is saved, and saves nothing',
    async (_, draft) => {
      const before = await goods.idsOf({ query: 'flat tv' });
      const drafted = await preview(draft, { query: 'flat tv' });
      const alone = await preview(draft);
      expect(await goods.idsOf({ query: 'flat tv' })).toEqual(before);
      if (draft.settings) await must(goods.send('PUT', 'settings', draft.settings));
      for (const rule of draft.synonyms?.put ?? []) await must(goods.send('POST', 'synonyms', rule));
      for (const rule of draft.overrides?.put ?? []) await must(goods.send('POST', 'overrides', rule));
      for (const [query, shown] of [
        ['flat tv', drafted],
        ['tv', alone],
      ] as const) {
        const saved = await goods.search({ query });
        expect([shown.hits, shown.found, shown.request]).toEqual([saved.hits, saved.found, saved.request]);
      }
    },
  );

  test('settings that are taken away count as not set', async () => {
    await must(goods.send('PUT', 'settings', { query_by: ['kind'] }));
    expect(await idsOf({})).toEqual([]);
    expect(await idsOf({ settings: {} })).toEqual(['tv']);
    expect(await idsOf({ synonyms: {} })).toEqual([]);
  });

  test('rules are replaced and removed, and asked in the order of their ids', async () => {
    await must(goods.send('POST', 'synonyms', { ...tvIsRadio, synonyms: ['tv', 'laptop'] }));
    await must(goods.send('POST', 'overrides', { ...radioFirst, id: 'é', excludes: [{ id: 'tv' }] }));
    expect(await idsOf({})).toEqual(['radio', 'laptop']);
    const replaced = { synonyms: { put: [tvIsRadio] }, overrides: { remove: ['é'] } };
    expect((await idsOf(replaced)).toSorted()).toEqual(['radio', 'tv']);
    const without = { synonyms: { remove: ['m'] }, overrides: { remove: ['é'] } };
    expect(await idsOf(without)).toEqual(['tv']);
    // U+FF61 is before U+1F4FA, though its UTF-16 unit is greater.
    const televisions = ['｡', '📺'].map((id, i) => ({ ...radioFirst, id, sort_by: i ? 'id' : undefined }));
    const first = { overrides: { put: televisions.toReversed(), remove: ['é'] } };
    expect((await preview(first)).request.override?.id).toBe('｡');
  });

  test('overrides are asked of the moment that is told', async () => {
    const from = new Date(Date.parse('2026-03-01T12:00:00Z') + hour).toISOString();
    const draft = { overrides: { put: [{ ...radioFirst, from }] } };
    expect(await idsOf(draft)).toEqual(['tv']);
    expect(await idsOf(draft, { at: from })).toEqual(['radio', 'tv']);
  });

  test.each([
    [{ synonyms: { put: [{ id: 'a', synonyms: ['one'], root: null }] } }, 400, /at least two words/],
    [
      { overrides: { put: [{ ...radioFirst, rule: { query: '!?', match: 'exact' } }] } },
      400,
      /^rule\.query: has no words/,
    ],
    [{ overrides: { put: [{ ...radioFirst, filter_by: 'price:>' }] } }, 422, /does not fit/],
    [{ settings: { query_by: ['colour'] } }, 422, /search settings do not fit/],
    [{ settings: { per_page: 3 } }, 400, /per_page/],
    [{ synonyms: { put: Array.from({ length: 21 }, () => tvIsRadio) } }, 400, /21|at most/],
  ])('%j is refused', async (draft, status, message) => {
    const { status: answered, body } = await ask(draft);
    expect([answered, body.error.message]).toEqual([status, expect.stringMatching(message)]);
  });

  test('nobody has searched so', async () => {
    expect(await preview({})).not.toHaveProperty('query_id');
  });
});
