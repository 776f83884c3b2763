import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, must } from '#server/testing/callers.ts';
import { type CuratedCollection, startCurated } from '#server/testing/curated-collection.ts';
import { databases } from '#server/testing/databases.ts';
import type { ErrorBody } from '#shared/errors.ts';
import type { MultiSearchAnswer } from '#shared/search.ts';

describe.each(databases)('fields that a collection does not have, on the %s database', (database) => {
  let goods: CuratedCollection;
  beforeAll(async () => {
    goods = await startCurated(database);
  });
  afterAll(() => goods.kit.close());

  const nearest = (name: string, field: string) =>
    `expected a field of this collection: "${name}" is unknown; the nearest is "${field}"`;

  test.each([
    ['query_by', { query_by: ['title', 'knd'] }, nearest('knd', 'kind')],
    ['sort_by', { sort_by: 'prize:desc' }, nearest('prize', 'price')],
    ['facet_by', { facet_by: 'kind,Title' }, nearest('Title', 'title')],
    ['filter_by', { filter_by: 'pric:>5' }, nearest('pric', 'price')],
  ])('%s names the nearest, by words, by meaning and by both', async (path, given, message) => {
    for (const mode of ['search', 'vector-search', 'hybrid-search']) {
      const { status, body } = await goods.send<ErrorBody>('POST', mode, { query: 'tv', ...given });
      expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
      expect(body.details).toEqual([expect.objectContaining({ path, message })]);
    }
  });

  test('so do lists of documents and of similar ones', async () => {
    const listed = await goods.send<ErrorBody>('GET', 'documents?sort_by=prize');
    expect([listed.status, listed.body.details?.[0]?.path]).toEqual([400, 'sort_by']);
    const similar = await goods.send<ErrorBody>('POST', 'similar', { id: 'tv', facet_by: 'kin' });
    expect(similar.body.details).toEqual([{ path: 'facet_by', message: nearest('kin', 'kind') }]);
  });

  test('in one of several searches the others answer', async () => {
    const { results } = await must(
      call<MultiSearchAnswer>(goods.kit, {
        method: 'POST',
        path: '/api/multi-search',
        headers: goods.headers,
        body: {
          searches: [
            { collection: 'goods', query: 'tv' },
            { collection: 'goods', query: 'tv', sort_by: 'prize' },
          ],
        },
      }),
    );
    expect(results).toMatchObject([
      { found: 1 },
      { error: { code: 'BAD_REQUEST', details: [{ path: 'sort_by', message: nearest('prize', 'price') }] } },
    ]);
  });

  const presetOf = (parameters: object): [string, string, object] => ['PUT', 'presets/p', { parameters }];
  const overrideOf = (rest: object): [string, string, object] => [
    'POST',
    'overrides',
    { id: 'o', rule: { query: 'tv', match: 'exact' }, ...rest },
  ];
  test.each<[string, [string, string, object]]>([
    ['query_by', ['PUT', 'settings', { query_by: ['titel'] }]],
    ['query_by', presetOf({ query_by: ['titel'] })],
    ['sort_by', presetOf({ sort_by: 'titel:asc' })],
    ['facet_by', presetOf({ facet_by: ['titel'] })],
    ['group_by', presetOf({ group_by: ['titel'] })],
    ['filter_by', presetOf({ filter_by: 'titel:a' })],
    ['sort_by', overrideOf({ sort_by: 'titel:asc' })],
    ['filter_by', overrideOf({ filter_by: 'titel:a' })],
  ])('%s is refused where it would be stored: %j', async (path, request) => {
    const { status, body } = await goods.send<ErrorBody>(...request);
    expect([status, body.details]).toEqual([
      400,
      [expect.objectContaining({ path, message: nearest('titel', 'title') })],
    ]);
    for (const kept of ['presets/p', 'overrides/o']) expect((await goods.send('GET', kept)).status).toBe(404);
  });

  test('what no document has any more is told of the rule that names it, not of who searches', async () => {
    await must(goods.send('POST', 'documents', { id: 'once', title: 'Once', weight: 5 }));
    await must(goods.send('PUT', 'settings', { query_by: ['title', 'weight'] }));
    await must(goods.send(...presetOf({ sort_by: 'weight:asc', query_by: ['title'] })));
    await must(goods.send(...overrideOf({ sort_by: 'weight:asc' })));
    await must(goods.send('DELETE', 'documents/once'));
    const message = expect.stringContaining('"weight" is unknown');
    for (const [path, given] of [
      ['settings.query_by', { query: 'radio' }],
      ['preset.sort_by', { query: 'radio', preset: 'p' }],
      ['override.sort_by', { query: 'tv', query_by: 'title' }],
    ] as const) {
      for (const [mode, asked] of [
        ['search', given],
        ['explain', { id: 'tv', ...given }],
      ] as const) {
        const { status, body } = await goods.send<ErrorBody>('POST', mode, asked);
        expect([status, body.details]).toEqual([422, [expect.objectContaining({ path, message })]]);
      }
    }
    expect(await goods.idsOf({ query: 'tv', query_by: 'title', enable_overrides: false })).toEqual(['tv']);
    await must(goods.send('PUT', 'settings', {}));
    for (const kept of ['presets/p', 'overrides/o']) await must(goods.send('DELETE', kept));
  });
});
