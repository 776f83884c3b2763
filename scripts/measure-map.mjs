/**
 * How long the map of a collection takes to be drawn, and how true it is: documents are embedded, drawn and made small as the server does it, and
 * projected as the console's worker does it, in this process.
 *
 *   node scripts/measure-map.mjs [--sets films,artworks] [--points 5000] [--components 256] [--runs 3]
 *
 * Times are processor time, the least of the runs; on a machine that is idle that is what passes. `kept` is the share of each document's ten nearest
 * that are among its ten nearest on the map, `trustworthiness` counts what is near on the map alone (1 is best); both against the whole vectors, for every
 * tenth document. Exits 1 where the map takes more than 3 s, or is not truer than its first picture.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { root } from './freshness.mjs';
import { loadSources } from './load-sources.mjs';

const { values } = parseArgs({
  options: {
    sets: { type: 'string', default: 'films,artworks' },
    points: { type: 'string', default: '5000' },
    components: { type: 'string', default: '256' },
    runs: { type: 'string', default: '3' },
  },
});
const dimension = 384;
const mapMsMax = 3_000;

const { SearchIndex, runSteps, StaticEmbedder, loadStaticTable, projectVectors, unpackRows, keptNeighbours } =
  await loadSources(`
    export { SearchIndex } from './src/server/engine/search-index.ts';
    export { runSteps } from './src/server/engine/steps.ts';
    export { StaticEmbedder } from './src/server/embeddings/static-embedder.ts';
    export { loadStaticTable } from './src/server/embeddings/static-table.ts';
    export { projectVectors } from './src/client/features/collection/map/projection/project-vectors.ts';
    export { unpackRows } from './src/client/features/collection/map/projection/unpack-rows.ts';
    export { keptNeighbours } from './src/client/testing/kept-neighbours.ts';
  `);
const embedder = new StaticEmbedder(await loadStaticTable(path.join(root, 'models/static-embeddings')));

for (const name of values.sets.split(',')) {
  const index = SearchIndex.create({ dimension, metric: 'cosine', fields: [] });
  index.apply({ version: 1, puts: await documentsOf(name), deletes: [] });
  const { cost: sampleMs, result: sample } = measured(() => drawn(index));
  const whole = { values: wholeVectors(index, sample.ids), count: sample.ids.length, size: dimension };
  const { first, last, firstMs, lastMs } = leastOf(() => project(sample));
  const options = { step: 10 };
  const before = keptNeighbours(whole, first, options);
  const after = keptNeighbours(whole, last, options);
  console.log(
    `${name}: ${sample.ids.length} of ${sample.withVector} documents, ${sample.components} components; drawn in ${ms(sampleMs)}`,
  );
  console.log(`  first picture after ${ms(firstMs)}, map after ${ms(lastMs)}`);
  for (const [what, { trustworthiness, kept }] of Object.entries({ 'first picture': before, map: after }))
    console.log(`  ${what}: trustworthiness ${trustworthiness.toFixed(3)}, kept ${kept.toFixed(3)}`);
  if (lastMs > mapMsMax || after.trustworthiness <= before.trustworthiness) process.exitCode = 1;
}

function drawn(index) {
  const asked = {
    filter: null,
    limit: Number(values.points),
    titleFields: [],
    colorField: null,
    componentsMax: Number(values.components),
    withVectors: true,
  };
  return runSteps(index.sample(asked, { part: null }));
}

function project({ rows, scales, components }) {
  const startedAt = processorMs();
  let first;
  let last;
  let firstMs = 0;
  for (const { positions } of projectVectors(unpackRows({ rows, scales, components, isNormalized: true }))) {
    firstMs ||= processorMs() - startedAt;
    first ??= positions;
    last = positions;
  }
  return { first, last, firstMs, lastMs: processorMs() - startedAt };
}

function leastOf(run) {
  const runs = Array.from({ length: Number(values.runs) }, run);
  return runs.toSorted((a, b) => a.lastMs - b.lastMs)[0];
}

function measured(work) {
  const startedAt = processorMs();
  const result = work();
  return { cost: processorMs() - startedAt, result };
}

function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function wholeVectors(index, ids) {
  const found = runSteps(index.documents({ ids, withVectors: true }));
  const all = new Float32Array(ids.length * dimension);
  for (const [i, one] of found.entries()) all.set(one.vectors.subarray(0, dimension), i * dimension);
  return all;
}

async function documentsOf(name) {
  const packed = await readFile(path.join(root, 'samples', `${name}.ndjson.gz`));
  const lines = gunzipSync(packed).toString().trim().split('\n');
  return lines.map((source) => {
    const { id, title = '', ...others } = JSON.parse(source);
    const text = Object.values(others)
      .filter((value) => typeof value === 'string')
      .join('\n');
    const vectors = new Float32Array(dimension);
    embedder.embedDocument({ title, text }, vectors);
    return { id, source, vectors, spans: Int32Array.of(-1, 0, 0) };
  });
}

function ms(duration) {
  return `${Math.round(duration)} ms`;
}
