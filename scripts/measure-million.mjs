/**
 * A collection as large as a machine holds, once through its life over HTTP: loaded, searched, saved while it is searched, killed (SIGKILL) and started
 * again. Exits 1 where an answer after the kill differs from the one before, or a document is missing.
 *
 *   DATASETS_DIR=… node scripts/measure-million.mjs [--documents 1000000] [--queries 200] [--dimension 384] [--json figures.json]
 *
 * The papers of `arxiv-100k`, and after them papers again, every fifth of whose longer words is another one. Needs about 4 GB of memory and 8 GB of disk for a million.
 * By the clock: measure on a quiet machine. Linux only.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freshKey } from './films.mjs';
import { ensureBuilt } from './freshness.mjs';
import { peakMegabytes, residentMegabytes, startServer, summary } from './load-tools.mjs';
import { manyPapers, wordsOf } from './papers.mjs';
import { descendants } from './processor-times.mjs';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '1000000' },
    queries: { type: 'string', default: '200' },
    dimension: { type: 'string', default: '384' },
    json: { type: 'string' },
  },
});
const documentsMax = Number(values.documents);
const bodyBytes = 4 * 1024 * 1024;
/** Between two searches while a snapshot is written, and in the idle run that it is compared with. */
const pauseMs = 10;
/** What nobody has saved for so long is saved whole. */
const quietMs = 20_000;
const collection = 'papers';

await ensureBuilt(['server']);
const dataDir = await mkdtemp(path.join(os.tmpdir(), 'measure-million-'));
const settings = { DATA_DIR: dataDir, INDEX_MEMORY_MB: '16384' };
let server = await startServer(settings);
try {
  const key = await freshKey(server.url, { collections: [collection], dimension: Number(values.dimension) });
  const { titles, figures: loading } = await load(key);
  const figures = { documents: documentsMax, loading, memory: { loaded: memoryNow() } };
  const asked = queriesOf(titles);
  say('searching');
  figures.searches = await measureSearches(key, asked);
  say('saving');
  figures.snapshot = await measureSnapshot(key, asked);
  figures.memory.saved = memoryNow();
  const before = await answersOf(key, asked);
  say('killing');
  await server.kill();
  const startedAt = performance.now();
  server = await startServer(settings);
  const listeningMs = performance.now() - startedAt;
  const first = await search(key, asked[0]);
  const firstAnswerMs = performance.now() - startedAt;
  figures.restart = {
    listeningMs: Math.round(listeningMs),
    firstAnswerMs: Math.round(firstAnswerMs),
    peakMegabytes: peakMegabytes(server.pid),
  };
  figures.memory.restarted = memoryNow();
  const after = await answersOf(key, asked);
  const differ = before.filter((each, i) => JSON.stringify(each) !== JSON.stringify(after[i])).length;
  figures.afterKill = { answersThatDiffer: differ, outOf: first.out_of };
  console.log(JSON.stringify(figures, null, 2));
  if (values.json) await writeFile(values.json, `${JSON.stringify(figures, null, 2)}\n`);
  if (differ > 0 || first.out_of !== documentsMax) process.exitCode = 1;
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function load(key) {
  const titles = [];
  const startedAt = performance.now();
  let count = 0;
  let body = '';
  const send = async () => {
    const answer = await ask(key, 'POST', `/documents/import`, body, 'application/x-ndjson');
    if (answer.failed > 0) throw new Error(`rows failed: ${JSON.stringify(answer).slice(0, 500)}`);
    body = '';
  };
  for await (const { id, title, text } of manyPapers(documentsMax)) {
    if (count % Math.ceil(documentsMax / (4 * Number(values.queries))) === 0) titles.push(wordsOf(title));
    body += `${JSON.stringify({ id, title, text })}\n`;
    count += 1;
    if (body.length >= bodyBytes) await send();
    if (count % 100_000 === 0) {
      const perSecond = Math.round(count / ((performance.now() - startedAt) / 1_000));
      process.stderr.write(`${count} loaded, ${perSecond} a second, ${memoryNow().server} MB\n`);
    }
  }
  if (body !== '') await send();
  const seconds = (performance.now() - startedAt) / 1_000;
  return {
    titles,
    figures: { seconds: Math.round(seconds), documentsASecond: Math.round(count / seconds) },
  };
}

/** Two words, a whole title, a title as it is typed: by words, by meaning and by both. */
function queriesOf(titles) {
  const long = titles.filter((words) => words.length >= 5).slice(0, Number(values.queries));
  const kinds = [
    (words) => words.toSorted((a, b) => b.length - a.length).slice(0, 2),
    (words) => words,
    (words) => [...words.slice(0, 2), words[2].slice(0, 3)],
  ];
  return long.flatMap((words) =>
    kinds.flatMap((kind, i) =>
      ['search', 'hybrid-search', 'vector-search'].map((path_) => ({
        name: `${path_}, ${['two words', 'a title', 'as you type'][i]}`,
        path: path_,
        query: kind(words).join(' '),
      })),
    ),
  );
}

async function measureSearches(key, asked) {
  const took = {};
  for (const one of asked) await search(key, one);
  for (const one of asked) {
    const startedAt = performance.now();
    await search(key, one);
    took[one.name] = [...(took[one.name] ?? []), performance.now() - startedAt];
  }
  return Object.fromEntries(Object.entries(took).map(([name, ms]) => [name, summary(ms)]));
}

/** So many changes make an index worth a snapshot, once nobody has written for three seconds. */
async function measureSnapshot(key, asked) {
  const words = asked.filter(({ path: each }) => each === 'search');
  let isOver = false;
  const during = async () => {
    const ms = [];
    for (let i = 0; !isOver; i += 1) {
      const startedAt = performance.now();
      await search(key, words[i % words.length]);
      ms.push(performance.now() - startedAt);
      await sleep(pauseMs);
    }
    return summary(ms);
  };
  // While documents come it is saved now and then; once they have come, for good.
  await untilSaved(0);
  while (Date.now() - newestSave() < quietMs) await sleep(1_000);
  say('searching beside nothing, then beside a snapshot');
  const idle = during();
  await sleep(10_000);
  isOver = true;
  const figures = { idle: await idle };
  const savedBefore = newestSave();
  const rows = Array.from({ length: 100 + Math.ceil(documentsMax / 40) }, (_, i) =>
    JSON.stringify({ id: `late/${i}`, title: `Late ${i}`, text: '', isLate: true }),
  );
  isOver = false;
  const searches = during();
  await ask(key, 'POST', '/documents/import', rows.join('\n'), 'application/x-ndjson');
  const writtenAt = performance.now();
  await untilSaved(savedBefore);
  isOver = true;
  figures.whileSaved = await searches;
  figures.savedAfterMs = Math.round(performance.now() - writtenAt);
  await ask(key, 'DELETE', '/documents?filter_by=isLate:true');
  return figures;
}

/** Until a snapshot is there that is newer. It bears its name once it is whole. */
async function untilSaved(before) {
  while (newestSave() <= before) await sleep(100);
}

/** When the index was saved last; 0: never. */
function newestSave() {
  const folder = path.join(dataDir, 'indexes');
  const files = (existsSync(folder) ? readdirSync(folder) : []).filter((name) => name.endsWith('.snapshot'));
  return Math.max(0, ...files.map((name) => statSync(path.join(folder, name)).mtimeMs));
}

async function answersOf(key, asked) {
  const answers = [];
  for (const one of asked) {
    const { found, hits } = await search(key, one);
    answers.push({ query: one, found, hits: hits.map(({ document }) => document.id) });
  }
  return answers;
}

function search(key, { path: kind, query }) {
  const target = `/${kind}?q=${encodeURIComponent(query)}&enable_analytics=false`;
  return ask(key, 'GET', target);
}

async function ask(key, method, target, body, type) {
  const response = await fetch(`${server.url}/api/collections/${collection}${target}`, {
    method,
    headers: { 'X-API-Key': key, ...(type && { 'Content-Type': type }) },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${target}: ${response.status} ${text.slice(0, 500)}`);
  return text === '' ? null : JSON.parse(text);
}

function say(what) {
  process.stderr.write(`${what}\n`);
}

function memoryNow() {
  const below = descendants(server.pid).map(Number);
  return {
    server: residentMegabytes(server.pid),
    database: below.reduce((sum, pid) => sum + residentMegabytes(pid), 0),
  };
}
