import { afterEach, expect, test } from 'vitest';
import { type ModelFilesGiven, makeModelDirectory, safetensorsOf } from '#server/testing/model-directory.ts';
import { passLayers, readDenseLayer } from './vector-layers.ts';

const removers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const remove of removers.splice(0)) await remove();
});

const weights = { shape: [2, 3], values: [1, -2, 0.5, 0, 3, -1] };
const bias = { shape: [2], values: [0.25, -0.5] };
const both = safetensorsOf({ 'linear.weight': weights, 'linear.bias': bias });
const config = { in_features: 3, out_features: 2, activation_function: 'torch.nn.modules.linear.Identity' };

async function layerOf(given: ModelFilesGiven) {
  const { directory, remove } = await makeModelDirectory({
    'config.json': config,
    'model.safetensors': both,
    ...given,
  });
  removers.push(remove);
  return await readDenseLayer(directory);
}
const vector = Float32Array.of(1, 2, 4);
/** By hand: 1 − 4 + 2 + .25 and 6 − 4 − .5. */
const sums = [-0.75, 1.5];
const asked = (name: string) => ({
  'config.json': { ...config, activation_function: `torch.nn.modules.activation.${name}` },
});

test.each<[string, ModelFilesGiven, number[]]>([
  ['as its sums come', {}, sums],
  ['with tanh', asked('Tanh'), sums.map(Math.tanh)],
  [
    'with tanh where it does not say',
    { 'config.json': { in_features: 3, out_features: 2 } },
    sums.map(Math.tanh),
  ],
  ['with ReLU', asked('ReLU'), [0, 1.5]],
  ['with sigmoid', asked('Sigmoid'), [0.3208213, 0.8175745]],
  // PyTorch's own values.
  ['with GELU', asked('GELU'), [-0.1699706, 1.3997891]],
  [
    'without a bias',
    {
      'config.json': { ...config, bias: false },
      'model.safetensors': safetensorsOf({ 'linear.weight': weights }),
    },
    [-1, 2],
  ],
])('a Dense layer gives its sums %s', async (_, given, expected) => {
  const made = passLayers(vector, [await layerOf(given)]);
  expect(made.length).toBe(2);
  for (const [i, x] of expected.entries()) expect(made[i]).toBeCloseTo(x, 5);
});

test('layers follow each other, with unit length where it is asked for between them', async () => {
  const layer = await layerOf({});
  const made = passLayers(Float32Array.of(3, 0, 4), [{ kind: 'normalize' }, layer]);
  expect(made[0]).toBeCloseTo(0.6 + 0.4 + 0.25, 6);
  expect(made[1]).toBeCloseTo(-0.8 - 0.5, 6);
  expect(() => passLayers(vector, [layer, layer])).toThrow('have 2 components, and its Dense layer takes 3');
});

test('numbers of 16 bits are read', async () => {
  const head = (dtype: string) =>
    Buffer.from(
      JSON.stringify({
        'linear.weight': { dtype, shape: [1, 3], data_offsets: [0, 6] },
        'linear.bias': { dtype, shape: [1], data_offsets: [6, 8] },
      }),
    );
  const file = (dtype: string, numbers: number[]) => {
    const bytes = Buffer.alloc(8 + numbers.length * 2);
    bytes.writeBigUInt64LE(BigInt(head(dtype).length));
    for (const [i, each] of numbers.entries()) bytes.writeUInt16LE(each, 8 + i * 2);
    return Buffer.concat([bytes.subarray(0, 8), head(dtype), bytes.subarray(8)]);
  };
  const one = { 'config.json': { ...config, out_features: 1 } };
  // 1.5, −2, the least above 0, and .25 as each type writes them.
  const halves = await layerOf({
    ...one,
    'model.safetensors': file('F16', [0x3e00, 0xc000, 0x0001, 0x3400]),
  });
  expect([...halves.weights, ...(halves.bias ?? [])]).toEqual([1.5, -2, 2 ** -24, 0.25]);
  const upper = await layerOf({
    ...one,
    'model.safetensors': file('BF16', [0x3fc0, 0xc000, 0x0000, 0x3e80]),
  });
  expect([...upper.weights, ...(upper.bias ?? [])]).toEqual([1.5, -2, 0, 0.25]);
});

test.each<[string, ModelFilesGiven, RegExp]>([
  ['no config', { 'config.json': null }, /config\.json is missing$/],
  ['no numbers', { 'model.safetensors': null }, /model\.safetensors cannot be read: ENOENT/],
  ['another activation', asked('Mish'), /has the activation "Mish", which is not done here$/],
  [
    'rows of tokens for its input',
    { 'config.json': { ...config, module_input_name: 'token_embeddings' } },
    /is for "token_embeddings", which is not done here$/,
  ],
  [
    'another name for what it gives',
    { 'config.json': { ...config, module_input_name: null, module_output_name: 'title_embedding' } },
    /is for "title_embedding", which is not done here$/,
  ],
  ['nothing in its file', { 'model.safetensors': 'short' }, /is no safetensors file$/],
  [
    'a head that is none',
    { 'model.safetensors': Buffer.from('\x02\0\0\0\0\0\0\0{]') },
    /has no head of safetensors/,
  ],
  [
    'numbers cut off',
    { 'model.safetensors': both.subarray(0, -4) },
    /has not as many numbers of "linear\.bias" as its shape says$/,
  ],
  [
    'numbers of another shape',
    { 'config.json': { ...config, out_features: 3 } },
    /has 2 × 3 numbers of "linear\.weight" in place of 3 × 3$/,
  ],
  [
    'no bias',
    { 'model.safetensors': safetensorsOf({ 'linear.weight': weights }) },
    /has none of "linear\.bias" in place of 2$/,
  ],
])('a Dense layer with %s is refused in a sentence', async (_, given, said) => {
  await expect(layerOf(given)).rejects.toThrow(said);
});
