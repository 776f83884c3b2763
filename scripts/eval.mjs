/**
 * How relevant searches are, on judged sets in BEIR's form and on those that are made of a collection's fields: through the engine, without a server.
 *
 *   npm run eval -- $DATASETS_DIR/cranfield $DATASETS_DIR/wiki-movies products [--mode hybrid] [--tier all] [--dimension 384] [--cut] [--match any] [--ranking k1:1.2,b:0.75] [--bands] [--json]
 *   npm run eval -- $DATASETS_DIR/arxiv-100k [--documents 20000] [--made]
 *   npm run eval -- natural fresh [--tier queries]
 *   npm run eval -- unknown [--dimension 768]
 *
 * A folder has `corpus.jsonl` (or `.gz`), and `queries.jsonl` with `qrels.tsv`, or is one of `wiki-movies` and `artworks`, whose queries are made. `arxiv-100k` comes with
 * titles, each to be found by the text of its paper; `--made`: the rarest words of titles, in title and text. `--documents`: so many, evenly from all, and the queries that these answer.
 * `unknown` is no folder: texts of which the built-in models know little, in six languages, each read as such, and codes. Nor is `products`, nor are `natural` and `fresh`: what people ask of the three samples, in each mode (`src/server/testing/judged/natural/README.md`, `fresh/README.md`). `--tier` says what the transformer reads: nothing (`static`), queries alone (`queries`), or documents too (`all`), which takes minutes.
 * `--cut`: vectors of fewer than 384 components as collections have them that were made before these were rotated.
 * `--table DIRECTORY`: another static table, as `npm run model` makes one.
 * `--model DIRECTORY` has a sentence-transformer read all, as `EMBEDDINGS=onnx` does (`--model-file` as EMBEDDINGS_MODEL_FILE); its packages have to be installed.
 * The sets and their seeds are in `src/server/testing/judged/`. nDCG@10, recall@100, MRR@10, a relevant hit first and among ten (success@10), the median of `found`,
 * and the mean nDCG@10 of several sets.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './freshness.mjs';
import { loadSources } from './load-sources.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    mode: { type: 'string', default: 'keyword' },
    tier: { type: 'string', default: 'static' },
    table: { type: 'string', default: 'models/static-embeddings' },
    model: { type: 'string' },
    'model-file': { type: 'string' },
    dimension: { type: 'string' },
    cut: { type: 'boolean', default: false },
    documents: { type: 'string' },
    made: { type: 'boolean', default: false },
    match: { type: 'string', default: 'auto' },
    typos: { type: 'string', default: '2' },
    ranking: { type: 'string', default: '' },
    bands: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
if (positionals.length === 0)
  throw new Error('Name folders in BEIR’s form, "products", "natural" or "fresh"');

const {
  judgedCollection,
  documentsOf,
  measureSet,
  byLength,
  naturalCollections,
  measureNatural,
  unknownTexts,
  analyzerOf,
  SearchIndex,
  english,
  queryWords,
  embeddableOf,
  runSteps,
  toRanking,
  StaticEmbedder,
  loadStaticTable,
  Transformer,
  createKernels,
  loadTransformerModel,
  readableShare,
  weighedByReading,
  OnnxModel,
  readModelDirectory,
  assertPackages,
  packagesDirOf,
  wordsOf,
} = await loadSources(`
  export { judgedCollection, documentsOf } from './src/server/testing/judged/judged-sets.ts';
  export { measureSet, byLength } from './src/server/testing/judged/measure-set.ts';
  export { naturalCollections } from './src/server/testing/judged/natural-sets.ts';
  export { measureNatural } from './src/server/testing/judged/measure-natural.ts';
  export { unknownTexts } from './src/server/testing/judged/unknown-texts.ts';
  export { analyzerOf } from './src/server/indexes/language/analyzer-of.ts';
  export { SearchIndex, english, queryWords } from './src/server/engine/search-index.ts';
  export { embeddableOf } from './src/server/indexes/passages/embeddable.ts';
  export { runSteps } from './src/server/engine/steps.ts';
  export { toRanking } from './src/server/indexes/search/to-ranking.ts';
  export { StaticEmbedder } from './src/server/embeddings/static-embedder.ts';
  export { loadStaticTable } from './src/server/embeddings/static-table.ts';
  export { Transformer } from './src/server/embeddings/transformer/transformer.ts';
  export { createKernels } from './src/server/embeddings/transformer/kernels.ts';
  export { loadTransformerModel } from './src/server/embeddings/transformer/transformer-model.ts';
  export { readableShare } from './src/server/embeddings/readable-share.ts';
  export { weighedByReading } from './src/server/embeddings/weighed-by-reading.ts';
  export { OnnxModel } from './src/server/embeddings/onnx/onnx-model.ts';
  export { readModelDirectory } from './src/server/embeddings/onnx/read-model-directory.ts';
  export { assertPackages, packagesDirOf } from './src/server/embeddings/onnx/optional-packages.ts';
  export { wordsOf } from './src/server/embeddings/embedded-words.ts';
`);

const batchDocuments = 1_000;
const naturalLists = ['natural', 'fresh'];
const isByMeaning = values.mode !== 'keyword' || naturalLists.some((list) => positionals.includes(list));
const tiers = ['static', 'queries', 'all'];
if (!tiers.includes(values.tier)) throw new Error(`--tier is one of ${tiers.join(', ')}`);
const [dimensionGiven, documentsMax] = ['dimension', 'documents'].map(countGiven);
if (dimensionGiven !== undefined && values.model !== undefined)
  throw new Error('A sentence-transformer has a dimension of its own: leave out --dimension');
const embedder = isByMeaning ? await (values.model === undefined ? builtIn() : sentenceTransformer()) : null;
const dimension = embedder?.dimension ?? 2;
/** By their texts: an index is searched without a wait. */
const queryVectors = new Map();
const ranking = toRanking(
  Object.fromEntries(
    values.ranking
      .split(',')
      .filter(Boolean)
      .map((each) => each.split(':'))
      .map(([name, value]) => [name, Number(value)]),
  ),
);

const totals = {};
/** By sample. */
const sampleIndexes = new Map();
/** nDCG@10 of each set. */
const gains = [];
for (const folder of positionals) {
  if (naturalLists.includes(folder))
    for (const collection of naturalCollections(root, folder)) {
      await readQueries(collection);
      reportNatural(await sampleIndex(collection), collection);
    }
  else if (folder === 'unknown') for (const collection of unknownTexts()) await reportJudged(collection);
  else await reportJudged(judgedCollection(folder, { isMade: values.made, documentsMax }));
}
if (gains.length > 1) tellMean();
for (const [mode, figures] of Object.entries(totals))
  tellNatural(`${naturalLists.filter((list) => positionals.includes(list)).join(', ')}: all`, mode, figures);

async function reportJudged(collection) {
  const index = await indexOf(collection);
  await readQueries(collection);
  for (const set of collection.sets) {
    gains.push(report(index, set));
    if (values.bands) for (const part of byLength(set)) report(index, part);
  }
}

/** The lists are of the same documents, which take long to be read by the transformer. */
async function sampleIndex(collection) {
  const sample = collection.name.split(': ')[1];
  if (!sampleIndexes.has(sample)) sampleIndexes.set(sample, await indexOf(collection));
  return sampleIndexes.get(sample);
}

async function indexOf(collection) {
  const analyzer = analyzerOf(collection.language ?? null);
  const index = SearchIndex.create({ dimension, metric: 'cosine', fields: [], analyzer });
  const documents = [];
  for (const document of documentsOf(collection)) documents.push(await withVector(document));
  for (let from = 0; from < documents.length; from += batchDocuments)
    index.apply({
      version: from + 1,
      puts: documents.slice(from, from + batchDocuments),
      deletes: [],
    });
  return index;
}

/** A whole number above 0; undefined: it is not given. */
function countGiven(option) {
  const given = values[option];
  if (given === undefined) return undefined;
  if (!/^[1-9]\d{0,6}$/.test(given))
    throw new Error(`--${option} is a whole number above 0, and not ${given}`);
  return Number(given);
}

async function builtIn() {
  const { ofDocuments, ofQueries } = await tierOf(values.tier);
  const dimension = dimensionGiven ?? 384;
  return {
    dimension,
    embedDocument(passage) {
      const vector = new Float32Array(dimension);
      ofDocuments.embedDocument(passage, vector, !values.cut);
      return vector;
    },
    embedQuery: (text) => ofQueries.embedQuery(text, dimension, !values.cut),
    trustOf: readableShare,
    knowsWord: (word) => ofQueries.knowsWord(word),
  };
}

async function tierOf(tier) {
  const table = await loadStaticTable(path.resolve(root, values.table));
  const plain = new StaticEmbedder(table);
  if (tier === 'static') return { ofDocuments: plain, ofQueries: plain };
  const model = await loadTransformerModel(path.join(root, 'models/minilm'), 1);
  const transformer = new Transformer(createKernels(model.memory), model, model.scratches[0]);
  const better = new StaticEmbedder(table, transformer);
  return { ofDocuments: tier === 'all' ? better : plain, ofQueries: better };
}

async function sentenceTransformer() {
  const packagesDir = packagesDirOf(root);
  await assertPackages(packagesDir);
  const file = values['model-file'] ?? null;
  const read = await readModelDirectory({ directory: path.resolve(values.model), file });
  const model = await OnnxModel.open({ ...read, packagesDir, modelFile: read.files.model });
  const { length } = await model.embed('a');
  const vectorOf = async (text) => {
    const vector = await model.embed(text);
    return vector.length === 0 ? new Float32Array(length) : vector;
  };
  return {
    dimension: length,
    embedDocument: (passage) => vectorOf(read.prompts.document + wordsOf(passage)),
    embedQuery: (text) => vectorOf(read.prompts.query + text),
    trustOf: () => 1,
    knowsWord: () => false,
  };
}

/** As a server embeds it. */
async function withVector(document) {
  if (embedder === null) return document;
  const embeddable = runSteps(embeddableOf({ metadata: null }, JSON.parse(document.source)));
  if (embeddable === null) return document;
  const { passages, spans } = embeddable;
  const vectors = new Float32Array(passages.length * dimension);
  for (const [i, passage] of passages.entries())
    vectors.set(await embedder.embedDocument(passage), i * dimension);
  return { ...document, vectors, spans };
}

/** A query that says nothing that the model knows has no vector. */
async function readQueries({ sets, unanswered = [] }) {
  if (embedder === null) return;
  const asked = sets.flatMap(({ queries }) => queries.map(({ text }) => text));
  for (const text of [...asked, ...unanswered]) {
    const vector = await embedder.embedQuery(text);
    if (vector.some((component) => component !== 0)) queryVectors.set(text, vector);
  }
}

function settingsFor(mode, text) {
  return {
    mode,
    match: values.match,
    typosMax: Number(values.typos),
    vector: mode === 'keyword' ? null : vectorOf(mode, text),
    vectorTrust: embedder?.trustOf(text) ?? null,
    k: mode === 'hybrid' ? 100 : 10,
    ranking,
  };
}

/** As a server makes it. */
function vectorOf(mode, text) {
  const vector = queryVectors.get(text) ?? null;
  if (vector === null || mode !== 'vector') return vector;
  return weighedByReading(vector, { own: 384, readable: embedder.trustOf(text) });
}

/** In each mode; what fits is what a server tells of each hit. */
function reportNatural(index, collection) {
  for (const mode of ['keyword', 'vector', 'hybrid']) {
    const asked = {
      settings: (text) => ({ ...settingsFor(mode, text), fit: fitOf(text) }),
      fits: ({ hits }) => hits.some(({ fits }) => fits === true),
    };
    const told = (query, ids) =>
      values.json && console.log(JSON.stringify({ set: collection.name, mode, query, ids }));
    const figures = measureNatural(index, collection, asked, told);
    tellNatural(collection.name, mode, figures);
    const { ndcg, ...counts } = figures;
    totals[mode] ??= { ndcg: 0, queries: 0 };
    const total = totals[mode];
    total.ndcg = (total.ndcg * total.queries + ndcg * counts.queries) / (total.queries + counts.queries);
    for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count;
  }
}

/** As a server asks for it. */
function fitOf(text) {
  const knownWords = queryWords(text, english.words).filter((word) => embedder.knowsWord(word));
  return { scale: values.model === undefined ? 'own' : 'other', knownWords };
}

function tellNatural(set, mode, figures) {
  if (values.json) return console.log(JSON.stringify({ set, mode, ...figures }));
  const { queries, good, ndcg, unanswered, told, wronglyTold } = figures;
  const precision = told + wronglyTold === 0 ? 1 : told / (told + wronglyTold);
  console.log(
    `${set.padEnd(20)} ${mode.padEnd(8)} good top three ${good} of ${queries}  ndcg ${ndcg.toFixed(4)}  ` +
      `nothing fits: precision ${precision.toFixed(3)} recall ${(told / unanswered).toFixed(3)}`,
  );
}

function report(index, set) {
  const figures = measureSet(index, set, ({ text }) => settingsFor(values.mode, text));
  const { queries, found, ...shares } = figures;
  const told = Object.entries(shares).map(([name, value]) => `${name} ${value.toFixed(4)}`);
  if (values.json) console.log(JSON.stringify({ set: set.name, ...figures }));
  else console.log(`${set.name.padEnd(32)} ${told.join('  ')}  found ${found}  queries ${queries}`);
  return figures.ndcg;
}

function tellMean() {
  const set = `mean of ${gains.length} sets`;
  const ndcg = gains.reduce((sum, each) => sum + each, 0) / gains.length;
  console.log(values.json ? JSON.stringify({ set, ndcg }) : `${set.padEnd(32)} ndcg ${ndcg.toFixed(4)}`);
}
