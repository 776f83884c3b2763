/**
 * Two queries in a viewer's own words, and where the first film stands whose text is about a submarine, or chess: by words, by meaning and by both, with queries by the table and by
 * the transformer.
 *
 *   node scripts/measure-films.mjs                               # the sample of films
 *   node scripts/measure-films.mjs $DATASETS_DIR/wiki-movies     # all of them, half a minute of a processor
 */
import path from 'node:path';
import { root } from './freshness.mjs';
import { loadSources } from './load-sources.mjs';

const m = await loadSources(`
  export { judgedCollection, documentsOf } from './src/server/testing/judged/judged-sets.ts';
  export { naturalCollections } from './src/server/testing/judged/natural-sets.ts';
  export { SearchIndex } from './src/server/engine/search-index.ts';
  export { searchFor } from './src/server/engine/testing/fixtures.ts';
  export { embeddableOf } from './src/server/indexes/passages/embeddable.ts';
  export { runSteps } from './src/server/engine/steps.ts';
  export { toRanking } from './src/server/indexes/search/to-ranking.ts';
  export { StaticEmbedder } from './src/server/embeddings/static-embedder.ts';
  export { loadStaticTable } from './src/server/embeddings/static-table.ts';
  export { Transformer } from './src/server/embeddings/transformer/transformer.ts';
  export { createKernels } from './src/server/embeddings/transformer/kernels.ts';
  export { loadTransformerModel } from './src/server/embeddings/transformer/transformer-model.ts';
  export { readableShare } from './src/server/embeddings/readable-share.ts';
`);

const dimension = 384;
const hitsMax = 100;
/** What a film's text says where it fits. */
const queries = [
  { text: 'a submarine crew trapped under ice', isFitting: (film) => /\bsubmarine/i.test(film) },
  { text: 'film about a chess genius who goes mad', isFitting: (film) => /\bchess\b/i.test(film) },
];

const table = await m.loadStaticTable(path.join(root, 'models/static-embeddings'));
const byTable = new m.StaticEmbedder(table);
const model = await m.loadTransformerModel(path.join(root, 'models/minilm'), 1);
const transformer = new m.Transformer(m.createKernels(model.memory), model, model.scratches[0]);
const tiers = { table: byTable, transformer: new m.StaticEmbedder(table, transformer) };

const [folder] = process.argv.slice(2);
const collection = folder
  ? m.judgedCollection(folder)
  : m.naturalCollections(root).find(({ name }) => name === 'natural: films');
const index = m.SearchIndex.create({ dimension, metric: 'cosine', fields: [] });
const texts = new Map();
const puts = [];
for (const document of m.documentsOf(collection)) {
  texts.set(document.id, document.source);
  puts.push(withVectors(document));
}
index.apply({ version: 1, puts, deletes: [] });

for (const { text, isFitting } of queries) {
  const fitting = [...texts.values()].filter(isFitting).length;
  console.log(`${text} (${fitting} of ${texts.size} films say so)`);
  for (const mode of ['keyword', 'vector', 'hybrid'])
    for (const [tier, embedder] of Object.entries(tiers)) {
      if (mode === 'keyword' && tier === 'transformer') continue;
      const ids = idsOf(mode, text, embedder);
      const place = ids.findIndex((id) => isFitting(texts.get(id))) + 1;
      const first = place === 0 ? `none among ${hitsMax}` : `${place}: ${ids[place - 1]}`;
      console.log(
        `  ${mode.padEnd(8)} ${mode === 'keyword' ? '' : `query by the ${tier}, `}first that fits at ${first}`,
      );
    }
}

function idsOf(mode, text, embedder) {
  const asked = {
    mode,
    text,
    limit: hitsMax,
    vector: mode === 'keyword' ? null : embedder.embedQuery(text, dimension),
    vectorTrust: m.readableShare(text),
    k: hitsMax,
    ranking: m.toRanking(),
    highlightFields: [],
  };
  return index.search(m.searchFor(asked)).hits.map(({ id }) => id);
}

function withVectors(document) {
  const made = m.runSteps(m.embeddableOf({ metadata: null }, JSON.parse(document.source)));
  if (made === null) return document;
  const vectors = new Float32Array(made.passages.length * dimension);
  for (const [i, passage] of made.passages.entries())
    byTable.embedDocument(passage, vectors.subarray(i * dimension, (i + 1) * dimension));
  return { ...document, vectors, spans: made.spans };
}
