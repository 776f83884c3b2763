/**
 * What others' dear filters let a search wait for at an engine's thread: two tenants at one thread, one of them with four filters of a hundred
 * conditions at a time, the other with one search after the other. Told are the processor milliseconds that the thread spent on filters between
 * the asking of a search and its answer, which a busy machine hardly changes, unlike the time by the clock.
 *
 *   DATASETS_DIR=… node scripts/measure-turns.mjs [--films 3000] [--seconds 6]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { dearFilter } from './dear-filter.mjs';
import { queries, readFilms } from './films.mjs';
import { at, ensureBuilt } from './freshness.mjs';
import { loadSources } from './load-sources.mjs';
import { round, summary } from './load-tools.mjs';

const { values } = parseArgs({
  options: { films: { type: 'string', default: '3000' }, seconds: { type: 'string', default: '6' } },
});
const dear = { id: 1, for: { tenant: 'dear', caller: 'key' } };
const other = { id: 2, for: { tenant: 'other', caller: 'key' } };
const dearClients = 4;
const settings = { dimension: 4, metric: 'cosine', fields: [] };
/** Of films that have texts. */
const skipped = 3_000;

await ensureBuilt(['server']);
const { createWorkerHost, packBatch, plainQuery } = await loadSources(`
  export { createWorkerHost } from './src/server/indexes/host/worker-host.ts';
  export { packBatch } from './src/server/indexes/host/packed-batch.ts';
  export { plainQuery } from './src/server/indexes/search/query.ts';
`);
const filters = { count: 0, turns: 0, ms: 0 };
const host = createWorkerHost({
  workers: 1,
  budgetMs: 60_000,
  log: { debug() {}, info() {}, warn() {}, error: console.error },
  startWorker,
});
// The thread alone keeps no process.
const alive = setInterval(() => undefined, 60_000);
try {
  await measure();
} finally {
  clearInterval(alive);
  await host.stop();
}

async function measure() {
  await fill();
  for (let i = 0; i < 20; i += 1) await Promise.all([filter(), search(i)]);
  Object.assign(filters, { count: 0, turns: 0, ms: 0 });
  const until = performance.now() + Number(values.seconds) * 1_000;
  const filtering = Array.from({ length: dearClients }, async () => {
    while (performance.now() < until) await filter();
  });
  const waits = [];
  for (let i = 0; performance.now() < until; i += 1) {
    const before = filters.ms;
    await search(i);
    waits.push(filters.ms - before);
    await sleep(5 + (i % 10));
  }
  await Promise.all(filtering);
  const { p50, p99, count } = summary(waits);
  const mean = round(waits.reduce((sum, ms) => sum + ms, 0) / waits.length);
  console.log(
    `a search waits for ${mean} ms of filters, p50 ${p50}, p99 ${p99}, of ${count}; ` +
      `a filter takes ${round(filters.ms / filters.count)} ms in ${round(filters.turns / filters.count)} turns, of ${filters.count}`,
  );
}

async function fill() {
  const puts = [];
  let read = 0;
  for await (const { id, line } of readFilms()) {
    read += 1;
    if (read <= skipped) continue;
    puts.push({ id, source: line.trim(), vectors: new Float32Array(0), spans: new Int32Array(0) });
    if (puts.length === Number(values.films)) break;
  }
  for (const collection of [dear, other]) {
    await host.call(collection, { call: 'open', settings, snapshot: null });
    await host.call(collection, {
      call: 'apply',
      batch: packBatch({ version: 1, puts, deletes: [] }),
    });
  }
}

function filter() {
  return ask(dear, plainQuery(dearFilter, { text: '*' }));
}

function search(i) {
  return ask(other, plainQuery(undefined, { text: queries[i % queries.length], highlightFields: null }));
}

function ask(collection, query) {
  return host.call(collection, { call: 'search', query, shown: {}, bytesMax: 1e7 });
}

/** Notes what the thread has computed for filters. */
function startWorker(shared) {
  const worker = new Worker(at('dist', 'server', 'engine-worker.js'), { workerData: shared });
  const dearCalls = new Set();
  const post = worker.postMessage.bind(worker);
  worker.postMessage = (message, memory) => {
    if (message.collectionId === dear.id) dearCalls.add(message.id);
    post(message, memory);
  };
  worker.on('message', ({ id, computedMs, value }) => {
    if (!dearCalls.has(id)) return;
    filters.turns += 1;
    filters.ms += computedMs;
    if (value === undefined) return;
    filters.count += 1;
    dearCalls.delete(id);
  });
  return worker;
}
