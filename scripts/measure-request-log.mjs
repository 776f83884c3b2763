/**
 * What it costs that requests are kept for Live Events and counted for Monitoring: starts two built servers, each on a fresh embedded database with films, the second one
 * without them, and searches for the films' titles over HTTP, by turns. Processor time of a search with all that comes of it, also of what is written some
 * seconds later: of the main thread, its other threads and its Postgres. A turn has no more searches of a workspace than are kept.
 *
 *   DATASETS_DIR=… node scripts/measure-request-log.mjs [--films 4000] [--pairs 12] [--tenants 4] [--without requests|counts|both]
 *
 * Linux only.
 */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuilt, root } from './freshness.mjs';
import { readOptions } from './load-run.mjs';
import { createAsker, firstFilms, newTenant, startServer } from './load-tools.mjs';
import { descendants, threadTimes } from './processor-times.mjs';

const options = readOptions({
  seconds: 0,
  pairs: { type: 'string', default: '12' },
  tenants: { type: 'string', default: '4' },
  without: { type: 'string', default: 'both' },
});
/** A workspace has 500 kept at once. */
const searchesOfTenant = 450;
/** By then they are in the record, and as many can be kept again. */
const writtenAfterMs = 6_000;
const parts = ['main', 'others', 'database'];

/** How the bundle says what is left out: the script fails where it says so no more. */
const calls = {
  requests: /noted\d*\.end\(/g,
  counts: /deps\d*\.monitoring\.requests\.note\(/g,
};

await ensureBuilt(['server']);
const films = await firstFilms(options.films);
const titles = films.map(({ line }) => JSON.parse(line).title);
const folder = await mkdtemp(path.join(root, 'dist/without-'));
const servers = [];
try {
  await copyWithout(folder);
  for (const main of [undefined, path.join(folder, 'main.js')]) servers.push(await prepare(main));
  const [kept, plain] = servers;
  // V8 compiles what runs often, and Postgres plans it.
  for (let i = 0; i < 3; i += 1) for (const server of servers) await turn(server);
  const pairs = [];
  for (let i = 0; i < Number(options.pairs); i += 1) {
    const first = await turn(i % 2 === 0 ? kept : plain);
    const second = await turn(i % 2 === 0 ? plain : kept);
    pairs.push(i % 2 === 0 ? { kept: first, plain: second } : { kept: second, plain: first });
  }
  report(pairs);
} finally {
  for (const { asker, stop } of servers) {
    for (const one of asker) one.close();
    await stop();
  }
  await rm(folder, { recursive: true, force: true });
}

async function copyWithout(to) {
  await cp(path.join(root, 'dist/server'), to, { recursive: true });
  const file = path.join(to, 'main.js');
  let text = await readFile(file, 'utf8');
  for (const name of options.without === 'both' ? Object.keys(calls) : [options.without]) {
    if (text.search(calls[name]) === -1) throw new Error(`the server does not say ${calls[name]}`);
    text = text.replaceAll(calls[name], '(() => undefined)(');
  }
  await writeFile(file, text);
}

async function prepare(main) {
  const server = await startServer({}, main);
  const asker = [];
  for (let i = 0; i < Number(options.tenants); i += 1) {
    const key = await newTenant(server.url, films);
    asker.push(createAsker(server.url, { 'X-API-Key': key }, 1));
  }
  return { ...server, asker, asked: 0 };
}

/** Microseconds a search. */
async function turn(server) {
  const before = timesOf(server.pid);
  for (const asker of server.asker)
    for (let i = 0; i < searchesOfTenant; i += 1) {
      server.asked += 1;
      const query = encodeURIComponent(titles[(server.asked * 37) % titles.length]);
      const { status } = await asker.ask(`/api/collections/films/search?q=${query}&enable_analytics=false`);
      if (status !== 200) throw new Error(`a search was answered ${status}`);
    }
  await sleep(writtenAfterMs);
  const after = timesOf(server.pid);
  const searches = server.asker.length * searchesOfTenant;
  return Object.fromEntries(parts.map((part) => [part, ((after[part] - before[part]) * 1_000) / searches]));
}

/** Milliseconds so far. */
function timesOf(pid) {
  const own = threadTimes(pid);
  const main = own.find(([thread]) => thread === String(pid))?.[1] ?? 0;
  return { main, others: sumOf(own) - main, database: sumOf(descendants(pid).flatMap(threadTimes)) };
}

function sumOf(times) {
  return times.reduce((sum, [, ms]) => sum + ms, 0);
}

function report(pairs) {
  const total = (times) => parts.reduce((sum, part) => sum + times[part], 0);
  const plain = median(pairs.map((pair) => total(pair.plain)));
  console.log(`a search without it: ${Math.round(plain)} µs of processor time`);
  for (const part of parts) {
    const more = pairs.map((pair) => pair.kept[part] - pair.plain[part]);
    console.log(`with it, ${part}: ${median(more).toFixed(1)} µs more`);
  }
  const all = pairs.map((pair) => total(pair.kept) - total(pair.plain)).toSorted((a, b) => a - b);
  const share = (micros) => `${micros.toFixed(1)} µs (${((100 * micros) / plain).toFixed(2)} %)`;
  const [low, high] = [all[Math.floor(all.length / 4)], all[Math.floor((all.length * 3) / 4)]];
  console.log(`all: ${share(median(all))} more; half of the pairs between ${share(low)} and ${share(high)}`);
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return (low + high) / 2;
}
