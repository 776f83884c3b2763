import { afterAll, beforeAll, expect, test } from 'vitest';
import { type IndexesWorld, openIndexesWorld, parameters, shownHits } from '#server/testing/open-indexes.ts';
import type { Indexes, WritableCollection } from '../indexes.ts';

let world: IndexesWorld;

beforeAll(async () => {
  world = await openIndexesWorld('bundled', { isStaticOnly: false });
});
afterAll(() => world.close());

const sentences = (about: string) =>
  Array.from({ length: 60 }, (_, i) => `In chapter ${i + 1} the ${about} is told of at length.`).join(' ');
const submarine = 'At last a submarine and its crew are trapped under the ice of the Arctic ocean.';
const plot = `${sentences('garden of an old lady')} ${submarine} ${sentences('baking of bread')}`;
const documents = [
  { id: 'long', title: 'A Year', plot },
  { id: 'short', title: 'Cakes', plot: 'Bread and cakes are baked.' },
];

const newCollection = (embed: { passages_max?: number } = {}) =>
  world.newCollection({ metadata: { embed: { fields: ['plot'], passage_characters: 600, ...embed } } });

async function add(indexes: Indexes, collection: WritableCollection, all: Record<string, unknown>[]) {
  for (const document of all) await indexes.write(collection, { action: 'upsert', document });
}

async function nearest(indexes: Indexes, collection: WritableCollection) {
  const query = 'submarine crew trapped under ice';
  return shownHits(await indexes.search(collection, parameters({ query, mode: 'vector' })))[0];
}

async function storedRow({ id }: WritableCollection) {
  const [row] = await world.record
    .sql`select octet_length(vectors) / 4 / 384 as passages, cardinality(spans) / 3 as spans, model_id
         from documents where collection_id = ${id} and id = 'long'`;
  return row;
}

test('a long text is found by each of its passages, and the hit says which', async () => {
  const indexes = world.openIndexes({ upgradeDelayMs: 1e6 });
  const collection = await newCollection();
  await add(indexes, collection, documents);
  const passages = (await storedRow(collection))?.['passages'];
  expect(passages).toBeGreaterThan(3);
  expect(await storedRow(collection)).toMatchObject({ passages, spans: passages });
  const hit = await nearest(indexes, collection);
  expect(hit?.id).toBe('long');
  expect(hit?.passage?.field).toBe('plot');
  expect(plot.slice(hit?.passage?.start, hit?.passage?.end)).toContain(submarine);

  const whole = await newCollection({ passages_max: 1 });
  await add(indexes, whole, documents);
  const wholeHit = await nearest(indexes, whole);
  expect(wholeHit?.passage).toBeUndefined();
  expect(wholeHit?.vector_distance ?? 2).toBeGreaterThan((hit?.vector_distance ?? 2) + 0.1);
  await indexes.stop();
});

test('a passage is told in its field, though the text stands and another field comes before it', async () => {
  const indexes = world.openIndexes({ upgradeDelayMs: 1e6 });
  const collection = await newCollection();
  await add(indexes, collection, documents);
  await add(indexes, collection, [{ id: 'long', note: 'Seen twice', title: 'A Year', plot }]);
  const { passage } = (await nearest(indexes, collection)) ?? {};
  expect(passage?.field).toBe('plot');
  expect(plot.slice(passage?.start, passage?.end)).toContain(submarine);
  await indexes.stop();
});

test('a passage is told in its field after an unchanged write, though others have no known word', async () => {
  const indexes = world.openIndexes({ upgradeDelayMs: 1e6 });
  const collection = await newCollection();
  const unknown = '🜁🜂🜃 '.repeat(200);
  const text = `${sentences('garden of an old lady')} ${unknown}\n\n${submarine} ${sentences('baking of bread')}`;
  await add(indexes, collection, [{ id: 'long', plot: text }]);
  await add(indexes, collection, [{ id: 'long', sku: 'Seen twice', plot: text }]);
  const { passage } = (await nearest(indexes, collection)) ?? {};
  expect(passage?.field).toBe('plot');
  expect(text.slice(passage?.start, passage?.end)).toContain(submarine);
  await indexes.stop();
});

test('each passage is upgraded', async () => {
  const indexes = world.openIndexes({ upgradeDelayMs: 1 });
  const collection = await newCollection();
  await add(indexes, collection, documents);
  await expect
    .poll(async () => (await storedRow(collection))?.['model_id'], { interval: 50 })
    .toBe('minilm-l6-384-1');
  const row = await storedRow(collection);
  expect(row?.['passages']).toBeGreaterThan(3);
  expect(row?.['spans']).toBe(row?.['passages']);
  const { passage } = (await nearest(indexes, collection)) ?? {};
  expect(plot.slice(passage?.start, passage?.end)).toContain(submarine);
  await indexes.stop();
});

test('a passage of which the model knows nothing is none', async () => {
  const indexes = world.openIndexes({ upgradeDelayMs: 1e6 });
  const collection = await newCollection();
  const unknown = '🜁🜂🜃 '.repeat(600);
  await add(indexes, collection, [{ id: 'long', plot: `${submarine} ${unknown}` }]);
  const row = await storedRow(collection);
  expect(row?.['passages']).toBe(row?.['spans']);
  const { passage } = (await nearest(indexes, collection)) ?? {};
  expect(passage?.start ?? 0).toBe(0);
  const [stored] = await world.record
    .sql`select vectors from documents where collection_id = ${collection.id}`;
  const bytes: Uint8Array = stored?.['vectors'];
  // A copy: a short Buffer lies in a larger one beside others, also what `slice` gives of it.
  const vectors = new Float32Array(new Uint8Array(bytes).buffer);
  const rows = Array.from({ length: vectors.length / 384 }, (_, i) =>
    vectors.subarray(i * 384, (i + 1) * 384),
  );
  expect(rows.every((each) => each.some((x) => x !== 0))).toBe(true);
  await indexes.stop();
});
