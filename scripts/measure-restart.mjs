/**
 * How long a restart takes: papers are loaded once, and servers started again and again on their folder. By the clock: milliseconds until a server
 * listens, from there to its first answer (for which the index is opened from its snapshot), and the most memory that it had until then; medians.
 *
 *   DATASETS_DIR=… node scripts/measure-restart.mjs [--documents 100000] [--rounds 5] [--against <another checkout, built>]
 *
 * With another checkout both are started in turns. Measure on a quiet machine. Linux only.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { freshKey } from './films.mjs';
import { ensureBuilt, root } from './freshness.mjs';
import { peakMegabytes, startServer } from './load-tools.mjs';
import { manyPapers } from './papers.mjs';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    against: { type: 'string' },
  },
});
const documents = Number(values.documents);
const bodyBytes = 4 * 1024 * 1024;

await ensureBuilt(['server']);
const dataDir = await mkdtemp(path.join(os.tmpdir(), 'measure-restart-'));
const settings = { DATA_DIR: dataDir, INDEX_MEMORY_MB: '16384' };
const checkouts = { here: root, ...(values.against && { against: path.resolve(values.against) }) };
try {
  const key = await load();
  const measured = Object.fromEntries(Object.keys(checkouts).map((name) => [name, []]));
  for (let round = 0; round < Number(values.rounds); round += 1) {
    // Whoever is first finds the caches cold.
    const order = Object.entries(checkouts);
    for (const [name, checkout] of round % 2 === 0 ? order : order.reverse())
      measured[name].push(await restart(key, path.join(checkout, 'dist/server/main.js')));
  }
  for (const [name, runs] of Object.entries(measured)) {
    const figures = Object.keys(runs[0]).map((kind) => [kind, median(runs.map((run) => run[kind]))]);
    console.log(name, Object.fromEntries(figures), JSON.stringify(runs));
  }
} finally {
  await rm(dataDir, { recursive: true, force: true });
}

async function load() {
  const server = await startServer(settings);
  try {
    const key = await freshKey(server.url, { collections: ['papers'], dimension: 384 });
    let body = '';
    const send = async () => {
      await ask(server, key, 'documents/import', { method: 'POST', body });
      body = '';
    };
    for await (const { id, title, text } of manyPapers(documents)) {
      body += `${JSON.stringify({ id, title, text })}\n`;
      if (body.length >= bodyBytes) await send();
    }
    if (body !== '') await send();
    return key;
  } finally {
    // It saves what it has.
    await server.stop();
  }
}

async function restart(key, main) {
  const startedAt = performance.now();
  const server = await startServer(settings, main);
  try {
    const listeningAt = performance.now();
    const answer = await ask(server, key, 'search?q=deep+learning&enable_analytics=false');
    const answeredAt = performance.now();
    if (answer.out_of !== documents || answer.found === 0) throw new Error('the answer is not right');
    return {
      listeningMs: Math.round(listeningAt - startedAt),
      openingMs: Math.round(answeredAt - listeningAt),
      peakMb: peakMegabytes(server.pid),
    };
  } finally {
    await server.stop();
  }
}

async function ask(server, key, target, given = {}) {
  const response = await fetch(`${server.url}/api/collections/papers/${target}`, {
    headers: { 'X-API-Key': key, 'Content-Type': 'application/x-ndjson' },
    ...given,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${target}: ${response.status} ${text.slice(0, 500)}`);
  return JSON.parse(text);
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
}
