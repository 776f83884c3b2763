import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { must } from '#server/testing/callers.ts';
import { type CuratedCollection, startCurated } from '#server/testing/curated-collection.ts';
import { databases } from '#server/testing/databases.ts';
import type { RelevanceComparison } from '#shared/comparisons.ts';
import type { RelevanceMeasures } from '#shared/judgements.ts';

describe.each(databases)('a comparison before a change is saved, on the %s database', (database) => {
  let goods: CuratedCollection;
  beforeAll(async () => {
    goods = await startCurated(database);
    // A word of the one's title is the other's kind.
    const plants = [
      { id: 'fern', title: 'Fern pot', kind: 'plant', price: 5 },
      { id: 'plant-stand', title: 'Plant stand', kind: 'furniture fern', price: 20 },
    ];
    await must(goods.send('POST', 'documents/import', plants));
  });
  afterAll(() => goods.kit.close());
  beforeEach(async () => {
    await goods.kit.deps.record.sql`delete from judgements`;
  });

  const judge = (query: string, document: string, grade = 1) =>
    must(goods.send('POST', 'judgements', { query, document, grade }));
  const ask = (draft: object, more: object = {}) =>
    goods.send<RelevanceComparison & { message: string }>('POST', 'judgements/compare', {
      mode: 'keyword',
      draft,
      ...more,
    });
  const compare = (draft: object, more?: object) => must(ask(draft, more));
  const kindsOf = ({ results }: RelevanceComparison) =>
    Object.fromEntries(results.map(({ query, kind }) => [query, kind]));

  const byTitle = { query_by: ['title', 'kind'], query_by_weights: [9, 1] };
  const byKind = { settings: { query_by: ['title', 'kind'], query_by_weights: [1, 9] } };

  test('other weights gain for one query and lose for another', async () => {
    await must(goods.send('PUT', 'settings', byTitle));
    await judge('fern', 'fern', 3);
    await judge('plant', 'fern', 3);
    await judge('radio', 'radio');
    const compared = await compare(byKind);
    expect(kindsOf(compared)).toEqual({ fern: 'lost', plant: 'gained', radio: 'same' });
    expect(compared.counts).toEqual({ emptied: 0, rescued: 0, lost: 1, gained: 1, moved: 0, same: 1 });
    const second = 1 / Math.log2(3);
    expect(compared.results.find(({ query }) => query === 'fern')).toEqual({
      query: 'fern',
      kind: 'lost',
      change: second - 1,
      before: { ndcg: 1, rank: 1, hits: ['fern', 'plant-stand'], error: null },
      after: { ndcg: second, rank: 2, hits: ['plant-stand', 'fern'], error: null },
      judged: [{ document: 'fern', grade: 3, before: 1, after: 2 }],
    });
    const sum = (1 + second + 1) / 3;
    expect(compared.before).toEqual({ ndcg: expect.closeTo(sum), hitRate: 1, mrr: expect.closeTo(2.5 / 3) });
    expect(compared.after.ndcg).toBeCloseTo(sum);
    await must(goods.send('PUT', 'settings', {}));
  });

  test('is what the measures tell once the draft is saved; until then nothing is', async () => {
    await judge('gramophone', 'radio');
    await judge('kitchen', 'radio', 2);
    await judge('laptop', 'laptop');
    const measure = () => must(goods.send<object>('POST', 'judgements/measures', { mode: 'keyword' }));
    const figures = await measure();
    const synonym = { id: 'g', synonyms: ['gramophone', 'radio'], root: null };
    const out = {
      id: 'k',
      rule: { query: 'kitchen', match: 'exact' },
      excludes: [{ id: 'radio' }],
      active: true,
    };
    const audited = async () => (await goods.kit.deps.record.sql`select from audit_entries`).length;
    const before = await audited();
    const compared = await compare({ synonyms: { put: [synonym] }, overrides: { put: [out] } });
    expect(kindsOf(compared)).toEqual({ gramophone: 'rescued', kitchen: 'emptied', laptop: 'same' });
    expect(figures).toMatchObject(compared.before);
    expect(await audited()).toBe(before);
    expect((await must(goods.send<RelevanceMeasures>('GET', 'judgements/measures'))).changes).toEqual([]);
    await must(goods.send('POST', 'synonyms', synonym));
    await must(goods.send('POST', 'overrides', out));
    expect(await measure()).toMatchObject(compared.after);
    const undone = await compare({ synonyms: { remove: ['g'] }, overrides: { remove: ['k'] } });
    expect(kindsOf(undone)).toEqual({ gramophone: 'emptied', kitchen: 'rescued', laptop: 'same' });
    for (const rule of ['synonyms/g', 'overrides/k']) await must(goods.send('DELETE', rule));
  });

  test('answers the kinds and the page that are asked for, and counts all', async () => {
    for (const [query, document] of [
      ['flat', 'tv'],
      ['idiot', 'idiot-box'],
      ['ligt', 'laptop'],
    ] as const)
      await judge(query, document);
    const draft = { settings: { num_typos: 0 } };
    const all = await compare(draft);
    expect(all.results.map(({ query }) => query)).toEqual(['ligt', 'flat', 'idiot']);
    const page = await compare(draft, { kinds: ['same'], page: 2, per_page: 1 });
    expect(page.results.map(({ query }) => query)).toEqual(['idiot']);
    expect({ ...page, results: [] }).toEqual({ ...all, results: [] });
    const named = await compare(draft, { queries: [' Idiot', 'ligt', 'unknown'] });
    expect([named.queries, named.results]).toEqual([2, all.results.filter(({ query }) => query !== 'flat')]);
    expect((await ask(draft, { queries: ['unknown'] })).status).toBe(422);
  });

  test.each([
    [{ settings: { query_by: ['colour'] } }, 400, /^query_by/],
    [{ settings: { alpha: 2 } }, 400, /alpha/],
    [{ settings: { language: 'de' } }, 400, /^draft\.settings\.language: cannot be compared/],
    [
      {
        overrides: {
          put: [{ id: 'a', rule: { query: 'tv', match: 'exact' }, filter_by: 'price:>', active: true }],
        },
      },
      400,
      /^filter_by/,
    ],
    [{ weights: {} }, 400, /weights/],
    [{}, 422, /^No query has a relevant document yet/],
  ])('%j is refused', async (draft, status, message) => {
    const { status: answered, body } = await ask(draft);
    expect([answered, body.message]).toEqual([status, expect.stringMatching(message)]);
  });
});
