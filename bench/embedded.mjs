/** Papers and questions as the product embeds them with its built-in table, as files of singles for the contenders. */
import { writeFile } from 'node:fs/promises';
import { loadSources } from '../scripts/load-sources.mjs';
import { papers } from './corpora.mjs';
import { seeded } from './figures.mjs';

export const dimension = 384;

const { StaticEmbedder, loadStaticTable } = await loadSources(`
  export { StaticEmbedder } from './src/server/embeddings/static-embedder.ts';
  export { loadStaticTable } from './src/server/embeddings/static-table.ts';
`);
const table = new URL('../models/static-embeddings', import.meta.url).pathname;
const embedder = new StaticEmbedder(await loadStaticTable(table));

/** Beyond the papers there are, the same with a little noise. */
export async function embedPapers(file, documents) {
  const all = new Float32Array(documents * dimension);
  let real = 0;
  for await (const { title, text } of papers(Math.min(documents, 100_000))) {
    embedder.embedDocument({ title, text }, all.subarray(real * dimension, (real + 1) * dimension));
    real += 1;
  }
  const random = seeded(17);
  for (let at = real * dimension; at < all.length; at += 1)
    all[at] = all[at % (real * dimension)] + (random() - 0.5) * 0.03;
  await writeFile(file, all);
}

export async function embedTexts(file, texts) {
  const all = new Float32Array(texts.length * dimension);
  for (const [i, text] of texts.entries()) all.set(embedder.embedQuery(text, dimension), i * dimension);
  await writeFile(file, all);
}
