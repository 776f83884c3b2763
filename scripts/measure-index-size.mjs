/**
 * What an index takes, beside the bytes of its documents, of its file and of itself when it is opened from that: the figures that
 * `src/server/indexes/registry/index-size.ts` reserves memory by, before anything is read.
 *
 *   node scripts/measure-index-size.mjs [--documents 5000]
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { root } from './freshness.mjs';
import { loadSources } from './load-sources.mjs';

const { values } = parseArgs({ options: { documents: { type: 'string', default: '5000' } } });
const count = Number(values.documents);
const { SearchIndex, encodeSnapshot, decodeWhole, runSteps } = await loadSources(`
  export { SearchIndex } from './src/server/engine/search-index.ts';
  export { encodeSnapshot, decodeWhole } from './src/server/engine/snapshot.ts';
  export { runSteps } from './src/server/engine/steps.ts';
`);

const word = (i) => `w${((i * 2_654_435_761) >>> 0).toString(36)}`;
const words = (from, length) => Array.from({ length }, (_, i) => word(from + i)).join(' ');
const made = (fields) => Array.from({ length: count }, (_, i) => ({ id: `d${i}`, ...fields(i) }));
const kinds = {
  films: { dimension: 384, documents: (await sample('films')).slice(0, count) },
  artworks: { dimension: 768, documents: (await sample('artworks')).slice(0, count) },
  'ids alone': { dimension: 0, documents: made(() => ({})) },
  'vectors alone': { dimension: 1536, documents: made(() => ({})) },
  'a number each': { dimension: 0, documents: made((i) => ({ n: i })) },
  'words that repeat': { dimension: 0, documents: made((i) => ({ text: words(i % 50, 200) })) },
  'words that never repeat': { dimension: 0, documents: made((i) => ({ text: words(i * 40, 40) })) },
  'forty fields': {
    dimension: 0,
    documents: made((i) => Object.fromEntries(Array.from({ length: 40 }, (_, f) => [`f${f}`, word(i + f)]))),
  },
};

console.log('documents, and bytes for each: source, vector, index, file, index from the file');
for (const [name, { dimension, documents }] of Object.entries(kinds)) {
  const settings = { dimension: Math.max(1, dimension), metric: 'cosine', fields: [] };
  const index = SearchIndex.create(settings);
  let sourceBytes = 0;
  for (let from = 0; from < documents.length; from += 500) {
    const puts = documents.slice(from, from + 500).map((document) => {
      const source = JSON.stringify(document);
      sourceBytes += Buffer.byteLength(source);
      const vectors = Float32Array.from({ length: dimension }, (_, i) => Math.sin(i + from));
      return { id: document.id, source, vectors, spans: Int32Array.of(-1, 0, 0) };
    });
    index.apply({ version: 1, puts, deletes: [] });
  }
  const file = runSteps(encodeSnapshot(index));
  const fileBytes = [...file.values()].reduce((sum, { length }) => sum + length, 0);
  const opened = runSteps(decodeWhole(file, settings));
  const bytes = [sourceBytes, dimension * 4 * documents.length, index.stats().memoryBytes, fileBytes];
  const all = [...bytes, opened.index.stats().memoryBytes];
  const each = all.map((sum) => Math.round(sum / documents.length));
  const [source, vectors, live, onDisk, again] = all;
  console.log(
    `${name.padEnd(24)} ${documents.length}: ${each.join(', ')}; from the file / file ${(again / onDisk).toFixed(2)}, ` +
      `(index − vector) / source ${((live - vectors) / source).toFixed(2)}`,
  );
}

async function sample(name) {
  const text = gunzipSync(await readFile(path.join(root, 'samples', `${name}.ndjson.gz`))).toString();
  return text
    .trim()
    .split('\n')
    .map((line, i) => ({ ...JSON.parse(line), id: `d${i}` }));
}
