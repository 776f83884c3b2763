import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOnnxTensors } from './onnx-tensors.mjs';

/**
 * `node scripts/make-minilm.mjs <model_quantized.onnx>`: makes the files of `models/minilm` from the published one, as its README writes them
 * down. Nothing is rounded anew: weights and scales are the published ones.
 */

const [source] = process.argv.slice(2);
if (!source) throw new Error('usage: node scripts/make-minilm.mjs <model_quantized.onnx>');
const folder = fileURLToPath(new URL('../models/minilm', import.meta.url));
const shape = { layers: 6, heads: 12, dims: 384, inner: 1536, tokens: 30_522, max_tokens: 256 };
const tensors = readOnnxTensors(await readFile(source));

function get(name) {
  const found = tensors.get(name);
  if (!found) throw new Error(`${name} is missing`);
  return found;
}

const floats = [];
const weights = [];

/** A matrix of inputs × outputs: blocks of 8 outputs, in them pairs of inputs, in these the outputs' two weights each. */
function packed({ dims: [inputs, outputs], values }) {
  const out = new Int8Array(inputs * outputs);
  let at = 0;
  for (let block = 0; block < outputs; block += 8) {
    for (let input = 0; input < inputs; input += 2) {
      for (let output = block; output < block + 8; output++) {
        out[at++] = values[input * outputs + output];
        out[at++] = values[(input + 1) * outputs + output];
      }
    }
  }
  return out;
}

/** `factor`: what its outputs are multiplied by. */
function linear(name, factor = 1) {
  const zeros = get(`${name}.weight_t_zero_point`).values;
  if (zeros.some((zero) => zero !== 0)) throw new Error(`${name} is not symmetric`);
  weights.push(packed(get(`${name}.weight_t_quantized`)));
  return {
    scales: get(`${name}.weight_t_scale`).values.map((scale) => scale * factor),
    bias: get(`${name}.bias`).values.map((bias) => bias * factor),
  };
}

function dequantised(name) {
  const [scale] = get(`${name}_scale`).values;
  const [zero] = get(`${name}_zero_point`).values;
  return Float32Array.from(get(`${name}_quantized`).values, (value) => scale * (value - zero));
}

const positions = dequantised('position_embeddings').subarray(0, shape.max_tokens * shape.dims);
const type = dequantised('token_type_embeddings').subarray(0, shape.dims);
floats.push(positions.map((value, i) => value + type[i % shape.dims]));
floats.push(get('embeddings.LayerNorm.weight').values, get('embeddings.LayerNorm.bias').values);
for (let layer = 0; layer < shape.layers; layer++) {
  const name = `encoder.layer.${layer}`;
  // Attention divides by the root of a head's columns: its queries may as well.
  const parts = [
    linear(`${name}.attention.self.query`, Math.sqrt(shape.heads / shape.dims)),
    linear(`${name}.attention.self.key`),
    linear(`${name}.attention.self.value`),
  ];
  floats.push(...parts.map(({ scales }) => scales), ...parts.map(({ bias }) => bias));
  const output = linear(`${name}.attention.output.dense`);
  floats.push(output.scales, output.bias);
  floats.push(get(`${name}.attention.output.LayerNorm.weight`).values);
  floats.push(get(`${name}.attention.output.LayerNorm.bias`).values);
  for (const part of ['intermediate', 'output']) {
    const { scales, bias } = linear(`${name}.${part}.dense`);
    floats.push(scales, bias);
  }
  floats.push(get(`${name}.output.LayerNorm.weight`).values, get(`${name}.output.LayerNorm.bias`).values);
}

const config = {
  format: 'vectora-transformer-1',
  ...shape,
  word_scale: get('word_embeddings_scale').values[0],
  word_zero: get('word_embeddings_zero_point').values[0],
  title_weight: 0.25,
};
const files = {
  'config.json': Buffer.from(`${JSON.stringify(config, null, 1)}\n`),
  'words.u8': get('word_embeddings_quantized').values,
  'weights.i8': Buffer.concat(weights.map((part) => Buffer.from(part.buffer))),
  'floats.f32': Buffer.concat(
    floats.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)),
  ),
};
await mkdir(folder, { recursive: true });
const sums = [];
for (const [name, bytes] of Object.entries(files)) {
  await writeFile(path.join(folder, name), bytes);
  sums.push(`${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`);
}
await writeFile(path.join(folder, 'SHA256SUMS'), sums.join(''));
