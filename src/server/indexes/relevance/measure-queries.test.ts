import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IndexesWorld, openIndexesWorld } from '#server/testing/open-indexes.ts';
import type { Indexes, WritableCollection } from '../indexes.ts';
import { measureQueries } from './measure-queries.ts';

let world: IndexesWorld;
let indexes: Indexes;
let collection: WritableCollection;
beforeAll(async () => {
  world = await openIndexesWorld('bundled');
  indexes = world.openIndexes();
  collection = await world.newCollection();
  for (const id of ['red', 'green', 'blue'])
    await indexes.write(collection, { action: 'create', document: { id, title: `A ${id} door` } });
});
afterAll(() => world.close());

const judged = ['red', 'green', 'blue', 'red door', 'green door', 'blue door'].map((query) => ({
  query,
  grades: new Map([
    [query.split(' ')[0] ?? '', 1],
    ['elsewhere', 0],
  ]),
}));
const asked = () => ({ collection, mode: 'keyword' as const, judged });
const signal = new AbortController().signal;

test('each query is searched once, in any order, and answered in the order given', async () => {
  const told: string[] = [];
  const measured = await measureQueries(indexes, asked(), {
    signal,
    tell: (done, of) => told.push(`${done}/${of}`),
  });
  expect(measured.map(({ query, rank, relevant }) => [query, rank, relevant])).toEqual(
    judged.map(({ query }) => [query, 1, 1]),
  );
  expect(told).toEqual(['1/6', '2/6', '3/6', '4/6', '5/6', '6/6']);
});

test('one without a relevant document is not asked', async () => {
  const hopeless = [{ query: 'red', grades: new Map([['red', 0]]) }];
  expect(await measureQueries(indexes, { ...asked(), judged: hopeless }, { signal })).toEqual([]);
});

test('whoever hangs up is measured no further', async () => {
  const caller = new AbortController();
  let done = 0;
  const tell = () => {
    done += 1;
    caller.abort(new Error('gone'));
  };
  await expect(measureQueries(indexes, asked(), { signal: caller.signal, tell })).rejects.toThrow('gone');
  // Another one may have been under way beside it.
  expect(done).toBeLessThanOrEqual(2);
});
