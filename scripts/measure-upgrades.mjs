/**
 * What it costs searches that the transformer reads documents meanwhile: the built server with films, first with the static table alone, then on the same machine with the
 * transformer at work; and how many documents it reads in a minute.
 *
 *   DATASETS_DIR=… node scripts/measure-upgrades.mjs [--films 600] [--searches 300] [--runs 3]
 *
 * Searches are asked one after the other, by meaning and words. Times are by the clock: only those of one run can be compared, and where the machine has other work the least of the
 * runs' ratios says most.
 */
import { parseArgs } from 'node:util';
import { queries } from './films.mjs';
import { ensureBuilt } from './freshness.mjs';
import {
  createAsker,
  firstFilms,
  newTenant,
  residentMegabytes,
  startServer,
  summary,
} from './load-tools.mjs';

const { values } = parseArgs({
  options: {
    films: { type: 'string', default: '600' },
    searches: { type: 'string', default: '300' },
    runs: { type: 'string', default: '3' },
  },
});

await ensureBuilt(['server']);
const films = await firstFilms(Number(values.films));
for (let run = 0; run < Number(values.runs); run++) {
  const idle = await measured('static');
  const busy = await measured('builtin');
  console.log(
    `run ${run + 1}: p99 ${(busy.p99 / idle.p99).toFixed(2)} ×, p50 ${(busy.p50 / idle.p50).toFixed(2)} ×`,
  );
}

async function measured(embeddings) {
  const server = await startServer({ EMBEDDINGS: embeddings });
  try {
    const key = await newTenant(server.url, films);
    const upgraded = () => upgradedCount(server.url, key);
    // It is at work, and searches are its own.
    if (embeddings === 'builtin') while ((await upgraded()) === 0) await search(server, key, 10);
    const [before, since] = [await upgraded(), performance.now()];
    const figures = summary(await search(server, key, Number(values.searches)));
    const minutes = (performance.now() - since) / 60_000;
    const read = (await upgraded()) - before;
    const tells = {
      ...figures,
      read,
      readPerMinute: Math.round(read / minutes),
      megabytes: residentMegabytes(server.pid),
    };
    console.log(embeddings, JSON.stringify(tells));
    return figures;
  } finally {
    await server.stop();
  }
}

/** Milliseconds of each. */
async function search({ url }, key, count) {
  const asker = createAsker(url, { 'X-API-Key': key }, 1);
  const ms = [];
  for (let i = 0; i < count; i++) {
    // Others each time: what was asked before is remembered.
    const query = encodeURIComponent(`${queries[i % queries.length]} ${i}`);
    const answer = await asker.ask(`/api/collections/films/hybrid-search?query=${query}`);
    if (answer.status !== 200) throw new Error(`search: ${answer.status}`);
    ms.push(answer.ms);
  }
  asker.close();
  return ms;
}

async function upgradedCount(url, key) {
  const response = await fetch(`${url}/api/collections/films`, { headers: { 'X-API-Key': key } });
  return (await response.json()).upgradedCount;
}
