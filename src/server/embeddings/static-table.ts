import { z } from 'zod';
import { openCheckedFiles } from './checked-files.ts';

/** One learnt row per token; the arrays are shared memory, so that threads read the same copy. */
export interface StaticTable {
  dims: number;
  /** rows × dims; row i is `scales[i] · rows[i]`. */
  rows: Int8Array;
  scales: Float32Array;
  /** Token i on line i; later pieces of a word carry `##`. */
  tokens: string;
  /** Special tokens: they add nothing. */
  zeroRows: number[];
  titleWeight: number;
  tokensMax: number;
  /** dims × dims, row-major, a multiple of 8: turns vectors so that the first components hold the most of them. */
  rotation: Float32Array;
}

const configSchema = z.object({
  format: z.literal('vectora-static-1'),
  rows: z.int().positive(),
  dims: z.int().positive().multipleOf(8),
  title_weight: z.number(),
  max_tokens: z.int().positive(),
  zero_rows: z.array(z.int()),
});

/**
 * Reads a table folder (see its README), every file checked, so that a half-copied install stops the start
 * instead of answering nonsense.
 * @throws Error naming the file that is missing or damaged
 */
export async function loadStaticTable(directory: string): Promise<StaticTable> {
  const { read } = await openCheckedFiles(directory);
  const config = configSchema.parse(JSON.parse((await read('config.json')).toString('utf8')));
  const rows = shared(await read('table.i8'));
  const scales = shared(await read('scales.f32'));
  const rotation = shared(await read('rotation.f32'));
  const isSized = rows.byteLength === config.rows * config.dims && scales.byteLength === config.rows * 4;
  if (!isSized || rotation.byteLength !== config.dims ** 2 * 4) {
    throw new Error(`The embedding table in ${directory} does not have the size its config.json says`);
  }
  return {
    dims: config.dims,
    rows: new Int8Array(rows),
    scales: new Float32Array(scales),
    tokens: (await read('tokens.txt')).toString('utf8'),
    zeroRows: config.zero_rows,
    titleWeight: config.title_weight,
    tokensMax: config.max_tokens,
    rotation: new Float32Array(rotation),
  };
}

function shared(bytes: Uint8Array): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(bytes.byteLength);
  new Uint8Array(memory).set(bytes);
  return memory;
}
