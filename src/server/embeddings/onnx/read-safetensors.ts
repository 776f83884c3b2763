/**
 * Tensors of a safetensors file: eight bytes, little-endian, say how long the head is; it is JSON that names each tensor's type, shape and place in the bytes behind it
 * (https://huggingface.co/docs/safetensors, "Format").
 */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { modelFault } from './model-json.ts';

export interface Tensor {
  shape: number[];
  /** Row-major. */
  values: Float32Array;
}

const lengthBytes = 8;
const head = z.record(
  z.string(),
  z.union([
    z.object({
      dtype: z.string(),
      shape: z.array(z.int().min(1)).max(8),
      data_offsets: z.tuple([z.int().min(0), z.int().min(0)]),
    }),
    // `__metadata__` has texts alone.
    z.record(z.string(), z.string()),
  ]),
);

const readers: Record<string, { bytes: number; read: (view: DataView, at: number) => number }> = {
  F32: { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
  F16: { bytes: 2, read: (view, at) => half(view.getUint16(at, true)) },
  BF16: { bytes: 2, read: (view, at) => upper(view.getUint16(at, true)) },
};

/** @throws SettingsError it is missing, broken, or of numbers that are not read here */
export async function readSafetensors(file: string): Promise<Map<string, Tensor>> {
  const bytes = await readFile(file).catch((error: Error) => {
    throw modelFault(file, `cannot be read: ${error.message}`);
  });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = bytes.byteLength < lengthBytes ? Number.NaN : Number(view.getBigUint64(0, true));
  const from = lengthBytes + length;
  if (!(from <= bytes.byteLength)) throw modelFault(file, 'is no safetensors file');
  const tensors = new Map<string, Tensor>();
  for (const [name, each] of Object.entries(headOf(file, bytes.subarray(lengthBytes, from)))) {
    if (!Array.isArray(each['data_offsets'])) continue;
    const { dtype, shape, data_offsets } = each as { dtype: string; shape: number[]; data_offsets: number[] };
    const [start = 0, end = 0] = data_offsets;
    const reader = readers[dtype];
    if (!reader) throw modelFault(file, `has "${name}" in ${dtype}, which is not read here`);
    const count = shape.reduce((product, size) => product * size, 1);
    if (end - start !== count * reader.bytes || from + end > bytes.byteLength)
      throw modelFault(file, `has not as many numbers of "${name}" as its shape says`);
    const values = new Float32Array(count);
    for (let i = 0; i < count; i += 1) values[i] = reader.read(view, from + start + i * reader.bytes);
    tensors.set(name, { shape, values });
  }
  return tensors;
}

function headOf(file: string, bytes: Buffer): z.output<typeof head> {
  try {
    return head.parse(JSON.parse(bytes.toString('utf8')));
  } catch (cause) {
    throw modelFault(file, `has no head of safetensors: ${(cause as Error).message}`);
  }
}

/** IEEE 754 with 16 bits: one of sign, five of exponent, ten of fraction. */
function half(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1_023) / 1_024;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15));
}

const words = new DataView(new ArrayBuffer(4));

/** The upper half of a number with 32 bits. */
function upper(bits: number): number {
  words.setUint16(0, bits);
  words.setUint16(2, 0);
  return words.getFloat32(0);
}
