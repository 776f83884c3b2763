import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IndexesWorld, openIndexesWorld, parameters, shownHits } from '#server/testing/open-indexes.ts';
import type { Indexes, WritableCollection } from '../../indexes.ts';

let world: IndexesWorld;
beforeAll(async () => {
  world = await openIndexesWorld('bundled', { isStaticOnly: false });
});
afterAll(() => world.close());

const films = [
  { id: 'crush', title: 'Pressure', text: 'Sailors are caught below the frozen sea in a broken vessel.' },
  { id: 'chess', title: 'The Defence', text: 'A grandmaster of the board game loses his mind.' },
  { id: 'train', title: 'Last Train', text: 'Passengers are locked in a carriage with a murderer.' },
  { id: 'code', sku: 'X-1' },
];
const queries = ['a submarine crew trapped under ice', 'film about a genius who goes mad', 'locked room'];
const judged = queries.map((query) => ({ query, grades: new Map([['crush', 1]]) }));

const searched = async (indexes: Indexes, collection: WritableCollection) =>
  await Promise.all(
    queries.map(async (query) =>
      shownHits(await indexes.search(collection, parameters({ query, mode: 'vector' }))).map(
        ({ id, vector_distance }) => [id, vector_distance],
      ),
    ),
  );

test.each([384, 64])(
  'the transformer is compared with the table before it has read a document, of %d components',
  async (dimension) => {
    const resting = world.openIndexes({ upgradeDelayMs: 1e6 });
    const model = dimension < 384 ? 'builtin:rotated' : 'builtin';
    const collection = await world.newCollection({ dimension, model });
    for (const document of films) await resting.write(collection, { action: 'upsert', document });
    expect(await resting.comparableModels({ ...collection, model })).toEqual({
      live: 'static',
      models: ['static', 'transformer'],
      comparing: null,
    });
    const change = { draft: {}, at: new Date(), mode: 'vector' as const, judged, documentsMax: 100 };
    const { signal } = new AbortController();
    const compare = async (name: string) =>
      (await resting.compareModel(collection, { ...change, model: name }, signal)).compared;
    const byTable = (await searched(resting, collection)).map((hits) => hits.map(([id]) => id));
    const compared = await compare('transformer');
    expect(compared.map(({ before }) => before.hits)).toEqual(byTable);
    const same = await compare('static');
    expect(same.map(({ kind }) => kind)).toEqual(['same', 'same', 'same']);
    await resting.stop();

    const indexes = world.openIndexes({ upgradeDelayMs: 1 });
    await expect
      .poll(async () => (await indexes.comparableModels({ ...collection, model })).live, { timeout: 30_000 })
      .toBe('transformer');
    await expect
      .poll(
        async () => {
          const [row] = await world.record
            .sql`select upgraded_count from collections where id = ${collection.id}`;
          return Number(row?.['upgraded_count']);
        },
        { timeout: 30_000 },
      )
      .toBe(3);
    // Queries are the table's until the thread for them has started.
    const first = queries[0] ?? '';
    const tier = dimension < 384 ? 'transformer-rotated' : 'transformer';
    const table = await world.embedder.embedQuery(
      first,
      dimension,
      dimension < 384 ? 'static-rotated' : 'static',
    );
    await expect.poll(() => world.embedder.embedQuery(first, dimension, tier)).not.toEqual(table);
    const upgraded = (await searched(indexes, collection)).map((hits) => hits.map(([id]) => id));
    expect(compared.map(({ after }) => after.hits)).toEqual(upgraded);
    await indexes.stop();
  },
);
