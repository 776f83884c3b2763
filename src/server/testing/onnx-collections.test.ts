import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Indexes, WritableCollection } from '#server/indexes/indexes.ts';
import { createLog } from '#server/log.ts';
import { openOnnxStandIn } from './onnx-stand-in.ts';
import { type IndexesWorld, openIndexesWorld, parameters, shownHits } from './open-indexes.ts';
import { write } from './service-world.ts';

/** Collections whose vectors a model in a directory makes, in its real threads. */
let world: IndexesWorld;
let standIn: Awaited<ReturnType<typeof openOnnxStandIn>>;
const opened: Indexes[] = [];

beforeAll(async () => {
  [world, standIn] = await Promise.all([openIndexesWorld('bundled'), openOnnxStandIn()]);
});
afterAll(async () => {
  await world.close();
  await standIn.close();
});
afterEach(async () => {
  for (const indexes of opened.splice(0)) await indexes.stop();
  await world.record.sql`delete from collections`;
});

const dimension = 64;
const fileOf = (version: number) => ({
  'onnx/model.onnx': JSON.stringify({ dimension, version }),
  '1_Pooling/config.json': { word_embedding_dimension: dimension, pooling_mode: 'mean' },
});
const serviceOf = async (version: number) => (await standIn.open(fileOf(version))).service;

function open(service: Awaited<ReturnType<typeof serviceOf>> | null, movesCollections = true): Indexes {
  const log = createLog('debug', (line) => world.logLines.push(line));
  const times = { upgradeDelayMs: 1, upgradeRetryMs: 1 };
  const indexes = world.openIndexes({ service, movesCollections, log, ...times });
  opened.push(indexes);
  return indexes;
}

async function stateOf({ id }: WritableCollection) {
  const { sql } = world.record;
  const [collection] = await sql`select model, upgraded_count from collections where id = ${id}`;
  const rows = await sql`select id, model_id from documents where collection_id = ${id} order by id`;
  return {
    model: collection?.['model'],
    upgraded: Number(collection?.['upgraded_count']),
    documents: Object.fromEntries(rows.map((row) => [row['id'], row['model_id']])),
  };
}

const found = async (indexes: Indexes, collection: WritableCollection, mode: string, query: string) =>
  shownHits(await indexes.search(collection, parameters({ query, mode }))).map(({ id }) => id);

const films = [
  { id: 'chess', title: 'The Defence', text: 'A grandmaster loses his mind' },
  { id: 'crush', title: 'Pressure', text: 'Sailors are caught below the frozen sea' },
];

test('a collection is moved to a model in a directory, to another file of the same name, and back', async () => {
  const collection = await world.newCollection({ dimension });
  const builtIn = open(null);
  for (const film of films) await write(builtIn, collection, film);
  await builtIn.stop();

  const first = await serviceOf(1);
  const indexes = open(first);
  const all = (model: string | null) => ({ chess: model, crush: model });
  await expect
    .poll(() => stateOf(collection))
    .toEqual({ model: first.id, upgraded: 2, documents: all(first.id) });
  expect((await found(indexes, collection, 'vector', 'the frozen sea'))[0]).toBe('crush');
  await indexes.stop();

  // Another file under the same name is another model.
  const second = await serviceOf(2);
  expect(second.id).not.toBe(first.id);
  const stays = open(second, false);
  await expect(found(stays, collection, 'vector', 'the frozen sea')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  });
  expect(await found(stays, collection, 'hybrid', 'sailors')).toEqual(['crush']);
  expect(await stateOf(collection)).toEqual({ model: first.id, upgraded: 2, documents: all(first.id) });
  await stays.stop();

  const moves = open(second);
  await expect
    .poll(() => stateOf(collection))
    .toEqual({ model: second.id, upgraded: 2, documents: all(second.id) });
  expect((await found(moves, collection, 'vector', 'the frozen sea'))[0]).toBe('crush');
  await moves.stop();

  open(null);
  const back = { model: 'builtin:rotated', upgraded: 0, documents: all(`${world.embedder.id}-rotated`) };
  await expect.poll(() => stateOf(collection)).toEqual(back);
});

test('a document at which the thread ends is left out, the others have their vectors, and words are searched meanwhile', async () => {
  const service = await serviceOf(1);
  const indexes = open(service);
  const collection = await world.newCollection({ dimension, model: service.id });
  const deadly = { id: 'deadly', title: 'Last', text: 'Sailors die' };
  for (const document of [...films, deadly]) await write(indexes, collection, document);
  expect((await found(indexes, collection, 'keyword', 'sailors')).sort()).toEqual(['crush', 'deadly']);
  const documents = { chess: service.id, crush: service.id, deadly: 'refused' };
  await expect.poll(() => stateOf(collection)).toEqual({ model: service.id, upgraded: 2, documents });
  expect(await found(indexes, collection, 'vector', 'the frozen sea')).toEqual(['crush', 'chess']);
  expect(indexes.models().service).toMatchObject({ id: service.id, documents: { state: 'working' } });
  await write(indexes, collection, { ...deadly, text: 'Sailors live' });
  await expect.poll(async () => (await stateOf(collection)).upgraded).toBe(3);
});
