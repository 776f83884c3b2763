import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createLog } from '#server/log.ts';
import { LateError } from '../late-error.ts';
import { StaticEmbedder } from '../static-embedder.ts';
import { loadStaticTable, type StaticTable } from '../static-table.ts';
import { createKernels } from './kernels.ts';
import { Transformer } from './transformer.ts';
import { loadTransformerModel } from './transformer-model.ts';
import { TransformerTier } from './transformer-tier.ts';

const directory = 'models/minilm';
const document = { title: 'Voyage to Mars', text: 'A rocket ship flies to the red planet.' };
let table: StaticTable;
const tiers: TransformerTier[] = [];
let lines: string[] = [];

beforeAll(async () => {
  table = await loadStaticTable('models/static-embeddings');
});
afterEach(async () => {
  await Promise.all(tiers.splice(0).map((tier) => tier.stop()));
  lines = [];
});

function open(options: Partial<ConstructorParameters<typeof TransformerTier>[0]> = {}): TransformerTier {
  const log = createLog('info', (line) => lines.push(line));
  const given = { directory, table, log, isOff: false, queryWaitMs: 60_000 };
  const tier = new TransformerTier(Object.defineProperties(given, Object.getOwnPropertyDescriptors(options)));
  tiers.push(tier);
  return tier;
}

/** Far more time passes than `ask` may take, and none in which a thread could answer: what it says would be heard in a turn of the event loop. */
async function tooLate<T>(ask: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] });
  try {
    const asked = ask();
    asked.catch(() => undefined);
    for (let ms = 0; ms < 100; ms += 1) {
      vi.advanceTimersByTime(1);
      await null;
    }
    return asked;
  } finally {
    vi.useRealTimers();
  }
}

it.each([64, 384, 768])(
  'embeds as the transformer does in this thread, in %d dimensions',
  async (dimension) => {
    const tier = open();
    expect(tier.state).toBe('resting');
    const model = await loadTransformerModel(directory, 1);
    const [scratch] = model.scratches;
    if (!scratch) throw new Error('there is room for one');
    const here = new StaticEmbedder(table, new Transformer(createKernels(model.memory), model, scratch));
    for (const isRotated of [false, true]) {
      const expected = new Float32Array(dimension);
      here.embedDocument(document, expected, isRotated);
      expect(await tier.embedDocument(document, dimension, isRotated)).toEqual(expected);
      expect(tier.state).toBe('ready');
      const query = here.embedQuery('space travel', dimension, isRotated);
      await expect.poll(() => tier.embedQuery({ text: 'space travel', dimension, isRotated })).toEqual(query);
    }
  },
);

it('does not let the first query wait for the model', async () => {
  const tier = open();
  expect(await tier.embedQuery({ text: 'space travel', dimension: 384 })).toBe(null);
  expect(tier.state).toBe('loading');
  await expect.poll(() => tier.embedQuery({ text: 'space travel', dimension: 384 })).not.toBe(null);
  expect(tier.state).toBe('ready');
  const vector = await tier.embedQuery({ text: 'space travel', dimension: 384 });
  expect(vector).toHaveLength(384);
  // Remembered: the same array.
  expect(await tier.embedQuery({ text: 'space travel', dimension: 384 })).toBe(vector);
  // By another account's time nobody learns what was asked for.
  const others = await tier.embedQuery({ text: 'space travel', dimension: 384, owner: 'account:2' });
  expect(others).not.toBe(vector);
  expect(others).toEqual(vector);
});

it('knows nothing of a text without a known word', async () => {
  const vector = await open().embedDocument({ title: '', text: '\u{1f4a9}' }, 384);
  expect(vector.every((x) => x === 0)).toBe(true);
});

it('embeds again after a rest', async () => {
  const tier = open();
  const vector = await tier.embedDocument(document, 384);
  await tier.rest();
  expect(await tier.embedDocument(document, 384)).toEqual(vector);
  expect(tier.state).toBe('ready');
});

it('leaves its thread to whom it is at work for, though somebody else has nothing more to do', async () => {
  const tier = open();
  const vector = await tier.embedDocument(document, 384);
  const asked = tier.embedDocument(document, 384);
  // It is handed to the thread in a later turn.
  for (let turns = 0; turns < 5; turns += 1) await null;
  await tier.rest();
  expect(await asked).toEqual(vector);
});

it('leaves the memory when nothing has used it for long, and comes back', async () => {
  const tier = open({ keepMs: 1 });
  const vector = await tier.embedDocument(document, 384);
  await expect.poll(() => tier.state).toBe('resting');
  expect(await tier.embedDocument(document, 384)).toEqual(vector);
});

it('refuses documents where it is off, and leaves queries to the table', async () => {
  const tier = open({ isOff: true });
  expect(tier.state).toBe('off');
  expect(await tier.embedQuery({ text: 'space travel', dimension: 384 })).toBe(null);
  await expect(tier.embedDocument(document, 384)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

it('is given up when its files are damaged or missing', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'vectora-models-'));
  try {
    await cp(directory, folder, { recursive: true });
    await writeFile(path.join(folder, 'floats.f32'), 'x');
    const tier = open({ directory: folder });
    for (let round = 0; round < 3; round++) {
      await expect(tier.embedDocument(document, 384)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    }
    expect(tier.state).toBe('failed');
    expect(lines.filter((line) => line.includes('floats.f32 is damaged'))).toHaveLength(3);
    expect(lines.at(-1)).toContain('given up');
    expect(await tier.embedQuery({ text: 'space travel', dimension: 384 })).toBe(null);
  } finally {
    await rm(folder, { recursive: true });
  }
});

it('starts a thread that ended anew, three times an hour', async () => {
  // A table without tokens ends every thread.
  let now = 0;
  const tier = open({ table: { ...table, tokens: undefined as unknown as string }, now: () => now });
  for (let round = 0; round < 5; round++) {
    await expect(tier.embedDocument(document, 384)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  }
  expect(tier.state).toBe('failed');
  now += 3_600_000;
  expect(tier.state).toBe('ready');
  const failures = () => lines.filter((line) => line.includes('"error"')).length;
  const before = failures();
  for (let round = 0; round < 5; round++) {
    await expect(tier.embedDocument(document, 384)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  }
  expect(tier.state).toBe('failed');
  expect(failures() - before).toBe(3);
});

it('forgets failures one by one: those of different hours do not add up', async () => {
  let now = 0;
  const tier = open({ table: { ...table, tokens: undefined as unknown as string }, now: () => now });
  for (let hour = 0; hour < 6; hour += 1) {
    await expect(tier.embedDocument(document, 384)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(tier.state).toBe('ready');
    now += 1_800_001;
  }
});

it('gives a document up that takes too long, ends its thread, and goes on with the next', async () => {
  const limits = { documentMsMax: 1 };
  const tier = open({
    get documentMsMax() {
      return limits.documentMsMax;
    },
  });
  const late = () => tooLate(() => tier.embedDocument(document, 384));
  await tier.embedQuery({ text: 'space travel', dimension: 384 });
  await expect.poll(() => tier.state).toBe('ready');
  await expect(late()).rejects.toBeInstanceOf(LateError);
  limits.documentMsMax = 60_000;
  expect(await tier.embedDocument(document, 384)).toHaveLength(384);
  limits.documentMsMax = 1;
  for (let round = 0; round < 2; round += 1) {
    await tier.rest();
    await expect(late()).rejects.toBeInstanceOf(LateError);
  }
  expect(tier.state).toBe('failed');
});

it('gives a query up that takes too long, says so, and goes on by a new thread', async () => {
  const limits = { queryMsMax: 60_000 };
  const tier = open({
    get queryMsMax() {
      return limits.queryMsMax;
    },
  });
  const isThere = (text: string) => async () => (await tier.embedQuery({ text, dimension: 384 })) !== null;
  await expect.poll(isThere('space travel')).toBe(true);
  const long = (word: string) => `${word} `.repeat(400);
  const failures = () => lines.filter((line) => line.includes('for a query') && line.includes('transformer'));
  limits.queryMsMax = 1;
  const [one, other] = await tooLate(() =>
    Promise.all([
      tier.embedQuery({ text: long('rocket'), dimension: 384 }),
      tier.embedQuery({ text: long('planet'), dimension: 384 }),
    ]),
  );
  // Both by the table, and it is one failure of one thread.
  expect([one, other]).toEqual([null, null]);
  expect(lines.filter((line) => line.includes('the transformer failed'))).toHaveLength(1);
  expect(failures().length).toBeGreaterThan(0);
  limits.queryMsMax = 60_000;
  await expect.poll(isThere(long('rocket'))).toBe(true);
  expect(tier.state).toBe('ready');
  for (const word of ['moon', 'star']) {
    limits.queryMsMax = 60_000;
    await expect.poll(isThere(word)).toBe(true);
    limits.queryMsMax = 1;
    expect(await tooLate(() => tier.embedQuery({ text: long(word), dimension: 384 }))).toBe(null);
  }
  expect(tier.state).toBe('failed');
});
