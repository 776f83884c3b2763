import { beforeAll, expect, test } from 'vitest';
import { StaticEmbedder } from '#server/embeddings/static-embedder.ts';
import { loadStaticTable } from '#server/embeddings/static-table.ts';
import { SearchIndex } from '#server/engine/search-index.ts';
import { runSteps } from '#server/engine/steps.ts';
import type { IndexedDocument } from '#server/engine/types.ts';
import { toDocument } from '#server/testing/judged/judged-set.ts';
import { languageSets } from '#server/testing/judged/languages/language-set.ts';
import { languages } from '#server/testing/judged/unknown-texts.ts';
import { testRequester } from '#server/testing/open-indexes.ts';
import { analyzerOf } from '../language/analyzer-of.ts';
import { embeddableOf } from '../passages/embeddable.ts';
import { figuresOf } from '../relevance/list-figures.ts';
import { applyRules } from '../rules/apply-rules.ts';
import { noRules } from '../rules/rules.ts';
import { toSearchQuery } from './query.ts';

/** Searches by meaning alone in languages that the built-in model does not read, in a collection whose vectors have n-grams of words, too. */
const dimension = 768;
const collection = { id: 1, for: testRequester, dimension, metric: 'cosine' as const, rulesVersion: 0 };
let embedder: StaticEmbedder;
beforeAll(async () => {
  embedder = new StaticEmbedder(await loadStaticTable('models/static-embeddings'));
});

/** nDCG@10 of questions, as docs/relevance.md tells it, less a little; where the model's own components counted in full it was .433, .641, .774 and .631. */
test.each([
  ['ar', 0.63],
  ['hi', 0.73],
  ['ru', 0.77],
  ['zh', 0.82],
] as const)('questions in %s come to %d by the letters of their words', async (code, least) => {
  const { rows, sets } = languageSets(code, languages[code]);
  const index = SearchIndex.create({ dimension, metric: 'cosine', fields: [], analyzer: analyzerOf(code) });
  index.apply({ version: 1, puts: rows.map(toDocument).map(withVectors), deletes: [] });
  const [questions] = sets;
  let ndcg = 0;
  for (const { text, grades } of questions?.queries ?? []) {
    const { query, ids } = await found(index, text);
    // Their similarities are not those that the constants of what fits were chosen on.
    expect(query.fit?.isOwnScale).toBe(false);
    ndcg += figuresOf(ids, grades).ndcg / rows.length;
  }
  expect(ndcg).toBeGreaterThanOrEqual(least);
});

test('a text that is read keeps its vector', async () => {
  const index = SearchIndex.create({ dimension, metric: 'cosine', fields: [] });
  const { query } = await found(index, 'space travel');
  expect(query.vector).toEqual(embedder.embedQuery('space travel', dimension));
  expect(query.fit?.isOwnScale).toBe(true);
});

function withVectors(document: IndexedDocument): IndexedDocument {
  const made = runSteps(embeddableOf({ ...collection, metadata: null }, JSON.parse(document.source)));
  const [passage] = made?.passages ?? [];
  if (!made || !passage) return document;
  const vectors = new Float32Array(dimension);
  embedder.embedDocument(passage, vectors);
  return { ...document, vectors, spans: made.spans };
}

async function found(index: SearchIndex, text: string) {
  const applied = applyRules(noRules, { mode: 'vector', given: { query: text }, now: new Date(0) });
  const parts = {
    collection,
    embedder: { embedQuery: async (words: string) => embedder.embedQuery(words, dimension) },
    tierOf: () => 'static' as const,
  };
  const { query } = await toSearchQuery(parts, 'vector', applied);
  return { query, ids: index.search(query).hits.map(({ id }) => id) };
}
