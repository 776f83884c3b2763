import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { must } from '#server/testing/callers.ts';
import { type CuratedCollection, startCurated } from '#server/testing/curated-collection.ts';
import { databases } from '#server/testing/databases.ts';
import { limits } from '#shared/limits.ts';
import type { Preset } from '#shared/presets.ts';
import type { ShownSettings } from '#shared/search-settings.ts';

describe.each(databases)('presets and settings on the %s database', (database) => {
  let goods: CuratedCollection;
  beforeAll(async () => {
    goods = await startCurated(database);
  });
  afterAll(() => goods.kit.close());
  beforeEach(() => must(send('PUT', 'settings', {})));

  const send: CuratedCollection['send'] = (...request) => goods.send(...request);
  const settings = (given: object) => must(send<ShownSettings>('PUT', 'settings', given));
  const preset = (name: string, parameters: object) =>
    must(send<Preset>('PUT', `presets/${name}`, { parameters }));

  test('presets are written by name, listed, read and deleted', async () => {
    const cheap = {
      name: 'cheap',
      parameters: { filter_by: 'price:<200', sort_by: 'price:asc', per_page: 2 },
    };
    const { status, body } = await send('PUT', 'presets/cheap', { parameters: cheap.parameters });
    expect([status, body]).toEqual([200, cheap]);
    expect(await must(send('GET', 'presets/cheap'))).toEqual(cheap);
    const page = await send('GET', 'presets');
    expect([page.body, page.headers.get('x-total-count')]).toEqual([{ presets: [cheap] }, '1']);
    expect(await goods.idsOf({ query: '*', preset: 'cheap' })).toEqual(['radio', 'idiot-box']);
    expect(await goods.idsOf({ query: '*', preset: 'cheap', limit: 1, filter_by: 'price:>200' })).toEqual([
      'tv',
    ]);
    const unknown = await send<{ message: string }>('POST', 'search', { query: '*', preset: 'dear' });
    expect([unknown.status, unknown.body.message]).toEqual([400, expect.stringMatching(/^preset: /)]);
    expect(await must(send('DELETE', 'presets/cheap'))).toEqual(cheap);
    for (const method of ['GET', 'DELETE']) expect((await send(method, 'presets/cheap')).status).toBe(404);
    expect((await send('POST', 'search', { query: '*', preset: 'cheap' })).status).toBe(400);
  });

  test.each([
    [{}, 'parameters: is required'],
    [{ parameters: { query: 'x' } }, expect.stringContaining('query')],
    [{ parameters: { filter_by: 'price:>' } }, expect.stringMatching(/^filter_by: .* at position 7$/)],
    [{ parameters: { query_by_weights: [1] } }, expect.stringContaining('query_by_weights')],
    [{ parameters: { ranking: { k1: -1 } } }, 'parameters.ranking.k1: must be at least 0'],
    [
      { parameters: { filter_by: `title:${'x'.repeat(limits.presetBytesMax)}` } },
      'parameters: must be at most 16 KB as JSON',
    ],
  ])('the preset %j is refused', async (body, message) => {
    const answer = await send<{ message: string }>('PUT', 'presets/bad', body);
    expect([answer.status, answer.body.message]).toEqual([400, message]);
  });

  const unset = {
    query_by: null,
    query_by_weights: null,
    prefix: null,
    num_typos: null,
    split_join_tokens: null,
    drop_tokens_threshold: null,
    match: null,
    alpha: null,
    fusion: null,
    stop_words: null,
    enable_synonyms: null,
    enable_overrides: null,
    min_relevance: null,
    ranking: null,
    language: null,
    acting_language: 'en',
    detected_language: null,
    detected_documents: 0,
  };

  test('settings are replaced whole, answered whole, and taken back as they were answered', async () => {
    expect(await must(send('GET', 'settings'))).toEqual(unset);
    const given = {
      query_by: ['kind'],
      num_typos: 0,
      language: 'de',
      stop_words: ['flat'],
      ranking: { k1: 2 },
    };
    const shown = { ...unset, ...given, acting_language: 'de' };
    expect(await settings(given)).toEqual(shown);
    expect(await must(send('GET', 'settings'))).toEqual(shown);
    expect(await settings(shown)).toEqual(shown);
    expect(await settings({ alpha: 0.2 })).toEqual({ ...unset, alpha: 0.2 });
  });

  test.each([
    [{ match: 'some' }, 'match: must be auto, all or any'],
    [{ split_join_tokens: true }, 'split_join_tokens: must be off, fallback or always'],
    [{ language: 'english' }, 'language: must be two letters, as "en"'],
    [{ language: 'xx' }, 'language: is no language of ISO 639-1, as "en" is one'],
    [{ filter_by: 'x:1' }, expect.stringContaining('filter_by')],
    [{ query_by_weights: [1] }, expect.stringContaining('query_by_weights')],
    [{ ranking: { k2: 1 } }, expect.stringContaining('k2')],
  ])('the settings %j are refused', async (given, message) => {
    const { status, body } = await send<{ message: string }>('PUT', 'settings', given);
    expect([status, body.message]).toEqual([400, message]);
  });

  test('a search counts more than its preset, which counts more than the settings, which count more than the defaults', async () => {
    const alphaOf = async (given: object) =>
      (await goods.search({ query: 'tv', ...given }, 'hybrid-search')).request.alpha;
    expect(await alphaOf({})).toBe(0.5);
    await settings({ alpha: 0.1 });
    expect(await alphaOf({})).toBe(0.1);
    await preset('p', { alpha: 0.2 });
    expect(await alphaOf({ preset: 'p' })).toBe(0.2);
    expect(await alphaOf({ preset: 'p', alpha: 0.3 })).toBe(0.3);
    await settings({});
    expect(await alphaOf({})).toBe(0.5);
  });

  test('settings say where is searched, without which words, and which rules act', async () => {
    await must(send('POST', 'synonyms', { id: 's', synonyms: ['tv', 'radio'] }));
    await must(
      send('POST', 'overrides', {
        id: 'o',
        rule: { query: 'laptop', match: 'exact' },
        replace_query: 'radio',
      }),
    );
    expect(await goods.idsOf({ query: 'screen' })).toHaveLength(4);
    await settings({ query_by: ['title'], num_typos: 0 });
    expect(await goods.idsOf({ query: 'screen' })).toEqual([]);
    expect(await goods.idsOf({ query: 'flat radio', match: 'all' })).toEqual(['tv']);
    await settings({ stop_words: ['Flat'], enable_synonyms: false, enable_overrides: false });
    expect(await goods.idsOf({ query: 'flat radio', match: 'all' })).toEqual(['radio']);
    expect(await goods.idsOf({ query: 'laptop' })).toEqual(['laptop']);
    expect(await goods.idsOf({ query: 'laptop', enable_overrides: true })).toEqual(['radio']);
    for (const path of ['synonyms/s', 'overrides/o']) await must(send('DELETE', path));
  });

  test('settings say when words that are written in one and in two find each other, and an answer what was asked', async () => {
    const { request, hits } = await goods.search({ query: 'idiotbox' });
    expect([request['split_join_tokens'], hits.map(({ id }) => id)]).toEqual(['fallback', ['idiot-box']]);
    expect((await settings({ split_join_tokens: 'off' })).split_join_tokens).toBe('off');
    const off = await goods.search({ query: 'idiotbox' });
    expect([off.request['split_join_tokens'], off.hits]).toEqual(['off', []]);
    expect(await goods.idsOf({ query: 'idiotbox', split_join_tokens: 'always' })).toEqual(['idiot-box']);
    const byMeaning = await goods.search({ query: 'idiotbox' }, 'vector-search');
    expect(byMeaning.request).not.toHaveProperty('split_join_tokens');
    await settings({});
  });

  test('any ranking constant can be tried by a search, in a body and in a query string', async () => {
    const scoreOf = async (given: object) =>
      (await goods.search({ query: 'tv', ...given })).hits[0]?.score ?? 0;
    const usual = await scoreOf({});
    const tried = await scoreOf({ ranking: { k1: 3, b: 0 } });
    expect(tried).toBeLessThan(usual);
    await preset('k', { ranking: { k1: 3 } });
    expect(await scoreOf({ preset: 'k', ranking: { b: 0 } })).toBe(tried);
    const { body } = await send<{ hits: { score: number }[] }>('GET', 'search?query=tv&ranking=k1:3,b:0');
    expect(body.hits[0]?.score).toBe(tried);
    const bad = await send<{ message: string }>('GET', 'search?query=tv&ranking=k1:x');
    expect([bad.status, bad.body.message]).toEqual([400, 'ranking.k1: must be a number']);
  });
});
