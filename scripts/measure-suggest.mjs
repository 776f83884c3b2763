/**
 * What suggestions take: the papers of `arxiv-100k` in an engine's thread, a thousand popular queries in memory or none, and what people type, letter by letter,
 * with typos and not at all. By the clock, from the call to the answer, and by processor time, which what else the machine does hardly changes.
 *
 *   DATASETS_DIR=… node scripts/measure-suggest.mjs [--documents 100000] [--typed 200]
 *
 * `typed` says how many of each kind are typed, each of another title.
 */
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { createGunzip } from 'node:zlib';
import { at, ensureBuilt } from './freshness.mjs';
import { loadSources } from './load-sources.mjs';
import { round, summary } from './load-tools.mjs';

const { values } = parseArgs({
  options: { documents: { type: 'string', default: '100000' }, typed: { type: 'string', default: '200' } },
});
const typedCount = Number(values.typed);
const popularCount = 1_000;
const batchDocuments = 1_000;
const collection = { id: 1, for: { tenant: 'papers', caller: 'key' } };
const settings = { dimension: 2, metric: 'cosine', fields: [] };
/** What is typed of a title. */
const kinds = {
  nothing: () => '',
  'one letter': (title) => title.slice(0, 1),
  'two letters': (title) => title.slice(0, 2),
  'three letters': (title) => title.slice(0, 3),
  'five letters': (title) => title.slice(0, 5),
  'a word and a letter': (title) => title.slice(0, title.indexOf(' ') + 2),
  'a word and two letters': (title) => title.slice(0, title.indexOf(' ') + 3),
  'a word and three letters': (title) => title.slice(0, title.indexOf(' ') + 4),
  'two words': (title) => title.split(' ').slice(0, 2).join(' '),
  'a typo': (title) => `${title[0]}${title[2]}${title[1]}${title.slice(3, title.indexOf(' '))}`,
  'a word that nobody knows': (title) => `${title.slice(0, 2)}zzqx`,
};
const log = { debug() {}, info() {}, warn() {}, error: console.error };

await ensureBuilt(['server']);
const { createWorkerHost, packBatch, Suggester, tokenize } = await loadSources(`
  export { createWorkerHost } from './src/server/indexes/host/worker-host.ts';
  export { packBatch } from './src/server/indexes/host/packed-batch.ts';
  export { Suggester } from './src/server/indexes/suggest/suggester.ts';
  export { tokenize } from './src/server/engine/search-index.ts';
`);
const host = createWorkerHost({ workers: 1, budgetMs: 60_000, log, startWorker });
// The thread alone keeps no process.
const alive = setInterval(() => undefined, 60_000);
try {
  const titles = await fill();
  await measure(titles.filter((title) => /^[A-Za-z]{6,} [A-Za-z]{3,} /.test(title)));
} finally {
  clearInterval(alive);
  await host.stop();
}

function startWorker(shared) {
  return new Worker(at('dist', 'server', 'engine-worker.js'), { workerData: shared });
}

/** Answers the titles. */
async function fill() {
  const titles = [];
  let puts = [];
  let version = 0;
  await host.call(collection, { call: 'open', settings, snapshot: null });
  const apply = async () => {
    version += 1;
    await host.call(collection, { call: 'apply', batch: packBatch({ version, puts, deletes: [] }) });
    puts = [];
  };
  for await (const { _id: id, ...paper } of papers()) {
    if (titles.length === Number(values.documents)) break;
    titles.push(paper.title);
    const source = JSON.stringify({ id, ...paper });
    puts.push({ id, source, vectors: new Float32Array(0), spans: new Int32Array(0) });
    if (puts.length === batchDocuments) await apply();
  }
  await apply();
  return titles;
}

async function* papers() {
  const file = path.join(process.env.DATASETS_DIR ?? '', 'arxiv-100k', 'corpus.jsonl.gz');
  const input = createReadStream(file).pipe(createGunzip());
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
    if (line !== '') yield JSON.parse(line);
}

async function measure(titles) {
  const popular = everyNth(titles, popularCount).map((title) => {
    const text = title.toLowerCase().split(' ').slice(0, 3).join(' ');
    return { text, words: tokenize(text) };
  });
  const registry = { read: (of, request, signal) => host.call(of, request, signal) };
  const now = () => performance.now();
  const others = everyNth(titles.toReversed(), typedCount);
  for (const queries of [popular, []]) {
    const suggester = new Suggester({ registry, popular: { of: async () => queries }, log, now });
    console.log(`\n${values.documents} documents, ${queries.length} popular queries; milliseconds`);
    await measureKinds(suggester, others);
  }
}

async function measureKinds(suggester, others) {
  const all = [];
  for (const [kind, typedOf] of Object.entries(kinds)) {
    const typed = others.map(typedOf);
    for (const q of typed.slice(0, 20)) await suggester.suggest(collection, { q, limit: 8 });
    const before = process.cpuUsage();
    const took = [];
    let suggested = 0;
    for (const q of typed) {
      const startedAt = performance.now();
      const { suggestions } = await suggester.suggest(collection, { q, limit: 8 });
      took.push(performance.now() - startedAt);
      suggested += suggestions.length;
    }
    const { user, system } = process.cpuUsage(before);
    const each = ((user + system) / 1_000 / typed.length).toFixed(2);
    all.push(...took);
    report(
      `${kind} ("${typed[0]}")`,
      took,
      `${each} of processors each, ${round(suggested / typed.length)} suggestions`,
    );
  }
  report('all', all, '');
}

function report(name, ms, more) {
  const { p50, p99, max } = summary(ms);
  console.log(`${name}: p50 ${p50}, p99 ${p99}, longest ${max}${more && `; ${more}`}`);
}

/** So many of a list, from all of it. */
function everyNth(list, count) {
  const step = Math.max(1, Math.floor(list.length / count));
  return list.filter((_, i) => i % step === 0).slice(0, count);
}
