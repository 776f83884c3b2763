/**
 * What it costs that the engine's work goes in slices: searches, writes and snapshots by the engine as it is, and by a twin of the same sources
 * without pauses (each generator of steps is a plain function there), in turns. And how long the longest step is.
 *
 *   node scripts/measure-slices.mjs [--films 10000] [--rounds 12]
 *
 * Processor time of this process, the least of the rounds. The twin is made from the syntax tree, so that nothing is kept by hand.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { parseAst } from 'vite';
import { readFilms } from './films.mjs';
import { loadSources } from './load-sources.mjs';

const { values } = parseArgs({
  options: { films: { type: 'string', default: '10000' }, rounds: { type: 'string', default: '12' } },
});
const rounds = Number(values.rounds);
const dimension = 384;

const engines = { sliced: await load([]), plain: await load([withoutPauses()]) };
const films = [];
for await (const film of readFilms()) {
  if (films.length >= Number(values.films)) break;
  films.push(film);
}
const random = numbers(1);
const vectorOf = () => Float32Array.from({ length: dimension }, () => random.next().value - 0.5);
const puts = films.map(({ id, line }) => ({
  id,
  source: line.trim(),
  vectors: vectorOf(),
  spans: Int32Array.of(-1, 0, 0),
}));
const vector = vectorOf();
const chinese = Array.from({ length: 300_000 }, () =>
  String.fromCharCode(0x4e00 + Math.floor(random.next().value ** 3 * 6_000)),
).join('');

const searches = {
  'a common word': { text: 'love' },
  'three words': { text: 'the last house', match: 'any' },
  'a beginning': { text: 's', limit: 50 },
  typos: { text: 'advenutre misstery' },
  'a filter': { text: 'war', filter: 'title:love || title:war' },
  'the order of a text': { text: '*', sort: [{ field: 'title', descending: false }] },
  'a far page': { text: '*', offset: 5_000 },
  facets: { text: '*', facets: [{ field: 'genres', ranges: [] }] },
  nearest: { mode: 'vector', vector },
  hybrid: { mode: 'hybrid', text: 'robots learning to love', vector },
  'a rare word': { text: 'sheriff' },
  'two words, no hits': { text: 'boxer comeback', limit: 0 },
  'a filter and a word': { text: 'boxer', filter: 'year:>1950' },
};
/** Too short to be measured few at a time. */
const small = new Set(['a rare word', 'two words, no hits', 'a filter and a word']);

const parts = {};
for (const [name, engine] of Object.entries(engines)) parts[name] = prepare(engine);
for (const name of Object.keys(parts.sliced)) {
  const least = { sliced: Number.POSITIVE_INFINITY, plain: Number.POSITIVE_INFINITY };
  for (let round = 0; round < rounds; round += 1) {
    // Whoever is first finds the caches cold.
    const order = round % 2 === 0 ? ['sliced', 'plain'] : ['plain', 'sliced'];
    for (const which of order) least[which] = Math.min(least[which], costOf(parts[which][name]));
  }
  const more = (least.sliced / least.plain - 1) * 100;
  console.log(
    `${name}: ${least.sliced.toFixed(2)} ms in slices, ${least.plain.toFixed(2)} ms without; ${more.toFixed(1)} %`,
  );
}
for (const [name, steps] of Object.entries(longSteps(engines.sliced)))
  console.log(`${name}: ${steps.count} steps, the longest ${steps.longestMs.toFixed(1)} ms`);

/** What is measured, each as one run of some milliseconds. */
function prepare({ SearchIndex, searchFor, encodeSnapshot, decodeWhole, runSteps }) {
  const settings = { dimension, metric: 'cosine', fields: [] };
  const index = SearchIndex.create(settings);
  index.apply({ version: 1, puts, deletes: [] });
  const snapshot = runSteps(encodeSnapshot(index));
  const runs = {};
  for (const [name, query] of Object.entries(searches)) {
    const asked = searchFor(query);
    runs[`search, ${name}`] = () => {
      const count = small.has(name) ? 100 : 5;
      for (let i = 0; i < count; i += 1) index.search(asked);
    };
  }
  const some = puts.slice(0, 200);
  runs['write, 200 films again'] = () => index.apply({ version: 1, puts: some, deletes: [] });
  runs['write, 0.9 MB of Chinese'] = () =>
    SearchIndex.create(settings).apply({ version: 1, puts: [largeDocument()], deletes: [] });
  runs['snapshot made'] = () => runSteps(encodeSnapshot(index));
  runs['snapshot opened'] = () => runSteps(decodeWhole(snapshot, settings));
  return runs;
}

function largeDocument() {
  const source = JSON.stringify({ id: 'large', text: chinese });
  return { id: 'large', source, vectors: vector, spans: Int32Array.of(-1, 0, 0) };
}

function longSteps({ SearchIndex, encodeSnapshot, decodeWhole, runSteps }) {
  const settings = { dimension, metric: 'cosine', fields: [] };
  const index = SearchIndex.create(settings);
  index.apply({ version: 1, puts, deletes: [] });
  const large = { version: 1, puts: [largeDocument()], deletes: [] };
  const told = {
    'a large document': walk(index.applySteps(large)),
    'the same again': walk(index.applySteps(large)),
    'a snapshot made': walk(encodeSnapshot(index)),
  };
  const snapshot = runSteps(encodeSnapshot(index));
  told['a snapshot opened'] = walk(decodeWhole(snapshot, settings));
  const deletes = puts.slice(0, Math.ceil(puts.length * 0.55)).map(({ id }) => id);
  told['deletions and a compaction'] = walk(index.applySteps({ version: 1, puts: [], deletes }));
  return told;
}

function walk(steps) {
  let longestMs = 0;
  for (let count = 1; ; count += 1) {
    let isDone = false;
    longestMs = Math.max(
      longestMs,
      costOf(() => {
        isDone = steps.next().done === true;
      }),
    );
    if (isDone) return { count, longestMs };
  }
}

function costOf(run) {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The engine as a module of its own. */
function load(plugins) {
  const contents = `
    export { SearchIndex } from './src/server/engine/search-index.ts';
    export { encodeSnapshot, decodeWhole } from './src/server/engine/snapshot.ts';
    export { runSteps } from './src/server/engine/steps.ts';
    export { searchFor } from './src/server/engine/testing/fixtures.ts';
  `;
  return loadSources(contents, plugins);
}

/** An esbuild plugin: generators of steps become plain functions. Those that are declared to yield something else stay. */
function withoutPauses() {
  return {
    name: 'without-pauses',
    setup({ onLoad }) {
      onLoad({ filter: /\/src\/server\/engine\/.*\.ts$/ }, async ({ path: file }) => {
        if (file.endsWith('/engine/steps.ts'))
          return {
            contents:
              'export const stepUnits = 4_096; export const isPauseDue = () => false; export const noteWork = () => undefined; export const noSteps = undefined; export const runSteps = (result) => result;',
          };
        const code = await readFile(file, 'utf8');
        return { contents: edited(code, editsOf(parseAst(code, { lang: 'ts' }))), loader: 'ts' };
      });
    },
  };
}

function editsOf(root) {
  const edits = [];
  visit(root, null, (node, parent) => {
    if (!node.generator) return;
    const returned = node.returnType?.typeAnnotation.typeName?.name ?? 'Steps';
    if (returned !== 'Steps') return;
    const yields = ownYields(node.body);
    // The star of a method stands before its name.
    const from = parent.value === node && parent.key ? parent.start : node.start;
    edits.push({ star: true, from, to: node.body.start, text: '' });
    for (const { start, end, delegate, argument } of yields) {
      if (!delegate) edits.push({ from: start, to: end, text: 'void 0' });
      else edits.push({ from: start, to: argument.start, text: '(' }, { from: end, to: end, text: ')' });
    }
  });
  return edits;
}

/** Those of a function itself, not of functions in it. */
function ownYields(body) {
  const yields = [];
  visit(body, null, (node) => {
    if (node.type === 'YieldExpression') yields.push(node);
    return node.type.includes('Function');
  });
  return yields;
}

/** `take` answers true where nothing inside is to be visited. */
function visit(value, parent, take) {
  if (Array.isArray(value)) for (const each of value) visit(each, parent, take);
  else if (typeof value?.type === 'string') {
    if (take(value, parent) === true) return;
    for (const child of Object.values(value)) if (typeof child === 'object') visit(child, value, take);
  }
}

/** From the end to the beginning, so that places stay what they are. */
function edited(code, edits) {
  let result = code;
  for (const { star, from, to, text } of edits.toSorted((a, b) => b.from - a.from || b.to - a.to)) {
    const replaced = star ? result.slice(from, to).replace('*', '') : text;
    result = result.slice(0, from) + replaced + result.slice(to);
  }
  return result;
}

/** The same numbers in every run. */
function* numbers(seed) {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}
