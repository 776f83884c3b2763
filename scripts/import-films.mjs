/**
 * Imports the films of `wiki-movies` (or another `corpus.jsonl.gz`) through REST, as any caller would, and searches meanwhile.
 * `_id` becomes `id`, so that a second import replaces the first.
 *
 *   node scripts/import-films.mjs --key vk_… --collection films [--url http://127.0.0.1:3000] [--file corpus.jsonl.gz]
 *   node scripts/import-films.mjs --fresh        registers an account and makes a project, a collection and a key first
 *
 * Without --file: $DATASETS_DIR/wiki-movies/corpus.jsonl.gz. Prints documents a second and the searches' latencies.
 */
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createGunzip } from 'node:zlib';

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

const queries = [
  'space travel',
  'a heist that goes wrong',
  'world war two submarine',
  'romantic comedy in paris',
  'detective murder mystery',
  'boxer comeback',
];

function corpus() {
  if (values.file) return values.file;
  const folder = process.env.DATASETS_DIR;
  if (!folder) throw new Error('Name the corpus with --file, or set DATASETS_DIR');
  return path.join(folder, 'wiki-movies', 'corpus.jsonl.gz');
}

async function post(route, body, headers) {
  const response = await fetch(`${values.url}/api${route}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${route}: ${response.status} ${await response.text()}`);
  return { body: await response.json(), cookie: response.headers.getSetCookie()[0]?.split(';')[0] };
}

/** A place of its own for this run; answers the key. */
async function freshKey() {
  const name = `importer-${Date.now().toString(36)}`;
  const password = `${name}-${Math.random().toString(36)}`;
  const account = await post('/auth/register', {
    email: `${name}@example.com`,
    username: name,
    password,
    confirmPassword: password,
  });
  const headers = { Cookie: account.cookie, Origin: values.url };
  const workspace = await post('/workspaces', { name }, headers);
  const project = await post('/projects', { name, workspaceId: workspace.body.id }, headers);
  const projectId = project.body.id;
  const collection = { name: values.collection, dimension: Number(values.dimension), projectId };
  await post('/collections', collection, headers);
  return (await post('/api-keys', { name: 'importer', projectId }, headers)).body.key;
}

async function* lines() {
  const input = createReadStream(corpus()).pipe(createGunzip());
  let chunk = '';
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line === '') continue;
    const { _id: id, ...film } = JSON.parse(line);
    chunk += `${JSON.stringify({ id, ...film })}\n`;
    if (chunk.length > 65_536) {
      yield Buffer.from(chunk);
      chunk = '';
    }
  }
  if (chunk !== '') yield Buffer.from(chunk);
}

const key = values.fresh ? await freshKey() : values.key;
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
