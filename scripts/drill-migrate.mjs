/**
 * `npm run migrate` is killed, as by a system that has no memory left, amid the copy of the record and amid the making of indexes, and run again each time: what is
 * there in the end is held against what the embedded engine had, document by document, in Postgres, in the cluster and on the way back. Exits 1 where something is
 * lost, doubled or left behind.
 *
 *   node scripts/drill-migrate.mjs [--documents 3000]
 *
 * A cluster of one node is started for it (opensearch-dev.mjs), or OPENSEARCH_URL names one that has no indexes. Linux only; some three minutes.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { print } from './attacks/target.mjs';
import { judge } from './attacks/verdict.mjs';
import { openThrowaway } from './end-with-this.mjs';
import { freshKey } from './films.mjs';
import { at, ensureBuilt } from './freshness.mjs';
import { startServer } from './load-tools.mjs';
import { startPostgres } from './throwaway-postgres.mjs';

const { values } = parseArgs({ options: { documents: { type: 'string', default: '3000' } } });
const collections = ['things', 'others'];
const secret = 'a secret for drills, long enough to be one';
const words = ['torch', 'harbor', 'violin', 'glacier', 'market', 'orchard', 'engine', 'lantern'];
const againMs = 20_000;

/** When it is killed: so long after it has printed this. */
const kills = [
  ['as the copy begins', /Copying the record/, 0],
  ['amid the copy', / collections: /, 0],
  ['a little later', / collections: /, 40],
  ['before the copy is compared', / documents: /, 0],
  ['once the copy is there', /Copied, /, 0],
  ['as the first index is made', /1 of 2[\s\S]*\r +\d+ documents/, 0],
  ['a little later', /1 of 2[\s\S]*\r +\d+ documents/, 300],
  ['as the first index is there', /1 of 2[\s\S]*verified/, 0],
  ['as the second index is made', /2 of 2[\s\S]*\r +\d+ documents/, 0],
];
const killsBack = [
  ['amid the copy back', / collections: /, 0],
  ['before the copy back is compared', / documents: /, 0],
];

await ensureBuilt(['server']);
const { folder, closers, stop, isStopping } = await openThrowaway('vectora-migrate-');
let killedRuns = 0;
try {
  await drill();
} catch (error) {
  if (!isStopping()) print(error.stack);
  process.exitCode = 1;
} finally {
  await stop();
}

async function drill() {
  for (const name of ['moved', 'back']) await mkdir(path.join(folder, name));
  const nodes = process.env.OPENSEARCH_URL ?? (await startCluster());
  const postgres = await startPostgres(folder);
  closers.push(postgres.stop);
  const dataDir = path.join(folder, 'embedded');
  const settings = { APP_SECRET: secret, LOG_LEVEL: 'error' };
  const inCluster = { ...settings, DATABASE_URL: postgres.url, OPENSEARCH_URL: nodes };
  const first = await serve({ ...settings, DATA_DIR: dataDir });
  const key = await freshKey(first.url, { collections, dimension: 64 });
  for (const name of collections) await load(first.url, key, name);
  const before = await contents(first.url, key);
  await first.stop();

  const env = { ...process.env, ...inCluster, DATA_DIR: dataDir };
  const counts = `of ${collections.length * values.documents}`;
  for (const [when, printed, laterMs] of kills) {
    await killed('opensearch', env, { printed, laterMs });
    const stored = await storedIn(postgres.sql);
    judge(`killed ${when}: documents in Postgres`, {
      expected: 'all or none',
      found: `${stored} ${counts}`,
      isFine: stored === 0 || stored === collections.length * values.documents,
    });
  }
  await finished('opensearch', env);
  const indexes = await fetch(`${nodes.split(',')[0]}/_cat/indices?format=json`).then((answer) =>
    answer.json(),
  );
  const own = indexes.map(({ index }) => index).filter((name) => !name.startsWith('.'));
  judge('indexes in the cluster', {
    expected: collections.length,
    found: own.length,
    isFine: own.length === collections.length,
  });
  const moved = await serve({
    ...inCluster,
    SEARCH_ENGINE: 'opensearch',
    DATA_DIR: path.join(folder, 'moved'),
  });
  await judgeSame('in Postgres and the cluster', before, await contents(moved.url, key));
  for (const name of collections) {
    const verified = await ask(moved.url, key, 'POST', `${name}/verify`);
    const differing = [verified.missing, verified.ghosts, verified.stale].flat().length;
    judge(`${name}, verified`, { expected: 'no difference', found: differing, isFine: differing === 0 });
  }
  await moved.stop();

  const back = { ...env, DATA_DIR: path.join(folder, 'back') };
  for (const [when, printed, laterMs] of killsBack) {
    await killed('embedded', back, { printed, laterMs });
    print(`killed ${when}`);
  }
  await finished('embedded', back);
  const last = await serve({ ...settings, DATA_DIR: back.DATA_DIR });
  await judgeSame('back in an embedded database', before, await contents(last.url, key));
  await last.stop();
  const expected = kills.length + killsBack.length;
  judge('runs that were killed', { expected, found: killedRuns, isFine: killedRuns === expected });
  const left = await processesIn(path.join(folder, 'embedded'), back.DATA_DIR);
  judge('processes left behind', { expected: 'none', found: left.length, isFine: left.length === 0 });
}

/** Ended with the drill at the latest. */
async function serve(settings) {
  const server = await startServer(settings);
  closers.push(server.stop);
  return server;
}

async function startCluster() {
  const env = { OPENSEARCH_HEAP: '1g', ...process.env, OPENSEARCH_RUN: path.join(folder, 'nodes') };
  const dev = (command) =>
    promisify(execFile)(process.execPath, [at('scripts/opensearch-dev.mjs'), command], { env });
  closers.push(() => dev('stop'));
  return (await dev('start')).stdout.trim();
}

async function load(url, key, name) {
  const lines = Array.from({ length: values.documents }, (_, i) => {
    const text = Array.from({ length: 30 }, (__, place) => words[(i * 7 + place * (i % 5)) % words.length]);
    return JSON.stringify({ id: `${name}-${i}`, text: text.join(' '), number: i });
  });
  const { failed } = await ask(url, key, 'POST', `${name}/documents/import`, lines.join('\n'));
  if (failed > 0) throw new Error(`${failed} documents were refused`);
}

async function ask(url, key, method, route, body) {
  const answer = await fetch(`${url}/api/collections/${route}`, {
    method,
    headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/x-ndjson' }) },
    body,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${text.slice(0, 500)}`);
  return answer.headers.get('content-type')?.startsWith('application/json') ? JSON.parse(text) : text;
}

/** Of each collection all documents, and what is found by one of their words. */
async function contents(url, key) {
  const all = {};
  for (const name of collections) {
    const exported = await ask(url, key, 'GET', `${name}/documents/export`);
    const { found } = await ask(url, key, 'GET', `${name}/search?query=violin`);
    all[name] = { documents: exported.split('\n').filter(Boolean).sort(), found };
  }
  return all;
}

async function judgeSame(where, before, now) {
  for (const name of collections) {
    const [was, is] = [before[name], now[name]];
    const lost = was.documents.filter((line) => !is.documents.includes(line)).length;
    const more = is.documents.length - new Set(was.documents).size + lost;
    judge(`${name} ${where}`, {
      expected: `${was.documents.length} documents as they were, ${was.found} found`,
      found: `${is.documents.length} documents, ${lost} lost or changed, ${more} too many, ${is.found} found`,
      isFine: lost === 0 && more === 0 && is.found === was.found,
    });
  }
}

function start(to, env) {
  const child = spawn(process.execPath, [at('scripts/migrate.mjs'), '--to', to], { env });
  const run = { child, said: '' };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      run.said += text;
    });
  run.ended = once(child, 'close');
  closers.push(async () => {
    child.kill('SIGKILL');
    await run.ended;
  });
  return run;
}

/** The connections of one that was killed may outlive it for a moment. */
const isHeld = (said) => /in use|uses|holds|running/i.test(said) && !/another record/.test(said);

/** SIGKILL as soon as it has printed this. @throws where it has ended before it did */
async function killed(to, env, { printed, laterMs }) {
  for (const end = Date.now() + againMs; ; await sleep(200)) {
    const run = start(to, env);
    const kill = () => {
      if (!printed.test(run.said)) return;
      for (const stream of [run.child.stdout, run.child.stderr]) stream.off('data', kill);
      setTimeout(() => run.child.kill('SIGKILL'), laterMs);
    };
    for (const stream of [run.child.stdout, run.child.stderr]) stream.on('data', kill);
    await run.ended;
    if (run.child.signalCode === 'SIGKILL') {
      killedRuns += 1;
      return;
    }
    if (printed.test(run.said)) return print('it was faster than the kill');
    if (!isHeld(run.said) || Date.now() > end) throw new Error(`it was not to be killed:\n${run.said}`);
  }
}

async function finished(to, env) {
  for (const end = Date.now() + againMs; ; await sleep(200)) {
    const run = start(to, env);
    await run.ended;
    if (run.child.exitCode === 0) return print(`run to its end, to ${to}`);
    if (!isHeld(run.said) || Date.now() > end) throw new Error(`it did not end well:\n${run.said}`);
  }
}

async function storedIn(sql) {
  const [{ there }] = await sql`select to_regclass('public.documents') is not null as there`;
  if (!there) return 0;
  const [{ count }] = await sql`select count(*)::int as count from documents`;
  return count;
}

/** That have one of these folders in their command line. */
async function processesIn(...folders) {
  const left = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const line = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (folders.some((one) => line.includes(one))) left.push(name);
  }
  return left;
}
