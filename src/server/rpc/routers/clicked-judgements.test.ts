import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, createKey, must } from '#server/testing/callers.ts';
import { type CuratedCollection, startCurated } from '#server/testing/curated-collection.ts';
import { databases } from '#server/testing/databases.ts';
import type { ClickedDocument } from '#shared/clicked-documents.ts';
import type { Judgement } from '#shared/judgements.ts';
import type { SearchAnswer } from '#shared/search.ts';

describe.each(databases)('judgements made of clicks, on the %s database', (database) => {
  let goods: CuratedCollection;
  beforeAll(async () => {
    goods = await startCurated(database);
  });
  afterAll(() => goods.kit.close());

  /** A search, and what was clicked and bought of what it found. */
  async function choose(query: string, clicked: string[], bought: string[] = []) {
    const { query_id } = await must(goods.send<SearchAnswer>('POST', 'search', { query }));
    const tell = (type: string) => async (id: string) =>
      must(goods.send('POST', 'events', { type, query_id, id, position: 1 }));
    await Promise.all([...clicked.map(tell('click')), ...bought.map(tell('conversion'))]);
    await goods.kit.deps.searchLog.flush();
  }
  const clicked = async (search = '') =>
    must(goods.send<{ clicked: ClickedDocument[] }>('GET', `judgements/clicked${search}`));

  test('what was clicked often enough, is there and is not judged; by how often, and whether it was bought', async () => {
    await choose('flat TV', ['tv'], ['tv']);
    await choose('flat  tv', ['tv', 'radio']);
    await choose('flat tv', ['radio', 'gone'], []);
    await choose('flat tv', ['radio']);
    await choose('flat tv', ['tv']);
    await choose('flat tv', ['gone']);
    await choose('flat tv', ['gone']);
    await choose('radio', ['radio']);
    // The same click of the same search counts once, and queries that are everything are none to judge.
    for (let i = 0; i < 3; i += 1) await choose('*', ['tv']);
    expect((await clicked()).clicked).toEqual([
      { query: 'flat tv', document: 'radio', clicks: 3, conversions: 0, searches: 7, grade: 1 },
      { query: 'flat tv', document: 'tv', clicks: 3, conversions: 1, searches: 7, grade: 2 },
    ]);
    expect((await clicked('?clicks_min=1&per_page=1&page=3')).clicked).toEqual([
      { query: 'radio', document: 'radio', clicks: 1, conversions: 0, searches: 1, grade: 2 },
    ]);
    const pageOf = (search: string) => goods.send<{ message: string }>('GET', `judgements/clicked${search}`);
    for (const page of [1, 3, 5]) {
      const { headers } = await pageOf(`?clicks_min=1&per_page=1&page=${page}`);
      expect(headers.get('X-Total-Count')).toBe('3');
    }
    expect((await pageOf('?page=1000000')).body.message).toMatch(/^page: reaches beyond row 100000/);
    // What somebody has said stays.
    await must(goods.send('POST', 'judgements', { query: 'Flat tv', document: 'radio', grade: 0 }));
    const taken = await must(goods.send<{ judged: number }>('POST', 'judgements/clicked', { clicks_min: 1 }));
    expect(taken).toEqual({ judged: 2 });
    const { judgements } = await must(goods.send<{ judgements: Judgement[] }>('GET', 'judgements'));
    expect(judgements.map(({ query, document, grade }) => [query, document, grade])).toEqual([
      ['flat tv', 'radio', 0],
      ['flat tv', 'tv', 2],
      ['radio', 'radio', 2],
    ]);
    expect((await clicked('?clicks_min=1')).clicked).toEqual([]);
    expect(await must(goods.send('POST', 'judgements/clicked', { clicks_min: 1 }))).toEqual({ judged: 0 });
  });

  test('who only reads is not told what others chose', async () => {
    const { kit, owner } = goods;
    const { key } = await createKey(kit, owner, { projectId: goods.project.id, permissions: ['read'] });
    const path = '/api/collections/goods/judgements/clicked';
    expect((await call(kit, { method: 'GET', path, as: { key } })).status).toBe(403);
    expect((await call(kit, { method: 'POST', path, body: {}, as: { key } })).status).toBe(403);
  });
});
