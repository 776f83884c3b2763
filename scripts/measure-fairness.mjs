/**
 * What one tenant's load does to another's searches: starts the built server on a fresh embedded database with its default settings, and
 * measures the hybrid searches of tenant B, one after the other, alone and beside what tenant A and people without an account do.
 * What they do is done by a process of its own (`tenant-loads.mjs`), which is stopped and goes on by turns of a second: so both are measured
 * at the same time, whatever else the machine has to do. `--seconds` of each.
 *
 *   DATASETS_DIR=… node scripts/measure-fairness.mjs [--films 4000] [--seconds 10] [--load imports …] [--set NAME=value …] [--json figures.json]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { queries } from './films.mjs';
import { measureServer, readOptions } from './load-run.mjs';
import { createAsker, firstFilms, newTenant, round, summary } from './load-tools.mjs';

const options = readOptions({ seconds: 10, load: { type: 'string', multiple: true } });
const importsAtOnce = 6;
const turnMs = 1_000;
/** After a turn, until what it has begun or let wait is done. */
const settleMs = 300;
const loads = {
  imports: `${importsAtOnce} imports`,
  'dear filters': '4 clients with filters of 100 conditions',
  'pipelined searches': 'one socket, 5,000 pipelined searches',
  'demo searches': '8 anonymous clients with batches of 20 demo searches',
};

await measureServer(options, async ({ url }) => measure(url, await firstFilms(options.films)));

async function measure(url, films) {
  const collections = Array.from({ length: importsAtOnce }, (_, i) => `others${i}`);
  const tenant = { url, key: await newTenant(url, films, collections), collections, films: films.length };
  const b = createAsker(url, { 'X-API-Key': await newTenant(url, films) });
  await searches(b, 5_000, { times: [], turnedAway: 0 });
  const figures = {};
  for (const [load, name] of Object.entries(loads)) {
    if (options.load && !options.load.includes(load)) continue;
    figures[name] = await byTurns({ load, ...tenant }, b);
    report(name, figures[name]);
    await sleep(2_000);
  }
  b.close();
  return figures;
}

/** Begins once the load is there, and ends it. */
async function byTurns(asked, b) {
  const loading = fork(path.join(import.meta.dirname, 'tenant-loads.mjs'));
  const beside = { times: [], turnedAway: 0 };
  const alone = { times: [], turnedAway: 0 };
  try {
    loading.send(asked);
    await sleep(2_000);
    if (loading.exitCode !== null) throw new Error(`no load of ${asked.load}`);
    for (let turn = 0; turn < (options.seconds * 1_000) / turnMs; turn += 1) {
      await searches(b, turnMs, beside);
      loading.kill('SIGSTOP');
      await sleep(settleMs);
      await searches(b, turnMs, alone);
      loading.kill('SIGCONT');
      await sleep(settleMs);
    }
  } finally {
    if (loading.exitCode === null && loading.kill('SIGKILL')) await once(loading, 'exit');
  }
  return { beside: figuresOf(beside), alone: figuresOf(alone) };
}

function figuresOf({ times, turnedAway }) {
  return { ...summary(times), turnedAway };
}

function report(name, { beside, alone }) {
  const told = ({ p50, p99, count }) => `p50 ${p50} ms, p99 ${p99} ms of ${count}`;
  const ratios = `p50 ${round(beside.p50 / alone.p50)} ×, p99 ${round(beside.p99 / alone.p99)} ×`;
  console.log(
    `${name}: ${told(beside)}, ${beside.turnedAway} turned away; alone ${told(alone)}; ${ratios} alone`,
  );
}

async function searches({ ask }, forMs, outcome) {
  const startedAt = performance.now();
  for (let i = 0; performance.now() - startedAt < forMs; i += 1) {
    const q = encodeURIComponent(queries[i % queries.length]);
    const { status, ms } = await ask(`/api/collections/films/hybrid-search?q=${q}`);
    if (status === 200) outcome.times.push(ms);
    else outcome.turnedAway += 1;
    await sleep(10);
  }
}
