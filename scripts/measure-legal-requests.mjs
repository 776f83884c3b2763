/**
 * What the dearest of many legal searches costs: papers of `arxiv-100k` with fields to filter, sort and group by, in a built server with its default settings, and searches
 * made by chance of all parameters (`legal-searches.mjs`): by words, by meaning and by both, short and long, with typos, filters of one to a hundred conditions,
 * facets, groups, sorts, pages and highlights. Milliseconds of processor time of all of the server's threads for each, one after the other; what takes more than `--most` is asked again, after a
 * write has made the server forget what it keeps of words that were asked, and the less of both counts. Linux only.
 *
 *   DATASETS_DIR=… node scripts/measure-legal-requests.mjs [--documents 100000] [--requests 1500] [--seed 1] [--told 15] [--most 50] [--json figures.json]
 */
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freshKey } from './films.mjs';
import { ensureBuilt } from './freshness.mjs';
import { createRandom, moreOf, searchesOf } from './legal-searches.mjs';
import { round, startServer } from './load-tools.mjs';
import { manyPapers, wordsOf } from './papers.mjs';
import { threadTimes } from './processor-times.mjs';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '100000' },
    requests: { type: 'string', default: '1500' },
    seed: { type: 'string', default: '1' },
    told: { type: 'string', default: '15' },
    most: { type: 'string', default: '50' },
    json: { type: 'string' },
  },
});
const mostMs = Number(values.most);
const collection = 'papers';
const bodyBytes = 4 * 1024 * 1024;
/** So that what follows a write or an answer is not counted with the next request. */
const quietMs = 20;
/** What goes on for longer, as making lists of vectors does, is counted with the requests beside it. */
const quietMsMost = 2_000;
/** Searches before those that are measured, by which functions are compiled. */
const warmUps = 300;

await ensureBuilt(['server']);
const server = await startServer({ INDEX_MEMORY_MB: '8192' });
try {
  const key = await freshKey(server.url, { collections: [collection], dimension: 384 });
  const titles = await load(key);
  const searches = searchesOf(createRandom(Number(values.seed)), titles);
  for (let i = 0; i < warmUps; i += 1) await send(key, searches.next().value);
  const costs = [];
  for (let i = 0; i < Number(values.requests); i += 1) costs.push(await costOf(key, searches.next().value));
  const figures = figuresOf(costs);
  console.log(JSON.stringify(figures, null, 2));
  if (values.json) await writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`);
} finally {
  await server.stop();
}

async function load(key) {
  const titles = [];
  let body = '';
  let count = 0;
  const flush = async () => {
    await ask(key, '/documents/import', body, 'application/x-ndjson');
    body = '';
  };
  for await (const { id, title, text } of manyPapers(Number(values.documents))) {
    titles.push(wordsOf(title));
    body += `${JSON.stringify({ id, title, text, ...moreOf(count) })}\n`;
    count += 1;
    if (body.length >= bodyBytes) await flush();
  }
  await flush();
  return titles.filter((words) => words.length > 3);
}

async function costOf(key, search) {
  const first = await timed(key, search);
  if (first.ms <= mostMs) return first;
  await ask(key, '/documents', JSON.stringify({ id: 'late', title: `late ${Math.random()}` }));
  // The first search after a write brings the index up to date.
  await send(key, { path: 'search', body: { query: 'late', enable_analytics: false } });
  const again = await timed(key, search);
  return again.ms < first.ms ? again : first;
}

async function timed(key, search) {
  await quiet();
  const before = processorTime();
  const { status, text } = await send(key, search);
  const ms = processorTime() - before;
  const told = status === 200 ? `${JSON.parse(text).found} found` : text.slice(0, 200);
  return { ms: round(ms), status, told, ...search };
}

/** Until the server has done nothing for a while, be it that it forgets, collects or saves. */
async function quiet() {
  const until = performance.now() + quietMsMost;
  for (let before = processorTime(), now; performance.now() < until; before = now) {
    await sleep(quietMs);
    now = processorTime();
    if (now - before < 2) return;
  }
}

function processorTime() {
  return threadTimes(server.pid).reduce((sum, [, ms]) => sum + ms, 0);
}

function figuresOf(costs) {
  const sorted = costs.toSorted((a, b) => a.ms - b.ms);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].ms;
  const statuses = {};
  for (const { status } of costs) statuses[status] = (statuses[status] ?? 0) + 1;
  return {
    documents: Number(values.documents),
    requests: costs.length,
    statuses,
    ms: { p50: at(0.5), p90: at(0.9), p99: at(0.99), max: at(1) },
    above: costs.filter(({ ms }) => ms > mostMs).length,
    dearest: sorted.toReversed().slice(0, Number(values.told)),
  };
}

async function ask(key, target, body, type = 'application/json') {
  const { status, text } = await post(key, target, body, type);
  if (status >= 300) throw new Error(`POST ${target}: ${status} ${text.slice(0, 500)}`);
}

function send(key, { path, body }) {
  return post(key, `/${path}`, JSON.stringify(body), 'application/json');
}

async function post(key, target, body, type) {
  const response = await fetch(`${server.url}/api/collections/${collection}${target}`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': type },
    body,
  });
  return { status: response.status, text: await response.text() };
}
