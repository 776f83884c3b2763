/**
 * What keyword searches take in this process: the papers of `arxiv-100k` in a `SearchIndex`, queries made of their titles, with typos and prefixes allowed.
 * By processor time of this thread, in milliseconds, which what else the machine does hardly changes; and what the words take in memory.
 *
 *   DATASETS_DIR=… node scripts/measure-keyword.mjs [--documents 100000] [--queries 200] [--rounds 5] [--against ../other] [--memory] [--kind 'a title;one word']
 *
 * More documents than there are papers: papers again, some of whose words are others. `--against`: another checkout, whose engine takes turns with this one's,
 * each asked with its own defaults.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './freshness.mjs';
import { loadSources } from './load-sources.mjs';
import { manyPapers, wordsOf } from './papers.mjs';

const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '100000' },
    queries: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '5' },
    against: { type: 'string' },
    kind: { type: 'string' },
    memory: { type: 'boolean', default: false },
  },
});
const documentsMax = Number(values.documents);
const batchDocuments = 1_000;
/** Queries of each length. */
const longsMax = 8;

/** What is asked of a title's words; null: this title does not serve. */
const kinds = {
  'a title': (words) => (words.length === 9 ? { text: words.join(' ') } : null),
  'two words': (words) => twoOf(words, (pair) => pair.join(' ')),
  'two words, a typo': (words) => twoOf(words, ([first, second]) => `${first} ${withTypo(second)} `),
  'two words, none a beginning': (words) =>
    twoOf(words, ([first, second]) => `${first} ${second}`, { prefix: false }),
  'a title, a typo': (words) =>
    words.length === 9
      ? { text: words.with(longestOf(words), withTypo(words[longestOf(words)])).join(' ') }
      : null,
  'as you type': (words, i) =>
    words.length < 4
      ? null
      : { text: `${words.slice(0, 1 + (i % 3)).join(' ')} ${cut(words[1 + (i % 3)], i)}` },
  'one word': (words) => (words[0].length > 3 ? { text: words[0], prefix: false } : null),
  'one letter': (words) => ({ text: words[0].slice(0, 1) }),
  'two letters': (words) => (words[0].length > 2 ? { text: words[0].slice(0, 2) } : null),
  'any of a title': (words) => (words.length === 9 ? { text: words.join(' '), match: 'any' } : null),
  'a title, filtered': (words) =>
    words.length === 9 ? { text: words.join(' '), filter: 'title:model' } : null,
  'two words, no highlights': (words) => twoOf(words, (pair) => pair.join(' '), { highlightFields: [] }),
  '2,000 characters': (_, i) => longOf(i, 2_000),
  '4,096 characters': (_, i) => longOf(i, 4_096),
  '4,096 characters, typos': (_, i) => longOf(i, 4_096, (word) => (word.length > 5 ? withTypo(word) : null)),
};

const here = await load(root);
const engines = { now: here, ...(values.against && { before: await load(path.resolve(values.against)) }) };
const { titles } = await fill();
for (const [kind, ask] of Object.entries(kinds))
  if (values.kind === undefined || values.kind.split(';').includes(kind)) measure(kind, ask);

async function load(folder) {
  const { SearchIndex, LexicalIndex, fieldTexts, runSteps, searchFor, document } = await loadSources(`
    export { SearchIndex } from '${folder}/src/server/engine/search-index.ts';
    export { LexicalIndex } from '${folder}/src/server/engine/lexical/lexical-index.ts';
    export { fieldTexts } from '${folder}/src/server/engine/documents/text-fields.ts';
    export { runSteps } from '${folder}/src/server/engine/steps.ts';
    export { document, searchFor } from '${folder}/src/server/engine/testing/fixtures.ts';
  `);
  const index = SearchIndex.create({ dimension: 2, metric: 'cosine', fields: [] });
  return { index, lexical: new LexicalIndex(), fieldTexts, runSteps, searchFor, document, spentMs: 0 };
}

async function fill() {
  const titles = [];
  let count = 0;
  let batch = [];
  const apply = () => {
    for (const engine of Object.values(engines)) {
      const before = threadMs();
      engine.index.apply({ version: count, puts: batch, deletes: [] });
      engine.spentMs += threadMs() - before;
      if (values.memory) addLexical(engine, batch, count - batch.length);
    }
    batch = [];
  };
  for await (const { id, round, ...paper } of manyPapers(documentsMax)) {
    if (round === 0) titles.push(wordsOf(paper.title));
    batch.push(here.document(id, paper));
    count += 1;
    if (batch.length === batchDocuments) apply();
  }
  apply();
  for (const [name, { index, lexical, spentMs }] of Object.entries(engines)) {
    const { memoryBytes } = index.stats();
    const parts = [`${Math.round(memoryBytes / count)} bytes a document`];
    if (values.memory) parts.push(`${Math.round(lexical.memoryBytes / count)} of them for words`);
    console.log(
      `${name}: ${count} documents, ${Math.round(count / (spentMs / 1_000))} a second, ${parts.join(', ')}`,
    );
  }
  return { titles };
}

function addLexical({ lexical, fieldTexts, runSteps }, batch, from) {
  for (const [i, { source }] of batch.entries())
    runSteps(lexical.add(from + i, runSteps(fieldTexts(JSON.parse(source)))));
}

function measure(kind, ask) {
  const step = Math.max(1, Math.floor(titles.length / (Number(values.queries) * 8)));
  const asked = [];
  for (let i = 0; i < titles.length && asked.length < Number(values.queries); i += step) {
    const query = titles[i].length > 0 ? ask(titles[i], asked.length) : null;
    if (query !== null) asked.push(query);
  }
  const took = Object.fromEntries(
    Object.keys(engines).map((name) => [name, asked.map(() => Number.POSITIVE_INFINITY)]),
  );
  let found = 0;
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    for (const [i, query] of asked.entries()) {
      for (const [name, { index, searchFor }] of Object.entries(engines)) {
        const search = searchFor(query);
        const before = threadMs();
        const answer = index.search(search);
        // The first round warms up.
        if (round > 0) took[name][i] = Math.min(took[name][i], threadMs() - before);
        else found += answer.found / asked.length / Object.keys(engines).length;
      }
    }
  }
  const figures = Object.entries(took).map(([name, ms]) => {
    const sorted = ms.toSorted((a, b) => a - b);
    const at = (share) => sorted[Math.floor(sorted.length * share)].toFixed(3);
    const mean = ms.reduce((sum, each) => sum + each, 0) / ms.length;
    return `${name} p50 ${at(0.5)} p99 ${at(0.99)} mean ${mean.toFixed(3)}`;
  });
  console.log(
    `${kind} ("${asked[1].text.slice(0, 100)}", ${asked.length} queries, ${Math.round(found)} found): ${figures.join(' | ')}`,
  );
}

/** The two longest words, in their order. */
function twoOf(words, ask, more = {}) {
  const pair = words.toSorted((a, b) => b.length - a.length).slice(0, 2);
  if (pair.length < 2 || pair[1].length < 5 || pair[0] === pair[1]) return null;
  return { text: ask(words.filter((word) => pair.includes(word)).slice(0, 2)), ...more };
}

/** Different words of titles one after the other, as many as so many characters hold; `change`: another word in its place, null: none. */
function longOf(i, characters, change = (word) => word) {
  if (i >= longsMax) return null;
  const words = new Set();
  let length = 0;
  for (let at = i * 997; ; at += 1) {
    for (const title of titles[at % titles.length]) {
      const word = change(title);
      if (word === null || words.has(word)) continue;
      length += word.length + 1;
      if (length > characters) return { text: [...words].join(' '), highlightFields: [] };
      words.add(word);
    }
  }
}

function longestOf(words) {
  return words.indexOf(words.toSorted((a, b) => b.length - a.length)[0]);
}

/** Two letters in the middle change places. */
function withTypo(word) {
  const at = Math.max(1, word.length >> 1);
  return `${word.slice(0, at)}${word.slice(at + 1, at + 2)}${word[at] ?? ''}${word.slice(at + 2)}`;
}

function cut(word, i) {
  return word.slice(0, 1 + (i % Math.max(1, word.length - 1)));
}

/** Of this thread. */
function threadMs() {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage();
  return (user + system) / 1_000;
}
