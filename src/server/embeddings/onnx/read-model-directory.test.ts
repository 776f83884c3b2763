import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { SettingsError } from '#server/settings-error.ts';
import { type ModelFilesGiven, makeModelDirectory, safetensorsOf } from '#server/testing/model-directory.ts';
import { assertPackages, packagesDirOf } from './optional-packages.ts';
import { readModelDirectory } from './read-model-directory.ts';

const removers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const remove of removers.splice(0)) await remove();
});

async function made(given: ModelFilesGiven = {}): Promise<string> {
  const { directory, remove } = await makeModelDirectory(given);
  removers.push(remove);
  return directory;
}

const read = async (given: ModelFilesGiven = {}, file: string | null = null) =>
  readModelDirectory({ directory: await made(given), file });

test('a directory says what its model is', async () => {
  const directory = await made();
  expect(await readModelDirectory({ directory, file: null })).toEqual({
    name: 'tiny',
    files: { model: path.join(directory, 'onnx/model.onnx'), numbers: [] },
    tokenizerFile: path.join(directory, 'tokenizer.json'),
    tokenizerConfigFile: null,
    pooling: 'mean',
    layers: [],
    dimension: 8,
    tokensMax: 16,
    isLowerCased: false,
    prompts: { query: '', document: '' },
  });
});

const modulesOf = (...kinds: string[]) =>
  kinds.map((kind, idx) => ({
    idx,
    name: String(idx),
    path: idx === 0 ? '' : `${idx}_${kind}`,
    type: `sentence_transformers.models.${kind}`,
  }));

test('modules.json says where the transformer and its pooling are', async () => {
  const modules = modulesOf('Transformer', 'Pooling', 'Normalize');
  expect(await read({ 'modules.json': modules })).toMatchObject({ pooling: 'mean' });
  const apart = modules.map((each, i) => (i === 0 ? { ...each, path: '0_Transformer' } : each));
  const moved: ModelFilesGiven = { 'modules.json': apart, 'config.json': null, 'tokenizer.json': null };
  const files = { '0_Transformer/config.json': {}, '0_Transformer/tokenizer.json': { model: {} } };
  const found = await read({ ...moved, ...files });
  expect(found.tokenizerFile.endsWith('0_Transformer/tokenizer.json')).toBe(true);
});

const dense = (inputs: number, outputs: number): ModelFilesGiven => ({
  '2_Dense/config.json': { in_features: inputs, out_features: outputs, bias: false },
  '2_Dense/model.safetensors': safetensorsOf({
    'linear.weight': { shape: [outputs, inputs], values: new Array(inputs * outputs).fill(1) },
  }),
});

test('layers behind the pooling are read, and the last one says how many components there are', async () => {
  const root = { pooling_mode_mean_sqrt_len_tokens: true, word_embedding_dimension: 8 };
  const modules = modulesOf('Transformer', 'Pooling', 'Dense', 'Normalize');
  const given = { 'modules.json': modules, ...dense(8, 3), '1_Pooling/config.json': root };
  const found = await read(given);
  expect(found).toMatchObject({
    pooling: 'mean_sqrt_len',
    dimension: 3,
    layers: [{ kind: 'dense', outputs: 3 }],
  });
  await expect(read({ ...given, ...dense(6, 3) })).rejects.toThrow(
    /modules\.json has a Dense layer that takes 6 components and is given 8$/,
  );
});

test.each([
  [{ pooling_mode_cls_token: true, pooling_mode_mean_tokens: false }, 'cls'],
  [{ pooling_mode_max_tokens: true }, 'max'],
  [{ pooling_mode_mean_sqrt_len_tokens: true }, 'mean'],
  [{ pooling_mode_lasttoken: true }, 'last'],
  [{ pooling_mode: 'cls' }, 'cls'],
])('the pooling %j is %s', async (config, pooling) => {
  expect(await read({ '1_Pooling/config.json': config })).toMatchObject({ pooling, dimension: null });
});

test.each([
  [{ prompts: { query: 'query: ', passage: 'passage: ' } }, 'query: ', 'passage: '],
  [{ prompts: { query: 'q', document: 'd', passage: 'p' } }, 'q', 'd'],
  [{ prompts: { query: 'q', other: 'o' }, default_prompt_name: 'other' }, 'q', 'o'],
  [{ prompts: { query: '', document: null }, default_prompt_name: null }, '', ''],
  [{}, '', ''],
])('of the prompts %j queries have "%s" and documents "%s"', async (config, query, document) => {
  const { prompts } = await read({ 'config_sentence_transformers.json': config });
  expect(prompts).toEqual({ query, document });
});

test.each<[number, ModelFilesGiven]>([
  [300, { 'sentence_bert_config.json': { max_seq_length: 300 } }],
  [512, { 'sentence_bert_config.json': { max_seq_length: 4_000 } }],
  [128, { 'sentence_bert_config.json': null, 'tokenizer_config.json': { model_max_length: 128 } }],
  [512, { 'sentence_bert_config.json': {}, 'tokenizer_config.json': { model_max_length: 1e30 } }],
  [
    512,
    {
      'sentence_bert_config.json': null,
      'config.json': { model_type: 'xlm-roberta', max_position_embeddings: 514 },
    },
  ],
  [512, { 'sentence_bert_config.json': null, 'config.json': {} }],
  [
    2_048,
    {
      'sentence_bert_config.json': { max_seq_length: 8_192 },
      'config.json': { max_position_embeddings: 8_194 },
    },
  ],
])('%i tokens of a text are read with %j', async (tokensMax, given) => {
  expect(await read(given)).toMatchObject({ tokensMax });
});

test('the ONNX file is the plain one, then the quantised one, then the only one, or the one that is named', async () => {
  const model = async (given: ModelFilesGiven, file: string | null = null) => {
    const { files } = await read(given, file);
    return [files.model, ...files.numbers].map((each) => each.replace(/^.*\/tiny\//, ''));
  };
  const both = { 'onnx/model_quantized.onnx': 'q' };
  expect(await model(both)).toEqual(['onnx/model.onnx']);
  expect(await model({ ...both, 'onnx/model.onnx': null })).toEqual(['onnx/model_quantized.onnx']);
  expect(await model({ 'onnx/model.onnx': null, 'onnx/model_int8.onnx': 'i' })).toEqual([
    'onnx/model_int8.onnx',
  ]);
  expect(await model(both, 'onnx/model_quantized.onnx')).toEqual(['onnx/model_quantized.onnx']);
  expect(await model({ 'onnx/model.onnx_data': 'numbers', 'onnx/model.txt': '' })).toEqual([
    'onnx/model.onnx',
    'onnx/model.onnx_data',
  ]);
});

const pooling = '1_Pooling/config.json';
const prompts = 'config_sentence_transformers.json';
test.each<[string, ModelFilesGiven, RegExp]>([
  ['no config', { 'config.json': null }, /\/tiny\/config\.json is missing$/],
  ['no tokenizer', { 'tokenizer.json': null }, /\/tiny\/tokenizer\.json is missing$/],
  ['a broken tokenizer', { 'tokenizer.json': '{"model":' }, /\/tokenizer\.json is not JSON: /],
  ['a tokenizer of none', { 'tokenizer.json': {} }, /\/tokenizer\.json is not as it should be: model: /],
  [
    'a tokenizer of another kind',
    { 'tokenizer.json': { model: { type: 'WordLevel' } } },
    /\/tokenizer\.json is not as it should be: model\.type: .*"WordPiece"/,
  ],
  ['no pooling file', { [pooling]: null }, /is no sentence-transformer: it has neither modules\.json nor/],
  [
    'no pooling',
    { [pooling]: { pooling_mode_mean_tokens: false } },
    /1_Pooling\/config\.json has no pooling$/,
  ],
  [
    'two poolings',
    { [pooling]: { pooling_mode_mean_tokens: true, pooling_mode_cls_token: true } },
    /has several poolings \(mean_tokens, cls_token\)$/,
  ],
  [
    'another pooling',
    { [pooling]: { pooling_mode_weightedmean_tokens: true } },
    /has the pooling "weightedmean_tokens", which is not done here$/,
  ],
  [
    'a layer behind its pooling',
    { 'modules.json': modulesOf('Transformer', 'Pooling', 'LSTM') },
    /modules\.json names "LSTM", which is not done here$/,
  ],
  [
    'no pooling in its list',
    { 'modules.json': modulesOf('Transformer', 'Normalize') },
    /has "Normalize" where "Pooling" has to be$/,
  ],
  [
    'words alone',
    { 'modules.json': modulesOf('StaticEmbedding') },
    /begins with "StaticEmbedding", and has to/,
  ],
  [
    'a folder outside',
    { 'modules.json': modulesOf('Transformer', 'Pooling').map((each) => ({ ...each, path: '../other' })) },
    /names "\.\.\/other", which is not in the directory$/,
  ],
  [
    'components beyond measure',
    { [pooling]: { pooling_mode: 'cls', word_embedding_dimension: 8_192 } },
    /4096/,
  ],
  ['no default prompt', { [prompts]: { default_prompt_name: 'x' } }, /has no prompt "x", which it says/],
  [
    'prompts without pooling',
    { [prompts]: { prompts: { query: 'q' } }, [pooling]: { pooling_mode: 'cls', include_prompt: false } },
    /leaves its prompt out of its pooling/,
  ],
  ['no ONNX file', { 'onnx/model.onnx': null }, /\/tiny has no onnx\/model\.onnx, and no other file/],
  [
    'several ONNX files',
    { 'onnx/model.onnx': null, 'onnx/a.onnx': 'a', 'b.onnx': 'b' },
    /^EMBEDDINGS_MODEL_FILE has to say which ONNX file of .*\/tiny: b\.onnx, onnx\/a\.onnx$/,
  ],
  ['an empty ONNX file', { 'onnx/model.onnx': '' }, /model\.onnx is empty$/],
  [
    'a pointer for an ONNX file',
    { 'onnx/model.onnx': 'version https://git-lfs.github.com/spec/v1\n' },
    /model\.onnx is a pointer of Git LFS and not the model itself: "git lfs pull" fetches it$/,
  ],
])('a directory with %s is refused in a sentence', async (_, given, said) => {
  const refused = expect(read(given)).rejects;
  await refused.toBeInstanceOf(SettingsError);
  await refused.toThrow(said);
});

test('what is no directory is refused, and a file that is named and is not there', async () => {
  const directory = path.join(await made(), 'config.json');
  await expect(readModelDirectory({ directory, file: null })).rejects.toThrow(
    `EMBEDDINGS_MODEL: ${directory} is no directory`,
  );
  await expect(read({}, 'onnx/other.onnx')).rejects.toThrow(
    /^EMBEDDINGS_MODEL_FILE: .*other\.onnx is missing$/,
  );
});

test('packages that are not installed are asked for by the command that installs them', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'vectora-packages-'));
  removers.push(() => rm(folder, { recursive: true }));
  const { directory: packagesDir, write, remove } = await makeModelDirectory();
  removers.push(remove);
  await write({ 'package.json': { dependencies: { one: '1.2.3', '@two/three': '4.5.6' } } });
  const refused = () => assertPackages(packagesDir);
  await expect(refused()).rejects.toThrow(
    `EMBEDDINGS=onnx needs one 1.2.3 and @two/three 4.5.6, which are not installed. This installs them: npm ci --ignore-scripts --prefix "${packagesDir}"`,
  );
  await write({ 'node_modules/one/package.json': { version: '1.2.3' } });
  await write({ 'node_modules/@two/three/package.json': { version: '4.5.5' } });
  await expect(refused()).rejects.toThrow('@two/three 4.5.6, which are not installed');
  await write({ 'node_modules/@two/three/package.json': { version: '4.5.6' } });
  await expect(refused()).resolves.toBeUndefined();
  await expect(assertPackages(folder)).rejects.toThrow('package.json, which is missing');
  // The product's own.
  expect(packagesDirOf('/srv/vectora')).toBe(path.join('/srv/vectora', 'optional/onnx'));
});
