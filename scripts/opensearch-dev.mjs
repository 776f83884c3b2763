// A search cluster on this machine, for tests and for trying SEARCH_ENGINE=opensearch. Never for documents that matter: it has no accounts.
//
//   node scripts/opensearch-dev.mjs start [nodes]   1 to 5, 1 unless told; prints their addresses, for OPENSEARCH_URL, also of those that run; what it needs is fetched from Maven Central, once
//   node scripts/opensearch-dev.mjs nodes           name, address and process of each
//   node scripts/opensearch-dev.mjs add             a further node, which joins those that run; prints its address
//   node scripts/opensearch-dev.mjs kill <node>     as a machine that is switched off
//   node scripts/opensearch-dev.mjs restart <node>  with its data, which a small disk loses
//   node scripts/opensearch-dev.mjs stop            ends it; its data goes with the next start
//
// OPENSEARCH_HEAP: of each node, 512m unless told. OPENSEARCH_RUN: the folder of another cluster beside this one. OPENSEARCH_SMALL_DISK_MB: the last
// node's data lie on a disk of that size in memory, and disks that fill up count (root only). OPENSEARCH_SHORT=1: for a minute's use, which costs a third less processor time.
//
// 0: done. 3: this machine has no JDK 11 to 23, no Maven, no way to Maven Central, or another thing that is needed, which standard error says. 1: it should have worked.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './free-port.mjs';
import { oneAtATime } from './one-at-a-time.mjs';
import { assertHost, CannotRunHere, cache, findJava, home, install, say } from './opensearch-files.mjs';

const heap = process.env.OPENSEARCH_HEAP || '512m';
const run = process.env.OPENSEARCH_RUN || path.join(cache, 'run');
const smallDiskMb = Number(process.env.OPENSEARCH_SMALL_DISK_MB || 0);
/** What runs for a minute is not worth much compiling. */
const isShort = process.env.OPENSEARCH_SHORT === '1';
const nodesMax = 5;
const startMs = 180_000;

const folderOf = (name) => path.join(run, name);
const read = (name, file) => readFileSync(path.join(folderOf(name), file), 'utf8');
const nodeNames = () =>
  existsSync(run)
    ? readdirSync(run)
        .filter((name) => name.startsWith('node-'))
        .sort()
    : [];
const addresses = () => nodeNames().map((name) => read(name, 'url'));

/** Null: it does not run. A pid may be another process' by now. */
function pidOf(name) {
  const file = path.join(folderOf(name), 'pid');
  if (!existsSync(file)) return null;
  const pid = Number(readFileSync(file, 'utf8'));
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folderOf(name)) ? pid : null;
  } catch {
    return null;
  }
}

async function isHealthy(nodes, status = 'green') {
  for (const url of addresses()) {
    try {
      const query = `wait_for_status=${status}&wait_for_nodes=${nodes}&timeout=2s`;
      const answer = await fetch(`${url}/_cluster/health?${query}`, { signal: AbortSignal.timeout(10_000) });
      return answer.ok && !(await answer.json()).timed_out;
    } catch {
      // Another node may answer.
    }
  }
  return false;
}

/** All ports are known before the first node starts: they look for each other by them. */
async function configure(count) {
  const names = Array.from({ length: count }, (_, i) => `node-${i + 1}`);
  const ports = new Map();
  while (ports.size < count) ports.set(names[ports.size], [await freePort(), await freePort()]);
  const cluster = `vectora-dev-${process.pid}`;
  const together = { seeds: [...ports.values()].map(([, transport]) => transport), founders: names };
  configureNodes({ ports, cluster, ...together });
}

/** `founders`: the nodes that a cluster begins with; none for a node that joins one. */
function configureNodes({ ports, cluster, seeds, founders }) {
  const hasSmallDisk = smallDiskMb > 0;
  const last = [...ports.keys()].at(-1);
  for (const [name, [port, transport]] of ports) {
    const folder = folderOf(name);
    for (const own of ['config/jvm.options.d', 'data', 'logs', 'tmp'])
      mkdirSync(path.join(folder, own), { recursive: true });
    const settings = {
      'cluster.name': cluster,
      'node.name': name,
      'network.host': '127.0.0.1',
      'http.port': port,
      'transport.port': transport,
      'path.data': path.join(folder, 'data'),
      'path.logs': path.join(folder, 'logs'),
      'action.auto_create_index': false,
      'cluster.routing.allocation.disk.threshold_enabled': hasSmallDisk,
      ...(hasSmallDisk && { 'cluster.info.update.interval': '10s' }),
      'discovery.seed_hosts': seeds.map((seed) => `127.0.0.1:${seed}`),
      ...(founders && { 'cluster.initial_cluster_manager_nodes': founders }),
    };
    const yaml = Object.entries(settings).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
    writeFileSync(path.join(folder, 'config/opensearch.yml'), yaml.join(''));
    writeFileSync(path.join(folder, 'config/log4j2.properties'), `${logging.join('\n')}\n`);
    // The serial collector starts faster and is smaller.
    const options = readFileSync(path.join(home, 'config/jvm.options'), 'utf8').split('\n');
    const unwanted = /UseG1GC|G1Reserve|InitiatingHeap|Xlog:gc|Xloggc|^-Xm[sx]|HeapDump|ErrorFile/;
    writeFileSync(
      path.join(folder, 'config/jvm.options'),
      options.filter((line) => !unwanted.test(line)).join('\n'),
    );
    writeFileSync(path.join(folder, 'url'), `http://127.0.0.1:${port}`);
    if (hasSmallDisk && name === last) writeFileSync(path.join(folder, 'disk-mb'), String(smallDiskMb));
  }
}

const logging = [
  'status = error',
  'appender.console.type = Console',
  'appender.console.name = console',
  'appender.console.layout.type = PatternLayout',
  'appender.console.layout.pattern = %d %p %m%n',
  'rootLogger.level = info',
  'rootLogger.appenderRef.console.ref = console',
];

function launch(name) {
  const folder = folderOf(name);
  const out = openSync(path.join(folder, 'out.log'), 'a');
  rmSync(path.join(folder, 'pid'), { force: true });
  const server = [path.join(home, 'bin/opensearch'), '-p', path.join(folder, 'pid')];
  // It refuses to be root; in a user namespace root is somebody else to itself.
  const asUser = process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=1000', '--map-group=1000'] : [];
  const onDisk = existsSync(path.join(folder, 'disk-mb'))
    ? [
        ...[
          'unshare',
          '--mount',
          'sh',
          '-c',
          `mount -t tmpfs -o size=${read(name, 'disk-mb')}m tmpfs "$0" && exec "$@"`,
        ],
        path.join(folder, 'data'),
      ]
    : [];
  const [command, ...args] = [...onDisk, ...asUser, ...server];
  const child = spawn(command, args, {
    detached: true,
    stdio: ['ignore', out, out],
    env: {
      PATH: process.env.PATH,
      OPENSEARCH_JAVA_HOME: findJava(),
      OPENSEARCH_PATH_CONF: path.join(folder, 'config'),
      OPENSEARCH_TMPDIR: path.join(folder, 'tmp'),
      OPENSEARCH_JAVA_OPTS: `-Xms${heap} -Xmx${heap} -XX:+UseSerialGC -XX:-AlwaysPreTouch -XX:-UsePerfData ${isShort ? '-XX:TieredStopAtLevel=1' : ''}`,
    },
  });
  // Its own words come late, and whoever stops it meanwhile has to know it: all that is run before it becomes it.
  if (child.pid) writeFileSync(path.join(folder, 'pid'), String(child.pid));
  child.unref();
  return child;
}

/** Until all nodes are one cluster of this health. `started`: the processes, none of which may end meanwhile. */
async function settled(started, status) {
  const count = nodeNames().length;
  for (const end = Date.now() + startMs; Date.now() < end; await wait(300)) {
    if (await isHealthy(count, status)) return;
    if (started.some(({ exitCode }) => exitCode !== null)) break;
  }
  const logs = nodeNames().map((name) => `${name}:\n${read(name, 'out.log').slice(-2_000)}`);
  throw new Error(`it did not start:\n${logs.join('\n')}`);
}

async function start(given = '1') {
  const count = Number(given);
  if (!Number.isInteger(count) || count < 1 || count > nodesMax) throw new Error('1 to 5 nodes are possible');
  const running = nodeNames().filter((name) => pidOf(name) !== null);
  if (running.length > 0) {
    if (running.length === count && nodeNames().length === count && (await isHealthy(count)))
      return addresses().join(',');
    await stop();
  }
  assertHost();
  findJava();
  install();
  rmSync(run, { recursive: true, force: true });
  await configure(count);
  await settled(nodeNames().map(launch));
  return addresses().join(',');
}

/** Its copies of shards come later. */
async function add() {
  const names = nodeNames();
  if (names.length === nodesMax) throw new Error('1 to 5 nodes are possible');
  const running = names.find((name) => pidOf(name) !== null);
  if (running === undefined) throw new Error('no node runs that it could join');
  const setting = (name, key) => {
    const line = read(name, 'config/opensearch.yml')
      .split('\n')
      .find((line) => line.startsWith(`${key}: `));
    return JSON.parse(line.slice(key.length + 2));
  };
  const name = `node-${names.length + 1}`;
  configureNodes({
    ports: new Map([[name, [await freePort(), await freePort()]]]),
    cluster: setting(running, 'cluster.name'),
    seeds: names.map((one) => setting(one, 'transport.port')),
  });
  await settled([launch(name)], 'yellow');
  return read(name, 'url');
}

async function stop() {
  const pids = nodeNames().map(pidOf);
  for (const pid of pids) if (pid !== null) process.kill(pid, 'SIGTERM');
  const isRunning = () => nodeNames().some((name) => pidOf(name) !== null);
  for (let tries = 0; tries < 100 && isRunning(); tries += 1) await wait(200);
  for (const name of nodeNames()) {
    const pid = pidOf(name);
    if (pid !== null) process.kill(pid, 'SIGKILL');
  }
}

function assertNode(name) {
  if (!nodeNames().includes(name))
    throw new Error(`which node? There are ${nodeNames().join(', ') || 'none'}`);
}

function kill(name) {
  assertNode(name);
  const pid = pidOf(name);
  if (pid !== null) process.kill(pid, 'SIGKILL');
}

async function restart(name) {
  assertNode(name);
  if (pidOf(name) !== null) throw new Error(`${name} is running`);
  // What it missed is copied to it meanwhile, which takes as long as there is much.
  await settled([launch(name)], 'yellow');
  return read(name, 'url');
}

try {
  const [command, given] = process.argv.slice(2);
  const tell = (text) => process.stdout.write(`${text}\n`);
  /** Whoever comes to this cluster meanwhile waits. */
  const alone = (task) => oneAtATime(path.resolve(run), task);
  if (command === 'start') tell(await alone(() => start(given)));
  else if (command === 'stop') await alone(stop);
  else if (command === 'add') tell(await alone(add));
  else if (command === 'kill') kill(given);
  else if (command === 'restart') tell(await alone(() => restart(given)));
  else if (command === 'nodes')
    for (const name of nodeNames()) tell(`${name} ${read(name, 'url')} ${pidOf(name) ?? '-'}`);
  else throw new Error('start, nodes, add, kill, restart or stop');
} catch (error) {
  say(error.message);
  process.exitCode = error instanceof CannotRunHere ? 3 : 1;
}
