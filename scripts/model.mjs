/**
 * Makes a static table from the transformer and texts, as `models/static-embeddings` has one; the recipe is in docs/relevance.md.
 *
 *   npm run model -- --texts DIRECTORY [--texts DIRECTORY …] --out DIRECTORY [--count 60000] [--steps 1500] [--batch 2048] [--rate 0.005] [--seed 1] [--documents 30000] [--threads 1] [--model DIRECTORY] [--from DIRECTORY]
 *
 * A folder of texts has `corpus.jsonl` in BEIR's form or `texts.jsonl` (`title`, `text`, and perhaps `source`), gzipped or not. Queries are not read, documents that `qrels.tsv` names
 * are left out, and a folder of whose documents more than a twentieth are judged is refused. Take only texts whose terms allow it.
 * `--from`: nothing is trained, that table is taken as it is; so it gets a rotation alone.
 * `--model`: all-MiniLM-L6-v2 as a sentence-transformer with an ONNX file, which onnxruntime-node reads three to five times as fast as the built-in kernels do; its packages have to be installed
 * (`optional/onnx`). `--documents`: so many of each source are read into memory. The same options make the same bytes. The transformer's vectors are kept in `DIRECTORY-teacher`, so that
 * a run that was stopped goes on; delete it afterwards. What is done is told on stderr.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './freshness.mjs';
import { loadSources } from './load-sources.mjs';
import { teacherVectors } from './model-vectors.mjs';

const { values } = parseArgs({
  options: {
    texts: { type: 'string', multiple: true, default: [] },
    out: { type: 'string' },
    count: { type: 'string', default: '60000' },
    steps: { type: 'string', default: '1500' },
    batch: { type: 'string', default: '2048' },
    rate: { type: 'string', default: '0.005' },
    seed: { type: 'string', default: '1' },
    documents: { type: 'string', default: '30000' },
    threads: { type: 'string', default: '1' },
    model: { type: 'string' },
    from: { type: 'string' },
  },
});
if (!values.out) throw new Error('--out names the folder that the table is written to');
if (values.texts.length === 0) throw new Error('--texts names a folder of texts; there may be several');
const [count, steps, batch, seed, documentsMax, threads] = [
  'count',
  'steps',
  'batch',
  'seed',
  'documents',
  'threads',
].map((name) => above0(name, Number.isSafeInteger));
const rate = above0('rate', Number.isFinite);

const warmUpSteps = 100;
const toldSteps = 100;
/** What the rotation is computed from. */
const rotationTexts = 8_000;

const {
  sourceDocuments,
  trainingTexts,
  bagOf,
  countTokens,
  startTable,
  trainTable,
  meanCosine,
  roundRows,
  secondMoments,
  principalAxes,
  StaticEmbedder,
  loadStaticTable,
  loadTransformerModel,
  readModelDirectory,
  assertPackages,
  packagesDirOf,
} = await loadSources(`
  export { sourceDocuments } from './src/server/embeddings/training/source-documents.ts';
  export { trainingTexts } from './src/server/embeddings/training/training-texts.ts';
  export { bagOf, countTokens } from './src/server/embeddings/training/token-bag.ts';
  export { startTable } from './src/server/embeddings/training/start-table.ts';
  export { trainTable, meanCosine } from './src/server/embeddings/training/train-table.ts';
  export { roundRows } from './src/server/embeddings/training/round-rows.ts';
  export { secondMoments, principalAxes } from './src/server/embeddings/training/principal-axes.ts';
  export { StaticEmbedder } from './src/server/embeddings/static-embedder.ts';
  export { loadStaticTable } from './src/server/embeddings/static-table.ts';
  export { loadTransformerModel } from './src/server/embeddings/transformer/transformer-model.ts';
  export { readModelDirectory } from './src/server/embeddings/onnx/read-model-directory.ts';
  export { assertPackages, packagesDirOf } from './src/server/embeddings/onnx/optional-packages.ts';
`);

const out = path.resolve(values.out);
const vocabulary = await loadStaticTable(
  path.resolve(values.from ?? path.join(root, 'models/static-embeddings')),
);
const reader = new StaticEmbedder(vocabulary);
const sources = [];
for (const folder of values.texts) sources.push(...(await sourceDocuments(folder, { documentsMax, seed })));
const texts = trainingTexts(sources, { texts: count, seed });
say(`${texts.length} texts from ${sources.length} sources`);

const { dims } = vocabulary;
const { rows, scales } = values.from === undefined ? await trained() : vocabulary;
const table = { ...vocabulary, rows, scales };
await write({ ...table, rotation: rotationOf(new StaticEmbedder(table)) });
say(`written to ${out}`);

async function trained() {
  const model = await loadTransformerModel(path.join(root, 'models/minilm'), threads);
  const onnx = values.model === undefined ? null : await onnxModel(path.resolve(values.model));
  const { zeroRows } = vocabulary;
  const tokens = texts.map((text) => reader.tokenIds(text).slice(0, model.tokensMax - 2));
  const bags = tokens.map((ids) => bagOf(ids, zeroRows));
  const occurrences = countTokens(bags, vocabulary.scales.length);
  const everyToken = Array.from(vocabulary.scales, (_, id) => [id]);
  const vectors = await vectorsOf('tokens', everyToken, { model, onnx: null });
  const targets = await vectorsOf('texts', onnx ? texts : tokens, { model, onnx });
  const fitted = startTable({ vectors, dims, occurrences, zeroRows });
  fitTable(fitted, { bags, targets });
  return roundRows(fitted, dims);
}

function fitTable(fitted, { bags, targets }) {
  // Texts that training does not see tell how near their vectors come.
  const heldOut = Math.ceil(Math.min(1_000, bags.length / 10));
  const unseen = { bags: bags.slice(-heldOut), targets: targets.subarray(-heldOut * dims), dims };
  const seen = { bags: bags.slice(0, -heldOut), targets: targets.subarray(0, -heldOut * dims), dims };
  const nearness = () => `mean cosine ${meanCosine(fitted, unseen).toFixed(4)} on ${heldOut} texts left out`;
  say(`before training: ${nearness()}`);
  let step = 0;
  let sum = 0;
  for (const loss of trainTable(fitted, seen, { steps, batch, rate, warmUpSteps, seed })) {
    step += 1;
    sum += loss;
    if (step % toldSteps !== 0) continue;
    say(`step ${step} of ${steps}: mean cosine ${(1 - sum / toldSteps).toFixed(4)}`);
    sum = 0;
  }
  say(`after training: ${nearness()}`);
}

/** By the texts' vectors: what components of fewer dimensions are the first of. */
function rotationOf(embedder) {
  const some = texts.slice(0, rotationTexts);
  const vectors = new Float32Array(some.length * dims);
  for (const [i, text] of some.entries()) vectors.set(embedder.embedQuery(text, dims), i * dims);
  const { axes, energies } = principalAxes(secondMoments(vectors, dims), dims);
  for (const kept of [64, 128, 256]) {
    const energy = energies.subarray(0, kept).reduce((sum, each) => sum + each, 0);
    say(`the first ${kept} rotated components hold ${(100 * energy).toFixed(1)} % of the energy`);
  }
  return Float32Array.from(axes);
}

/** What a thread reads in the built-in transformer's place. */
async function onnxModel(directory) {
  const packagesDir = packagesDirOf(root);
  await assertPackages(packagesDir);
  const read = await readModelDirectory({ directory, file: null });
  return { ...read, packagesDir, modelFile: read.files.model };
}

/** Kept under a name that tells the teacher and the texts. */
async function vectorsOf(name, lists, { model, onnx }) {
  const teacher = onnx
    ? await readFile(onnx.modelFile)
    : await readFile(path.join(root, 'models/minilm/SHA256SUMS'));
  const hash = createHash('sha256').update(teacher).update(JSON.stringify(lists));
  const file = path.join(`${out}-teacher`, `${name}-${hash.digest('hex').slice(0, 16)}.f32`);
  const startedAt = performance.now();
  let before = null;
  let told = 0;
  return teacherVectors({
    model,
    onnx,
    texts: lists,
    file,
    tell(done) {
      before ??= done;
      const seconds = (performance.now() - startedAt) / 1_000;
      if (done < lists.length && seconds - told < 20) return;
      told = seconds;
      const pace = ((done - before) / Math.max(seconds, 0.001)).toFixed(0);
      say(`the transformer read ${done} of ${lists.length} ${name}, ${pace} a second`);
    },
  });
}

async function write(made) {
  const config = {
    format: 'vectora-static-1',
    rows: made.scales.length,
    dims,
    title_weight: made.titleWeight,
    max_tokens: made.tokensMax,
    zero_rows: made.zeroRows,
  };
  const embedder = new StaticEmbedder(made);
  const golden = JSON.parse(await readFile(path.join(root, 'models/static-embeddings/golden.json'), 'utf8'));
  const examples = golden.map(({ text }) => ({
    text,
    ids: embedder.tokenIds(text),
    first8: first8(embedder.embedQuery(text, dims)),
    // Of 64 components.
    rotated8: first8(embedder.embedQuery(text, 64, true)),
  }));
  const files = {
    'config.json': `${JSON.stringify(config, null, 1)}\n`,
    'golden.json': `${JSON.stringify(examples, null, 1)}\n`,
    'rotation.f32': new Uint8Array(made.rotation.buffer),
    'scales.f32': new Uint8Array(made.scales.buffer),
    'table.i8': new Uint8Array(made.rows.buffer),
    'tokens.txt': made.tokens,
  };
  await mkdir(out, { recursive: true });
  const sums = [];
  for (const [name, content] of Object.entries(files)) {
    await writeFile(path.join(out, name), content);
    sums.push(`${createHash('sha256').update(content).digest('hex')}  ${name}\n`);
  }
  await writeFile(path.join(out, 'SHA256SUMS'), sums.join(''));
}

function above0(name, fits) {
  const value = Number(values[name]);
  if (fits(value) && value > 0) return value;
  throw new Error(`--${name} is a ${name === 'rate' ? '' : 'whole '}number above 0, and not ${values[name]}`);
}

function first8(vector) {
  return [...vector.subarray(0, 8)].map((x) => Number(x.toFixed(6)));
}

function say(what) {
  process.stderr.write(`${what}\n`);
}
