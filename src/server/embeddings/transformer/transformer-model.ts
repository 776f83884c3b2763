import { z } from 'zod';
import { openCheckedFiles } from '../checked-files.ts';
import { type SharedMemory, webAssembly } from './web-assembly.ts';

/** The transformer's numbers in one memory that threads share, and where in it each lies, in bytes. */
export interface TransformerModel {
  memory: SharedMemory;
  dims: number;
  inner: number;
  heads: number;
  tokensMax: number;
  titleWeight: number;
  /** Tokens × dims unsigned bytes: a row is `wordScale · (byte − wordZero)`. */
  words: number;
  wordScale: number;
  wordZero: number;
  /** tokensMax × dims: what a place adds to its word. */
  positions: number;
  norm: Norm;
  layers: Layer[];
  /** Where each thread has room of its own to work in. */
  scratches: Scratch[];
}

/** Room for one text: a row for each token. */
export interface Scratch {
  hidden: number;
  projected: number;
  context: number;
  summed: number;
  inner: number;
  /** 16-bit integers, as many a row as `inner` has. */
  quantised: number;
  scales: number;
  weights: number;
}

interface Norm {
  weight: number;
  bias: number;
}

export interface Matrix {
  inputs: number;
  outputs: number;
  weights: number;
  scales: number;
  bias: number;
}

export interface Layer {
  /** Queries, keys and values beside each other. */
  attention: Matrix;
  attentionOut: Matrix;
  attentionNorm: Norm;
  inner: Matrix;
  out: Matrix;
  norm: Norm;
}

const configSchema = z.object({
  format: z.literal('vectora-transformer-1'),
  layers: z.int().positive(),
  heads: z.int().positive(),
  dims: z.int().positive(),
  inner: z.int().positive(),
  tokens: z.int().positive(),
  max_tokens: z.int().positive(),
  word_scale: z.number(),
  word_zero: z.int(),
  title_weight: z.number(),
});
type Config = z.infer<typeof configSchema>;

const pageBytes = 65_536;

/**
 * Reads `models/minilm` (see its README), every file checked, into memory that as many threads may share.
 * @throws Error naming the file that is missing or damaged
 */
export async function loadTransformerModel(directory: string, threads: number): Promise<TransformerModel> {
  const files = await openCheckedFiles(directory);
  const config = configSchema.parse(JSON.parse((await files.read('config.json')).toString('utf8')));
  const places = new Places();
  const model = placeModel(places, config);
  const modelBytes = places.end;
  const scratches = Array.from({ length: threads }, () => placeScratch(places, config));
  const pages = Math.ceil(places.end / pageBytes);
  const memory = new webAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  const load = async (name: string, from: number, to: number) => {
    const bytes = await files.read(name);
    if (bytes.byteLength !== to - from) {
      throw new Error(`${name} in ${directory} does not have the size that its config.json says`);
    }
    new Uint8Array(memory.buffer, from).set(bytes);
  };
  await load('words.u8', model.words, model.weights);
  await load('weights.i8', model.weights, model.positions);
  await load('floats.f32', model.positions, modelBytes);
  return { ...model, memory, scratches };
}

/** In the order of the files. */
function placeModel(places: Places, config: Config) {
  const { dims, inner } = config;
  const words = places.take(config.tokens * dims);
  const weights = places.end;
  const weightsOf = Array.from({ length: config.layers }, () => ({
    attention: places.take(3 * dims * dims),
    attentionOut: places.take(dims * dims),
    inner: places.take(dims * inner),
    out: places.take(inner * dims),
  }));
  const floats = (count: number) => places.take(4 * count);
  const norm = (): Norm => ({ weight: floats(dims), bias: floats(dims) });
  const matrix = (at: number, inputs: number, outputs: number): Matrix => {
    return { inputs, outputs, weights: at, scales: floats(outputs), bias: floats(outputs) };
  };
  return {
    dims,
    inner,
    heads: config.heads,
    tokensMax: config.max_tokens,
    titleWeight: config.title_weight,
    wordScale: config.word_scale,
    wordZero: config.word_zero,
    words,
    weights,
    positions: floats(config.max_tokens * dims),
    norm: norm(),
    layers: weightsOf.map(
      (at): Layer => ({
        attention: matrix(at.attention, dims, 3 * dims),
        attentionOut: matrix(at.attentionOut, dims, dims),
        attentionNorm: norm(),
        inner: matrix(at.inner, dims, inner),
        out: matrix(at.out, inner, dims),
        norm: norm(),
      }),
    ),
  };
}

function placeScratch(places: Places, { max_tokens: rows, dims, inner }: Config): Scratch {
  return {
    hidden: places.take(4 * rows * dims),
    projected: places.take(4 * rows * 3 * dims),
    context: places.take(4 * rows * dims),
    summed: places.take(4 * rows * dims),
    inner: places.take(4 * rows * inner),
    quantised: places.take(2 * rows * Math.max(dims, inner)),
    scales: places.take(4 * rows),
    weights: places.take(4 * rows + 16),
  };
}

/** Pieces of a memory one after the other, each at a multiple of 16 bytes as all of their sizes are. */
class Places {
  end = 0;

  take(byteLength: number): number {
    const from = this.end;
    this.end += byteLength;
    return from;
  }
}
