import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EmbeddingText } from '#server/embeddings/embedder.ts';
import { readCorpus, readQueries } from '#server/testing/judged/read-beir.ts';
import { type IndexesWorld, openIndexesWorld } from '#server/testing/open-indexes.ts';
import { judgedQuery } from '#shared/judged-query.ts';
import type { Indexes, WritableCollection } from '../../indexes.ts';
import { meansOf } from '../list-figures.ts';

/**
 * How far a comparison of models among some documents lies from that among all. With `FIGURES=1` it is written out, for the transformer beside the table; it takes
 * some minutes, of which most are the transformer's.
 */
const path = `${process.env['DATASETS_DIR'] ?? ''}/cacm`;
const isAsked = Boolean(process.env['FIGURES']) && existsSync(`${path}/corpus.jsonl`);
const { signal } = new AbortController();
let world: IndexesWorld;
let indexes: Indexes;
let collection: WritableCollection;

beforeAll(async () => {
  if (!isAsked) return;
  world = await openIndexesWorld('bundled', { isStaticOnly: false });
  const known = new Map<string, Promise<Float32Array>>();
  const upgradeDocument = (text: EmbeddingText, ...shape: [number, boolean?]) => {
    const key = JSON.stringify([text, shape]);
    const vector = known.get(key) ?? world.embedder.upgradeDocument(text, ...shape);
    known.set(key, vector);
    return vector;
  };
  const embedder = { ...world.embedder, upgradeDocument };
  indexes = world.openIndexes({ embedder, upgradeDelayMs: 1e9, comparedEmbeddingMs: 3_600_000 });
  collection = await world.newCollection();
  async function* rows() {
    for (const [index, { _id, ...fields }] of readCorpus(path).entries())
      yield { index, text: JSON.stringify({ id: _id, ...fields }) };
  }
  for await (const { success } of indexes.import(collection, { action: 'create', rows: rows() }))
    if (!success) throw new Error('A document is not in');
}, 600_000);
afterAll(async () => {
  if (isAsked) await world.close();
});

test.skipIf(!isAsked)(
  'of few documents figures are higher than of all, and the change between models is told nearly as it is (needs FIGURES and DATASETS_DIR with cacm)',
  async () => {
    const all = readQueries(path).map(({ text, grades }) => ({ query: judgedQuery(text), grades }));
    for (const judged of [all, all.slice(0, 10)])
      for (const mode of ['vector', 'hybrid'] as const)
        for (const documentsMax of [5_000, 2_000, 1_000, 600, 200]) {
          const ids = new Set(judged.flatMap(({ grades }) => [...grades.keys()]));
          if (ids.size > documentsMax) continue;
          const change = { model: 'transformer', draft: {}, at: new Date(), mode, judged, documentsMax };
          const { compared, among } = await indexes.compareModel(collection, change, signal);
          const [before, after] = [
            meansOf(compared.map((each) => each.before)).ndcg,
            meansOf(compared.map((each) => each.after)).ndcg,
          ];
          expect(before).toBeGreaterThan(0);
          const figures = { queries: compared.length, mode, documents: among.documents, before, after };
          process.stdout.write(`${JSON.stringify({ ...figures, change: after - before })}\n`);
        }
  },
  3_600_000,
);
