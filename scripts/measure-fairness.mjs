/**
 * What one tenant's load does to another's searches: starts the built server on a fresh embedded database with its default settings, and
 * measures the hybrid searches of tenant B, one after the other, alone and beside what tenant A and people without an account do.
 *
 *   DATASETS_DIR=… node scripts/measure-fairness.mjs [--films 4000] [--seconds 10] [--json figures.json]
 */
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { queries } from './films.mjs';
import { ensureBuilt } from './freshness.mjs';
import { createAsker, firstFilms, newTenant, round, startServer, summary, upload } from './load-tools.mjs';

const { values } = parseArgs({
  options: {
    films: { type: 'string', default: '4000' },
    seconds: { type: 'string', default: '10' },
    json: { type: 'string' },
  },
});
const seconds = Number(values.seconds);
const importsAtOnce = 6;
const dearClients = 4;
const dearConditions = 100;
const pipelined = 5_000;
const visitors = 8;
const batchCalls = 20;

/** Questions that visitors have asked: each is a new one. */
let visits = 0;

await ensureBuilt(['server']);
const server = await startServer();
try {
  const figures = await measure(server.url, await firstFilms(Number(values.films)));
  if (values.json) await writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`);
} finally {
  await server.stop();
}

async function measure(url, films) {
  const others = Array.from({ length: importsAtOnce }, (_, i) => `others${i}`);
  const tenant = { url, key: await newTenant(url, films, others), films };
  const b = createAsker(url, { 'X-API-Key': await newTenant(url, films) });
  await searches(b, { forMs: 5_000 });
  const alone = await searches(b, { forMs: seconds * 1000 });
  report('alone', alone, alone);
  const loads = {
    [`${importsAtOnce} imports`]: (signal) =>
      atOnce(others, (collection) => repeat(signal, () => upload({ ...tenant, collection, signal }))),
    'dear filters': (signal) => dearFilters(tenant, signal),
    'one socket, 5,000 pipelined searches': (signal) => repeat(signal, () => pipeline(tenant, signal)),
    'anonymous demo searches': (signal) =>
      atOnce(Array.from({ length: visitors }), () => repeat(signal, () => demoBatch(url, signal))),
  };
  const figures = { alone };
  for (const [name, load] of Object.entries(loads)) {
    const ending = new AbortController();
    const loading = load(ending.signal).catch((error) => {
      if (!ending.signal.aborted) throw error;
    });
    // Until the load is there.
    await sleep(1_000);
    figures[name] = await searches(b, { forMs: seconds * 1000 });
    ending.abort();
    await loading;
    report(name, figures[name], alone);
    await sleep(2_000);
  }
  b.close();
  return figures;
}

function report(name, { count, p50, p99, turnedAway }, alone) {
  console.log(
    `${name}: p50 ${p50} ms, p99 ${p99} ms of ${count}, ${turnedAway} turned away; p99 ${round(p99 / alone.p99)} × alone`,
  );
}

async function searches({ ask }, { forMs }) {
  const startedAt = performance.now();
  const times = [];
  let turnedAway = 0;
  for (let i = 0; performance.now() - startedAt < forMs; i += 1) {
    const q = encodeURIComponent(queries[i % queries.length]);
    const { status, ms } = await ask(`/api/collections/films/hybrid-search?q=${q}`);
    if (status === 200) times.push(ms);
    else turnedAway += 1;
    await sleep(10);
  }
  return { ...summary(times), turnedAway };
}

function atOnce(items, task) {
  return Promise.all(items.map(task));
}

async function repeat(signal, task) {
  while (!signal.aborted) await task();
}

async function dearFilters({ url, key }, signal) {
  const filter_by = Array.from({ length: dearConditions }, (_, i) => `extract:the w${i}`).join(' || ');
  await atOnce(Array.from({ length: dearClients }), () =>
    repeat(signal, async () => {
      const response = await fetch(`${url}/api/collections/films/search`, {
        method: 'POST',
        headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
        body: JSON.stringify({ query: '*', filter_by }),
        signal,
      });
      await response.arrayBuffer();
      if (response.status !== 200) await sleep(5);
    }),
  );
}

/** All written at once; ends with the last answer. */
function pipeline({ url, key }, signal) {
  const { hostname, port } = new URL(url);
  const request = `GET /api/collections/films/search?q=war HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${key}\r\n\r\n`;
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let answers = 0;
    socket.on('data', (chunk) => {
      answers += chunk.toString('latin1').split('HTTP/1.1 ').length - 1;
      if (answers >= pipelined) socket.destroy();
    });
    socket.once('close', resolve);
    socket.once('error', reject);
    signal.addEventListener('abort', () => socket.destroy(), { once: true });
    socket.write(request.repeat(pipelined));
  });
}

async function demoBatch(url, signal) {
  const names = Array.from({ length: batchCalls }, () => 'demo.products').join();
  const inputs = Object.fromEntries(
    Array.from({ length: batchCalls }, (_, i) => [i, { query: `warm coat ${visits + i}` }]),
  );
  visits += batchCalls;
  const response = await fetch(
    `${url}/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`,
    {
      signal,
    },
  );
  await response.arrayBuffer();
}
