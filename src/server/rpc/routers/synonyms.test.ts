import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { must } from '#server/testing/callers.ts';
import { type CuratedCollection, startCurated } from '#server/testing/curated-collection.ts';
import { databases } from '#server/testing/databases.ts';
import type { ImportSummary } from '#shared/documents.ts';
import { limits } from '#shared/limits.ts';
import type { Synonym } from '#shared/synonyms.ts';

describe.each(databases)('synonyms on the %s database', (database) => {
  let goods: CuratedCollection;
  beforeAll(async () => {
    goods = await startCurated(database);
  });
  afterAll(() => goods.kit.close());
  beforeEach(async () => {
    for (const { id } of await listed()) await must(send('DELETE', `synonyms/${encodeURIComponent(id)}`));
  });

  const send: CuratedCollection['send'] = (...request) => goods.send(...request);
  const put = (synonym: object) => must(send<Synonym>('POST', 'synonyms', synonym));
  const listed = async () =>
    (await must(send<{ synonyms: Synonym[] }>('GET', 'synonyms?per_page=250'))).synonyms;
  const tv = { synonyms: ['tv', 'Television', 'idiot box'] };

  test('are written by id, listed in pages, read and deleted', async () => {
    const made = await send<Synonym>('POST', 'synonyms', tv);
    expect([made.status, made.body]).toEqual([201, { id: expect.any(String), ...tv, root: null }]);
    const b = { id: 'b / é', synonyms: ['x', 'y'], root: null };
    expect(await put(b)).toEqual(b);
    const replaced = { ...b, synonyms: ['z'], root: 'x' };
    expect(await put(replaced)).toEqual(replaced);
    const path = `synonyms/${encodeURIComponent(b.id)}`;
    expect(await must(send('GET', path))).toEqual(replaced);
    const page = await send<{ synonyms: Synonym[] }>('GET', 'synonyms?page=2&per_page=1');
    expect(page.headers.get('x-total-count')).toBe('2');
    expect([page.status, page.body.synonyms.length]).toEqual([200, 1]);
    expect(await must(send('DELETE', path))).toEqual(replaced);
    for (const method of ['GET', 'DELETE']) expect((await send(method, path)).status).toBe(404);
    expect(await listed()).toEqual([made.body]);
  });

  test('as the console shows them at first are taken: a root among its own words', async () => {
    const shown = { synonyms: ['laptop', 'notebook', 'computer'], root: 'laptop' };
    expect((await send('POST', 'synonyms', shown)).status).toBe(201);
    expect(await goods.idsOf({ query: 'laptop' })).toEqual(['laptop']);
  });

  test.each([
    [{}, 'synonyms: is required'],
    [{ synonyms: [] }, 'synonyms: is required'],
    [{ synonyms: ['tv'] }, 'synonyms: must be at least two words, or one and a root'],
    [{ synonyms: ['tv', ' '] }, 'synonyms.1: is required'],
    [{ synonyms: ['tv', 'x'.repeat(101)] }, 'synonyms.1: must be at most 100 characters'],
    [{ synonyms: Array.from({ length: 51 }, (_, i) => `w${i}`) }, 'synonyms: must be at most 50 words'],
    [{ ...tv, id: 'a\nb' }, 'id: must not contain control characters'],
    [{ ...tv, words: [] }, expect.stringContaining('words')],
  ])('%j is refused', async (synonym, message) => {
    const { status, body } = await send<{ message: string }>('POST', 'synonyms', synonym);
    expect([status, body.message]).toEqual([400, message]);
  });

  test('widen a search, and are told in it and marked', async () => {
    const before = await goods.idsOf({ query: 'tv' });
    expect(before).toEqual(['tv']);
    await put({ id: 'tv', ...tv });
    for (const mode of ['search', 'hybrid-search']) {
      const { hits, request } = await goods.search({ query: 'tv', match: 'all', k: 1 }, mode);
      expect(hits.map(({ id }) => id)).toEqual(expect.arrayContaining(['tv', 'television', 'idiot-box']));
      const wooden = hits.find(({ id }) => id === 'television');
      expect(wooden?.highlights[0]?.snippet).toBe('Wooden <mark>television</mark>');
      expect(request.synonyms).toEqual([{ id: 'tv', word: 'tv', alternatives: ['Television', 'idiot box'] }]);
    }
    expect(await goods.idsOf({ query: 'idiot box' })).toEqual(expect.arrayContaining(['tv', 'idiot-box']));
    expect((await goods.idsOf({ query: 'tv' }))[0]).toBe('tv');
    const off = await goods.search({ query: 'tv', enable_synonyms: false });
    expect([off.found, off.request.synonyms]).toEqual([1, undefined]);
    expect(await goods.idsOf({ query: '*', filter_by: 'title:tv' })).toEqual(['tv']);
    await must(send('DELETE', 'synonyms/tv'));
    expect(await goods.idsOf({ query: 'tv' })).toEqual(['tv']);
  });

  test('with a root only the root is widened', async () => {
    await put({ root: 'tv', synonyms: ['television'] });
    expect((await goods.idsOf({ query: 'tv' })).sort()).toEqual(['television', 'tv']);
    expect(await goods.idsOf({ query: 'television' })).toEqual(['television']);
  });

  test.each([
    ['application/json', (rows: object[]) => JSON.stringify(rows)],
    ['application/x-ndjson', (rows: object[]) => rows.map((row) => JSON.stringify(row)).join('\n')],
  ])('are uploaded as %s, each with its result', async (type, write) => {
    const upload = (rows: object[]) =>
      goods.kit.app.request('http://localhost/api/collections/goods/synonyms/import', {
        method: 'POST',
        headers: { ...goods.headers, 'content-type': type },
        body: write(rows),
      });
    const rows = [
      { id: 'a', ...tv },
      { id: 'b', synonyms: [] },
      { id: 'a', synonyms: ['radio', 'wireless'] },
    ];
    const some = await upload(rows);
    expect(some.status).toBe(207);
    expect((await some.json()) as ImportSummary).toEqual({
      succeeded: 2,
      failed: 1,
      faults: [{ code: 'BAD_REQUEST', message: 'synonyms: is required', count: 1, rows: [1] }],
      results: [
        { index: 0, id: 'a', success: true },
        { index: 1, id: null, success: false, code: 'BAD_REQUEST', error: 'synonyms: is required' },
        { index: 2, id: 'a', success: true },
      ],
    });
    // The last of several with one id.
    expect(await listed()).toEqual([{ ...rows[2], root: null }]);
    expect(await goods.idsOf({ query: 'wireless' })).toEqual(['radio']);
    expect((await upload([{ id: 'c' }])).status).toBe(400);
    expect((await upload([{ id: 'c', ...tv }])).status).toBe(200);
    expect((await listed()).map(({ id }) => id)).toEqual(['a', 'c']);
  });

  test('are so many and no more, in an upload and in a collection', async () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ id: `s${i}`, synonyms: [`a${i}`, `b${i}`] }));
    const upload = (count: number) => send<{ message: string }>('POST', 'synonyms/import', rows(count));
    const tooMany = await upload(limits.synonymsMax + 1);
    expect([tooMany.status, await listed()]).toEqual([422, []]);
    expect((await upload(limits.synonymsMax)).status).toBe(200);
    const more = await send<{ message: string }>('POST', 'synonyms', tv);
    expect([more.status, more.body.message]).toEqual([422, 'A collection has at most 5000 synonyms']);
    expect((await send('POST', 'synonyms', { id: 's0', ...tv })).status).toBe(201);
    await goods.kit.deps.record.sql`delete from synonyms`;
  });

  test('are at most so many bytes', async () => {
    const word = 'x'.repeat(90);
    const rows = Array.from({ length: 300 }, (_, i) => ({
      id: `s${i}`,
      synonyms: Array.from({ length: 50 }, (_, j) => `${word}${j}`),
    }));
    const { status, body } = await send<{ message: string }>('POST', 'synonyms/import', rows);
    expect([status, body.message]).toEqual([422, expect.stringContaining('512 KB')]);
    expect(await listed()).toEqual([]);
  });
});
