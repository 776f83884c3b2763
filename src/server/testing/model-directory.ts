import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Files of a small sentence-transformer; null: this one is missing. What is neither text nor bytes is written as JSON. */
export type ModelFilesGiven = Record<string, unknown>;

const usual: ModelFilesGiven = {
  'config.json': { model_type: 'bert', max_position_embeddings: 512 },
  'tokenizer.json': { model: { type: 'WordPiece' } },
  '1_Pooling/config.json': { word_embedding_dimension: 8, pooling_mode_mean_tokens: true },
  'sentence_bert_config.json': { max_seq_length: 16, do_lower_case: false },
  'onnx/model.onnx': JSON.stringify({ dimension: 8 }),
};

/** A directory in sentence-transformers' form with these files in place of the usual ones, and what removes it. */
export async function makeModelDirectory(given: ModelFilesGiven = {}, name = 'tiny') {
  const parent = await mkdtemp(path.join(tmpdir(), 'vectora-model-'));
  const directory = path.join(parent, name);
  const write = async (files: ModelFilesGiven) => {
    for (const [file, content] of Object.entries(files)) {
      const at = path.join(directory, file);
      await mkdir(path.dirname(at), { recursive: true });
      if (content === null) await rm(at, { force: true });
      else await writeFile(at, isText(content) ? content : JSON.stringify(content));
    }
  };
  await write({ ...usual, ...given });
  return { directory, write, remove: () => rm(parent, { recursive: true, force: true }) };
}

const isText = (content: unknown): content is string | Buffer =>
  typeof content === 'string' || Buffer.isBuffer(content);

/** Tensors of 32-bit numbers as a safetensors file. */
export function safetensorsOf(tensors: Record<string, { shape: number[]; values: number[] }>): Buffer {
  let end = 0;
  const head = Object.entries(tensors).map(([name, { shape, values }]) => {
    const start = end;
    end += values.length * Float32Array.BYTES_PER_ELEMENT;
    return [name, { dtype: 'F32', shape, data_offsets: [start, end] }];
  });
  const text = Buffer.from(JSON.stringify({ __metadata__: { format: 'pt' }, ...Object.fromEntries(head) }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  const numbers = Float32Array.from(Object.values(tensors).flatMap(({ values }) => values));
  return Buffer.concat([length, text, Buffer.from(numbers.buffer)]);
}
