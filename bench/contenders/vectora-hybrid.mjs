/** The engine in process with words and vectors, as a collection with the API's defaults is searched. */
import { readFile } from 'node:fs/promises';
import { loadSources } from '../../scripts/load-sources.mjs';
import { linesOf } from '../corpora.mjs';
import { readRows } from './rows.mjs';

const { SearchIndex, searchFor } = await loadSources(`
  export { SearchIndex } from './src/server/engine/search-index.ts';
  export { searchFor } from './src/server/engine/testing/fixtures.ts';
`);
const batchSize = 500;
let index;
let texts;
let asked;

export async function load({ folder, dimension }) {
  texts = JSON.parse(await readFile(`${folder}/questions.json`, 'utf8'));
  asked = await readRows(`${folder}/questions.f32`, dimension);
  const rows = await readRows(`${folder}/rows.f32`, dimension);
  index = SearchIndex.create({ dimension, metric: 'cosine', fields: [] });
  let puts = [];
  let at = 0;
  const apply = () => index.apply({ version: 1, puts, deletes: [] });
  for await (const document of linesOf(`${folder}/papers.ndjson`)) {
    const source = JSON.stringify(document);
    puts.push({ id: document.id, source, vectors: rows.row(at), spans: Int32Array.of(-1, 0, 0) });
    at += 1;
    if (puts.length < batchSize) continue;
    apply();
    puts = [];
  }
  apply();
  return index.stats().documentCount;
}

export function ask(number, mode) {
  const text = mode === 'vector' ? {} : { text: texts[number] };
  const vector = mode === 'keyword' ? {} : { vector: asked.row(number) };
  return index.search(searchFor({ mode, ...text, ...vector })).hits.map(({ id }) => id);
}
