/**
 * What the transformer takes, in this thread: milliseconds of a processor for texts of so many tokens, [CLS] and [SEP] among them, the least of the runs. With
 * DATASETS_DIR also how well it orders pairs of sentences: Spearman's correlation with the judgements of STS-B's dev part, beside the table's.
 *
 *   [DATASETS_DIR=…] node scripts/measure-transformer.mjs [--runs 7] [--model DIRECTORY]
 *
 * With `--model` also what a sentence-transformer takes for as many words, as `EMBEDDINGS=onnx` runs it; its packages have to be installed (`optional/onnx`).
 *
 * Exits 1 where a query of ten tokens takes more than 8 ms. What it does for searches is told by `npm run eval -- … --mode hybrid --tier all`.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './freshness.mjs';
import { loadSources } from './load-sources.mjs';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '7' }, model: { type: 'string' } },
});
const queryMsMax = 8;

const {
  Transformer,
  createKernels,
  loadTransformerModel,
  StaticEmbedder,
  loadStaticTable,
  OnnxModel,
  readModelDirectory,
  assertPackages,
  packagesDirOf,
} = await loadSources(`
    export { Transformer } from './src/server/embeddings/transformer/transformer.ts';
    export { createKernels } from './src/server/embeddings/transformer/kernels.ts';
    export { loadTransformerModel } from './src/server/embeddings/transformer/transformer-model.ts';
    export { StaticEmbedder } from './src/server/embeddings/static-embedder.ts';
    export { loadStaticTable } from './src/server/embeddings/static-table.ts';
    export { OnnxModel } from './src/server/embeddings/onnx/onnx-model.ts';
    export { readModelDirectory } from './src/server/embeddings/onnx/read-model-directory.ts';
    export { assertPackages, packagesDirOf } from './src/server/embeddings/onnx/optional-packages.ts';
  `);

const startedAt = performance.now();
const model = await loadTransformerModel(path.join(root, 'models/minilm'), 1);
const transformer = new Transformer(createKernels(model.memory), model, model.scratches[0]);
const megabytes = model.memory.buffer.byteLength / 1024 / 1024;
console.log(`loaded in ${(performance.now() - startedAt).toFixed(0)} ms, ${megabytes.toFixed(1)} MB`);

const idsOf = (tokens) => Array.from({ length: tokens - 2 }, (_, i) => 2_000 + ((i * 37) % 20_000));
let queryMs = 0;
for (const tokens of [5, 12, 32, 64, 128, 256]) {
  const ms = leastMs(Math.ceil(240 / tokens), () => transformer.embed(idsOf(tokens)));
  if (tokens === 12) queryMs = ms;
  console.log(`${String(tokens).padStart(4)} tokens ${ms.toFixed(2).padStart(8)} ms`);
}
const batch = Array.from({ length: 32 }, () => idsOf(100));
const batchMs = leastMs(1, () => {
  for (const ids of batch) transformer.embed(ids);
});
console.log(
  `32 × 100 tokens ${batchMs.toFixed(0)} ms, ${Math.round((3_200 / batchMs) * 1_000)} tokens a second`,
);
if (values.model) await tellModel(path.resolve(values.model));
if (process.env.DATASETS_DIR) await tellCorrelations(process.env.DATASETS_DIR);
process.exitCode = queryMs <= queryMsMax ? 0 : 1;

/** Of one call. */
function leastMs(calls, call) {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < Number(values.runs); run++) {
    const since = process.cpuUsage();
    for (let i = 0; i < calls; i++) call();
    const { user, system } = process.cpuUsage(since);
    least = Math.min(least, (user + system) / 1_000 / calls);
  }
  return least;
}

async function tellModel(directory) {
  const packagesDir = packagesDirOf(root);
  await assertPackages(packagesDir);
  const read = await readModelDirectory({ directory, file: null });
  const onnx = await OnnxModel.open({ ...read, packagesDir, modelFile: read.files.model });
  for (const tokens of [12, 32, 128, 256]) {
    const text = read.prompts.document + new Array(tokens - 2).fill('word').join(' ');
    let least = Number.POSITIVE_INFINITY;
    for (let run = 0; run < Number(values.runs); run++) {
      const calls = Math.ceil(240 / tokens);
      const since = process.cpuUsage();
      for (let i = 0; i < calls; i++) await onnx.embed(text);
      const { user, system } = process.cpuUsage(since);
      least = Math.min(least, (user + system) / 1_000 / calls);
    }
    console.log(`${read.name}: ${String(tokens).padStart(4)} tokens ${least.toFixed(2).padStart(8)} ms`);
  }
}

async function tellCorrelations(folder) {
  const lines = (await readFile(path.join(folder, 'stsb/stsb-en-dev.jsonl'), 'utf8')).trimEnd().split('\n');
  const pairs = lines.map((line) => JSON.parse(line));
  const table = await loadStaticTable(path.join(root, 'models/static-embeddings'));
  for (const [name, text] of [
    ['table', null],
    ['transformer', transformer],
  ]) {
    const embedder = new StaticEmbedder(table, text);
    const similarities = pairs.map(({ sentence1, sentence2 }) => {
      const other = embedder.embedQuery(sentence2, model.dims);
      return embedder.embedQuery(sentence1, model.dims).reduce((sum, x, i) => sum + x * other[i], 0);
    });
    const judged = pairs.map(({ score }) => score);
    console.log(`STS-B dev, ${name}: ${correlation(ranksOf(similarities), ranksOf(judged)).toFixed(4)}`);
  }
}

/** Equal numbers have the mean of their ranks. */
function ranksOf(numbers) {
  const order = numbers.map((_, i) => i).sort((a, b) => numbers[a] - numbers[b]);
  const ranks = [];
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to < order.length && numbers[order[to]] === numbers[order[from]]) to++;
    for (let i = from; i < to; i++) ranks[order[i]] = (from + to - 1) / 2;
    from = to;
  }
  return ranks;
}

function correlation(a, b) {
  const mean = (numbers) => numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  const sum = (f) => a.reduce((total, _, i) => total + f(a[i] - meanA, b[i] - meanB), 0);
  return sum((x, y) => x * y) / Math.sqrt(sum((x) => x * x) * sum((_, y) => y * y));
}
