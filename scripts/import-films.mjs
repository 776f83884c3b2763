/**
 * Imports the films of `wiki-movies` (or another `corpus.jsonl.gz`) through REST, as any caller would, and searches meanwhile.
 * `_id` becomes `id`, so that a second import replaces the first.
 *
 *   node scripts/import-films.mjs --key vk_… --collection films [--url http://127.0.0.1:3000] [--file corpus.jsonl.gz]
 *   node scripts/import-films.mjs --fresh        registers an account and makes a project, a collection and a key first
 *
 * Without --file: $DATASETS_DIR/wiki-movies/corpus.jsonl.gz. Prints documents a second and the searches' latencies.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freshKey, queries, readFilms } from './films.mjs';

const { values } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:3000' },
    key: { type: 'string' },
    collection: { type: 'string', default: 'films' },
    dimension: { type: 'string', default: '768' },
    file: { type: 'string' },
    fresh: { type: 'boolean', default: false },
  },
});

async function* lines() {
  let chunk = '';
  for await (const { line } of readFilms(values.file)) {
    chunk += line;
    if (chunk.length > 65_536) {
      yield Buffer.from(chunk);
      chunk = '';
    }
  }
  if (chunk !== '') yield Buffer.from(chunk);
}

const own = { collections: [values.collection], dimension: Number(values.dimension) };
const key = values.fresh ? await freshKey(values.url, own) : values.key;
if (!key) throw new Error('Give a key with --key, or use --fresh');
const headers = { 'X-API-Key': key };
const collection = `${values.url}/api/collections/${encodeURIComponent(values.collection)}`;

async function upload() {
  const response = await fetch(`${collection}/documents/import`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/x-ndjson' },
    body: ReadableStream.from(lines()),
    duplex: 'half',
  });
  const answer = await response.json();
  if (response.status !== 200) console.log('status', response.status, answer.message ?? '');
  return answer;
}

async function searchUntil(isDone, pauseMs) {
  const took = [];
  for (let i = 0; !isDone(); i++) {
    const mode = ['search', 'vector-search', 'hybrid-search'][i % 3];
    const startedAt = performance.now();
    const response = await fetch(
      `${collection}/${mode}?q=${encodeURIComponent(queries[i % queries.length])}`,
      {
        headers,
      },
    );
    const answer = await response.json();
    if (!response.ok) throw new Error(`${mode}: ${response.status} ${answer.message}`);
    took.push({ mode, ms: performance.now() - startedAt, engineMs: answer.search_time_ms });
    if (pauseMs > 0) await sleep(pauseMs);
  }
  return took;
}

function describe(took, of) {
  const sorted = took.map(of).sort((a, b) => a - b);
  const at = (share) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms of ${sorted.length}`;
}

let isDone = false;
const startedAt = performance.now();
const searching = searchUntil(() => isDone, 50);
// Its failure is seen at the end, after the import's own.
searching.catch(() => undefined);
const { succeeded, failed, results } = await upload();
isDone = true;
const seconds = (performance.now() - startedAt) / 1000;
console.log(
  `imported ${succeeded}, failed ${failed}, in ${seconds.toFixed(1)} s: ${Math.round(succeeded / seconds)} documents/s`,
);
const firstFault = results?.find((result) => !result.success);
if (firstFault) console.log('first failure:', firstFault);
console.log(`searches meanwhile: ${describe(await searching, (search) => search.ms)}`);

let left = 300;
const idle = await searchUntil(() => left-- === 0, 0);
for (const mode of ['search', 'vector-search', 'hybrid-search']) {
  const own = idle.filter((search) => search.mode === mode);
  console.log(
    `afterwards, ${mode}: ${describe(own, (search) => search.ms)}; of it in the server's search: ${describe(own, (search) => search.engineMs)}`,
  );
}
