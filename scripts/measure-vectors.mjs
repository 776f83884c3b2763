/**
 * The nearest vectors: what a search takes on one processor, how many of the ten nearest it finds, beside a comparison with all of them in the same run,
 * and the bytes of a vector. Papers as the built-in model embeds them; their passages (titles, sentences, neighbouring sentences), of which there
 * are a million, asked for by titles of other papers; and vectors that are made up: around centres, and without any structure.
 *
 *   DATASETS_DIR=… node scripts/measure-vectors.mjs [--sizes 10000,50000] [--kinds papers,passages,clustered,uniform] [--queries 200] [--k 10]
 *     [--lists-from 262144]: vectors from which on a table has lists
 */
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { createGunzip } from 'node:zlib';
import { root } from './freshness.mjs';
import { loadSources } from './load-sources.mjs';

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,50000' },
    kinds: { type: 'string', default: 'papers,clustered,uniform' },
    queries: { type: 'string', default: '200' },
    k: { type: 'string', default: '10' },
    'lists-from': { type: 'string', default: `${2 ** 18}` },
  },
});
const dimension = 384;
const queryCount = Number(values.queries);
/** Exact searches take long: fewer of them say how near the nearest are. */
const exactCount = Math.min(40, queryCount);
const selectivities = [1, 0.5, 0.2, 0.1, 0.05, 0.01, 0.001, 0.0001];
const k = Number(values.k);
const { splitSentences, VectorTable, Bitset, runSteps, madeVectors, StaticEmbedder, loadStaticTable } =
  await loadSources(`
  export { splitSentences } from './src/server/indexes/passages/split-sentences.ts';
  export { VectorTable } from './src/server/engine/vector/vector-table.ts';
  export { Bitset } from './src/server/engine/bits/bitset.ts';
  export { runSteps } from './src/server/engine/steps.ts';
  export { madeVectors } from './src/server/engine/testing/made-vectors.ts';
  export { StaticEmbedder } from './src/server/embeddings/static-embedder.ts';
  export { loadStaticTable } from './src/server/embeddings/static-table.ts';
`);
const isBefore = (a, b) => a < b;

for (const kind of values.kinds.split(',')) {
  for (const size of values.sizes.split(',').map(Number)) {
    if (kind === 'passages') {
      const { vectors, queries } = await passages(size);
      measure(kind, vectors, queries);
      continue;
    }
    const vectors = kind === 'papers' ? await papers(size) : madeVectors(kind, size + queryCount, dimension);
    measure(kind, vectors.slice(0, -queryCount).values(), vectors.slice(-queryCount));
  }
}

function measure(kind, vectors, queries) {
  const table = new VectorTable(dimension, 'cosine', Number(values['lists-from']));
  const spans = Int32Array.of(-1, 0, 0);
  let build = 0;
  let size = 0;
  for (;;) {
    // What they are made from does not count.
    const some = taken(vectors, 1_000);
    if (some.length === 0) break;
    build += spent(() => {
      for (const vector of some) runSteps(table.add(size++, vector, spans));
    });
  }
  const settle = spent(() => {
    runSteps(table.settle());
    while (table.upkeep(1_000));
  });
  const { scan, recall } = table.scanned;
  console.log(
    `\n${kind}, ${size} × ${dimension}: ${scan}, recall by itself ${recall.toFixed(4)}, ${Math.round(table.memoryBytes / size)} B a vector, ` +
      `added in ${((build * 1e3) / size).toFixed(1)} µs each, measured in ${settle.toFixed(0)} ms`,
  );
  for (const share of selectivities) {
    const passes = passing(size, share);
    // The first ones are compiled while they run.
    for (const query of queries.slice(0, 100)) search(table, query, passes, false);
    const times = [];
    let hits = 0;
    let all = 0;
    const exact = [];
    for (const [i, query] of queries.entries()) {
      let found = null;
      times.push(
        spent(() => {
          found = search(table, query, passes, false);
        }),
      );
      if (i >= exactCount) continue;
      exact.push(
        spent(() => {
          const truth = search(table, query, passes, true);
          hits += found.ordinals.filter((ordinal) => truth.ordinals.includes(ordinal)).length;
          all += truth.ordinals.length;
        }),
      );
    }
    console.log(
      `  ${`${share * 100} %`.padEnd(7)} passes: p50 ${at(times, 0.5)} ms, p99 ${at(times, 0.99)}; exact p50 ${at(exact, 0.5)}; recall@${k} ${(hits / all).toFixed(4)}`,
    );
  }
}

/** The next ones of an iterator. */
function taken(iterator, count) {
  const some = [];
  while (some.length < count) {
    const { value, done } = iterator.next();
    if (done) break;
    some.push(value);
  }
  return some;
}

function search(table, query, passes, isExact) {
  return runSteps(table.nearest(table.compared(query, null), { passes, k, isBefore, isExact }));
}

/** Milliseconds of processor time: what others do on the machine does not count, but for the caches. */
function spent(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e3;
}

function at(times, share) {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(3);
}

/** Spread by a hash, at least one. */
function passing(count, share) {
  const passes = new Bitset(count);
  for (let ordinal = 0; ordinal < count; ordinal += 1)
    if (share === 1 || Math.imul(ordinal + 1, 2_654_435_761) >>> 0 < share * 2 ** 32) passes.add(ordinal);
  if (passes.isEmpty()) passes.add(0);
  return passes;
}

async function papers(size) {
  const embedder = new StaticEmbedder(await loadStaticTable(path.join(root, 'models/static-embeddings')));
  const vectors = [];
  const queries = [];
  const input = createReadStream(path.join(process.env.DATASETS_DIR ?? '', 'arxiv-100k', 'corpus.jsonl.gz'));
  for await (const line of createInterface({
    input: input.pipe(createGunzip()),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    const { title, text } = JSON.parse(line);
    if (vectors.length < size) {
      const vector = new Float32Array(dimension);
      embedder.embedDocument({ title, text }, vector);
      vectors.push(vector);
    } else if (queries.push(embedder.embedQuery(title, dimension)) === queryCount) break;
  }
  if (queries.length < queryCount) throw new Error(`there are fewer than ${size + queryCount} papers`);
  return [...vectors, ...queries];
}

/** One behind the other, of papers in an order that mixes their subjects; every 400th is only asked for, by its title. */
async function passages(size) {
  const embedder = new StaticEmbedder(await loadStaticTable(path.join(root, 'models/static-embeddings')));
  const input = createReadStream(path.join(process.env.DATASETS_DIR ?? '', 'arxiv-100k', 'corpus.jsonl.gz'));
  const papers = [];
  for await (const line of createInterface({ input: input.pipe(createGunzip()) })) {
    const { title, text } = JSON.parse(line);
    papers.push({ title, text });
  }
  const mixed = papers.map((_, i) => papers[(i * 7_919) % papers.length]);
  const queries = mixed.filter((_, i) => i % 400 === 0).slice(0, queryCount);
  return {
    queries: queries.map(({ title }) => embedder.embedQuery(title, dimension)),
    vectors: passagesOf(
      mixed.filter((_, i) => i % 400 !== 0),
      size,
      embedder,
    ),
  };
}

function* passagesOf(papers, size, embedder) {
  let count = 0;
  for (const { title, text } of papers) {
    const sentences = splitSentences(text).map(({ start, end }) => text.slice(start, end));
    const pairs = sentences.slice(1).map((sentence, i) => `${sentences[i]} ${sentence}`);
    for (const passage of [title, ...sentences, ...pairs]) {
      if (count === size) return;
      const vector = new Float32Array(dimension);
      embedder.embedDocument({ title: '', text: passage }, vector);
      yield vector;
      count += 1;
    }
  }
  throw new Error(`there are ${count} passages only`);
}
