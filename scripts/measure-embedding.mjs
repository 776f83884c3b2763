/**
 * What the static table takes, in one thread: short texts a second (titles of films, and the first twelve words of what is told of them), its first use (reading and checking the table, what is
 * made of it, and one query), and the longest of the slices that documents are embedded in, of texts as long as passages.
 *
 *   DATASETS_DIR=… node scripts/measure-embedding.mjs [--runs 7] [--dimension 384]
 *
 * Processor time of this process; the least of the runs, and of a slice the least it took. Exits 1 under 30,000 short texts a second, over 200 ms for the first use or 10 ms for a slice.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { root } from './freshness.mjs';
import { loadSources } from './load-sources.mjs';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '7' },
    dimension: { type: 'string', default: '384' },
    first: { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);
const [textsMin, firstMsMax, sliceMsMax] = [30_000, 200, 10];
const dimension = Number(values.dimension);
const textsCount = 20_000;
const passageCharacters = 2_000;

const { StaticEmbedder, loadStaticTable, EmbeddingQueue, judgedCollection } = await loadSources(`
  export { StaticEmbedder } from './src/server/embeddings/static-embedder.ts';
  export { loadStaticTable } from './src/server/embeddings/static-table.ts';
  export { EmbeddingQueue } from './src/server/embeddings/embedding-queue.ts';
  export { judgedCollection } from './src/server/testing/judged/judged-sets.ts';
`);
const directory = path.join(root, 'models/static-embeddings');

if (values.first) {
  const startedAt = performance.now();
  const before = process.cpuUsage();
  new StaticEmbedder(await loadStaticTable(directory)).embedQuery(
    'a submarine crew trapped under ice',
    dimension,
    true,
  );
  console.log(JSON.stringify({ ms: performance.now() - startedAt, cpuMs: cpuMsSince(before) }));
} else await measure();

async function measure() {
  const { rows } = judgedCollection(path.join(process.env.DATASETS_DIR ?? '', 'wiki-movies'));
  const films = rows.slice(0, textsCount);
  const bodies = films.map((row) => row.text ?? row.extract ?? '').filter((text) => text !== '');
  const embedder = new StaticEmbedder(await loadStaticTable(directory));
  const rates = [
    ['titles', films.map(({ title }) => title)],
    ['twelve words', bodies.map((text) => text.split(/\s+/).slice(0, 12).join(' '))],
  ].map(([name, texts]) => {
    const rate = ratePerSecond(embedder, texts);
    console.log(`${name.padEnd(14)} ${Math.round(rate)} texts a second (${texts.length} texts)`);
    return rate;
  });
  const first = firstUse();
  console.log(`first use      ${first.cpuMs.toFixed(0)} ms of a processor, ${first.ms.toFixed(0)} ms`);
  const sliceMs = longestSlice(embedder, bodies);
  console.log(`longest slice  ${sliceMs.toFixed(1)} ms`);
  process.exitCode =
    Math.min(...rates) < textsMin || first.cpuMs > firstMsMax || sliceMs > sliceMsMax ? 1 : 0;
}

function ratePerSecond(embedder, texts) {
  const out = new Float32Array(dimension);
  const took = Array.from({ length: runs }, () => {
    const before = process.cpuUsage();
    for (const text of texts) embedder.embedDocument({ title: '', text }, out, true);
    return cpuMsSince(before);
  });
  return (texts.length / Math.min(...took)) * 1_000;
}

/** Of processes of their own. */
function firstUse() {
  const file = fileURLToPath(import.meta.url);
  const all = Array.from({ length: runs }, () => {
    const { stdout, status } = spawnSync(
      process.execPath,
      [file, '--first', '--dimension', values.dimension],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error('the first use failed');
    return JSON.parse(stdout);
  });
  return all.sort((a, b) => a.cpuMs - b.cpuMs)[0];
}

/** As a bulk import's texts are taken from their queue. */
function longestSlice(embedder, bodies) {
  const all = bodies.join('\n');
  const texts = Array.from({ length: 256 }, (_, i) => ({
    title: 'A title of five words',
    text: all.slice(i * passageCharacters, (i + 1) * passageCharacters),
  }));
  const queue = new EmbeddingQueue();
  queue.add({ task: { texts, dimension, for: { tenant: 'one', caller: 'one' } }, next: 0 });
  let longest = 0;
  for (let slice = queue.takeSlice(); slice !== null; slice = queue.takeSlice()) {
    const out = new Float32Array(slice.texts.length * dimension);
    const took = Array.from({ length: runs }, () => {
      const before = process.cpuUsage();
      slice.texts.forEach((text, row) => {
        embedder.embedDocument(text, out.subarray(row * dimension, (row + 1) * dimension), true);
      });
      return cpuMsSince(before);
    });
    longest = Math.max(longest, Math.min(...took));
  }
  return longest;
}

function cpuMsSince(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
