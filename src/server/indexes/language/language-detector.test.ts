import { afterAll, beforeAll, expect, test } from 'vitest';
import { german } from '#server/testing/judged/languages/german.ts';
import { spanish } from '#server/testing/judged/languages/spanish.ts';
import { type IndexesWorld, openIndexesWorld, parameters, shownHits } from '#server/testing/open-indexes.ts';
import type { Indexes, WritableCollection } from '../indexes.ts';

let world: IndexesWorld;
beforeAll(async () => {
  world = await openIndexesWorld('bundled');
});
afterAll(() => world.close());

const open = () => world.openIndexes({ detectsLanguages: true, upgradeDelayMs: 1, upgradeRetryMs: 1 });

async function write(indexes: Indexes, collection: WritableCollection, texts: typeof german, name: string) {
  for (const [i, [title, text]] of texts.entries())
    await indexes.write(collection, { action: 'upsert', document: { id: `${name}-${i}`, title, text } });
}

/** Its row, and which version its rules have. */
async function known({ id }: WritableCollection) {
  const [row] = await world.record.sql`
    select language, held_documents, changes, rules_version from collections
    left join detected_languages on collection_id = id where id = ${id}`;
  return row;
}

async function idsOf(indexes: Indexes, collection: WritableCollection, query: string) {
  const rulesVersion = Number((await known(collection))?.['rules_version']);
  const search = parameters({ query, prefix: false, num_typos: 0 });
  return shownHits(await indexes.search({ ...collection, rulesVersion }, search)).map(({ id }) => id);
}

test('what was detected is in the record: a server that starts later reads by it, and makes nothing anew', async () => {
  const collection = await world.newCollection();
  const indexes = open();
  await write(indexes, collection, german, 'de');
  await expect.poll(() => known(collection)).toMatchObject({ language: 'de', changes: 1 });
  expect(await idsOf(indexes, collection, 'bremse')).toEqual(['de-1']);
  await indexes.stop();
  const again = open();
  expect(await idsOf(again, collection, 'bremse')).toEqual(['de-1']);
  // One that it looks at later, when it has looked at this one.
  const other = await world.newCollection();
  await write(again, other, spanish, 'es');
  await expect.poll(() => known(other)).toMatchObject({ language: 'es' });
  // It may have looked once more, when there were twice as many.
  expect(await known(collection)).toMatchObject({ language: 'de', changes: 1, rules_version: 1 });
  await again.stop();
});

test('a collection of a few documents, or that is deleted, is left alone', async () => {
  const indexes = open();
  const [few, gone, marker] = [
    await world.newCollection(),
    await world.newCollection(),
    await world.newCollection(),
  ];
  await write(indexes, few, german.slice(0, 4), 'de');
  await world.record
    .sql`update collections set deleted_at = now(), document_count = 20 where id = ${gone.id}`;
  await write(indexes, marker, german, 'de');
  await expect.poll(() => known(marker)).toMatchObject({ language: 'de' });
  for (const collection of [few, gone])
    expect(await known(collection)).toMatchObject({ language: null, held_documents: null, rules_version: 0 });
  await indexes.stop();
});

test('documents that are written while it looks are made anew at most once for each doubling', async () => {
  const collection = await world.newCollection();
  const indexes = open();
  for (let round = 0; round < 4; round += 1) await write(indexes, collection, german, `de${round}`);
  await expect.poll(() => known(collection)).toMatchObject({ language: 'de', changes: 1, rules_version: 1 });
  // What it looks at later, when it has looked at this one again.
  const other = await world.newCollection();
  await write(indexes, other, spanish, 'es');
  await expect.poll(() => known(other)).toMatchObject({ language: 'es' });
  expect(await known(collection)).toMatchObject({ changes: 1, rules_version: 1 });
  await indexes.stop();
});

test('where the owner has said a language, what is detected is shown and makes nothing anew', async () => {
  const collection = await world.newCollection();
  await world.record
    .sql`insert into search_settings (collection_id, settings, bytes) values (${collection.id}, '{"language":"fr"}', 17)`;
  const indexes = open();
  await write(indexes, collection, german, 'de');
  await expect.poll(() => known(collection)).toMatchObject({ language: 'de' });
  expect(await known(collection)).toMatchObject({ changes: 0, rules_version: collection.rulesVersion });
  await indexes.stop();
});
