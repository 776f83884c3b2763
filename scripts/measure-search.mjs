/**
 * What a search costs: starts the built server on a fresh embedded database, loads the films of `wiki-movies` and asks over HTTP, one request after
 * the other on one connection. Reports the processor time of a request by thread and process, its latency, what groups and cursors cost beside the plain
 * search, how long a document that is sent takes until a search finds it, and the latency of searches while an import runs.
 *
 *   DATASETS_DIR=… node scripts/measure-search.mjs [--films 36249] [--rounds 12] [--requests 150] [--writes 300] [--json figures.json]
 *
 * Processor time, unlike the clock, hardly depends on what else the machine does; so the costs are compared by it, within one run. Linux only.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freshKey, queries as plots, readFilms } from './films.mjs';
import { ensureBuilt, root } from './freshness.mjs';
import { descendants, threadTimes } from './processor-times.mjs';
import { startEnvironment } from './start-environment.mjs';

const { values } = parseArgs({
  options: {
    films: { type: 'string', default: '36249' },
    rounds: { type: 'string', default: '12' },
    requests: { type: 'string', default: '150' },
    writes: { type: 'string', default: '300' },
    json: { type: 'string' },
  },
});
const roundCount = Number(values.rounds);
const requestsPerRound = Number(values.requests);
const writeCount = Number(values.writes);
/** Of each kind: until V8 has compiled what runs often, its compiler would be measured too. */
const warmUpMs = 5_000;
/** Between two searches while an import runs, and in the idle run it is compared with. */
const pauseMs = 10;

const queries = [
  ...plots,
  'blade runner',
  'the godfather',
  'haunted house',
  'musical about dancers',
  'western outlaw sheriff',
  'robots learning to love',
];

await ensureBuilt(['server']);
const server = await startServer();
try {
  const figures = await measure(server);
  if (values.json) await writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`);
} finally {
  await server.stop();
}

async function measure({ url, pid, threads }) {
  const key = await freshKey(url, { collections: ['films', 'others'], dimension: 384 });
  const films = await firstFilms(Number(values.films));
  const loading = await upload({ url, key, collection: 'films', films });
  console.log(
    `loaded ${loading.succeeded} films, ${Math.round(loading.succeeded / loading.seconds)} a second`,
  );
  const client = createClient(url, key);
  const requests = kinds(films, await secondPages(url, key));
  const costs = await measureCosts({ client, requests, pid, threads });
  report(costs);
  const writes = await measureWrites(client, { pid, threads });
  let left = 600;
  const idle = await latencies(client, requests.keyword, () => left-- > 0);
  const during = await whileImporting({ url, key, films }, client, requests.keyword);
  console.log(`\nkeyword search, ${pauseMs} ms apart: idle ${inWords(idle)}`);
  console.log(
    `the same while another collection is imported: ${inWords(during)}; p50 ${ratio(during, idle)} × idle`,
  );
  return { loading, costs, writes, idle: summary(idle), duringImport: summary(during) };
}

/** Of each query, where its second page begins. */
function secondPages(url, key) {
  const cursorOf = async (query) => {
    const target = `${url}/api/collections/films/search?q=${encodeURIComponent(query)}&cursor=`;
    const response = await fetch(target, { headers: { 'X-API-Key': key } });
    return (await response.json()).next_cursor ?? '';
  };
  return Promise.all(queries.map(cursorOf));
}

function kinds(films, cursors) {
  const search = (mode, i, more = '') =>
    `/api/collections/films/${mode}?q=${encodeURIComponent(queries[i % queries.length])}${more}`;
  return {
    health: () => '/health',
    get: (i) => `/api/collections/films/documents/${encodeURIComponent(films[(i * 37) % films.length].id)}`,
    'keyword, no hits': (i) => search('search', i, '&per_page=0'),
    keyword: (i) => search('search', i),
    grouped: (i) => search('search', i, '&group_by=year'),
    'second page by cursor': (i) => search('search', i, `&cursor=${cursors[i % cursors.length]}`),
    sorted: (i) => search('search', i, '&sort_by=year:desc'),
    hybrid: (i) => search('hybrid-search', i),
  };
}

/** Kinds take turns in every round, so that whatever else runs meets them alike. */
async function measureCosts({ client, requests, pid, threads }) {
  const costs = {};
  for (const [kind, pathOf] of Object.entries(requests)) {
    const warmAt = performance.now() + warmUpMs;
    for (let i = 0; performance.now() < warmAt; i += 1) await client.get(pathOf(i));
    costs[kind] = { count: 0, cpuMs: {}, ms: [] };
  }
  for (let round = 0; round < roundCount; round += 1) {
    for (const [kind, pathOf] of Object.entries(requests)) {
      const cost = costs[kind];
      const before = processorTimes(pid, threads);
      for (let i = 0; i < requestsPerRound; i += 1)
        cost.ms.push(await client.get(pathOf(round * requestsPerRound + i)));
      cost.count += requestsPerRound;
      const used = usedSince(before, processorTimes(pid, threads));
      for (const [part, ms] of Object.entries(used)) cost.cpuMs[part] = (cost.cpuMs[part] ?? 0) + ms;
    }
  }
  return Object.fromEntries(
    Object.entries(costs).map(([kind, { count, cpuMs, ms }]) => {
      const micros = Object.fromEntries(
        Object.entries(cpuMs).map(([part, sum]) => [part, (sum * 1000) / count]),
      );
      const total = Object.values(micros).reduce((sum, each) => sum + each, 0);
      return [kind, { micros, total, outsideEngine: total - (micros.engine ?? 0), ...summary(ms) }];
    }),
  );
}

/** One document after the other: sent, and asked for by its id as a word, which only a search that sees it finds. The first warm up. */
async function measureWrites(client, { pid, threads }) {
  const sent = [];
  const seen = [];
  let before = null;
  for (let i = -writeCount; i < writeCount; i += 1) {
    if (i === 0) before = processorTimes(pid, threads);
    const id = `fresh${i + writeCount}`;
    const sentMs = await client.post('/api/collections/films/documents', {
      id,
      title: `Film number ${id}`,
      extract: 'A town by the sea, a letter that was never sent, and a ferry that leaves without its pilot.',
    });
    const { ms, body } = await client.getBody(`/api/collections/films/search?q=${id}&num_typos=0&per_page=1`);
    if (body.found !== 1) throw new Error(`${id} was answered and is not found`);
    if (i < 0) continue;
    sent.push(sentMs);
    seen.push(sentMs + ms);
  }
  const micros = Object.fromEntries(
    Object.entries(usedSince(before, processorTimes(pid, threads))).map(([part, ms]) => [
      part,
      Math.round((ms * 1000) / writeCount),
    ]),
  );
  console.log(`\none document: answered ${inWords(sent)}; found by a search ${inWords(seen)}`);
  console.log('processor time of both, µs:', micros);
  return { answered: summary(sent), searchable: summary(seen), micros };
}

function report(costs) {
  const parts = [...new Set(Object.values(costs).flatMap(({ micros }) => Object.keys(micros)))];
  const { health, keyword } = costs;
  console.table(
    Object.fromEntries(
      Object.entries(costs).map(([kind, { micros, total, outsideEngine, p50, p99 }]) => [
        kind,
        {
          ...Object.fromEntries(parts.map((part) => [`${part} µs`, Math.round(micros[part] ?? 0)])),
          'all µs': Math.round(total),
          '× health': round(total / health.total),
          '× keyword': round(total / keyword.total),
          'outside engine × health': round(outsideEngine / health.total),
          'p50 ms': round(p50),
          'p99 ms': round(p99),
        },
      ]),
    ),
  );
}

// The server and what it uses.

async function startServer() {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'measure-search-'));
  const child = spawn(process.execPath, [path.join(root, 'dist/server/main.js')], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...startEnvironment(),
      // A transformer reads the films anew for many minutes after they are loaded, and would be measured with each request.
      EMBEDDINGS: 'static',
      NODE_OPTIONS: `--import ${new URL('./thread-names.mjs', import.meta.url)}`,
      PORT: '0',
      LOG_LEVEL: 'warn',
      DATA_DIR: dataDir,
      RATE_LIMIT_KEY: '0',
      // `/health` is asked thousands of times a minute here.
      RATE_LIMIT_ADDRESS: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const threads = new Map();
  const url = await new Promise((resolve, reject) => {
    let said = '';
    const listen = (text) => {
      said = (said + text).slice(-100_000);
      for (const [, number, file] of said.matchAll(/^thread (\d+) (\S+)$/gm))
        threads.set(number, partOf(file));
      const address = /is running at (\S+)/.exec(said)?.[1];
      if (address) resolve(address);
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${said}`)));
  });
  const stop = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  };
  return { url, pid: child.pid, threads, stop };
}

function partOf(file) {
  if (file === 'main') return 'main';
  if (file.startsWith('engine')) return 'engine';
  if (file.startsWith('embedding')) return 'embedding';
  return file.startsWith('db') ? 'database' : 'other';
}

/** Milliseconds so far by thread: the server's own by part (`other`: collectors, compilers, the pool), all of the processes below it as the database. */
function processorTimes(pid, threads) {
  const own = threadTimes(pid).map(([thread, ms]) => [thread, { part: threads.get(thread) ?? 'other', ms }]);
  const below = descendants(pid).flatMap(threadTimes);
  return new Map([...own, ...below.map(([thread, ms]) => [thread, { part: 'database', ms }])]);
}

/** What was used between two looks; of a thread that ended in between nothing is known. */
function usedSince(before, after) {
  const used = { main: 0, engine: 0, embedding: 0, database: 0, other: 0 };
  for (const [thread, { part, ms }] of after) used[part] += ms - (before.get(thread)?.ms ?? 0);
  return used;
}

// The caller.

/** Over one connection that is kept; a request answers the milliseconds until its last byte. */
function createClient(url, key) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (target, { body, onData } = {}) =>
    new Promise((resolve, reject) => {
      const startedAt = performance.now();
      const method = body === undefined ? 'GET' : 'POST';
      const ofBody = body !== undefined && { 'Content-Type': 'application/json' };
      const headers = { 'X-API-Key': key, ...ofBody };
      const request = http.request(new URL(target, url), { agent, method, headers }, (response) => {
        if (onData) response.on('data', onData);
        else response.resume();
        response.once('end', () => {
          if (response.statusCode < 300) resolve(performance.now() - startedAt);
          else reject(new Error(`${target}: ${response.statusCode}`));
        });
      });
      request.once('error', reject);
      request.end(body);
    });
  return {
    get: (target) => ask(target),
    post: (target, value) => ask(target, { body: JSON.stringify(value) }),
    async getBody(target) {
      const chunks = [];
      const ms = await ask(target, { onData: (chunk) => chunks.push(chunk) });
      return { ms, body: JSON.parse(Buffer.concat(chunks).toString()) };
    },
  };
}

async function firstFilms(max) {
  const films = [];
  for await (const film of readFilms()) {
    if (films.length >= max) break;
    films.push(film);
  }
  return films;
}

async function upload({ url, key, collection, films }) {
  const startedAt = performance.now();
  const response = await fetch(`${url}/api/collections/${collection}/documents/import`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/x-ndjson' },
    body: ReadableStream.from(chunksOf(films)),
    duplex: 'half',
  });
  const { succeeded, failed, message } = await response.json();
  if (response.status !== 200) throw new Error(`import: ${response.status} ${message ?? `${failed} failed`}`);
  return { succeeded, seconds: (performance.now() - startedAt) / 1000 };
}

function* chunksOf(films) {
  for (let i = 0; i < films.length; i += 100) {
    yield Buffer.from(
      films
        .slice(i, i + 100)
        .map(({ line }) => line)
        .join(''),
    );
  }
}

async function whileImporting(target, client, pathOf) {
  let isImporting = true;
  const importing = upload({ ...target, collection: 'others' }).finally(() => {
    isImporting = false;
  });
  const [took] = await Promise.all([latencies(client, pathOf, () => isImporting), importing]);
  return took;
}

async function latencies(client, pathOf, goesOn) {
  const took = [];
  while (goesOn()) {
    took.push(await client.get(pathOf(took.length)));
    await sleep(pauseMs);
  }
  return took;
}

function summary(ms) {
  const sorted = ms.toSorted((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), count: sorted.length };
}

function inWords(ms) {
  const { p50, p99, count } = summary(ms);
  return `p50 ${round(p50)} ms, p99 ${round(p99)} ms of ${count}`;
}

function ratio(a, b) {
  return round(summary(a).p50 / summary(b).p50);
}

function round(value) {
  return Math.round(value * 100) / 100;
}
