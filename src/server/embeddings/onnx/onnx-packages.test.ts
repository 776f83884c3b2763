import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { type ModelFilesGiven, makeModelDirectory } from '#server/testing/model-directory.ts';
import { tinyOnnx } from '#server/testing/tiny-onnx.ts';
import { StaticEmbedder } from '../static-embedder.ts';
import { loadStaticTable } from '../static-table.ts';
import { createKernels } from '../transformer/kernels.ts';
import { Transformer } from '../transformer/transformer.ts';
import { loadTransformerModel } from '../transformer/transformer-model.ts';
import { OnnxService } from './onnx-service.ts';
import { assertPackages, packagesDirOf } from './optional-packages.ts';
import { readModelDirectory } from './read-model-directory.ts';

/** The real packages, where an operator has installed them (`npm ci --ignore-scripts --prefix optional/onnx`). */
const packagesDir = packagesDirOf(path.resolve('.'));
const isInstalled = existsSync(path.join(packagesDir, 'node_modules'));

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const words = ['[PAD]', '[CLS]', '[SEP]', '[UNK]', 'the', 'sea', 'is', 'cold', 'find'];
const table = words.map((_, id) => [id, 10 - id, (id * 7) % 5, 1]);
const special = (id: string) => ({ SpecialToken: { id, type_id: 0 } });
const files: ModelFilesGiven = {
  'onnx/model.onnx': tinyOnnx(table),
  'tokenizer.json': {
    version: '1.0',
    added_tokens: words.slice(0, 4).map((content, id) => ({ id, content, special: true, normalized: false })),
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [special('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, special('[SEP]')],
      pair: [],
      special_tokens: Object.fromEntries(
        words.slice(1, 3).map((id, i) => [id, { id, ids: [i + 1], tokens: [id] }]),
      ),
    },
    decoder: null,
    model: {
      type: 'WordPiece',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab: Object.fromEntries(words.map((word, id) => [word, id])),
      unk_token: '[UNK]',
    },
  },
};

async function open(given: ModelFilesGiven = {}): Promise<OnnxService> {
  const { directory, remove } = await makeModelDirectory({ ...files, ...given });
  closers.push(remove);
  return await openIn(directory);
}

async function openIn(directory: string): Promise<OnnxService> {
  const model = await readModelDirectory({ directory, file: null });
  const service = await OnnxService.open({
    model,
    packagesDir,
    log: createLog('silent'),
    queryWaitMs: 180_000,
  });
  closers.push(() => service.stop());
  return service;
}

const pools = {
  mean: (rows: number[]) => rows.reduce((sum, x) => sum + x, 0) / rows.length,
  cls: (rows: number[]) => rows[0] ?? 0,
  max: (rows: number[]) => Math.max(...rows),
  lasttoken: (rows: number[]) => rows.at(-1) ?? 0,
};

/** What the table's rows come to. */
function expected(tokens: string[], pooling: keyof typeof pools): number[] {
  const rows = ['[CLS]', ...tokens, '[SEP]'].map((word) => table[words.indexOf(word)] ?? []);
  const pooled = [0, 1, 2, 3].map((i) => pools[pooling](rows.map((row) => row[i] ?? 0)));
  return pooled.map((x) => x / Math.hypot(...pooled));
}

const task = (...texts: string[]) => ({
  texts: texts.map((text) => ({ title: '', text })),
  dimension: 4,
  for: { tenant: 't', caller: 'c' },
});

test.skipIf(!isInstalled).each(['mean', 'cls', 'max', 'lasttoken'] as const)(
  'the real runtime and tokenizer embed as the directory says, pooled by %s',
  async (pooling) => {
    await expect(assertPackages(packagesDir)).resolves.toBeUndefined();
    const service = await open({
      '1_Pooling/config.json': { word_embedding_dimension: 4, pooling_mode: pooling },
      'config_sentence_transformers.json': { prompts: { query: 'find ', document: '' } },
      'sentence_bert_config.json': { max_seq_length: 5 },
    });
    const vectors = await service.embedDocuments(task('The SEA', 'the sea is cold', 'unheard'));
    const all = [
      ...expected(['the', 'sea'], pooling),
      ...expected(['the', 'sea', 'is'], pooling),
      ...expected(['[UNK]'], pooling),
    ];
    expect(vectors).toHaveLength(all.length);
    for (const [i, x] of all.entries()) expect(vectors[i]).toBeCloseTo(x, 5);
    const query = await service.embedQuery('cold', 4);
    for (const [i, x] of expected(['find', 'cold'], pooling).entries()) expect(query[i]).toBeCloseTo(x, 5);
  },
);

test.skipIf(!isInstalled)(
  'a file that is no model stops the start with what the real runtime says',
  async () => {
    await expect(open({ 'onnx/model.onnx': 'no model' })).rejects.toThrow(/model\.onnx cannot be run: .+/);
  },
);

interface Golden {
  text: string;
  first8: number[];
}

const cosine = (a: Float32Array, b: Float32Array) => {
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, each, i) => sum + each * (y[i] ?? 0), 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
};

/** A directory with all-MiniLM-L6-v2, of which the built-in transformer was made. */
const minilm = process.env['MINILM_DIR'];
test.skipIf(!isInstalled || !minilm)(
  'all-MiniLM-L6-v2 in MINILM_DIR comes to its reference, and to what our own kernels make of it',
  async () => {
    const service = await openIn(path.resolve(minilm ?? ''));
    const built = await loadTransformerModel('models/minilm', 1);
    const [scratch] = built.scratches;
    if (!scratch) throw new Error('there is room for one');
    const transformer = new Transformer(createKernels(built.memory), built, scratch);
    const own = new StaticEmbedder(await loadStaticTable('models/static-embeddings'), transformer);
    const golden: Golden[] = JSON.parse(await readFile('models/minilm/golden.json', 'utf8'));
    expect(golden.length).toBeGreaterThanOrEqual(3);
    for (const { text, first8 } of golden) {
      const vector = await service.embedQuery(text, 384);
      expect(cosine(vector.subarray(0, 8), Float32Array.from(first8))).toBeGreaterThan(0.99);
      expect(cosine(vector, own.embedQuery(text, 384))).toBeGreaterThan(0.99);
    }
  },
);
