/** The engine in process: a vector search of a collection without texts, its answer whole. */
import { loadSources } from '../../scripts/load-sources.mjs';
import { readRows } from './rows.mjs';

const { SearchIndex, searchFor } = await loadSources(`
  export { SearchIndex } from './src/server/engine/search-index.ts';
  export { searchFor } from './src/server/engine/testing/fixtures.ts';
`);
const batchSize = 1000;
let index;
let asked;

export async function load({ rows: file, asked: questions, dimension }) {
  const rows = await readRows(file, dimension);
  asked = await readRows(questions, dimension);
  index = SearchIndex.create({ dimension, metric: 'cosine', fields: [] });
  for (let from = 0; from < rows.count; from += batchSize) {
    const puts = [];
    for (let i = from; i < Math.min(from + batchSize, rows.count); i += 1)
      puts.push({
        id: String(i),
        source: `{"id":"${i}"}`,
        vectors: rows.row(i),
        spans: Int32Array.of(-1, 0, 0),
      });
    index.apply({ version: 1, puts, deletes: [] });
  }
  return index.stats().vectorCount;
}

export function ask(number) {
  return index.search(searchFor({ mode: 'vector', vector: asked.row(number) })).hits.map(({ id }) => id);
}
