import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { OnnxService } from '#server/embeddings/onnx/onnx-service.ts';
import { readModelDirectory } from '#server/embeddings/onnx/read-model-directory.ts';
import { createLog } from '#server/log.ts';
import { type ModelFilesGiven, makeModelDirectory } from './model-directory.ts';

/** Words at which a run of the stand-in does what a real one should not: its thread ends, hangs, gives no number, or it says that it cannot. */
const oddWords = ['die', 'hang', 'nan', 'fail'];

const tokenizers = `
const odd = ${JSON.stringify(oddWords)};
exports.idOf = (word) => {
  if (odd.includes(word)) return 5 + odd.indexOf(word);
  let hash = 7;
  for (const letter of word) hash = (hash * 31 + letter.codePointAt(0)) % 1000003;
  return 16 + (hash % 4096);
};
exports.Tokenizer = class {
  encode(text, { add_special_tokens }) {
    const own = (text.match(/\\S+/g) ?? []).map(exports.idOf);
    return { ids: add_special_tokens ? [1, ...own, 2] : own };
  }
};
`;

const runtime = `
const { appendFileSync, readFileSync } = require('node:fs');
const { getPriority } = require('node:os');
const path = require('node:path');
const { threadId } = require('node:worker_threads');
exports.Tensor = class {
  constructor(type, data, dims) { Object.assign(this, { type, data, dims }); }
};
const rowOf = (id, dimension) => {
  if (id === 5) process.exit(1);
  while (id === 6);
  if (id === 8) throw new Error('it has no numbers for this');
  return Array.from({ length: dimension }, (_, i) => (id === 7 ? NaN : Number(i === id % dimension)));
};
exports.InferenceSession = {
  async create(file) {
    const { dimension, inputs = ['input_ids', 'attention_mask'], outputs = ['last_hidden_state'] } = JSON.parse(readFileSync(file, 'utf8'));
    const isWhole = outputs[0] === 'sentence_embedding';
    return {
      inputMetadata: inputs.map((name) => ({ name, type: 'int64', shape: ['batch', 'seq'] })),
      outputMetadata: outputs.map((name) => ({ name, shape: isWhole ? ['batch', dimension] : ['batch', 'seq', dimension] })),
      async run({ input_ids }, [name]) {
        const [texts, width] = input_ids.dims;
        const rows = [...input_ids.data].map((id) => rowOf(Number(id), dimension));
        appendFileSync(path.join(path.dirname(file), 'runs'), JSON.stringify({ threadId, priority: getPriority(), texts, width }) + '\\n');
        const data = Float32Array.from((isWhole ? rows.slice(0, 1) : rows).flat());
        return { [name]: { data, dims: isWhole ? [texts, dimension] : [texts, width, dimension] } };
      },
    };
  },
};
`;

/** Files of a folder with the packages in it. */
export const standInPackages: ModelFilesGiven = {
  'package.json': {},
  'node_modules/@huggingface/tokenizers/index.js': tokenizers,
  'node_modules/onnxruntime-node/index.js': runtime,
};

type Options = Parameters<typeof OnnxService.open>[0];

/** Models in directories, run by packages that stand in for the real ones: in real threads, by numbers that a test can foretell. */
export async function openOnnxStandIn() {
  const { directory: packagesDir, remove } = await makeModelDirectory(standInPackages);
  const closers = [remove];
  const lines: string[] = [];
  const log = createLog('debug', (line) => lines.push(line));
  return {
    packagesDir,
    lines,
    async open(given: ModelFilesGiven = {}, options: Partial<Options> & { name?: string } = {}) {
      const { directory, remove: removeModel } = await makeModelDirectory(given, options.name);
      closers.push(removeModel);
      const model = await readModelDirectory({ directory, file: null });
      const times = { startMsMax: 180_000, stepMsMax: 180_000 };
      const own = { model, packagesDir, log, times, queryWaitMs: 180_000 };
      const service = await OnnxService.open(
        Object.defineProperties(own, Object.getOwnPropertyDescriptors(options)),
      );
      closers.push(() => service.stop());
      return { service, runs: () => runsOf(directory) };
    },
    async close() {
      for (const close of closers.splice(0).reverse()) await close();
    },
  };
}

interface Run {
  threadId: number;
  priority: number;
  texts: number;
  width: number;
}

async function runsOf(directory: string): Promise<Run[]> {
  const text = await readFile(path.join(directory, 'onnx/runs'), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** The vector that the stand-in's tokens come to where their mean counts. */
export function standInVector(words: string[], dimension: number): Float32Array {
  const sums = new Float64Array(dimension);
  for (const id of [1, ...words.map(idOf), 2]) sums[id % dimension] = (sums[id % dimension] ?? 0) + 1;
  const length = Math.sqrt(sums.reduce((sum, x) => sum + x * x, 0));
  return Float32Array.from(sums, (x) => x / length);
}

function idOf(word: string): number {
  let hash = 7;
  for (const letter of word) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return 16 + (hash % 4_096);
}
