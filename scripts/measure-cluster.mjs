/**
 * What a cluster answers with 1, 2 and 3 nodes behind 1 and 2 servers, all on this machine with its callers: searches a second and how long they take, what a document takes on the
 * nodes' disks, and what a refresh costs the first search after a write. By the clock: measure on a quiet machine.
 *
 *   DATASETS_DIR=… node scripts/measure-cluster.mjs [--documents 100000] [--nodes 1,2,3] [--seconds 15] [--warm 45] [--callers 8] [--heap 1g] [--json figures.json]
 *
 * The papers of `arxiv-100k`. What each node and server adds on one machine is bounded by its processors; what carries over is the processor time of a search, by process.
 * Further nodes join the cluster that was loaded, and copy its index.
 */
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { askCluster, startWorld, untilGreen } from './cluster-world.mjs';
import { freshKey } from './films.mjs';
import { freePort } from './free-port.mjs';
import { ensureBuilt } from './freshness.mjs';
import { createAsker, processorMs, residentMegabytes, summary } from './load-tools.mjs';
import { manyPapers, wordsOf } from './papers.mjs';
import { startProxy } from './proxy.mjs';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '100000' },
    nodes: { type: 'string', default: '1,2,3' },
    seconds: { type: 'string', default: '15' },
    warm: { type: 'string', default: '45' },
    callers: { type: 'string', default: '8' },
    heap: { type: 'string', default: '1g' },
    json: { type: 'string' },
  },
});
const documentsMax = Number(values.documents);
const bodyBytes = 2 * 1024 * 1024;
const collection = 'papers';
const queriesMax = 400;
const warmUps = 40;
const refreshesMeasured = 200;
const say = (text) => process.stdout.write(`${text}\n`);

await ensureBuilt(['server']);
const nodeCounts = values.nodes.split(',').map(Number);
const figures = { documents: documentsMax, runs: [] };
const sinceStart = performance.now();
const seconds = (since) => Math.round((performance.now() - since) / 1_000);
/** Rows and bodies that were told to come again later, which the rate counts. */
const sentAgain = { rows: 0, bodies: 0 };
let key = null;
let queries = [];
const world = await startWorld({
  nodes: nodeCounts[0],
  servers: 2,
  heap: values.heap,
  settings: { SEARCH_DELAY_MS: '0', REQUESTS_PER_CALLER: '1000', RATE_LIMIT_KEY: '0' },
});
const { postgres } = world;
try {
  figures.load = await loaded();
  for (const nodes of nodeCounts) await measure(nodes);
} finally {
  await world.stop();
}

async function loaded() {
  // Copies to further nodes are made as fast as their disks take them.
  const body = JSON.stringify({ transient: { 'indices.recovery.max_bytes_per_sec': '-1' } });
  await askCluster(world, '/_cluster/settings', { method: 'PUT', body });
  const startedAt = performance.now();
  const secondsOfEach100000 = await load();
  const documentsASecond = Math.round((documentsMax / (performance.now() - startedAt)) * 1_000);
  const told = { documentsASecond, secondsOfEach100000, sentAgain, ...(await sizes()) };
  say(JSON.stringify(told, null, 2));
  return told;
}

async function measure(nodes) {
  const startedAt = performance.now();
  while (world.nodeUrls.length < nodes) await world.addNode();
  await untilGreen(world);
  const run = { nodes, secondsUntilGreen: seconds(startedAt), ...(await sizes()) };
  const [{ port }] = world.places;
  const alone = await startProxy([`http://127.0.0.1:${port}`], await freePort());
  try {
    for (const mode of ['search', 'hybrid-search']) {
      run[`${mode}, 1 server`] = await searches({ mode, url: alone.url });
      run[`${mode}, 2 servers`] = await searches({ mode, url: world.url });
    }
    run.refresh = await refreshes(alone.url);
  } finally {
    await alone.stop();
  }
  figures.runs.push(run);
  say(JSON.stringify(run, null, 2));
  // Hours of work are not lost to what comes after.
  if (values.json) await writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`);
}

/**
 * What the first search after a write takes, which makes a refresh, beside a search that finds nothing new. One caller, so that nothing waits for another one; a round's processor time is that of
 * its write and its search.
 */
async function refreshes(url) {
  const asker = createAsker(url, { 'X-API-Key': key });
  const write = async (i) => {
    const document = { id: `refreshed ${i}`, title: queries[i % queries.length] };
    await must('documents?action=upsert', { url, body: JSON.stringify(document), type: 'application/json' });
  };
  const search = async (i) => {
    const query = queries[i % queries.length];
    const { status } = await asker.ask(
      `/api/collections/${collection}/search?query=${query}&enable_analytics=false`,
    );
    if (status !== 200) throw new Error(`a search: ${status}`);
  };
  const run = async (write, search, rounds) => {
    const took = { writes: [], searches: [] };
    const spent = await spender();
    for (let i = 0; i < rounds; i += 1) {
      const startedAt = performance.now();
      await write(i);
      const writtenAt = performance.now();
      await search(i);
      took.writes.push(writtenAt - startedAt);
      took.searches.push(performance.now() - writtenAt);
    }
    const processorMs = spent(rounds);
    return { writes: summary(took.writes), searches: summary(took.searches), processorMs };
  };
  const nothing = async () => undefined;
  await run(write, search, warmUps);
  const figures = {
    searches: await run(nothing, search, refreshesMeasured),
    writes: await run(write, nothing, refreshesMeasured),
    both: await run(write, search, refreshesMeasured),
  };
  asker.close();
  return figures;
}

/** What nodes and servers have worked since, each so many times. */
async function spender() {
  const pids = {
    nodes: (await world.dev('nodes')).split('\n').map((line) => Number(line.split(' ')[2])),
    servers: world.running.map(({ pid }) => pid),
  };
  const spent = (name) => pids[name].reduce((sum, pid) => sum + processorMs(pid).all, 0);
  const before = { nodes: spent('nodes'), servers: spent('servers') };
  const each = (name, times) => Math.round(((spent(name) - before[name]) / times) * 100) / 100;
  return (times) => ({ nodes: each('nodes', times), servers: each('servers', times) });
}

/** @returns seconds for each 100,000 */
async function load() {
  key = await freshKey(world.url, { collections: [collection], dimension: 384 });
  const every = Math.ceil(documentsMax / queriesMax);
  let body = '';
  let count = 0;
  let since = performance.now();
  const took = [];
  const send = async () => {
    let answer = await must('documents/import', { body });
    while (answer.failed > 0) {
      const [fault] = answer.faults;
      if (answer.faults.length > 1 || fault.retry_after === undefined)
        throw new Error(`rows failed: ${JSON.stringify(answer.faults).slice(0, 500)}`);
      sentAgain.rows += answer.failed;
      await sleep(fault.retry_after * 1_000);
      answer = await must('documents/import', { body });
    }
    body = '';
  };
  for await (const { id, title, text } of manyPapers(documentsMax)) {
    if (count % every === 0) queries.push(encodeURIComponent(wordsOf(title).slice(0, 3).join(' ')));
    body += `${JSON.stringify({ id, title, text })}\n`;
    count += 1;
    if (body.length >= bodyBytes) await send();
    if (count % 10_000 === 0) process.stderr.write(`${seconds(sinceStart)} s: ${count} loaded\n`);
    if (count % 100_000 === 0) {
      took.push(seconds(since));
      since = performance.now();
    }
  }
  if (body !== '') await send();
  queries = queries.filter((query) => query !== '');
  await must(`search?query=${queries[0]}`);
  return took;
}

/** What was told to come again later comes again: a search, and an import, whose documents have ids. */
async function must(rest, { url = world.url, body, type = 'application/x-ndjson' } = {}) {
  for (let tries = 0; ; tries += 1) {
    const answer = await fetch(`${url}/api/collections/${collection}/${rest}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': type }) },
      body,
      signal: AbortSignal.timeout(900_000),
    });
    const text = await answer.text();
    if (answer.ok) return JSON.parse(text);
    if (answer.status < 502 || tries === 100)
      throw new Error(`${rest}: ${answer.status} ${text.slice(0, 300)}`);
    if (body !== undefined) sentAgain.bodies += 1;
    await sleep(Number(answer.headers.get('retry-after') ?? 2) * 1_000);
  }
}

/** Of one copy of the index, and of the heap that a node uses. */
async function sizes() {
  const stats = await askCluster(world, '/vectora-*/_stats/store,segments');
  const nodes = await askCluster(world, '/_nodes/stats/jvm');
  const heaps = Object.values(nodes.nodes).map(({ jvm }) => Math.round(jvm.mem.heap_used_in_bytes / 2 ** 20));
  const [row] = await postgres.sql`select pg_total_relation_size('documents')::float8 as bytes`;
  return {
    indexBytesADocument: Math.round(stats._all.primaries.store.size_in_bytes / documentsMax),
    recordBytesADocument: Math.round(row.bytes / documentsMax),
    heapMegabytes: heaps,
    serverMegabytes: world.running.map(({ pid }) => residentMegabytes(pid)),
  };
}

async function searches({ mode, url }) {
  const asker = createAsker(url, { 'X-API-Key': key });
  const statuses = {};
  let next = 0;
  const run = async (ms) => {
    const took = [];
    const end = performance.now() + ms;
    const caller = async () => {
      while (performance.now() < end) {
        const query = queries[next++ % queries.length];
        const target = `/api/collections/${collection}/${mode}?query=${query}&k=10&enable_analytics=false`;
        const { status, ms: its } = await asker.ask(target);
        statuses[status] = (statuses[status] ?? 0) + 1;
        if (status === 200) took.push(its);
      }
    };
    await Promise.all(Array.from({ length: Number(values.callers) }, caller));
    return took;
  };
  // Nodes and servers that were just started take several times as much until their code is compiled.
  await run(Number(values.warm) * 1_000);
  const spent = await spender();
  const startedAt = performance.now();
  const took = await run(Number(values.seconds) * 1_000);
  const elapsedMs = performance.now() - startedAt;
  asker.close();
  return {
    searchesASecond: Math.round((took.length / elapsedMs) * 1_000),
    ...summary(took),
    processorMs: spent(took.length),
    statuses,
  };
}
