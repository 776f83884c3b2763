/**
 * The whole product over HTTP: the built server on a fresh embedded database with its default settings, papers with vectors of 384 components, one connection.
 * With EMBEDDINGS=static nothing is upgraded in the background meanwhile, and queries are embedded by the table.
 * `processor` is the processor time of all threads and of Postgres, in milliseconds a request. Peers are not run here: what they reach on such a machine is in
 * docs/performance.md with its source.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { addressOf } from '../scripts/address-of.mjs';
import { freshKey } from '../scripts/films.mjs';
import { ensureBuilt, root } from '../scripts/freshness.mjs';
import { descendants, threadTimes } from '../scripts/processor-times.mjs';
import { films, papers, questionsOf } from './corpora.mjs';
import { calibrate, medianOfRounds, rounded, summary } from './figures.mjs';
import { measureKeyword } from './keyword.mjs';

const warmUp = 300;
const filmsMax = 36_249;

export async function measureHttp({ documents, rounds, questions }) {
  await ensureBuilt(['server']);
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'bench-http-'));
  let server = await startServer(dataDir);
  try {
    const key = await freshKey(server.url, { collections: ['papers', 'films', 'others'], dimension: 384 });
    const own = [];
    for await (const paper of papers(documents)) own.push(paper);
    const peak = watchMemory(server.pid);
    const loaded = await upload(server.url, key, 'papers', own);
    const peakMb = peak.stop();
    const filmsLoaded = await upload(server.url, key, 'films', await listOf(films(filmsMax)));
    console.log({ papers: loaded, films: filmsLoaded, peakMb });
    const client = createClient(server.url, key);
    const requests = requestsOf(questionsOf(own, questions * (rounds + 1)));
    const kinds = await measureKinds(client, requests, { rounds, questions, pid: server.pid });
    const freshness = await measureFreshness(client);
    const beside = await measureBesideImport(server.url, key, client, requests['two words']);
    await server.stop();
    const startedAt = performance.now();
    server = await startServer(dataDir);
    const openedMs = performance.now() - startedAt;
    await createClient(server.url, key).get(requests['two words'][0]);
    const restart = {
      listensMs: Math.round(openedMs),
      firstAnswerMs: Math.round(performance.now() - startedAt),
    };
    console.log({ freshness, beside, restart });
    await server.stop();
    const numpy = await measureNumpy({ documents, rounds, questions });
    return { documents, loaded, filmsLoaded, peakMb, kinds, freshness, beside, restart, numpy };
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

function requestsOf(asked) {
  const search = (collection, mode, text, more = '') =>
    `/api/collections/${collection}/${mode}?q=${encodeURIComponent(text)}${more}`;
  const keyword = Object.entries(asked).map(([kind, all]) => [
    kind,
    all.map(({ text }) => search('papers', 'search', text)),
  ]);
  const filter = (i) =>
    `year:[${1960 + (i % 30)}..${1990 + (i % 30)}] && genres:=${['Drama', 'Comedy', 'Action', 'Western'][i % 4]}`;
  const words = ['love', 'war', 'night', 'king', 'city', 'murder', 'girl', 'road', 'house', 'dead'];
  const filtered = (text, i) =>
    search('films', 'search', text, `&filter_by=${encodeURIComponent(filter(i))}&facet_by=genres,cast,year`);
  const numbers = asked['two words'].map((_, i) => i);
  return {
    health: numbers.map(() => '/health'),
    ...Object.fromEntries(keyword),
    hybrid: asked['two words'].map(({ text }) => search('papers', 'hybrid-search', text)),
    semantic: asked['two words'].map(({ text }) => search('papers', 'vector-search', text)),
    'films: query, filter, 3 facets': numbers.map((i) => filtered(words[i % words.length], i)),
    'films: filter, 3 facets': numbers.map((i) => filtered('*', i)),
  };
}

/** The plain BM25 that is the measure of the machine, in the same hour: milliseconds of a title and of two words. */
async function measureNumpy(options) {
  const { kinds } = await measureKeyword({ ...options, only: ['numpy'] });
  return Object.fromEntries(Object.entries(kinds).map(([kind, { contenders }]) => [kind, contenders.numpy]));
}

/** Each round has questions of its own: what was asked before is answered from what is kept. */
async function measureKinds(client, requests, { rounds, questions, pid }) {
  const done = {};
  for (const [kind, targets] of Object.entries(requests)) {
    for (let i = 0; i < warmUp; i += 1) await client.get(targets[i % questions]);
    done[kind] = { rounds: [], processorMs: 0, count: 0 };
  }
  const calibration = [];
  for (let round = 0; round < rounds; round += 1) {
    calibration.push(calibrate());
    for (const [kind, targets] of Object.entries(requests)) {
      const own = done[kind];
      const before = processorMs(pid);
      const ms = [];
      const asked = targets.slice((round + 1) * questions, (round + 2) * questions);
      for (const target of asked) ms.push(await client.get(target));
      own.processorMs += processorMs(pid) - before;
      own.count += asked.length;
      own.rounds.push(ms);
    }
  }
  const table = Object.fromEntries(
    Object.entries(done).map(([kind, own]) => {
      const { p50, p95, p99 } = medianOfRounds(own.rounds);
      const processor = own.processorMs / own.count;
      return [
        kind,
        { p50: rounded(p50), p95: rounded(p95), p99: rounded(p99), processor: rounded(processor, 3) },
      ];
    }),
  );
  console.table(table);
  return { calibrationMs: rounded(Math.min(...calibration)), requests: table };
}

/** From the beginning of a write until a search that began after its answer has found it. */
async function measureFreshness(client) {
  const written = [];
  const found = [];
  for (let i = 0; i < 200; i += 1) {
    const word = `fresh${i.toString(36)}word`;
    const startedAt = performance.now();
    await client.post('/api/collections/films/documents', { id: word, title: `A ${word}` });
    written.push(performance.now() - startedAt);
    const answer = await client.read(`/api/collections/films/search?q=${word}&num_typos=0`);
    if (answer.hits?.[0]?.document?.id !== word)
      throw new Error(`${word} was not found: ${JSON.stringify(answer)}`);
    found.push(performance.now() - startedAt);
  }
  return { writeMs: roundedSummary(written), searchableMs: roundedSummary(found) };
}

async function measureBesideImport(url, key, client, targets) {
  const quiet = [];
  for (const target of targets.slice(0, 500)) quiet.push(await client.get(target));
  let isImporting = true;
  const importing = upload(url, key, 'others', await listOf(films(filmsMax))).finally(() => {
    isImporting = false;
  });
  const during = [];
  for (let i = 0; isImporting; i += 1) during.push(await client.get(targets[i % targets.length]));
  await importing;
  return { idle: roundedSummary(quiet), duringImport: roundedSummary(during) };
}

const roundedSummary = (values) => {
  const { p50, p99, count } = summary(values);
  return { p50: rounded(p50), p99: rounded(p99), count };
};

async function startServer(dataDir) {
  const { PATH, HOME, EMBEDDINGS } = process.env;
  const child = spawn(process.execPath, [path.join(root, 'dist/server/main.js')], {
    env: {
      PATH,
      HOME,
      ...(EMBEDDINGS && { EMBEDDINGS }),
      PORT: '0',
      LOG_LEVEL: 'warn',
      DATA_DIR: dataDir,
      RATE_LIMIT_KEY: '0',
      RATE_LIMIT_ADDRESS: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await addressOf(child);
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { url, pid: child.pid, stop };
}

/** Of the server and all processes below it: what they have of memory, shared pages by halves. Linux only; elsewhere 0. */
function watchMemory(pid) {
  let peak = 0;
  const look = () => {
    const all = [String(pid), ...descendants(pid)].reduce(
      (sum, each) => sum + proportionalMegabytes(each),
      0,
    );
    peak = Math.max(peak, all);
  };
  const timer = setInterval(look, 500);
  return {
    stop() {
      look();
      clearInterval(timer);
      return Math.round(peak);
    },
  };
}

function proportionalMegabytes(pid) {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'latin1'))?.[1]) / 1024;
  } catch {
    return 0;
  }
}

function processorMs(pid) {
  const sum = (threads) => threads.reduce((total, [, ms]) => total + ms, 0);
  return sum(threadTimes(pid)) + descendants(pid).reduce((total, each) => total + sum(threadTimes(each)), 0);
}

function createClient(url, key) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (method, target, body) =>
    new Promise((resolve, reject) => {
      const headers = { 'X-API-Key': key, ...(body && { 'Content-Type': 'application/json' }) };
      const startedAt = performance.now();
      const request = http.request(new URL(target, url), { method, agent, headers }, (response) => {
        const parts = [];
        response.on('data', (part) => parts.push(part));
        response.once('end', () => {
          const ms = performance.now() - startedAt;
          if (response.statusCode < 300) resolve({ ms, bytes: Buffer.concat(parts) });
          else reject(new Error(`${target}: ${response.statusCode} ${Buffer.concat(parts)}`));
        });
      });
      request.once('error', reject);
      request.end(body && JSON.stringify(body));
    });
  return {
    get: async (target) => (await ask('GET', target)).ms,
    read: async (target) => JSON.parse((await ask('GET', target)).bytes.toString()),
    post: async (target, body) => (await ask('POST', target, body)).ms,
  };
}

async function upload(url, key, collection, documents) {
  const startedAt = performance.now();
  const response = await fetch(`${url}/api/collections/${collection}/documents/import`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/x-ndjson' },
    body: ReadableStream.from(linesOf(documents)),
    duplex: 'half',
  });
  const { succeeded, failed, message } = await response.json();
  if (response.status !== 200) throw new Error(`import: ${response.status} ${message ?? `${failed} failed`}`);
  const seconds = (performance.now() - startedAt) / 1000;
  return { documents: succeeded, seconds: rounded(seconds), perSecond: Math.round(succeeded / seconds) };
}

function* linesOf(documents) {
  for (let from = 0; from < documents.length; from += 100) {
    const part = documents.slice(from, from + 100).map((each) => `${JSON.stringify(each)}\n`);
    yield Buffer.from(part.join(''));
  }
}

async function listOf(documents) {
  const all = [];
  for await (const each of documents) all.push(each);
  return all;
}
