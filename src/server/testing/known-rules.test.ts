import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { must } from './callers.ts';
import { type CuratedCollection, startCurated } from './curated-collection.ts';
import { administer } from './databases.ts';
import { statementsOf } from './statements.ts';

/** What the rules of a collection are is known with it: a search sends no statement, and a change counts from its answer on. */

let goods: CuratedCollection;
beforeAll(async () => {
  goods = await startCurated('bundled');
});
afterAll(() => goods.kit.close());
beforeEach(() => must(goods.send('POST', 'synonyms', { id: 'tv', synonyms: ['tv', 'television'] })));

const search = (query = 'tv') => goods.idsOf({ query });
const statements = (task: () => Promise<unknown>) => statementsOf(goods.kit.deps.record, task);

test('no statement where the rules are known, whoever searches in whatever way; three at first', async () => {
  const { known } = goods.kit.deps;
  const ask = async () => {
    await search();
    await goods.search({ query: 'tv' }, 'hybrid-search');
    const searches = Array.from({ length: 10 }, () => ({ collection: 'goods', query: 'tv' }));
    await must(goods.send('POST', '../../multi-search', { searches }));
    await must(goods.send('POST', '../../multi-search', { searches: searches.slice(0, 1), merge: {} }));
  };
  await ask();
  await expect.poll(() => statements(ask)).toEqual([]);
  const cold = async () => {
    await must(goods.send('POST', 'synonyms', { id: 'tv', synonyms: ['tv', 'television'] }));
    for (const answers of [known.keys, known.collections]) answers.clear();
    return (await statements(() => search())).length;
  };
  await expect.poll(cold).toBe(3);
});

test('after a minute the collection is asked for again, and its rules only if they have changed', async () => {
  await search();
  await expect.poll(() => statements(() => search())).toEqual([]);
  goods.pass(60_000);
  const asked = await statements(() => search());
  expect(asked.filter((text) => text.includes('from synonyms'))).toEqual([]);
  expect(asked.length).toBeGreaterThan(0);
});

test('a change counts from its answer on', async () => {
  for (let round = 0; round < 5; round += 1) {
    const other = round % 2 === 0 ? 'radio' : 'laptop';
    await must(goods.send('POST', 'synonyms', { id: 'tv', synonyms: ['tv', other] }));
    expect((await search()).toSorted()).toEqual([other, 'tv'].toSorted());
  }
});

test('what another server changes counts soon', async () => {
  expect(await search()).toHaveLength(2);
  await administer(goods.kit.deps.settings.databaseUrl ?? '', async (sql) => {
    await sql.begin(async (tx) => {
      await tx`update synonyms set members = '["tv", "radio"]'`;
      await tx`update collections set rules_version = rules_version + 1`;
    });
  });
  await expect.poll(async () => (await search()).toSorted()).toEqual(['radio', 'tv']);
});

test('a search that asks for all of a collection that has none sends no statement for rules', async () => {
  for (const path of ['synonyms/tv']) await must(goods.send('DELETE', path));
  await expect.poll(() => statements(() => search())).toEqual([]);
  expect(await search()).toEqual(['tv']);
});
