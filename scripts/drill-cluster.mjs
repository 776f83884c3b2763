/**
 * What happens to callers when parts of a cluster fail: nodes, Postgres, two servers and the proxy run on this machine, callers write, import and search,
 * and each step takes something away. Tells of each step what was lost, doubled and refused, and whether Verify shows a difference afterwards.
 *
 *   node scripts/drill-cluster.mjs [--seconds 20] [--cut 10] [--only node,nodes,server,postgres,network,away,silence,disk] [--json figures.json]
 *   DATASETS_DIR=… node scripts/drill-cluster.mjs --documents 100000   of papers that the embedded engine of one machine had, moved by `npm run migrate` first
 *   node scripts/drill-cluster.mjs --only upgrade --from ../vectora-before   servers of another release, installed and built in that folder, are replaced by this one's, one after the other
 *
 * Needs a JDK and Maven (opensearch-dev.mjs) and haproxy; the disk that fills up needs root. Exits 1 where something was lost or doubled, an index differs, a 503 has no Retry-After, a
 * lost node is felt for more than two seconds, or an upgrade at all. About 5 GB of memory.
 */
import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { appSecret, askCluster, startWorld, untilGreen } from './cluster-world.mjs';
import { startLoad } from './drill-load.mjs';
import { freshKey } from './films.mjs';
import { ensureBuilt } from './freshness.mjs';
import { moveFromEmbedded } from './moved-record.mjs';
import { hasProxy } from './proxy.mjs';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    only: { type: 'string' },
    from: { type: 'string' },
    json: { type: 'string' },
    documents: { type: 'string', default: '0' },
    cut: { type: 'string', default: '10' },
  },
});
const collection = 'things';
/** Nobody is reached for so long. */
const cutMs = Number(values.cut) * 1000;
const smallDiskMb = 400;
/** Callers get no 5xx for longer when one node of several is lost. */
const nodeLostMsMax = 2_000;
/** What it cannot do whole, as to write on a full disk, it does as far as it can. */
const run = (command, args) => promisify(execFile)(command, args).catch(() => undefined);
const isRoot = process.getuid?.() === 0;
const say = (text) => process.stdout.write(`${text}\n`);

if (!hasProxy()) {
  say('haproxy is not installed: nothing was done');
  process.exit(3);
}
await ensureBuilt(['server']);
const documents = Number(values.documents);
const wanted = values.only?.split(',');
const world = await startWorld({
  nodes: 3,
  servers: 2,
  // Leased from the record, and never used up.
  settings: { RATE_LIMIT_KEY: '1000000' },
  ...(documents > 0 && { heap: '1g' }),
  ...(values.from && { main: path.resolve(values.from, 'dist/server/main.js') }),
  // A paper takes 12 KB, and room to merge.
  smallDiskMb: isRoot && (wanted?.includes('disk') ?? true) ? smallDiskMb + Math.ceil(documents / 25) : 0,
  beforeServers: ({ folder, ...to }) =>
    documents === 0 ? null : moveFromEmbedded(folder, { documents, collection, secret: appSecret, to }),
});
let key = '';

async function ask(method, route, body, headers = {}) {
  try {
    const answer = await fetch(`${world.url}${route}`, {
      method,
      headers: {
        'x-api-key': key,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body,
      // Verify reads all of a collection, and so does an export.
      signal: AbortSignal.timeout(600_000),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json');
    return {
      status: answer.status,
      body: isJson ? JSON.parse(text) : text,
      retryAfter: answer.headers.get('retry-after'),
    };
  } catch {
    return { status: 0, body: null, retryAfter: null };
  }
}

/** Until it is answered with 200: what was taken away is there again. */
async function askUntil(method, route) {
  for (const end = Date.now() + 700_000; ; await sleep(500)) {
    const answer = await ask(method, route);
    if (answer.status === 200) return answer.body;
    if (Date.now() > end) throw new Error(`${route}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
}

const route = (rest) => `/api/collections/${collection}/${rest}`;
const seconds = Number(values.seconds) * 1000;

/** Each takes something away while callers go on, and gives it back. */
const steps = {
  none: async () => {
    await sleep(seconds);
  },
  node: async () => {
    await sleep(3_000);
    const name = await nodeOfPrimary();
    await world.dev('kill', name);
    await sleep(seconds);
    await world.dev('restart', name);
    await untilGreen(world);
  },
  /** One after the other, as where the cluster is upgraded: the next one once all copies are whole again. */
  nodes: async () => {
    for (const line of (await world.dev('nodes')).split('\n')) {
      const [name] = line.split(' ');
      await sleep(seconds / 3);
      await world.dev('kill', name);
      await world.dev('restart', name);
      await untilGreen(world);
    }
  },
  server: async () => {
    await sleep(3_000);
    await world.running[0].kill();
    await sleep(seconds);
    await world.startOne(0);
    await sleep(3_000);
  },
  /** The first one brings the database up to date while the other goes on as the release before. */
  upgrade: async () => {
    for (const i of world.running.keys()) {
      await sleep(seconds / 3);
      await world.running[i].stop();
      await world.startOne(i);
    }
    await sleep(seconds / 3);
  },
  postgres: async () => {
    for (let times = 0; times < 3; times += 1) {
      await sleep(seconds / 3);
      await world.postgres.sql`
        select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'`;
    }
    await sleep(3_000);
  },
  /** Between one server and all nodes. */
  network: async () => {
    await sleep(3_000);
    for (const relay of world.places[0].relays) relay.silence();
    await sleep(cutMs);
    for (const relay of world.places[0].relays) relay.restore();
    await sleep(Math.max(0, seconds - cutMs));
  },
  /** Between all servers and all nodes: OpenSearch is away. */
  away: async () => {
    await sleep(3_000);
    const relays = world.places.flatMap((place) => place.relays);
    for (const relay of relays) relay.silence();
    await sleep(cutMs);
    for (const relay of relays) relay.restore();
    await sleep(Math.max(0, seconds - cutMs));
  },
  /** Of one node, as a machine that vanishes without a word. */
  silence: async () => {
    await sleep(3_000);
    for (const place of world.places) place.relays[0].silence();
    await sleep(cutMs);
    for (const place of world.places) place.relays[0].restore();
    await sleep(Math.max(0, seconds - cutMs));
  },
  disk: async () => {
    await sleep(3_000);
    const [name, , pid] = (await world.dev('nodes')).split('\n').at(-1).split(' ');
    const file = `/proc/${pid}/root${world.folder}/nodes/${name}/data/ballast`;
    await run('dd', ['if=/dev/zero', `of=${file}`, 'bs=1M', `count=${smallDiskMb + documents}`]);
    // The cluster looks at disks every ten seconds.
    await sleep(seconds + 15_000);
    await rm(file);
    await untilGreen(world);
    await sleep(15_000);
  },
};

async function nodeOfPrimary() {
  const shards = await askCluster(world, '/_cat/shards/vectora-*?format=json&h=prirep,node');
  return shards.find(({ prirep }) => prirep === 'p').node;
}

/** Ids as the index has them, page by page through the API, each as often as it comes. */
async function idsInIndex() {
  const ids = [];
  for (let cursor = ''; ; ) {
    const from = `cursor=${encodeURIComponent(cursor)}`;
    const { hits, next_cursor: next } = await askUntil('GET', route(`search?query=*&per_page=250&${from}`));
    ids.push(...hits.map(({ id }) => id));
    if (!next) return ids;
    cursor = next;
  }
}

async function runStep(name, all, isLast) {
  const load = startLoad({ ask, collection, prefix: name });
  const startedAt = performance.now();
  try {
    await steps[name]();
  } finally {
    await load.stop();
  }
  const ms = Math.round(performance.now() - startedAt);
  for (const id of load.acknowledged) all.add(id);
  const verified = await askUntil('POST', route('verify'));
  const exported = (await askUntil('GET', route('documents/export')))
    .split('\n')
    .filter((line) => line !== '');
  const contents = exported.map((line) => JSON.parse(line));
  const recorded = contents.map(({ id }) => id);
  // Verify has compared them; page by page many take long.
  const indexed = documents > 0 && !isLast ? recorded : await idsInIndex();
  const [inRecord, inIndex] = [new Set(recorded), new Set(indexed)];
  const lost = [...all].filter((id) => !inRecord.has(id) || !inIndex.has(id)).length;
  const doubled = recorded.length - inRecord.size + (indexed.length - inIndex.size);
  const differences = verified.missing.length + verified.ghosts.length + verified.stale.length;
  const isSame = differences === 0 && verified.documents === verified.indexed;
  return {
    name,
    ms,
    ...load.counts,
    longestMs: load.longestMs,
    lost,
    doubled,
    undone: load.undoneIn(contents),
    isSame,
    documents: indexed.length,
  };
}

try {
  const moved = world.prepared;
  key = moved?.key ?? (await freshKey(world.url, { collections: [collection], dimension: 384 }));
  if (moved)
    say(`${documents} documents imported in ${moved.importMs} ms, moved and verified in ${moved.moveMs} ms`);
  const isPossible = (name) => (name === 'disk' ? isRoot : name !== 'upgrade' || values.from);
  const asked = wanted ?? Object.keys(steps);
  const chosen = asked.filter(isPossible);
  const left = asked.filter((name) => !isPossible(name));
  if (left.length > 0) say(`left out: ${left.join(', ')}`);
  const all = new Set(moved?.ids);
  const figures = [];
  for (const name of chosen) {
    const figure = await runStep(name, all, name === chosen.at(-1));
    figures.push(figure);
    const longest = Object.entries(figure.longestMs).map(([kind, ms]) => `${kind} ${Math.round(ms)} ms`);
    say(
      `${name}: ${figure.writes} writes, ${figure.updates} updates, ${figure.imports} imports, ${figure.searches} searches (${figure.fromRecord} from the record) answered in ${figure.ms} ms; ${figure.failed} not; lost ${figure.lost}, doubled ${figure.doubled}, undone ${figure.undone}, unseen ${figure.unseen}; longest without an answer: ${longest.join(', ')}; 503 without Retry-After: ${figure.withoutRetryAfter}; ${JSON.stringify(figure.other)}; Verify: ${figure.isSame ? 'the same' : 'DIFFERENT'} (${figure.documents} documents)`,
    );
  }
  if (values.json) await writeFile(values.json, JSON.stringify(figures, null, 2));
  const broken = figures.filter(
    ({ lost, doubled, undone, unseen, isSame }) => lost + doubled + undone + unseen > 0 || !isSame,
  );
  const rude = figures.filter(({ withoutRetryAfter }) => withoutRetryAfter > 0);
  const slow = figures.filter(
    ({ name, longestMs }) => name.startsWith('node') && Math.max(...Object.values(longestMs)) > nodeLostMsMax,
  );
  const felt = figures.filter(({ name, failed }) => name === 'upgrade' && failed > 0);
  const faults = {
    'lost, doubled, undone or unseen, or Verify told a difference': broken,
    '503 without Retry-After': rude,
    [`a lost node was felt for more than ${nodeLostMsMax} ms`]: slow,
    'an upgrade was felt': felt,
  };
  for (const [fault, at] of Object.entries(faults)) {
    if (at.length === 0) continue;
    say(`failed: ${fault}: ${at.map(({ name }) => name).join(', ')}`);
    process.exitCode = 1;
  }
} finally {
  await world.stop();
}
