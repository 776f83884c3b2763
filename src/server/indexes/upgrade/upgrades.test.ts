import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EmbeddingText } from '#server/embeddings/embedder.ts';
import { LateError } from '#server/embeddings/late-error.ts';
import {
  asRead,
  type IndexesWorld,
  openIndexesWorld,
  parameters,
  shownHits,
} from '#server/testing/open-indexes.ts';
import type { Indexes, WritableCollection } from '../indexes.ts';
import { createMakingWay } from './making-way.ts';

let world: IndexesWorld;

beforeAll(async () => {
  world = await openIndexesWorld('bundled', { isStaticOnly: false });
});
afterAll(() => world.close());

const films = [
  { id: 'crush', title: 'Pressure', text: 'Sailors are caught below the frozen sea in a broken vessel.' },
  { id: 'chess', title: 'The Defence', text: 'A grandmaster of the board game loses his mind.' },
  { id: 'code', sku: 'X-1' },
];

const add = async (
  indexes: Indexes,
  collection: WritableCollection,
  documents: Record<string, unknown>[],
) => {
  for (const document of documents) await indexes.write(collection, { action: 'upsert', document });
};

async function stateOf({ id }: WritableCollection) {
  const rows = await world.record
    .sql`select id, model_id, version, written_version from documents where collection_id = ${id} order by id`;
  const [collection] = await world.record.sql`select upgraded_count from collections where id = ${id}`;
  return {
    models: Object.fromEntries(rows.map((row) => [row['id'], row['model_id']])),
    written: Object.fromEntries(rows.map((row) => [row['id'], row['written_version']])),
    upgraded: Number(collection?.['upgraded_count']),
  };
}

async function upgraded(collection: WritableCollection, count: number): Promise<void> {
  await expect.poll(async () => (await stateOf(collection)).upgraded, { interval: 50 }).toBe(count);
}

const vectorOf = async (indexes: Indexes, collection: WritableCollection, id: string) => {
  const document = asRead(await indexes.get(collection, { id, withEmbedding: true }));
  return Float32Array.from(document.embedding);
};

test("documents are found at once, then have the transformer's vectors, and so do queries", async () => {
  const indexes = world.openIndexes({ upgradeDelayMs: 1 });
  const collection = await world.newCollection();
  await add(indexes, collection, [...films, { id: 'own', title: 'Mine', embedding: new Array(384).fill(1) }]);
  const query = 'a submarine crew trapped under ice';
  const ask = async () => shownHits(await indexes.search(collection, parameters({ query, mode: 'vector' })));
  expect((await ask()).map(({ id }) => id)).toContain('crush');
  await upgraded(collection, 2);
  const { models } = await stateOf(collection);
  expect(models).toEqual({
    chess: 'minilm-l6-384-1',
    code: null,
    crush: 'minilm-l6-384-1',
    own: 'custom',
  });
  const vector = await vectorOf(indexes, collection, 'crush');
  const byTable = await world.embedder.embedQuery(query, 384);
  const byTransformer = () => world.embedder.embedQuery(query, 384, 'transformer');
  await expect.poll(byTransformer).not.toEqual(byTable);
  const asked = await byTransformer();
  const similarity = asked.reduce((sum, x, i) => sum + x * (vector[i] ?? 0), 0);
  expect(similarity).toBeGreaterThan(0.3);
  // The first queries do not wait for the thread.
  const distance = async () => (await ask())[0]?.vector_distance ?? 2;
  await expect.poll(async () => 1 - (await distance())).toBeCloseTo(similarity, 3);
  expect((await ask())[0]?.id).toBe('crush');
  await indexes.stop();
});

test('in a collection of fewer components that are rotated, so are the vectors and queries of the transformer', async () => {
  const indexes = world.openIndexes({ upgradeDelayMs: 1 });
  const collection = await world.newCollection({ dimension: 64, model: 'builtin:rotated' });
  await add(indexes, collection, films);
  await upgraded(collection, 2);
  const [{ title = '', text: plot = '' } = {}] = films;
  const text = { title, text: plot };
  const vector = await vectorOf(indexes, collection, 'crush');
  const query = 'a submarine crew trapped under ice';
  const byTransformer = () => world.embedder.embedQuery(query, 64, 'transformer-rotated');
  const byTable = await world.embedder.embedQuery(query, 64, 'static-rotated');
  await expect.poll(byTransformer).not.toEqual(byTable);
  const similarity = (await byTransformer()).reduce((sum, x, i) => sum + x * (vector[i] ?? 0), 0);
  const [hit] = shownHits(await indexes.search(collection, parameters({ query, mode: 'vector' })));
  expect([hit?.id, 1 - (hit?.vector_distance ?? 2)]).toEqual(['crush', expect.closeTo(similarity, 3)]);
  // A text that is stored again keeps them.
  await add(indexes, collection, films);
  expect((await stateOf(collection)).upgraded).toBe(2);
  await indexes.stop();
  // Its thread is nobody else's now.
  expect(vector).toEqual(await world.embedder.upgradeDocument(text, 64, true));
  expect(vector).not.toEqual(await world.embedder.upgradeDocument(text, 64));
});

test('a document whose text stands keeps its vectors and the version that callers know; another text is upgraded anew', async () => {
  const indexes = world.openIndexes({ upgradeDelayMs: 1 });
  const collection = await world.newCollection();
  const document = films[0] ?? {};
  await add(indexes, collection, [document]);
  const before = asRead(await indexes.getVersion(collection, { id: 'crush' }));
  await upgraded(collection, 1);
  expect(asRead(await indexes.getVersion(collection, { id: 'crush' }))).toEqual(before);
  const again = { ...document, year: 1960 };
  await indexes.write(collection, { action: 'upsert', document: again, ifVersion: before.version });
  expect(await stateOf(collection)).toEqual({
    models: { crush: 'minilm-l6-384-1' },
    written: { crush: null },
    upgraded: 1,
  });
  const vector = await vectorOf(indexes, collection, 'crush');
  await indexes.stop();
  const resting = world.openIndexes({ upgradeDelayMs: 1e6 });
  await add(resting, collection, [{ ...document, text: 'Something else altogether.' }]);
  expect((await stateOf(collection)).upgraded).toBe(0);
  await resting.stop();
  const awake = world.openIndexes({ upgradeDelayMs: 1 });
  await upgraded(collection, 1);
  expect(await vectorOf(awake, collection, 'crush')).not.toEqual(vector);
  await awake.delete(collection, 'crush');
  expect((await stateOf(collection)).upgraded).toBe(0);
  await awake.stop();
});

test('a document that takes too long twice keeps what it has, and those behind it are upgraded', async () => {
  const asked: string[] = [];
  const embedder = {
    ...world.embedder,
    async upgradeDocument(text: EmbeddingText, dimension: number) {
      asked.push(text.title);
      if (text.title === 'Slow') throw new LateError('too slow');
      return await world.embedder.upgradeDocument(text, dimension);
    },
  };
  const indexes = world.openIndexes({ embedder, upgradeDelayMs: 1, upgradeRetryMs: 1 });
  const collection = await world.newCollection();
  const slow = { id: 'a', title: 'Slow', text: 'A text that takes its time.' };
  await add(indexes, collection, [slow]);
  const before = await vectorOf(indexes, collection, 'a');
  await add(indexes, collection, films);
  await upgraded(collection, 3);
  expect(asked.filter((title) => title === 'Slow')).toHaveLength(2);
  expect(await vectorOf(indexes, collection, 'a')).toEqual(before);
  await indexes.stop();
});

test('what was read is kept by a server that stops while it rests', async () => {
  let rests = 0;
  const makesWay = createMakingWay({
    busyShareNow: () => 1,
    processors: 2,
    rest: (_, signal) => {
      rests += 1;
      return new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    },
  });
  const collection = await world.newCollection();
  const indexes = world.openIndexes({ upgradeDelayMs: 1, makesWay });
  await add(indexes, collection, films);
  await expect.poll(() => rests).toBe(1);
  await indexes.stop();
  expect((await stateOf(collection)).upgraded).toBe(1);
  // What is left of it would be upgraded in the next test.
  await world.record.sql`delete from collections where id = ${collection.id}`;
});

test('a stop waits for no passage and asks for no other, and keeps what is finished; many passages are a version by themselves', async () => {
  const collection = await world.newCollection();
  const resting = world.openIndexes({ upgradeDelayMs: 1e6 });
  const pages = (count: number) => 'A sentence about nothing in particular. '.repeat(45 * count);
  const texts = { a: pages(1), b: pages(1), c: pages(8), d: pages(20), e: pages(1) };
  await add(
    resting,
    collection,
    Object.entries(texts).map(([id, text]) => ({ id, title: id, text })),
  );
  await resting.stop();
  const asked: string[] = [];
  const vector = await world.embedder.embedQuery('anything', 384);
  const embedder = {
    ...world.embedder,
    async upgradeDocument({ title }: EmbeddingText): Promise<Float32Array> {
      asked.push(title);
      // The third passage of the third document never ends.
      return asked.length === 5 ? await new Promise(() => {}) : vector;
    },
  };
  const first = world.openIndexes({ embedder, upgradeDelayMs: 1 });
  await expect.poll(() => asked).toEqual(['a', 'b', 'c', 'c', 'c']);
  await first.stop();
  expect(asked).toHaveLength(5);
  expect((await stateOf(collection)).upgraded).toBe(2);
  const second = world.openIndexes({ embedder, upgradeDelayMs: 1 });
  await upgraded(collection, 5);
  await second.stop();
  expect(new Set(asked.slice(5))).toEqual(new Set(['c', 'd', 'e']));
  expect(asked.filter((title) => title === 'd').length).toBeGreaterThan(16);
  const versions = await world.record
    .sql`select array_agg(id order by id) as ids from documents where collection_id = ${collection.id} group by version order by version`;
  expect(versions.map(({ ids }) => ids)).toEqual([['a', 'b'], ['c'], ['d'], ['e']]);
});

test('goes on after a restart where it was, and index and record stay equal', async () => {
  const collection = await world.newCollection({ dimension: 512 });
  let asked = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Half of them are upgraded, however long it takes to write them all.
  const embedder = {
    ...world.embedder,
    async upgradeDocument(text: EmbeddingText, dimension: number) {
      asked += 1;
      if (asked > 100) await held;
      return await world.embedder.upgradeDocument(text, dimension);
    },
  };
  const first = world.openIndexes({ embedder, upgradeDelayMs: 1 });
  const documents = Array.from({ length: 200 }, (_, i) => ({
    id: `d${i}`,
    title: `Number ${i}`,
    text: `It is ${i}.`,
  }));
  await add(first, collection, documents);
  await expect.poll(async () => (await stateOf(collection)).upgraded).toBeGreaterThan(0);
  const stopped = first.stop();
  release();
  await stopped;
  const { upgraded: done } = await stateOf(collection);
  const second = world.openIndexes({ upgradeDelayMs: 1 });
  await upgraded(collection, 200);
  expect(done).toBeLessThan(200);
  expect(await second.verify(collection)).toEqual({
    documents: 200,
    indexed: 200,
    missing: [],
    ghosts: [],
    stale: [],
    more: false,
    recall: 1,
    scan: 'exact',
  });
  expect(await second.deleteByFilter(collection, { filterBy: 'title:Number' })).toBe(200);
  expect(await stateOf(collection)).toEqual({ models: {}, written: {}, upgraded: 0 });
  await second.stop();
});
