import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { must } from '#server/testing/callers.ts';
import { type CuratedCollection, startCurated } from '#server/testing/curated-collection.ts';
import { databases } from '#server/testing/databases.ts';
import type { Override } from '#shared/overrides.ts';
import type { MultiSearchAnswer } from '#shared/search.ts';

const hour = 3_600_000;

describe.each(databases)('overrides on the %s database', (database) => {
  let goods: CuratedCollection;
  beforeAll(async () => {
    goods = await startCurated(database);
  });
  afterAll(() => goods.kit.close());
  beforeEach(async () => {
    for (const { id } of await listed()) await must(send('DELETE', `overrides/${id}`));
  });

  const send: CuratedCollection['send'] = (...request) => goods.send(...request);
  const put = (override: object) => must(send<Override>('POST', 'overrides', override));
  const listed = async () => (await must(send<{ overrides: Override[] }>('GET', 'overrides'))).overrides;
  const onTv = (effects: object, match = 'exact') => put({ rule: { query: 'tv', match }, ...effects });

  test('are written by id, listed in pages, read and deleted', async () => {
    const body = {
      rule: { query: 'laptop', match: 'exact' },
      includes: [{ id: 'radio', position: 1 }],
      excludes: [],
    };
    const made = await send<Override>('POST', 'overrides', body);
    expect([made.status, made.body]).toEqual([201, { id: expect.any(String), ...body, active: true }]);
    const second = { id: 'b', rule: { query: 'b', match: 'contains' }, filter_by: 'price:>1', active: false };
    expect(await put(second)).toEqual(second);
    expect(await put({ ...second, active: true })).toEqual({ ...second, active: true });
    const page = await send<{ overrides: Override[] }>('GET', 'overrides?per_page=1');
    expect([page.headers.get('x-total-count'), page.body.overrides.length]).toEqual(['2', 1]);
    expect(await must(send('GET', 'overrides/b'))).toEqual({ ...second, active: true });
    expect(await must(send('DELETE', 'overrides/b'))).toEqual({ ...second, active: true });
    for (const method of ['GET', 'DELETE']) expect((await send(method, 'overrides/b')).status).toBe(404);
  });

  const rule = { query: 'tv', match: 'exact' };
  test.each([
    [{}, 'rule: is required'],
    [{ rule: { query: 'tv', match: 'some' } }, 'rule.match: must be exact or contains'],
    [{ rule: { query: '!?', match: 'contains' } }, expect.stringContaining('rule.query')],
    [{ rule: { query: '*', match: 'contains' } }, expect.stringContaining('rule.query')],
    [{ rule, filter_by: 'price:>' }, expect.stringMatching(/^filter_by: .* at position 7$/)],
    [{ rule, sort_by: 'price:up' }, expect.stringMatching(/^sort_by: .* at position/)],
    [{ rule, includes: [{ id: 'a', position: 0 }] }, 'includes.0.position: must be at least 1'],
    [
      {
        rule,
        includes: [
          { id: 'a', position: 1 },
          { id: 'a', position: 2 },
        ],
      },
      'includes: must name each document once',
    ],
    [{ rule, from: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' }, 'until: must be after "from"'],
  ])('%j is refused', async (override, message) => {
    const { status, body } = await send<{ message: string }>('POST', 'overrides', override);
    expect([status, body.message]).toEqual([400, message]);
  });

  test('pin and hide: excludes beat includes, places survive paging, counts and facets agree', async () => {
    await onTv({
      id: 'pins',
      includes: [
        { id: 'radio', position: 2 },
        { id: 'laptop', position: 1 },
        { id: 'gone', position: 1 },
        { id: 'idiot-box', position: 3 },
      ],
      excludes: [{ id: 'idiot-box' }],
    });
    const all = await goods.search({ query: 'tv', facet_by: 'kind' });
    expect(all.hits.map(({ id, curated, score }) => [id, curated, score > 0])).toEqual([
      ['laptop', true, false],
      ['radio', true, false],
      ['tv', undefined, true],
    ]);
    expect(all.found).toBe(3);
    expect(all.facet_counts[0]?.counts).toEqual([
      { value: 'screen', count: 2 },
      { value: 'sound', count: 1 },
    ]);
    expect(all.request.override).toEqual({ id: 'pins', pinned: 4, hidden: 1 });
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => goods.idsOf({ query: 'tv', per_page: 1, page })),
    );
    expect(pages).toEqual([['laptop'], ['radio'], ['tv'], []]);
    // What the request filters out is not there, and the others stand where they stood.
    expect(await goods.idsOf({ query: 'TV!', filter_by: 'kind:screen' })).toEqual(['laptop', 'tv']);
    const filtered = await goods.search({ query: 'tv', filter_by: 'kind:sound' });
    expect([filtered.found, filtered.hits[0]?.id]).toEqual([1, 'radio']);
    for (const given of [{ enable_overrides: false }, { query: 'flat tv' }])
      expect(await goods.idsOf({ query: 'tv', ...given })).toEqual(['tv']);
    expect((await goods.search({ query: 'tv', k: 2 }, 'hybrid-search')).hits[1]).toMatchObject({
      id: 'radio',
      curated: true,
    });
    const byMeaning = await goods.search({ query: 'tv', k: 1 }, 'vector-search');
    expect([byMeaning.found, byMeaning.request.override]).toEqual([1, undefined]);
  });

  test('filter, sort and replace the query, before synonyms widen it', async () => {
    await onTv(
      { id: 'a', replace_query: 'screen gadget', filter_by: 'price:<500', sort_by: 'price:desc' },
      'contains',
    );
    await must(
      send('POST', 'synonyms', {
        id: 's',
        root: 'gadget',
        synonyms: ['tv', 'television', 'laptop', 'radio'],
      }),
    );
    const answer = await goods.search({
      query: 'a tv please',
      match: 'any',
      sort_by: 'price:asc',
      filter_by: 'kind:screen || kind:sound',
    });
    expect(answer.hits.map(({ id }) => id)).toEqual(['tv', 'television', 'idiot-box', 'radio']);
    expect(answer.request).toMatchObject({
      query: 'screen gadget',
      filter_by: 'kind:screen || kind:sound',
      sort_by: 'price:desc',
      override: { id: 'a', replaced_query: 'a tv please', filter_by: 'price:<500', sort_by: 'price:desc' },
      synonyms: [{ id: 's', word: 'gadget' }],
    });
    await must(send('DELETE', 'synonyms/s'));
  });

  test('act in their time, the first by id', async () => {
    await onTv({ id: 'b', replace_query: 'radio' });
    await onTv({
      id: 'a',
      replace_query: 'laptop',
      from: '2026-03-01T13:00:00Z',
      until: '2026-03-01T14:00:00Z',
    });
    const found: string[][] = [];
    for (let i = 0; i < 3; i += 1) {
      found.push(await goods.idsOf({ query: 'tv' }));
      goods.pass(hour);
    }
    expect(found).toEqual([['radio'], ['laptop'], ['radio']]);
  });

  test('a query for all documents can be curated', async () => {
    await put({ rule: { query: '*', match: 'exact' }, includes: [{ id: 'radio', position: 1 }] });
    for (const query of ['*', '']) expect((await goods.idsOf({ query }))[0]).toBe('radio');
  });

  test('a filter that does not fit the collection is a 422 that says whose it is', async () => {
    await must(send('POST', 'documents', { id: 'once', weight: 5 }));
    await onTv({ filter_by: 'weight:>3' });
    await must(send('DELETE', 'documents/once'));
    const { status, body } = await send<{ details: object[] }>('POST', 'search', { query: 'tv' });
    expect([status, body.details]).toEqual([
      422,
      [{ path: 'override.filter_by', position: 0, message: expect.stringContaining('weight') }],
    ]);
    const own = await send<{ message: string }>('POST', 'search', { query: 'tv', filter_by: 'height:>3' });
    expect([own.status, own.body.message]).toEqual([400, expect.stringMatching(/^filter_by: /)]);
    expect(await goods.idsOf({ query: 'tv', enable_overrides: false })).toEqual(['tv']);
  });

  test('in one list of several collections they filter and hide, and say what they do not do', async () => {
    await onTv({
      id: 'a',
      filter_by: 'price:<200',
      excludes: [{ id: 'television' }],
      includes: [{ id: 'radio', position: 1 }],
    });
    await must(send('POST', 'synonyms', { id: 's', synonyms: ['tv', 'television', 'idiot box'] }));
    const multi = (searches: object[], merge?: object) =>
      goods.send<MultiSearchAnswer & { hits: { id: string }[]; request: { rules: object[] } }>(
        'POST',
        '../../multi-search',
        { searches, ...(merge && { merge }) },
      );
    const { body } = await multi([{ collections: ['goods'], query: 'tv' }], {});
    expect(body.hits.map(({ id }) => id)).toEqual(['idiot-box']);
    expect(body.request.rules).toEqual([
      {
        collection: { id: expect.any(Number), name: 'goods' },
        synonyms: ['s'],
        override: { id: 'a', ignored: ['includes'] },
      },
    ]);
    const each = await multi([{ collection: 'goods', query: 'tv' }]);
    expect(each.body.results[0]).toMatchObject({
      hits: [{ id: 'radio', curated: true }, { id: 'idiot-box' }],
    });
    const withPreset = await multi([{ collection: 'goods', query: 'tv', preset: 'p' }], {});
    expect(withPreset.status).toBe(400);
    await must(send('DELETE', 'synonyms/s'));
  });
});
