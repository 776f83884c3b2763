/**
 * What one tenant's load does to another's searches: starts the built server on a fresh embedded database with its default settings, and
 * measures the hybrid searches of tenant B, one after the other, alone and beside what tenant A and people without an account do.
 * What they do is done by a process of its own (`tenant-loads.mjs`).
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
  await searches(b, 5_000);
  const alone = await searches(b, options.seconds * 1000);
  report('alone', alone, alone);
  const figures = { alone };
  for (const [load, name] of Object.entries(loads)) {
    if (options.load && !options.load.includes(load)) continue;
    figures[name] = await beside({ load, ...tenant }, () => searches(b, options.seconds * 1000));
    report(name, figures[name], alone);
    await sleep(2_000);
  }
  b.close();
  return figures;
}

/** Begins once the load is there, and ends it. */
async function beside(asked, task) {
  const loading = fork(path.join(import.meta.dirname, 'tenant-loads.mjs'));
  try {
    loading.send(asked);
    await sleep(2_000);
    if (loading.exitCode !== null) throw new Error(`no load of ${asked.load}`);
    return await task();
  } finally {
    if (loading.exitCode === null && loading.kill()) await once(loading, 'exit');
  }
}

function report(name, { count, p50, p99, turnedAway }, alone) {
  console.log(
    `${name}: p50 ${p50} ms, p99 ${p99} ms of ${count}, ${turnedAway} turned away; p99 ${round(p99 / alone.p99)} × alone`,
  );
}

async function searches({ ask }, forMs) {
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
