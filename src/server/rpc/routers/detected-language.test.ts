import { afterAll, beforeAll, expect, test } from 'vitest';
import { must } from '#server/testing/callers.ts';
import { type CuratedCollection, startCurated } from '#server/testing/curated-collection.ts';
import { german } from '#server/testing/judged/languages/german.ts';
import { spanish } from '#server/testing/judged/languages/spanish.ts';
import type { ShownSettings } from '#shared/search-settings.ts';

let goods: CuratedCollection;
beforeAll(async () => {
  goods = await startCurated('bundled', { detectLanguages: true });
});
afterAll(() => goods.kit.close());

const shown = () => must(goods.send<ShownSettings>('GET', 'settings'));
const set = (given: object) => must(goods.send<ShownSettings>('PUT', 'settings', given));
const found = (query: string) => goods.idsOf({ query, prefix: false, num_typos: 0, match: 'all' });
const detected = (language: string | null) =>
  expect.poll(async () => (await shown()).detected_language).toBe(language);
const write = (texts: readonly (readonly [string, string, string])[], name: string) =>
  must(
    goods.send(
      'POST',
      'documents/import',
      texts.map(([title, text], i) => ({ id: `${name}-${i}`, title, text })),
    ),
  );

test('the language of the first texts acts by itself, and what the owner says instead of it', async () => {
  expect(await shown()).toMatchObject({ acting_language: 'en', detected_language: null, language: null });
  await write(german, 'de');
  await detected('de');
  expect(await shown()).toMatchObject({ acting_language: 'de', detected_documents: 29, language: null });
  expect(await found('bremse')).toEqual(['de-1']);
  // What an owner said stands, whatever the texts are.
  expect(await set({ language: 'en' })).toMatchObject({ acting_language: 'en', detected_language: 'de' });
  expect(await found('bremse')).toEqual([]);
  expect(await set({})).toMatchObject({ acting_language: 'de', language: null });
  expect(await found('bremse')).toEqual(['de-1']);
});

test('it counts as no tuning of the owner', async () => {
  const { sql } = goods.kit.deps.record;
  const [row] = await sql`select changes, held_documents from detected_languages`;
  expect(row).toEqual({ changes: 1, held_documents: 29 });
});

test('a collection is not looked at again before it has twice as many documents, and unsure texts change nothing', async () => {
  await write(spanish, 'es');
  const { sql } = goods.kit.deps.record;
  const held = async () => (await sql`select held_documents from detected_languages`)[0]?.['held_documents'];
  expect(await held()).toBe(29);
  await write(spanish.slice(0, 5), 'more');
  await expect.poll(held).toBe(58);
  expect(await shown()).toMatchObject({
    acting_language: 'de',
    detected_language: 'de',
    detected_documents: 29,
  });
});

test('a collection that is older than detection is read as before until its owner says so', async () => {
  const older = await startCurated('bundled', { detectLanguages: true });
  try {
    const { sql } = older.kit.deps.record;
    await sql`insert into detected_languages (collection_id, acts) select id, false from collections
      on conflict (collection_id) do update set acts = false`;
    await must(
      older.send(
        'POST',
        'documents/import',
        german.map(([title, text], i) => ({ id: `de-${i}`, title, text })),
      ),
    );
    const settings = () => must(older.send<ShownSettings>('GET', 'settings'));
    await expect.poll(async () => (await settings()).detected_language).toBe('de');
    expect(await settings()).toMatchObject({ acting_language: 'en', language: null });
    const asked = { query: 'bremse', prefix: false, num_typos: 0, match: 'all' };
    expect(await older.idsOf(asked)).toEqual([]);
    await must(older.send('PUT', 'settings', { language: 'de' }));
    expect(await older.idsOf(asked)).toEqual(['de-1']);
  } finally {
    await older.kit.close();
  }
});
