import fc from 'fast-check';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { EmbeddingTask } from '#server/embeddings/embedder.ts';
import { rotatedModelId } from '#server/embeddings/static-embedder.ts';
import { AppError } from '#server/errors.ts';
import { embeddingOf, status, well } from '#server/testing/embedding-server.ts';
import { asRead, collect, parameters, rowsOf, shownHits } from '#server/testing/open-indexes.ts';
import {
  serviceModel as model,
  openServiceWorld,
  type ServiceWorld,
  write,
} from '#server/testing/service-world.ts';
import type { Indexes, WritableCollection } from '../indexes.ts';
import type { IndexesOptions } from '../indexes-options.ts';
import { createMoveForgetter } from './move-forgetter.ts';
import { forgetOthers } from './move-statements.ts';

let world: ServiceWorld;
let server: ServiceWorld['server'];

beforeAll(async () => {
  world = await openServiceWorld();
  server = world.server;
});
afterAll(() => world.close());
beforeEach(() => world.begin());
afterEach(async () => {
  await world.end();
  // Each test moves its own collections alone.
  await world.record.sql`delete from collections`;
});

const dimension = 32;
/** What new collections of so many components have without a service. */
const builtIn = 'builtin:rotated';

/** Collections are moved to the service, or back where there is none. */
const open = (isService: boolean, options: Partial<IndexesOptions> = {}) =>
  world.open(isService ? {} : null, { movesCollections: true, ...options });

const modelOf = async ({ id }: WritableCollection) => {
  const [row] = await world.record.sql`select model from collections where id = ${id}`;
  return row?.['model'];
};

const untilModel = (collection: WritableCollection, expected: string) =>
  expect.poll(() => modelOf(collection), { interval: 10 }).toBe(expected);

/** How many documents have vectors of which model. */
async function modelsOf({ id }: WritableCollection): Promise<Record<string, number>> {
  const rows = await world.record.sql`
    select coalesce(model_id, 'none') as model, count(*)::int as count from documents where collection_id = ${id} group by 1`;
  return Object.fromEntries(rows.map((row) => [row['model'], row['count']]));
}

const waiting = async ({ id }: WritableCollection) => {
  const [row] = await world.record
    .sql`select count(*)::int as count from next_vectors where collection_id = ${id}`;
  return row?.['count'];
};

async function load(indexes: Indexes, collection: WritableCollection, documents: unknown[]): Promise<void> {
  const results = await collect(indexes.import(collection, { action: 'upsert', rows: rowsOf(documents) }));
  expect(results.every(({ success }) => success)).toBe(true);
}

const nearest = async (indexes: Indexes, collection: WritableCollection, query: string) =>
  shownHits(await indexes.search(collection, parameters({ query, mode: 'vector' })))[0];

const vectorOf = async (indexes: Indexes, collection: WritableCollection, id: string): Promise<number[]> =>
  asRead(await indexes.get(collection, { id, withEmbedding: true })).embedding;

function unit(text: string): number[] {
  const row = embeddingOf(text, dimension);
  const length = Math.hypot(...row);
  return row.map((x) => x / length);
}

const animals = [
  'aardvark',
  'badger',
  'camel',
  'dolphin',
  'elephant',
  'ferret',
  'giraffe',
  'hedgehog',
  'iguana',
];
const documents = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    id: `d${String(i).padStart(4, '0')}`,
    title: `Number ${i}`,
    text: `The ${animals[i % animals.length]} sleeps`,
  }));

test('vectors of the next model are made beside the live ones, and take their place at once', async () => {
  const held: (() => void)[] = [];
  server.plan((response, asked) => void held.push(() => well(response, asked)));
  const collection = await world.newCollection({ dimension, model: builtIn });
  const before = open(false);
  await load(before, collection, documents(300));
  const own = { id: 'own', title: 'Mine', embedding: new Array(dimension).fill(1) };
  await write(before, collection, own);
  await write(before, collection, { id: 'code', sku: 'X-1' });
  const known = asRead(await before.getVersion(collection, { id: 'd0007' }));
  const similarity = await nearest(before, collection, 'camel');
  await before.stop();

  const indexes = open(true);
  await expect.poll(() => held.length).toBe(4);
  // Meanwhile everything is as it was, and no query goes to the service.
  expect(await nearest(indexes, collection, 'camel')).toEqual(similarity);
  expect(await modelsOf(collection)).toMatchObject({ custom: 1, none: 1 });
  expect(await modelOf(collection)).toBe(builtIn);
  server.plan(well);
  for (const answer of held) answer();
  await untilModel(collection, model);
  expect(await modelsOf(collection)).toEqual({ custom: 1, none: 1, [model]: 300 });
  expect(await waiting(collection)).toBe(0);
  expect(server.asked.flatMap(({ input }) => input)).toHaveLength(300);
  const hit = await nearest(indexes, collection, 'Number The camel sleeps');
  expect(server.asked.at(-1)?.input).toEqual(['Number The camel sleeps']);
  expect(hit?.document['text']).toBe('The camel sleeps');
  const vector = await vectorOf(indexes, collection, 'd0002');
  unit('Number 2\n\nThe camel sleeps').forEach((x, i) => {
    expect(vector[i]).toBeCloseTo(x, 6);
  });
  // The index was made anew: it has each document once.
  const size = () => indexes.stats().memoryBytes;
  const moved = size();
  await indexes.repair(collection);
  expect(size()).toBe(moved);
  // What callers know of a document stands.
  expect(asRead(await indexes.getVersion(collection, { id: 'd0007' }))).toEqual(known);
  const verified = await indexes.verify(collection);
  expect(verified).toMatchObject({ documents: 302, indexed: 302, missing: [], ghosts: [], stale: [] });
  const [row] = await world.record.sql`select upgraded_count from collections where id = ${collection.id}`;
  expect(row?.['upgraded_count']).toBe(300);
  // An unchanged text is not asked for again.
  const asked = server.asked.length;
  await write(indexes, collection, { ...documents(3)[2], year: 2020 });
  expect(await modelsOf(collection)).toMatchObject({ [model]: 300 });
  expect(server.asked).toHaveLength(asked);
});

test('a restart goes on where it was, and so does a service that was down', async () => {
  const collection = await world.newCollection({ dimension, model: builtIn });
  const before = open(false);
  await load(before, collection, documents(400));
  await before.stop();
  server.plan(well, well, well, well, status(500));
  const first = open(true);
  await expect.poll(() => waiting(collection)).toBe(128);
  await expect.poll(() => server.asked.length).toBeGreaterThan(8);
  await first.stop();
  expect(await modelOf(collection)).toBe(builtIn);
  server.plan(well);
  server.asked.length = 0;
  open(true);
  await untilModel(collection, model);
  expect(server.asked.flatMap(({ input }) => input)).toHaveLength(272);
  expect(await modelsOf(collection)).toEqual({ [model]: 400 });
});

test('back to what is built in it goes without the service', async () => {
  const collection = await world.newCollection({ dimension, model });
  const before = open(true);
  await load(before, collection, documents(150));
  await expect.poll(() => modelsOf(collection)).toEqual({ [model]: 150 });
  await before.stop();
  server.asked.length = 0;
  const indexes = open(false);
  await untilModel(collection, builtIn);
  expect(await modelsOf(collection)).toEqual({ [rotatedModelId]: 150 });
  expect((await nearest(indexes, collection, 'the camel sleeps'))?.document['text']).toBe('The camel sleeps');
  const expected = await world.embedder.embedDocuments({
    texts: [{ title: 'Number 2', text: 'The camel sleeps' }],
    dimension,
    isRotated: true,
    for: collection.for,
  });
  expect(await vectorOf(indexes, collection, 'd0002')).toEqual([...expected]);
  expect(server.asked).toEqual([]);
});

test('a collection from before vectors were rotated finds as it did, also together with others, and is moved like any other', async () => {
  const text = 'the camel sleeps';
  const [old, other] = await Promise.all(
    ['builtin', builtIn].map((model) => world.newCollection({ dimension: 64, model })),
  );
  if (!old || !other) throw new Error('there are two');
  const texts = [...documents(20).map((document) => ({ ...document, title: '' })), { id: 'plain', text }];
  const vectorBy = async (isRotated: boolean) => {
    const asked = { texts: [{ title: '', text }], dimension: 64, isRotated, for: old.for };
    return [...(await world.embedder.embedDocuments(asked))];
  };
  const [cut, rotated] = [await vectorBy(false), await vectorBy(true)];
  // The very text of a document: it has the query's own vector, if both are cut or both rotated.
  const search = { ...parameters({ query: text, mode: 'vector' }), mode: 'vector' as const };
  const assertFound = async (indexes: Indexes, collection: WritableCollection, vector: number[]) => {
    expect(await vectorOf(indexes, collection, 'plain')).toEqual(vector);
    const [hit] = shownHits(await indexes.search(collection, search));
    expect(String(hit?.document?.['text']).toLowerCase()).toBe(text);
    expect(hit?.vector_distance).toBeCloseTo(0, 3);
  };
  const staying = world.open(null, { movesCollections: false });
  for (const collection of [old, other]) await load(staying, collection, texts);
  await assertFound(staying, old, cut);
  await assertFound(staying, other, rotated);
  const both = [old, other].map((collection) => {
    return { index: 0, reference: 'c', search, collection: { ...collection, name: 'c' } };
  });
  const merged = await staying.searchMerged(both, { page: 1, per_page: 6 });
  const distances = merged.answer.hits.map((hit) => asRead(hit).vector_distance);
  expect(distances).toEqual(distances.map(() => expect.closeTo(0, 3)));
  expect(new Set(merged.answer.hits.map((hit) => asRead(hit).collection.id)).size).toBe(2);
  await staying.stop();
  const moving = open(false);
  await untilModel(old, builtIn);
  expect(await modelsOf(old)).toEqual({ [rotatedModelId]: 21 });
  await assertFound(moving, old, rotated);
});

test('a write that was embedded before the move and stored after it is of the next model', async () => {
  const collection = await world.newCollection({ dimension, model: builtIn });
  const before = open(false);
  await load(before, collection, documents(3));
  await before.stop();
  let release = () => {};
  let isHeld = false;
  const embedder = {
    ...world.embedder,
    async embedDocuments(task: EmbeddingTask, signal?: AbortSignal) {
      const vectors = await world.embedder.embedDocuments(task, signal);
      isHeld = true;
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      return vectors;
    },
  };
  // Until the write is held nothing is moved.
  const held: (() => void)[] = [];
  server.plan((response, asked) => void held.push(() => well(response, asked)), well);
  const indexes = open(true, { embedder });
  await expect.poll(() => held.length).toBe(1);
  const writing = write(indexes, collection, { id: 'late', title: 'Late', text: 'The camel wakes' });
  await expect.poll(() => isHeld).toBe(true);
  for (const answer of held) answer();
  await untilModel(collection, model);
  release();
  await writing;
  await expect.poll(() => modelsOf(collection)).toEqual({ [model]: 4 });
});

test('on a full disk nothing is made beside, and it goes on when there is room', async () => {
  const collection = await world.newCollection({ dimension, model: builtIn });
  const before = open(false);
  await load(before, collection, documents(3));
  await before.stop();
  let refusals = 0;
  let isFull = true;
  const record = {
    ...world.record,
    async assertWritable() {
      if (!isFull) return;
      refusals += 1;
      throw new AppError('UNAVAILABLE', 'no room');
    },
  };
  open(true, { record });
  await expect.poll(() => refusals).toBeGreaterThan(2);
  expect([await waiting(collection), await modelOf(collection)]).toEqual([0, builtIn]);
  isFull = false;
  await untilModel(collection, model);
});

test('where only new collections have the service, no other is moved', async () => {
  const collection = await world.newCollection({ dimension, model: builtIn });
  const indexes = open(true, { movesCollections: false });
  await load(indexes, collection, documents(3));
  expect(indexes.targetOf({ model: builtIn, dimension })).toBe(builtIn);
  expect((await nearest(indexes, collection, 'camel'))?.document['text']).toBe('The camel sleeps');
  expect(await modelOf(collection)).toBe(builtIn);
  expect(server.asked).toEqual([]);
});

test('whatever is written, changed and deleted meanwhile, all vectors are of the next model in the end', async () => {
  const animal = fc.constantFrom(...animals);
  const change = fc.oneof(
    fc.record({ kind: fc.constant('write' as const), id: fc.integer({ min: 0, max: 60 }), animal }),
    fc.record({ kind: fc.constant('delete' as const), id: fc.integer({ min: 0, max: 60 }), animal }),
    fc.record({ kind: fc.constant('search' as const), id: fc.constant(0), animal }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 5, maxLength: 30 }), async (changes) => {
      const collection = await world.newCollection({ dimension, model: builtIn });
      const before = open(false);
      const texts = new Map(documents(40).map(({ id, title, text }) => [id, `${title}\n\n${text}`]));
      await load(before, collection, documents(40));
      await before.stop();
      const indexes = open(true);
      for (const { kind, id: number, animal: name } of changes) {
        const id = `d${String(number).padStart(4, '0')}`;
        if (kind === 'write') {
          await write(indexes, collection, { id, title: 'New', text: `A ${name} runs` });
          texts.set(id, `New\n\nA ${name} runs`);
        } else if (kind === 'delete') {
          if (texts.delete(id)) await indexes.delete(collection, id);
        } else expect((await nearest(indexes, collection, `The ${name} sleeps`))?.document).toBeDefined();
      }
      await untilModel(collection, model);
      await expect.poll(() => modelsOf(collection)).toEqual({ [model]: texts.size });
      for (const [id, text] of texts) {
        const vector = await vectorOf(indexes, collection, id);
        unit(text).forEach((x, i) => {
          expect(vector[i]).toBeCloseTo(x, 6);
        });
      }
      const verified = await indexes.verify(collection);
      expect(verified).toMatchObject({ documents: texts.size, indexed: texts.size, missing: [], stale: [] });
      expect(await waiting(collection)).toBe(0);
      await indexes.stop();
      await world.record.sql`delete from collections`;
    }),
    { numRuns: 8 },
  );
});

test('what another server writes before its writes wait for the last step has vectors of the next model, and all are told with it', async () => {
  const before = open(false);
  const collection = await world.newCollection({ dimension, model: builtIn });
  await load(before, collection, documents(10));
  await before.stop();
  const other = postgres(world.url, { max: 1 });
  const told: string[] = [];
  const { unlisten } = await other.listen('vectora_news', (news) => void told.push(news));
  await other.begin(async (tx) => {
    // As a write does, which lets vectors be put beside the live ones.
    await tx`select from collections where id = ${collection.id} for no key update`;
    open(true);
    const waitsForIt = async () => {
      const [row] = await tx`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return row !== undefined;
    };
    await expect.poll(waitsForIt, { interval: 5 }).toBe(true);
    await tx`
      with next as (
        update collections set version = version + 1, document_count = document_count + 1
        where id = ${collection.id} returning version
      )
      insert into documents (collection_id, id, version, source, content_hash, model_id, vectors, spans)
      select collection_id, 'late', next.version, replace(source, 'd0000', 'late'), content_hash, model_id, vectors, spans
      from documents, next where collection_id = ${collection.id} and id = 'd0000'`;
  });
  await untilModel(collection, model);
  await expect.poll(() => modelsOf(collection)).toEqual({ [model]: 11 });
  await expect.poll(() => told).toEqual([`${world.record.servers.own} moved ${collection.id}`]);
  await unlisten();
  await other.end();
});

test('a service that refuses most documents takes the place of nothing, and is asked again', async () => {
  const before = open(false);
  const collection = await world.newCollection({ dimension, model: builtIn });
  const documents = Array.from({ length: 30 }, (_, i) => ({ id: `${i}`, title: `animal number ${i}` }));
  await load(before, collection, documents);
  const made = await modelsOf(collection);
  await world.end();
  // All but the simplest text, so that it is no fault of the service's settings.
  server.plan((response, asked) => (asked.input.join() === 'a' ? well : status(400))(response, asked));
  open(true);
  // Each document has been refused more than once.
  await expect.poll(() => server.asked.length, { interval: 10 }).toBeGreaterThan(150);
  expect(await modelOf(collection)).toBe(builtIn);
  expect(await modelsOf(collection)).toEqual(made);
  server.plan(well);
  await untilModel(collection, model);
  expect(await modelsOf(collection)).toEqual({ [model]: 30 });
});

/** Rows beside the live ones, by the model that they are of. */
async function beside({ id }: WritableCollection): Promise<Record<string, number>> {
  const rows = await world.record.sql`
    select model, count(*)::int as count from next_vectors where collection_id = ${id} group by model`;
  return Object.fromEntries(rows.map((row) => [row['model'], row['count']]));
}

test('what is left of a move that was given up is removed in pages, whatever the settings say now', async () => {
  const collection = await world.newCollection({ dimension, model: builtIn });
  const before = open(false);
  await load(before, collection, documents(200));
  await before.stop();
  const beginMove = async () => {
    server.plan(well, well, well, well, () => undefined);
    const moving = open(true);
    await expect.poll(() => waiting(collection)).toBe(128);
    await moving.stop();
    expect(await beside(collection)).toEqual({ [model]: 128 });
  };
  // Back to what it has; no collection is moved any more; moved to another model, which does not answer yet.
  const settings = [
    () => open(false),
    () => world.open({}, { movesCollections: false }),
    () => world.open({ model: 'other' }, { movesCollections: true }),
  ];
  for (const openBy of settings) {
    await beginMove();
    const indexes = openBy();
    await expect.poll(() => beside(collection)).toEqual({});
    expect([await modelOf(collection), await modelsOf(collection)]).toEqual([
      builtIn,
      { [rotatedModelId]: 200 },
    ]);
    await indexes.stop();
  }
  // Those of a move that goes on stay, and thousands go in pages.
  await world.record.sql`
    insert into next_vectors (collection_id, id, version, model, content_hash)
    select ${collection.id}, 'x' || i, 1, case when i % 2 = 0 then 'openai:former' else ${model} end, '' from generate_series(1, 9000) i`;
  const refusing = {
    ...world.record,
    assertWritable: () => Promise.reject(new AppError('UNAVAILABLE', 'The lock is lost')),
  };
  const forgetter = createMoveForgetter({ record: refusing, models: { targetOf: () => model } });
  const [left] = await forgetter.toUpgrade([collection.id]);
  if (!left) throw new Error('nothing is left');
  const never = new AbortController().signal;
  await expect(forgetter.upgradeSome(left, never)).rejects.toThrow('The lock is lost');
  expect(await beside(collection)).toEqual({ [model]: 4_500, 'openai:former': 4_500 });
  const statements: number[] = [];
  const sql = world.record.sql;
  for (let after: string | null = ''; after !== null; ) {
    const page = await forgetOthers(sql, { collectionId: collection.id, model }, after);
    if (page.count > 0) statements.push(page.count);
    after = page.last;
  }
  expect(statements).toEqual([2_000, 2_000, 500]);
  expect(await beside(collection)).toEqual({ [model]: 4_500 });
});
