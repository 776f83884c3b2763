/** The engine in process, as a collection with the API's defaults is searched: typos, prefix and highlights included. */

import { loadSources } from '../../scripts/load-sources.mjs';
import { linesOf } from '../corpora.mjs';

const sources = await loadSources(`
  export { SearchIndex } from './src/server/engine/search-index.ts';
  export { searchFor } from './src/server/engine/testing/fixtures.ts';
`);
const { SearchIndex } = sources;
export const { searchFor } = sources;
const batchSize = 500;
const index = SearchIndex.create({ dimension: 384, metric: 'cosine', fields: [] });

export async function load({ corpus }) {
  let puts = [];
  const apply = () => index.apply({ version: 1, puts, deletes: [] });
  for await (const document of linesOf(corpus)) {
    puts.push({
      id: document.id,
      source: JSON.stringify(document),
      vectors: new Float32Array(0),
      spans: new Int32Array(0),
    });
    if (puts.length < batchSize) continue;
    apply();
    puts = [];
  }
  apply();
  return index.stats().documentCount;
}

export const searched = (asked) => index.search(asked).hits.map(({ id }) => id);

export function ask(text) {
  return searched(searchFor({ text }));
}
