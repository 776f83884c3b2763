import { afterAll, beforeAll, expect, test } from 'vitest';
import { must } from '#server/testing/callers.ts';
import { type CuratedCollection, startCurated } from '#server/testing/curated-collection.ts';
import type { ShownSettings } from '#shared/search-settings.ts';

let goods: CuratedCollection;
beforeAll(async () => {
  goods = await startCurated('bundled');
});
afterAll(() => goods.kit.close());

const settings = (given: object) => must(goods.send<ShownSettings>('PUT', 'settings', given));

test('texts are read as the language that the settings say, from the next search on', async () => {
  await must(goods.send('POST', 'documents', { id: 'haus', title: 'Die Häuser am See' }));
  await must(goods.send('POST', 'synonyms', { synonyms: ['anwesen', 'haus'] }));
  const found = (query: string) => goods.idsOf({ query, prefix: false, num_typos: 0, match: 'all' });
  expect(await found('haus')).toEqual([]);
  expect((await settings({ language: 'de' })).acting_language).toBe('de');
  expect(await found('haus')).toEqual(['haus']);
  // Its synonyms too, and its stop words.
  expect(await found('anwesens')).toEqual(['haus']);
  expect(await found('die haus')).toEqual(['haus']);
  expect((await settings({})).acting_language).toBe('en');
  expect(await found('haus')).toEqual([]);
  expect(await found('häuser')).toEqual(['haus']);
});
