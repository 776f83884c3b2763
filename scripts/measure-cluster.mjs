/**
 * What a cluster answers with 1, 2 and 3 nodes behind 1 and 2 servers, all on this machine with its callers: searches a second and how long they take, what a document takes on the
 * nodes' disks, how fast an index is made anew from the record, and what a refresh costs the first search after a write. By the clock: measure on a quiet machine.
 *
 *   DATASETS_DIR=… node scripts/measure-cluster.mjs [--documents 100000] [--nodes 1,2,3] [--seconds 15] [--callers 8] [--heap 1g] [--json figures.json]
 *
 * The papers of `arxiv-100k`. What each node and server adds on one machine is bounded by its processors; what carries over is the processor time of a search, by process.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { askCluster, startWorld, untilGreen } from './cluster-world.mjs';
import { freshKey } from './films.mjs';
import { freePort } from './free-port.mjs';
import { ensureBuilt } from './freshness.mjs';
import { createAsker, processorMs, residentMegabytes, summary } from './load-tools.mjs';
import { manyPapers, wordsOf } from './papers.mjs';
import { startProxy } from './proxy.mjs';
import { startPostgres } from './throwaway-postgres.mjs';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '100000' },
    nodes: { type: 'string', default: '1,2,3' },
    seconds: { type: 'string', default: '15' },
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
const folder = await mkdtemp(path.join(tmpdir(), 'measure-cluster-'));
const postgres = await startPostgres(folder);
const figures = { documents: documentsMax, runs: [] };
let key = null;
/** Rows that were told to come again later, which the rate counts. */
let sentAgain = 0;
let queries = [];
try {
  for (const nodes of values.nodes.split(',').map(Number)) await measure(nodes);
  if (values.json) await writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`);
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function measure(nodes) {
  const settings = { SEARCH_DELAY_MS: '0', REQUESTS_PER_CALLER: '1000', RATE_LIMIT_KEY: '0' };
  const world = await startWorld({ nodes, servers: 2, heap: values.heap, given: postgres, settings });
  try {
    const startedAt = performance.now();
    const isFirst = key === null;
    if (isFirst) await load(world);
    // The first search of a cluster that has no index makes it from the record.
    else await must(world, `search?query=${queries[0]}`);
    const rate = Math.round(documentsMax / ((performance.now() - startedAt) / 1_000));
    await untilGreen(world);
    const run = {
      nodes,
      [isFirst ? 'importedASecond' : 'remadeASecond']: rate,
      ...(isFirst && { sentAgain }),
      ...(await sizes(world)),
    };
    const [{ port }] = world.places;
    const alone = await startProxy([`http://127.0.0.1:${port}`], await freePort());
    try {
      for (const mode of ['search', 'hybrid-search']) {
        run[`${mode}, 1 server`] = await searches(world, { mode, url: alone.url });
        run[`${mode}, 2 servers`] = await searches(world, { mode, url: world.url });
      }
      // Nodes that were just started take several times as much.
      run.refresh = await refreshes(world, alone.url);
    } finally {
      await alone.stop();
    }
    figures.runs.push(run);
    say(JSON.stringify(run, null, 2));
  } finally {
    await world.stop();
  }
}

/**
 * What the first search after a write takes, which makes a refresh, beside a search that finds nothing new. One caller, so that nothing waits for another one; a round's processor time is that of
 * its write and its search.
 */
async function refreshes(world, url) {
  const asker = createAsker(url, { 'X-API-Key': key });
  const write = async (i) => {
    const document = { id: `refreshed ${i}`, title: queries[i % queries.length] };
    await must({ url }, 'documents?action=upsert', JSON.stringify(document), 'application/json');
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
    const spent = await spender(world);
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
async function spender(world) {
  const pids = {
    nodes: (await world.dev('nodes')).split('\n').map((line) => Number(line.split(' ')[2])),
    servers: world.running.map(({ pid }) => pid),
  };
  const spent = (name) => pids[name].reduce((sum, pid) => sum + processorMs(pid).all, 0);
  const before = { nodes: spent('nodes'), servers: spent('servers') };
  const each = (name, times) => Math.round(((spent(name) - before[name]) / times) * 100) / 100;
  return (times) => ({ nodes: each('nodes', times), servers: each('servers', times) });
}

async function load(world) {
  key = await freshKey(world.url, { collections: [collection], dimension: 384 });
  const every = Math.ceil(documentsMax / queriesMax);
  let body = '';
  let count = 0;
  const send = async () => {
    let answer = await must(world, 'documents/import', body);
    while (answer.failed > 0) {
      const [fault] = answer.faults;
      if (answer.faults.length > 1 || fault.retry_after === undefined)
        throw new Error(`rows failed: ${JSON.stringify(answer.faults).slice(0, 500)}`);
      sentAgain += answer.failed;
      await sleep(fault.retry_after * 1_000);
      answer = await must(world, 'documents/import', body);
    }
    body = '';
  };
  for await (const { id, title, text } of manyPapers(documentsMax)) {
    if (count % every === 0) queries.push(encodeURIComponent(wordsOf(title).slice(0, 3).join(' ')));
    body += `${JSON.stringify({ id, title, text })}\n`;
    count += 1;
    if (body.length >= bodyBytes) await send();
    if (count % 10_000 === 0) process.stderr.write(`${count} loaded\n`);
  }
  if (body !== '') await send();
  queries = queries.filter((query) => query !== '');
  await must(world, `search?query=${queries[0]}`);
}

async function must(world, rest, body, type = 'application/x-ndjson') {
  const answer = await fetch(`${world.url}/api/collections/${collection}/${rest}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': type }) },
    body,
    // An index may have to be made first.
    signal: AbortSignal.timeout(900_000),
  });
  const text = await answer.text();
  if (answer.status >= 502 && body === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    return await must(world, rest);
  }
  if (!answer.ok) throw new Error(`${rest}: ${answer.status} ${text.slice(0, 300)}`);
  return JSON.parse(text);
}

/** Of one copy of the index, and of the heap that a node uses. */
async function sizes(world) {
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

async function searches(world, { mode, url }) {
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
  await run(5_000);
  const spent = await spender(world);
  const startedAt = performance.now();
  const took = await run(Number(values.seconds) * 1_000);
  const seconds = (performance.now() - startedAt) / 1_000;
  asker.close();
  return {
    searchesASecond: Math.round(took.length / seconds),
    ...summary(took),
    processorMs: spent(took.length),
    statuses,
  };
}
