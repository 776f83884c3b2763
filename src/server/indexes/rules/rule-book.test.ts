import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IndexesWorld, openIndexesWorld } from '#server/testing/open-indexes.ts';
import { statementsOf } from '#server/testing/statements.ts';
import type { CollectionHandle } from '../indexes.ts';
import { RuleBook } from './rule-book.ts';
import type { Rules } from './rules.ts';

let world: IndexesWorld;
beforeAll(async () => {
  world = await openIndexesWorld('bundled');
});
afterAll(() => world.close());

/** A collection of a tenant with one synonym of so many letters. */
async function collectionWith(letters: number, tenant = 'a'): Promise<CollectionHandle> {
  const { record } = world;
  const collection = await world.newCollection();
  const { id } = collection;
  await record.sql`
    insert into synonyms (collection_id, id, members, bytes)
    values (${id}, 's', ${JSON.stringify(['tv', 'x'.repeat(letters)])}::text::jsonb, 0)`;
  await record.sql`update collections set rules_version = 1 where id = ${id}`;
  return { ...collection, for: { tenant, caller: 'c' }, rulesVersion: 1 };
}

test('those who ask at the same time send one statement, and later ones none', async () => {
  const collection = await collectionWith(10);
  const book = new RuleBook(world.record);
  const ask = () => Promise.all([book.of(collection), book.of(collection), book.of(collection)]);
  expect(await statementsOf(world.record, ask)).toHaveLength(1);
  expect(await statementsOf(world.record, ask)).toHaveLength(0);
  const [rules, again] = await ask();
  expect(again).toBe(rules);
  expect(rules.synonyms.widen('tv').synonyms[0]?.alternatives).toEqual([['x'.repeat(10)]]);
});

test('a newer version is read, an older one is what is known', async () => {
  const collection = await collectionWith(10);
  const book = new RuleBook(world.record);
  await book.of(collection);
  await world.record.sql`update collections set rules_version = 2 where id = ${collection.id}`;
  const newer = { ...collection, rulesVersion: 2 };
  expect((await book.of(newer)).version).toBe(2);
  const both = () => Promise.all([book.of(newer), book.of(collection)]);
  expect(await statementsOf(world.record, both)).toHaveLength(0);
  expect((await book.of(collection)).version).toBe(2);
});

test('a draft is over what is known of the rules, which are not read for it', async () => {
  const collection = await collectionWith(10);
  const book = new RuleBook(world.record);
  const known = await book.of(collection);
  const none = { put: [], remove: [] };
  const put = [{ id: 'd', synonyms: ['tv', 'telly'], root: null }];
  const drafts = [
    { synonyms: none },
    { synonyms: none, overrides: none },
    { synonyms: { put, remove: ['s'] } },
  ];
  const drafted: Rules[] = [];
  const ask = async () => {
    for (const draft of drafts) drafted.push(await book.drafted(collection, draft));
  };
  expect(await statementsOf(world.record, ask)).toHaveLength(0);
  expect(drafted.slice(0, 2).every((rules) => rules === known)).toBe(true);
  expect(drafted[2]?.synonyms.widen('tv').acting).toMatchObject([{ id: 'd' }]);
  expect(await book.of(collection)).toBe(known);
});

test('what is kept of one account is bounded, and of all', async () => {
  const own = await Promise.all([1, 2, 3].map(() => collectionWith(64)));
  const others = await Promise.all(['b', 'c', 'd'].map((tenant) => collectionWith(64, tenant)));
  const book = new RuleBook(world.record, { charactersOfTenant: 450, characters: 900 });
  const asks = async (collection: CollectionHandle) =>
    (await statementsOf(world.record, () => book.of(collection))).length;
  for (const collection of own) await book.of(collection);
  // One of them is about 200 characters long.
  expect(book.characters).toBeLessThanOrEqual(450);
  const [first, second, third] = own;
  if (!first || !second || !third) throw new Error('there are three');
  expect(await asks(third)).toBe(0);
  expect(await asks(second)).toBe(0);
  expect(await asks(first)).toBe(1);
  for (const collection of others) await book.of(collection);
  expect(book.characters).toBeLessThanOrEqual(900);
  for (const collection of others) expect(await asks(collection)).toBe(0);
});
