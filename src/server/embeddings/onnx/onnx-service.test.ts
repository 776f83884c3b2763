import { getPriority } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SettingsError } from '#server/settings-error.ts';
import { type ModelFilesGiven, safetensorsOf } from '#server/testing/model-directory.ts';
import { openOnnxStandIn, standInVector } from '#server/testing/onnx-stand-in.ts';
import { TextsRefusedError } from '../texts-refused-error.ts';

let standIn: Awaited<ReturnType<typeof openOnnxStandIn>>;
beforeEach(async () => {
  standIn = await openOnnxStandIn();
});
afterEach(() => standIn.close());

const dimension = 8;
const taskOf = (...texts: string[]) => ({
  texts: texts.map((text) => ({ title: '', text })),
  dimension,
  for: { tenant: 't', caller: 'c' },
});
const rowsOf = (vectors: Float32Array) =>
  Array.from({ length: vectors.length / dimension }, (_, i) =>
    vectors.slice(i * dimension, (i + 1) * dimension),
  );
const expected = (text: string) => standInVector(text.split(' '), dimension);

/** Rounded: a mean is not summed in the same order. */
const close = (vector: Float32Array | undefined) => [...(vector ?? [])].map((x) => Math.round(x * 1e5) / 1e5);

test('documents and queries are embedded as the directory says: prompts, capitals, as many tokens as are read', async () => {
  const { service } = await standIn.open({
    'config_sentence_transformers.json': { prompts: { query: 'Ask ', document: 'Tell ' } },
    'sentence_bert_config.json': { max_seq_length: 6, do_lower_case: true },
  });
  const texts = ['One two', 'one two three four five six', 'one'];
  const rows = rowsOf(await service.embedDocuments(taskOf(...texts)));
  expect(rows.map(close)).toEqual(
    ['tell one two', 'tell one two three', 'tell one'].map((text) => close(expected(text))),
  );
  expect(close(await service.embedQuery('One two', dimension))).toEqual(close(expected('ask one two')));
  const titled = { ...taskOf(), texts: [{ title: 'One', text: 'two' }] };
  expect(close(await service.embedDocuments(titled))).toEqual(close(expected('tell one two')));
  expect([service.fits(8), service.fits(16), service.waiting()]).toEqual([true, false, 0]);
  const refused = { code: 'UNPROCESSABLE', message: expect.stringContaining('"tiny" gives 8 dimensions') };
  await expect(service.embedQuery('one', 16)).rejects.toMatchObject(refused);
  await expect(service.embedDocuments({ ...taskOf('one'), dimension: 16 })).rejects.toMatchObject(refused);
});

test('a text without a token has no vector, and a whole vector is taken as it comes', async () => {
  const whole = JSON.stringify({ dimension, outputs: ['sentence_embedding'] });
  const { service } = await standIn.open({ 'onnx/model.onnx': whole });
  const vectors = await service.embedDocuments(taskOf(' \n', 'one'));
  // The stand-in's is its first token's.
  expect(rowsOf(vectors).map(close)).toEqual([new Array(8).fill(0), [0, 1, 0, 0, 0, 0, 0, 0]]);
});

test('what a text comes to goes through the layers behind the pooling, which are part of the id', async () => {
  const given = (values: number[]): ModelFilesGiven => ({
    'modules.json': ['Transformer', 'Pooling', 'Dense', 'Normalize'].map((kind, i) => ({
      path: i === 0 ? '' : `${i}_${kind}`,
      type: `sentence_transformers.models.${kind}`,
    })),
    // The row of the first token, whose second component is 1.
    '1_Pooling/config.json': { pooling_mode: 'cls', word_embedding_dimension: dimension },
    '2_Dense/config.json': { in_features: dimension, out_features: 2, bias: false },
    '2_Dense/model.safetensors': safetensorsOf({ 'linear.weight': { shape: [2, dimension], values } }),
  });
  const values = [0, 1, 0, 0, 0, 0, 0, 0, 0, -2, 0, 0, 0, 0, 0, 0];
  const { service } = await standIn.open(given(values));
  const made = [Math.tanh(1), Math.tanh(-2)];
  const unit = made.map((x) => x / Math.hypot(...made));
  expect(close(await service.embedQuery('one', 2))).toEqual(close(Float32Array.from(unit)));
  expect(service.fits(dimension)).toBe(false);
  const other = await standIn.open(given(values.map((x) => x * 2)));
  expect(other.service.id).not.toBe(service.id);
});

test('the id names the directory and what decides the vectors', async () => {
  const idOf = async (given: ModelFilesGiven = {}, name = 'tiny') =>
    (await standIn.open(given, { name })).service.id;
  const id = await idOf();
  expect(id).toMatch(/^onnx:tiny@[0-9a-f]{12}$/);
  expect(await idOf()).toBe(id);
  expect(await idOf({}, "a 'b'")).toBe(id.replace('tiny', 'a__b_'));
  const others = await Promise.all([
    idOf({ 'onnx/model.onnx': JSON.stringify({ dimension, other: true }) }),
    idOf({ 'onnx/model.onnx_data': 'numbers' }),
    idOf({ 'tokenizer.json': { model: { type: 'BPE' } } }),
    idOf({ '1_Pooling/config.json': { pooling_mode: 'cls' } }),
    idOf({ 'config_sentence_transformers.json': { prompts: { query: 'q: ' } } }),
  ]);
  expect(new Set([id, ...others]).size).toBe(6);
});

test.each<[string, ModelFilesGiven, RegExp]>([
  ['is none', { 'onnx/model.onnx': 'not a model' }, /^EMBEDDINGS_MODEL: .*model\.onnx cannot be run: .*JSON/],
  [
    'asks for more',
    { 'onnx/model.onnx': JSON.stringify({ dimension, inputs: ['input_ids', 'past_key_values.0.key'] }) },
    /cannot be run: it asks for "past_key_values\.0\.key", which is not given here$/,
  ],
  [
    'is of another size',
    { 'onnx/model.onnx': JSON.stringify({ dimension: 16 }) },
    /model\.onnx gives 16 components, and its directory says 8$/,
  ],
  [
    'is too large for any collection',
    {
      'onnx/model.onnx': JSON.stringify({ dimension: 5_000 }),
      '1_Pooling/config.json': { pooling_mode: 'cls' },
    },
    /gives 5000 components, and collections have 4096 at most$/,
  ],
  [
    'gives nothing that can be pooled',
    { 'onnx/model.onnx': JSON.stringify({ dimension, outputs: [] }) },
    /cannot be run: it gives no rows of tokens \(last_hidden_state\), but nothing$/,
  ],
])('a model that %s stops the start with a sentence', async (_, given, said) => {
  const refused = expect(standIn.open(given)).rejects;
  await refused.toBeInstanceOf(SettingsError);
  await refused.toThrow(said);
});

test('packages that cannot be loaded stop the start with a sentence', async () => {
  const opened = standIn.open({}, { packagesDir: '/nowhere' });
  await expect(opened).rejects.toThrow(/model\.onnx cannot be run: Cannot find module/);
});

test('every text is embedded by itself, whatever is asked for with it, and as far as the model reads', async () => {
  const { service, runs } = await standIn.open({ 'sentence_bert_config.json': { max_seq_length: 300 } });
  const texts = Array.from({ length: 70 }, (_, i) => 'word '.repeat(i * 6 + 1).trim());
  const rows = rowsOf(await service.embedDocuments(taskOf(...texts)));
  expect(rows.map(close)).toEqual(texts.map((text) => close(expected(text.slice(0, 298 * 5 - 1)))));
  const made = await runs();
  expect(new Set(made.map((run) => run.texts))).toEqual(new Set([1]));
  // The first text of all is the start's, and of the thread of documents the second.
  expect(made.slice(2).map((run) => run.width)).toEqual(texts.map((_, i) => Math.min(i * 6 + 3, 300)));
});

test('a query waits for no document, and documents make way for it', async () => {
  const { service, runs } = await standIn.open();
  await service.embedDocuments(taskOf('one'));
  const [ofQueries, ofDocuments] = (await runs()).map(({ priority }) => priority);
  expect(ofQueries).toBe(getPriority());
  if (process.platform === 'linux') expect(ofDocuments).toBe(Math.min(getPriority() + 10, 19));
  const hanging = service.embedDocuments(taskOf('hang')).catch((error: unknown) => error);
  expect(close(await service.embedQuery('one', dimension))).toEqual(close(expected('one')));
  expect(service.state()).toMatchObject({ queries: { state: 'working' }, documents: { state: 'working' } });
  await service.stop();
  expect(await hanging).toMatchObject({ code: 'UNAVAILABLE' });
  await expect(service.embedDocuments(taskOf('one'))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await expect(service.embedQuery('two', dimension)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('a text at which its thread ends has no vector, nor one that is no number; the others have theirs', async () => {
  const { service } = await standIn.open();
  const texts = ['one', 'die now', 'two words', 'nan', 'fail', 'three'];
  const error = await service.embedDocuments(taskOf(...texts)).catch((thrown: unknown) => thrown);
  if (!(error instanceof TextsRefusedError)) throw new Error('no text was refused', { cause: error });
  expect([...error.faults]).toEqual([
    [1, 'its thread ended'],
    [3, 'a component of its vector is not a finite number'],
    [4, 'it cannot compute the vector'],
  ]);
  const rows = rowsOf(error.vectors);
  for (const i of [0, 2, 5]) expect(close(rows[i])).toEqual(close(expected(texts[i] ?? '')));
  expect(service.state().documents).toEqual({ state: 'working', reason: null });
  expect(standIn.lines.filter((line) => line.includes('works again')).length).toBeGreaterThan(0);
});

test('a query that hangs is refused, its thread is replaced, and the next one has its vector', async () => {
  const limits = { stepMsMax: 180_000 };
  const { service } = await standIn.open(
    {},
    {
      times: {
        startMsMax: 180_000,
        get stepMsMax() {
          return limits.stepMsMax;
        },
      },
    },
  );
  await service.embedQuery('one', dimension);
  limits.stepMsMax = 40;
  await expect(service.embedQuery('hang', dimension)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'The embedding model is not available for queries: its thread ended',
    retryAfterSeconds: 5,
  });
  expect(service.state().queries).toEqual({ state: 'failing', reason: 'its thread ended' });
  expect(standIn.lines.some((line) => line.includes('nothing came of its thread within 0.04 s'))).toBe(true);
  limits.stepMsMax = 180_000;
  expect(close(await service.embedQuery('two', dimension))).toEqual(close(expected('two')));
  expect(service.state().queries).toEqual({ state: 'working', reason: null });
  expect(close(await service.embedDocuments(taskOf('two')))).toEqual(close(expected('two')));
});

test('after five failures in a row no thread is started for a while; documents go on', async () => {
  let now = 0;
  const { service } = await standIn.open({}, { now: () => now });
  const ask = (text: string) => service.embedQuery(text, dimension);
  for (const text of ['die', 'die 2', 'die 3'])
    await expect(ask(text)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(service.state().queries).toEqual({ state: 'paused', reason: 'its thread ended' });
  await expect(ask('one')).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 });
  expect(close(await service.embedDocuments(taskOf('one')))).toEqual(close(expected('one')));
  now += 5_000;
  expect(close(await ask('one'))).toEqual(close(expected('one')));
  expect(service.state().queries.state).toBe('working');
});

test('a query that takes too long is refused while its thread goes on', async () => {
  const { service } = await standIn.open({}, { queryWaitMs: 1 });
  await expect(service.embedQuery('hang', dimension)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'The embedding model is not available for queries: it does not answer in time',
  });
  expect(service.state().queries.state).toBe('working');
});

test('the thread of documents ends when it has nothing to do, and there is another when it has', async () => {
  const { service, runs } = await standIn.open({}, { keepMs: 1 });
  const threads = async () => new Set((await runs()).map(({ threadId }) => threadId)).size;
  await service.embedDocuments(taskOf('one'));
  // Of queries, and of documents.
  expect(await threads()).toBe(2);
  await expect
    .poll(async () => {
      await service.embedDocuments(taskOf('two'));
      return await threads();
    })
    .toBeGreaterThan(2);
});

test('what waits is given up when its caller goes, and the rest goes on', async () => {
  const { service } = await standIn.open();
  const caller = new AbortController();
  const given = service.embedDocuments(taskOf('one', 'two'), caller.signal);
  caller.abort(new Error('gone'));
  await expect(given).rejects.toThrow('gone');
  expect(close(await service.embedDocuments(taskOf('three')))).toEqual(close(expected('three')));
});
