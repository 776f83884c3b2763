/**
 * What it costs that searches are counted: starts the built server on a fresh embedded database, loads films and searches for their titles over HTTP, by
 * turns with `enable_analytics` and without it. Processor time of a search with all that comes of it, also of what is written some seconds later: of
 * the server's main thread, its other threads and its Postgres. Each pair takes its turns close together, so that what else the machine does meets both.
 *
 *   DATASETS_DIR=… node scripts/measure-search-log.mjs [--films 10000] [--pairs 12] [--searches 2000] [--path search]
 *
 * Linux only.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { measureServer, readOptions } from './load-run.mjs';
import { createAsker, firstFilms, newTenant } from './load-tools.mjs';
import { descendants, threadTimes } from './processor-times.mjs';

const options = readOptions({
  seconds: 0,
  films: { type: 'string', default: '10000' },
  pairs: { type: 'string', default: '12' },
  searches: { type: 'string', default: '2000' },
  path: { type: 'string', default: 'search' },
});
const searches = Number(options.searches);
/** By then a search that nobody types on is in the record. */
const writtenAfterMs = 11_000;
const parts = ['main', 'others', 'database'];

await measureServer(options, async ({ url, pid }) => {
  const films = await firstFilms(options.films);
  const key = await newTenant(url, films);
  const asker = createAsker(url, { 'X-API-Key': key }, 1);
  const titles = films.map(({ line }) => JSON.parse(line).title);
  let asked = 0;
  const turn = async (isCounted) => {
    const before = timesOf(pid);
    for (let i = 0; i < searches; i += 1) {
      asked += 1;
      const query = encodeURIComponent(titles[(asked * 37) % titles.length]);
      const more = isCounted ? '' : '&enable_analytics=false';
      const { status } = await asker.ask(`/api/collections/films/${options.path}?q=${query}${more}`);
      if (status !== 200) throw new Error(`a search was answered ${status}`);
    }
    await sleep(writtenAfterMs);
    const after = timesOf(pid);
    return Object.fromEntries(parts.map((part) => [part, ((after[part] - before[part]) * 1_000) / searches]));
  };
  // V8 compiles what runs often, and Postgres plans it.
  for (const isCounted of [true, false, true]) await turn(isCounted);
  const pairs = [];
  for (let i = 0; i < Number(options.pairs); i += 1) pairs.push(await pairOf(turn, i % 2 === 0));
  asker.close();
  return report(pairs);
});

/** Milliseconds so far. */
function timesOf(pid) {
  const own = threadTimes(pid);
  const main = own.find(([thread]) => thread === String(pid))?.[1] ?? 0;
  const database = sumOf(descendants(pid).flatMap(threadTimes));
  return { main, others: sumOf(own) - main, database };
}

function sumOf(times) {
  return times.reduce((sum, [, ms]) => sum + ms, 0);
}

async function pairOf(turn, isCountedFirst) {
  const first = await turn(isCountedFirst);
  const second = await turn(!isCountedFirst);
  return isCountedFirst ? { counted: first, plain: second } : { counted: second, plain: first };
}

/** Microseconds a search. */
function report(pairs) {
  const total = (times) => parts.reduce((sum, part) => sum + times[part], 0);
  const plain = median(pairs.map((pair) => total(pair.plain)));
  const more = Object.fromEntries(
    parts.map((part) => [part, median(pairs.map(({ counted, plain }) => counted[part] - plain[part]))]),
  );
  const all = pairs.map((pair) => total(pair.counted) - total(pair.plain)).toSorted((a, b) => a - b);
  console.log(`a search that is not counted: ${Math.round(plain)} µs of processor time`);
  for (const part of parts) console.log(`counted, ${part}: ${more[part].toFixed(1)} µs more`);
  const share = (micros) => `${micros.toFixed(1)} µs (${((100 * micros) / plain).toFixed(2)} %)`;
  const [low, high] = [all[Math.floor(all.length / 4)], all[Math.floor((all.length * 3) / 4)]];
  console.log(`all: ${share(median(all))} more; half of the pairs between ${share(low)} and ${share(high)}`);
  return { plain, more, pairs };
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [low, high] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]];
  return (low + high) / 2;
}
