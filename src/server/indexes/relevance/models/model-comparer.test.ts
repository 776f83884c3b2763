import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { json, status, well } from '#server/testing/embedding-server.ts';
import { exported, parameters, shownHits } from '#server/testing/open-indexes.ts';
import { openServiceWorld, type ServiceWorld, serviceModel, write } from '#server/testing/service-world.ts';
import type { ComparedQuery } from '#shared/comparisons.ts';
import type { Indexes, WritableCollection } from '../../indexes.ts';
import type { ProposedChange } from './proposed-change.ts';

let world: ServiceWorld;
beforeAll(async () => {
  world = await openServiceWorld();
});
afterAll(() => world.close());
beforeEach(() => world.begin());
afterEach(() => world.end());

const dimension = 64;
const films = [
  { id: 'chess', title: 'The Defence', text: 'A grandmaster of the board game loses his mind' },
  { id: 'crush', title: 'Pressure', text: 'Sailors are caught below the frozen sea' },
  { id: 'radio', title: 'Night Air', text: 'A wireless operator hears voices' },
  { id: 'ice', title: 'White', text: 'Two climbers on a glacier without food' },
  { id: 'train', title: 'Last Train', text: 'Passengers are locked in a carriage' },
];
const judged = [
  { query: 'chess player', grades: new Map([['chess', 3]]) },
  {
    query: 'the frozen sea',
    grades: new Map([
      ['crush', 3],
      ['ice', 1],
    ]),
  },
  { query: 'a wireless', grades: new Map([['radio', 2]]) },
];
const signal = new AbortController().signal;

const change = (given: Partial<ProposedChange> = {}): ProposedChange => ({
  model: serviceModel,
  draft: {},
  at: new Date(),
  mode: 'hybrid',
  judged,
  documentsMax: 100,
  ...given,
});

async function filled(indexes: Indexes, given: Parameters<ServiceWorld['newCollection']>[0] = {}) {
  const collection = await world.newCollection({ dimension, ...given });
  for (const film of films) await write(indexes, collection, film);
  return collection;
}

const listed = (compared: ComparedQuery[], side: 'before' | 'after') =>
  compared.map(({ query, [side]: { hits } }) => [query, hits]);

const searched = async (indexes: Indexes, collection: WritableCollection, mode: string) =>
  await Promise.all(
    judged.map(async ({ query }) => {
      const answer = await indexes.search(collection, parameters({ query, mode, per_page: 10 }));
      return [query, shownHits(answer).map(({ id }) => id)];
    }),
  );

test.each(['hybrid', 'vector'] as const)(
  'of all documents it is what %s search finds now, and what it finds once the collection is moved',
  async (mode) => {
    const indexes = world.open({});
    const collection = await filled(indexes, { model: 'builtin:rotated' });
    const own = Array.from({ length: dimension }, (_, i) => (i === 3 ? 1 : 0));
    await write(indexes, collection, { id: 'own', title: 'Sea', embedding: own });
    const { compared, among } = await indexes.compareModel(collection, change({ mode }), signal);
    expect(among).toEqual({ model: serviceModel, documents: 6, of: 6, refused: 0, engine: 'embedded' });
    expect(listed(compared, 'before')).toEqual(await searched(indexes, collection, mode));
    expect(await exported(indexes, collection)).toHaveLength(6);
    const [untouched] = await world.record.sql`select model from collections where id = ${collection.id}`;
    expect(untouched?.['model']).toBe('builtin:rotated');
    await indexes.stop();

    const moving = world.open({}, { movesCollections: true });
    await expect
      .poll(async () => {
        const [row] = await world.record.sql`select model from collections where id = ${collection.id}`;
        return row?.['model'];
      })
      .toBe(serviceModel);
    const moved = await searched(moving, collection, mode);
    expect(listed(compared, 'after')).toEqual(moved);
    expect(listed(compared, 'after')).not.toEqual(listed(compared, 'before'));
    const { compared: back } = await moving.compareModel(
      collection,
      change({ mode, model: 'static' }),
      signal,
    );
    expect(listed(back, 'before')).toEqual(moved);
    expect(listed(back, 'after')).toEqual(listed(compared, 'before'));
  },
);

test('of a larger collection both sides are searched among what is judged and what is found now', async () => {
  const indexes = world.open({});
  const collection = await filled(indexes, { model: 'builtin:rotated' });
  const asked = [
    {
      query: 'the frozen sea',
      grades: new Map([
        ['train', 1],
        ['nowhere', 1],
      ]),
    },
  ];
  const { compared, among } = await indexes.compareModel(
    collection,
    change({ judged: asked, documentsMax: 3, mode: 'vector' }),
    signal,
  );
  // One that is judged is there no more.
  expect(among).toEqual({ model: serviceModel, documents: 2, of: 5, refused: 0, engine: 'embedded' });
  const [query] = compared;
  const found = (await searched(indexes, collection, 'vector')).find(([text]) => text === 'the frozen sea');
  expect([query?.before.hits, query?.after.hits].map((hits) => hits?.toSorted())).toEqual([
    ['train', found?.[1]?.[0]].toSorted(),
    ['crush', 'train'].toSorted(),
  ]);
  await expect(indexes.compareModel(collection, change({ documentsMax: 2 }), signal)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringMatching(/^documents: must be at least 4/),
  });
});

test('a draft acts on the one side, the model beside it', async () => {
  const indexes = world.open({});
  const collection = await filled(indexes, { model: 'builtin:rotated' });
  const draft = { overrides: { put: [hiding('crush')], remove: [] } };
  const { compared } = await indexes.compareModel(collection, change({ draft }), signal);
  const sea = compared.find(({ query }) => query === 'the frozen sea');
  expect(sea?.before.hits).toContain('crush');
  expect(sea?.after.hits).not.toContain('crush');
});

const hiding = (id: string) => ({
  id: 'hide',
  rule: { query: 'the frozen sea', match: 'exact' as const },
  includes: [],
  excludes: [{ id }],
  active: true,
});

test('tells how far it is, is made once at a time, and ends with its caller', async () => {
  const indexes = world.open({});
  const collection = await filled(indexes, { model: 'builtin:rotated' });
  const asked = { ...collection, model: 'builtin:rotated' };
  let answer = () => {};
  world.server.plan((response, { input }) => {
    answer = () =>
      json(response, { data: input.map((_, index) => ({ index, embedding: new Array(dimension).fill(1) })) });
  });
  const caller = new AbortController();
  const comparing = indexes.compareModel(collection, change(), caller.signal);
  await expect
    .poll(async () => (await indexes.comparableModels(asked)).comparing)
    .toEqual({ documents: 5, documentsDone: 0, queries: 3, queriesDone: 0 });
  await expect(indexes.compareModel(collection, change(), signal)).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
  });
  caller.abort(new Error('gone'));
  await expect(comparing).rejects.toThrow('gone');
  expect((await indexes.comparableModels(asked)).comparing).toBeNull();
  answer();
  world.server.plan(well);
  expect((await indexes.compareModel(collection, change(), signal)).compared).toHaveLength(3);
});

test('a model that takes too long or is away is no comparison, and keeps none', async () => {
  const indexes = world.open({}, { comparedEmbeddingMs: 50 });
  const collection = await filled(indexes, { model: 'builtin:rotated' });
  world.server.plan(() => {});
  await expect(indexes.compareModel(collection, change(), signal)).rejects.toMatchObject({
    code: 'UNPROCESSABLE',
    message: expect.stringMatching(/^The model embedded 0 of 5 documents in 0.05 s/),
  });
  world.server.plan(status(500));
  await expect(indexes.compareModel(collection, change(), signal)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  });
});

test('queries that get no vector are no comparison by words alone', async () => {
  const indexes = world.open({});
  const collection = await filled(indexes, { model: 'builtin:rotated' });
  world.server.plan(well, status(500));
  await expect(indexes.compareModel(collection, change(), signal)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  });
});

test('texts that the model refuses are told of', async () => {
  const indexes = world.open({});
  const collection = await filled(indexes, { model: 'builtin:rotated' });
  world.server.plan((response, asked) => {
    const refused = asked.input.some((text) => text.includes('Last Train'));
    if (refused) json(response, { error: { message: 'too long' } }, 400);
    else well(response, asked);
  });
  const { among } = await indexes.compareModel(collection, change(), signal);
  expect(among).toMatchObject({ documents: 5, refused: 1 });
});

test.each([
  [{ model: 'gpt' }, /^model: is none that this server has for 64 dimensions: static, openai:m$/],
  [{ mode: 'keyword' as const }, /^mode: must be vector or hybrid/],
])('%j is refused', async (given, message) => {
  const indexes = world.open({});
  const collection = await filled(indexes, { model: 'builtin:rotated' });
  await expect(indexes.compareModel(collection, change(given), signal)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringMatching(message),
  });
});
