import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Credentials, call, createTenant, must } from '#server/testing/callers.ts';
import { databases } from '#server/testing/databases.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { statementsOf } from '#server/testing/statements.ts';
import { limits } from '#shared/limits.ts';
import type { Suggestions } from '#shared/suggestions.ts';

const documents = [
  { id: '1', title: 'Star Wars', genre: 'space', text: 'A galaxy with robots' },
  { id: '2', title: 'Star Trek', genre: 'space', text: 'A ship in space without robots' },
  { id: '3', title: 'Stalker', genre: 'zone', text: 'Three men walk' },
  { id: '4', title: 'Robot & Frank', genre: 'zone', text: 'A robot robs' },
];

describe.each(databases)('suggestions, on the %s database', (database) => {
  let kit: Kit;
  beforeAll(async () => {
    kit = await startKit({ database });
  });
  afterAll(() => kit.close());

  async function open() {
    const { collection, key } = await createTenant(kit, { name: 'films', dimension: 384 });
    const as: Credentials = { key: key.key };
    const send = <T>(method: string, path: string, body?: unknown) =>
      call<T>(kit, { method, path: `/api/collections/films/${path}`, body, as });
    await must(send('POST', 'documents/import', documents));
    const search = async (query: string, times: number) => {
      for (let i = 0; i < times; i += 1) {
        await must(send('POST', 'search', { query }));
        // Nobody types on.
        await kit.deps.searchLog.flush();
      }
    };
    const suggest = (q: string, given: object = {}) =>
      must(send<Suggestions>('POST', 'suggest', { q, ...given }));
    const textsOf = async (q: string, given: object = {}) =>
      (await suggest(q, given)).suggestions.map(({ query, source }) => `${source}: ${query}`);
    return { collection, send, search, suggest, textsOf };
  }

  test('what others searched for and found comes first, then titles and words of the documents', async () => {
    const { search, textsOf, suggest } = await open();
    await search('star wars robots', limits.suggestedSearchesMin);
    expect(await textsOf('sta')).toEqual([
      'queries: star wars robots',
      'titles: Stalker',
      'titles: Star Wars',
      'titles: Star Trek',
      'terms: star',
    ]);
    expect(await textsOf('sta', { limit: 2 })).toEqual(['queries: star wars robots', 'titles: Stalker']);
    expect((await suggest('star w')).suggestions.map(({ highlighted }) => highlighted)).toEqual([
      'star w<mark>ars robots</mark>',
      'Star W<mark>ars</mark>',
    ]);
    expect((await suggest('frank')).suggestions[0]?.highlighted).toBe('<mark>Robot &amp;</mark> Frank');
    const got = await must(call<Suggestions>(kit, await getOf()));
    expect(got).toMatchObject({ q: 'sta', suggestions: expect.any(Array) });
  });

  test('what is typed is `query`, or `q`, as in a search', async () => {
    const { send } = await open();
    for (const words of ['query=star+w', 'q=star+w', 'query=star+w&q=zone']) {
      const { q, suggestions } = await must(send<Suggestions>('GET', `suggest?${words}`));
      expect([q, suggestions[0]?.query], words).toEqual(['star w', 'Star Wars']);
    }
    const posted = await must(send<Suggestions>('POST', 'suggest', { query: 'star w' }));
    expect(posted.suggestions[0]?.query).toBe('Star Wars');
    expect((await send('GET', `suggest?query=${'x'.repeat(limits.queryCharactersMax + 1)}`)).status).toBe(
      400,
    );
  });

  const getOf = async () => {
    const { key } = await createTenant(kit, { name: 'films', dimension: 384 });
    return { method: 'GET', path: '/api/collections/films/suggest?q=sta', as: { key: key.key } };
  };

  test('a query that few searched for, or that found nothing, is told to nobody', async () => {
    const { search, textsOf } = await open();
    await search('secret robots', limits.suggestedSearchesMin - 1);
    await search('zzzz zzzz', limits.suggestedSearchesMin);
    expect(await textsOf('secret')).toEqual([]);
    expect(await textsOf('zzz')).toEqual([]);
  });

  test('typos are forgiven', async () => {
    const { search, textsOf } = await open();
    await search('robot dreams robots', limits.suggestedSearchesMin);
    expect(await textsOf('robto')).toEqual(expect.arrayContaining(['queries: robot dreams robots']));
    expect(await textsOf('stalkre')).toEqual(['titles: Stalker']);
    expect(await textsOf('galaxi')).toEqual(['terms: galaxy']);
  });

  test('where nothing is typed, what many search for, then the values that documents share', async () => {
    const { textsOf } = await open();
    expect(await textsOf('')).toEqual(['values: space', 'values: zone']);
    expect(await textsOf('  ', { limit: 1 })).toEqual(['values: space']);
    const other = await open();
    await other.search('robots', limits.suggestedSearchesMin + 1);
    await other.search('space', limits.suggestedSearchesMin);
    expect(await other.textsOf('')).toEqual(['queries: robots', 'queries: space', 'values: zone']);
  });

  test('documents without titles are completed by what is searched for and by their words', async () => {
    const { key } = await createTenant(kit, { name: 'plain', dimension: 384 });
    const send = <T>(method: string, path: string, body?: unknown) =>
      call<T>(kit, { method, path: `/api/collections/plain/${path}`, body, as: { key: key.key } });
    expect(await must(send('GET', 'suggest?q=sta'))).toMatchObject({ suggestions: [] });
    // A title that is a number is none.
    await must(send('POST', 'documents', { id: '1', text: 'A station', title: 7 }));
    expect(await must(send('GET', 'suggest?q=sta'))).toMatchObject({ suggestions: [{ query: 'station' }] });
  });

  test('a collection that is known sends no statement', async () => {
    const { suggest } = await open();
    await suggest('st');
    await expect.poll(() => statementsOf(kit.deps.record, () => suggest('star w'))).toEqual([]);
  });

  test('what others keep is not suggested, whatever it is called', async () => {
    const one = await open();
    await one.search('star wars robots', limits.suggestedSearchesMin);
    const other = await open();
    expect(await other.textsOf('star w')).toEqual(['titles: Star Wars']);
  });

  test('what is typed is bounded, and so is what is answered', async () => {
    const { send, textsOf } = await open();
    for (const body of [
      { q: 'x'.repeat(limits.queryCharactersMax + 1) },
      { q: 'a\u0000' },
      { limit: 0 },
      { limit: 21 },
      { who: 1 },
    ])
      expect((await send('POST', 'suggest', body)).status, Object.keys(body)[0]).toBe(400);
    expect(await textsOf('x '.repeat(2_000))).toEqual([]);
    expect(await textsOf('<mark> &')).toEqual([]);
  });
});
