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

  test('an override whose order does not fit is told apart from what was asked', async () => {
    await must(
      goods.send('POST', 'overrides', { id: 'o', rule: { query: 'tv', match: 'exact' }, sort_by: 'prize' }),
    );
    const { status, body } = await goods.send<ErrorBody>('POST', 'search', { query: 'tv' });
    expect([status, body.details]).toEqual([
      422,
      [{ path: 'override.sort_by', message: nearest('prize', 'price') }],
    ]);
    expect(await goods.idsOf({ query: 'tv', enable_overrides: false })).toEqual(['tv']);
    await must(goods.send('DELETE', 'overrides/o'));
  });
});
