import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { pauseByParts } from '#server/admission/request-parts.ts';
import { embeddingOf, json, status, well } from '#server/testing/embedding-server.ts';
import { asRead, collect, parameters, rowsOf, shownHits } from '#server/testing/open-indexes.ts';
import {
  serviceModel as model,
  openServiceWorld,
  type ServiceWorld,
  write,
} from '#server/testing/service-world.ts';
import type { Indexes, WritableCollection } from '../indexes.ts';

let world: ServiceWorld;
let server: ServiceWorld['server'];
let open: ServiceWorld['open'];

beforeAll(async () => {
  world = await openServiceWorld();
  ({ server, open } = world);
});
afterAll(() => world.close());
beforeEach(() => world.begin());
afterEach(() => world.end());

async function stateOf({ id }: WritableCollection) {
  const { sql } = world.record;
  const rows = await sql`select id, model_id from documents where collection_id = ${id} order by id`;
  const [collection] = await sql`select upgraded_count from collections where id = ${id}`;
  return {
    models: Object.fromEntries(rows.map((row) => [row['id'], row['model_id']])),
    upgraded: Number(collection?.['upgraded_count']),
  };
}

const modelsOf = async (collection: WritableCollection) => (await stateOf(collection)).models;

const untilModels = (collection: WritableCollection, models: Record<string, string | null>) =>
  expect.poll(() => modelsOf(collection), { interval: 20 }).toEqual(models);

const ask = (indexes: Indexes, collection: WritableCollection, mode: string, query: string) =>
  indexes.search(collection, parameters({ query, mode }));

const idsOf = async (...asked: Parameters<typeof ask>) => shownHits(await ask(...asked)).map(({ id }) => id);

const films = [
  { id: 'crush', title: 'Pressure', text: 'Sailors are caught below the frozen sea' },
  { id: 'chess', title: 'The Defence', text: 'A grandmaster loses his mind' },
];

test('documents are found by their words at once, and by meaning when the service has given them vectors', async () => {
  let answer: () => void = () => undefined;
  server.plan((response, asked) => {
    answer = () => well(response, asked);
  }, well);
  const indexes = open();
  const collection = await world.newCollection({ dimension: 8, model });
  const own = { id: 'own', title: 'Mine', embedding: new Array(8).fill(1) };
  for (const document of [...films, own, { id: 'code', sku: 'X-1' }])
    await write(indexes, collection, document);
  expect(await idsOf(indexes, collection, 'keyword', 'sailors')).toEqual(['crush']);
  await expect(indexes.similar(collection, { id: 'crush' })).rejects.toMatchObject({
    code: 'UNPROCESSABLE',
    message: expect.stringContaining('not embedded yet'),
  });
  await expect.poll(() => server.asked.length).toBeGreaterThan(0);
  answer();
  await untilModels(collection, { chess: model, code: null, crush: model, own: 'custom' });
  expect((await stateOf(collection)).upgraded).toBe(2);
  expect((await idsOf(indexes, collection, 'vector', 'frozen sea'))[0]).toBe('crush');
  const document = asRead(await indexes.get(collection, { id: 'crush', withEmbedding: true }));
  const expected = embeddingOf('Pressure\n\nSailors are caught below the frozen sea', 8);
  const length = Math.hypot(...expected);
  expected.forEach((x, i) => {
    expect(document.embedding[i]).toBeCloseTo(x / length, 6);
  });
  // A text that stands is not asked for again, a new one is.
  const before = server.asked.length;
  await write(indexes, collection, { ...films[0], year: 1960 });
  await write(indexes, collection, { ...films[1], text: 'Another story' });
  await untilModels(collection, { chess: model, code: null, crush: model, own: 'custom' });
  const sent = server.asked.slice(before).flatMap(({ input }) => input);
  expect(sent).toEqual(['The Defence\n\nAnother story']);
  await indexes.delete(collection, 'chess');
  expect((await stateOf(collection)).upgraded).toBe(1);
});

test('while the service is down, hybrid searches go on by words and say so, and those by meaning are refused', async () => {
  const indexes = open();
  const collection = await world.newCollection({ dimension: 8, model });
  for (const document of films) await write(indexes, collection, document);
  await untilModels(collection, { chess: model, crush: model });
  server.plan(status(500));
  expect(await idsOf(indexes, collection, 'keyword', 'sailors')).toEqual(['crush']);
  const hybrid = await ask(indexes, collection, 'hybrid', 'sailors');
  expect(shownHits(hybrid).map(({ id }) => id)).toEqual(['crush']);
  expect(hybrid.request.without_meaning).toBe('The embedding service is not available: it answers 500');
  await expect(ask(indexes, collection, 'vector', 'sailors')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    status: 503,
    retryAfterSeconds: expect.any(Number),
    message: 'The embedding service is not available: it answers 500',
  });
  const explained = await indexes.explain(collection, {
    ...parameters({ query: 'sailors', mode: 'hybrid' }),
    id: 'crush',
  });
  expect(explained.request.without_meaning).toContain('500');
  const search = { ...parameters({ query: 'sailors', mode: 'hybrid' }), mode: 'hybrid' as const };
  const target = { index: 0, reference: 'films', search, collection: { ...collection, name: 'films' } };
  const merged = await indexes.searchMerged([target], { page: 1, per_page: 10 });
  expect(merged.answer.request.without_meaning).toContain('500');
  expect(merged.answer.hits).toHaveLength(1);
  // What is written meanwhile is embedded when it is back, and nothing is asked for while it rests.
  await write(indexes, collection, { id: 'new', title: 'New', text: 'Sailors again' });
  expect(new Set(await idsOf(indexes, collection, 'keyword', 'sailors'))).toEqual(new Set(['crush', 'new']));
  expect((await modelsOf(collection))['new']).toBe('pending');
  await indexes.stop();
  server.plan(well);
  const again = open();
  await untilModels(collection, { chess: model, crush: model, new: model });
  const back = await ask(again, collection, 'hybrid', 'frozen sea sailors');
  expect(back.request).not.toHaveProperty('without_meaning');
});

test('a request takes nobody’s turn while the service makes the vector of its query', async () => {
  const indexes = open();
  const collection = await world.newCollection({ dimension: 8, model });
  await write(indexes, collection, films[0] ?? {});
  await untilModels(collection, { crush: model });
  // Opened: nothing else is waited for.
  await idsOf(indexes, collection, 'keyword', 'sailors');
  let isPaused = false;
  let pausedAtService: boolean[] = [];
  server.plan((response, asked) => {
    pausedAtService.push(isPaused);
    well(response, asked);
  });
  const pause = () => {
    isPaused = true;
    return () => {
      isPaused = false;
    };
  };
  const search = (query: string) => ({ ...parameters({ query, mode: 'hybrid' }), mode: 'hybrid' as const });
  const target = { index: 0, reference: 'films', collection: { ...collection, name: 'films' } };
  const asks = [
    (signal: AbortSignal) => indexes.search(collection, search('one query'), signal),
    (signal: AbortSignal) => indexes.explain(collection, { ...search('another'), id: 'crush' }, signal),
    (signal: AbortSignal) =>
      indexes.searchMerged([{ ...target, search: search('a third') }], { page: 1, per_page: 10 }, signal),
  ];
  for (const each of asks) {
    const { signal } = new AbortController();
    pauseByParts(signal, { pause });
    pausedAtService = [];
    await each(signal);
    expect(pausedAtService).toEqual([true]);
    expect(isPaused).toBe(false);
  }
});

test('an import is in at once whatever the service does, and goes on being embedded where it was', async () => {
  // It hangs.
  server.plan(() => undefined);
  const first = open();
  const collection = await world.newCollection({ dimension: 8, model });
  const rows = Array.from({ length: 300 }, (_, i) => ({ id: `d${i}`, title: `Number ${i}`, text: 'Many' }));
  const upload = { action: 'upsert' as const, rows: rowsOf(rows) };
  const results = await collect(first.import(collection, upload));
  expect(results.filter(({ success }) => success)).toHaveLength(300);
  expect(await idsOf(first, collection, 'keyword', '"Number 299"')).toEqual(['d299']);
  await first.stop();
  const held: (() => void)[] = [];
  server.plan((response, asked) => {
    held.push(() => well(response, asked));
  });
  const second = open();
  await expect.poll(() => held.length).toBe(4);
  for (const answer of held.splice(0)) answer();
  const upgraded = async () => (await stateOf(collection)).upgraded;
  await expect.poll(upgraded).toBe(128);
  // Stopped amid the next batch: what is asked for is given up.
  await expect.poll(() => held.length).toBe(4);
  await second.stop();
  server.plan(well);
  server.asked.length = 0;
  const third = open();
  await expect.poll(upgraded).toBe(300);
  expect(server.asked.flatMap(({ input }) => input)).toHaveLength(172);
  expect(await third.verify(collection)).toMatchObject({
    documents: 300,
    indexed: 300,
    missing: [],
    stale: [],
  });
});

test('a document that gets no good vector is left out, the others go on, and it is asked for at the next start', async () => {
  server.plan((response, { input }) => {
    const data = input.map((text, index) => {
      const good = embeddingOf(text, 8);
      return { index, embedding: text.startsWith('Bad') ? [null, ...good.slice(1)] : good };
    });
    json(response, { data });
  });
  const indexes = open();
  const collection = await world.newCollection({ dimension: 8, model });
  const bad = { id: 'bad', title: 'Bad', text: 'Nothing but trouble' };
  const rows = [...films, bad, { id: 'none', title: '!!', text: '…' }];
  await collect(indexes.import(collection, { action: 'upsert', rows: rowsOf(rows) }));
  const given = { bad: 'refused', chess: model, crush: model };
  await expect.poll(() => modelsOf(collection)).toMatchObject(given);
  expect(await idsOf(indexes, collection, 'keyword', 'trouble')).toEqual(['bad']);
  expect(
    world.logLines.some((line) => line.includes('"document":"bad"') && line.includes('not a finite')),
  ).toBe(true);
  // It is not asked for again and again, nor when it is stored as it is.
  const before = server.asked.length;
  await write(indexes, collection, { ...bad, year: 1999 });
  await write(indexes, collection, { id: 'next', title: 'Next', text: 'One more' });
  await expect.poll(() => modelsOf(collection)).toMatchObject({ ...given, next: model });
  expect(server.asked.slice(before).flatMap(({ input }) => input)).toEqual(['Next\n\nOne more']);
  await indexes.stop();
  server.plan(well);
  const again = open();
  await expect.poll(() => modelsOf(collection)).toMatchObject({ bad: model });
  expect((await idsOf(again, collection, 'vector', 'nothing but trouble'))[0]).toBe('bad');
});

test('documents wait while the service refuses any text, and have their vectors when its settings are right again', async () => {
  server.plan(status(400, {}, { error: { message: 'The model `m` does not exist', param: 'model' } }));
  // A rest of five seconds takes five milliseconds.
  const indexes = open({ now: () => performance.now() * 1_000 });
  const collection = await world.newCollection({ dimension: 8, model });
  for (const document of films) await write(indexes, collection, document);
  // It was asked again and again.
  await expect.poll(() => server.asked.length, { interval: 10 }).toBeGreaterThan(7);
  expect(await modelsOf(collection)).toEqual({ chess: 'pending', crush: 'pending' });
  expect(indexes.models().service?.documents.reason).toBe('it answers 400: The model `m` does not exist');
  // Of the documents each was sent once at most, then the simplest text alone.
  const sentTexts = server.asked.flatMap(({ input }) => input);
  expect(sentTexts.filter((text) => text !== 'a').length).toBeLessThanOrEqual(2);
  server.plan(well);
  await untilModels(collection, { chess: model, crush: model });
});

test('a collection stays with the model that it was made with', async () => {
  const first = open();
  expect([first.modelFor(8), first.modelFor(384)]).toEqual([model, model]);
  const ofService = await world.newCollection({ dimension: 8, model });
  const builtIn = await world.newCollection({ dimension: 384 });
  for (const collection of [ofService, builtIn])
    for (const document of films) await write(first, collection, document);
  expect(Object.values(await modelsOf(builtIn)).every((id) => String(id).startsWith('static-'))).toBe(true);
  await untilModels(ofService, { chess: model, crush: model });
  const asked = server.asked.length;
  expect(await idsOf(first, builtIn, 'vector', 'frozen sea')).toContain('crush');
  // Nothing of the collection that is built in went out.
  expect(server.asked).toHaveLength(asked);
  const search = { ...parameters({ query: 'frozen sea', mode: 'vector' }), mode: 'vector' as const };
  const both = [ofService, builtIn].map((collection) => {
    return { index: 0, reference: 'c', search, collection: { ...collection, name: 'c' } };
  });
  const merged = await first.searchMerged(both, { page: 1, per_page: 10 });
  expect(merged.failed).toEqual([]);
  expect(new Set(merged.answer.hits.map((hit) => asRead(hit).collection.id)).size).toBe(2);
  await first.stop();

  for (const given of [null, { model: 'other' }]) {
    server.asked.length = 0;
    const indexes = open(given);
    await expect(ask(indexes, ofService, 'vector', 'frozen sea')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('not set up'),
    });
    const hybrid = await ask(indexes, ofService, 'hybrid', 'frozen sea');
    expect(shownHits(hybrid).map(({ id }) => id)).toEqual(['crush']);
    expect(hybrid.request.without_meaning).toContain('not set up');
    await write(indexes, ofService, { id: 'later', title: 'Later', text: 'What comes later' });
    expect((await modelsOf(ofService))['later']).toBe('pending');
    expect(server.asked).toEqual([]);
    await indexes.delete(ofService, 'later');
    await indexes.stop();
  }
});

test('a model with dimensions of its own makes the vectors of collections that have as many', async () => {
  const indexes = open({ dimensions: 8 });
  expect([indexes.modelFor(8), indexes.modelFor(9)]).toEqual([model, 'builtin:rotated']);
  expect([8, 384].map((each) => open(null).modelFor(each))).toEqual(['builtin:rotated', 'builtin']);
});
