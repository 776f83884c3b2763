/**
 * How well chat tells what the documents answer from what they do not: the questions of each judged set are asked of its own documents and, as questions
 * without an answer, of the other sets' documents. Every other question chooses the evidence from which on an answer is given; the
 * others are reported on.
 *
 *   DATASETS_DIR=… node scripts/measure-chat.mjs [--sets cranfield,medline,cisi,cacm] [--questions 60] [--json figures.json]
 *
 * Precision: of the questions that are answered, how many are the set's own. Recall: of the set's own, how many are answered. "Cites a relevant one": of the
 * set's own that are answered, how many first cite a document that the judges found relevant.
 */
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './freshness.mjs';
import { loadSources } from './load-sources.mjs';

const { values } = parseArgs({
  options: {
    sets: { type: 'string', default: 'cranfield,medline,cisi,cacm' },
    questions: { type: 'string', default: '60' },
    json: { type: 'string' },
  },
});
const folder = process.env.DATASETS_DIR;
if (!folder) throw new Error('Set DATASETS_DIR to the folder that holds the judged sets');
const names = values.sets.split(',');
const questionsMax = Number(values.questions);

const sources = await loadSources(`
  export { EngineCallHandler } from './src/server/indexes/host/engine-calls.ts';
  export { packBatch } from './src/server/indexes/host/packed-batch.ts';
  export { searchMerged } from './src/server/indexes/search/search-merged.ts';
  export { noRules } from './src/server/indexes/rules/rules.ts';
  export { countWords } from './src/server/indexes/search/count-words.ts';
  export { embeddingText } from './src/server/indexes/write/embedding-text.ts';
  export { StaticEmbedder } from './src/server/embeddings/static-embedder.ts';
  export { loadStaticTable } from './src/server/embeddings/static-table.ts';
  export { retrieve } from './src/server/chat/retrieve.ts';
  export { scorePassages } from './src/server/chat/score-passages.ts';
  export { evidenceMin, evidenceOf } from './src/server/chat/evidence.ts';
`);
const table = await sources.loadStaticTable(path.join(root, 'models/static-embeddings'));
const model = new sources.StaticEmbedder(table);
const embedder = {
  embedQuery: async (text, dimension) => model.embedQuery(text, dimension),
  readQuery: async (text) => model.readQuery(text),
};
const rules = { of: async () => sources.noRules };
const clock = () => new Date();
const dimension = 384;
const requester = { tenant: 'measure', caller: 'measure' };

const sets = names.map(openSet);
const asked = [];
for (const of of sets) {
  for (const [i, query] of of.queries.entries()) {
    for (const set of sets) asked.push(await outcomeOf(set, query, { isOwn: set === of, half: i % 2 }));
  }
  console.log(`${of.name}: ${of.documents.size} documents, ${of.queries.length} questions`);
}

const chosen = bestThreshold(asked.filter(({ half }) => half === 0));
const report = asked.filter(({ half }) => half === 1);
console.log(`\nchosen on one half: ${chosen.toFixed(2)}; in the code: ${sources.evidenceMin}`);
console.table(
  Object.fromEntries(
    [...new Set([chosen, sources.evidenceMin])].map((least) => [least.toFixed(2), figuresOf(report, least)]),
  ),
);
const bySet = Object.fromEntries(
  names.map((name) => [
    name,
    figuresOf(
      report.filter(({ set }) => set === name),
      sources.evidenceMin,
    ),
  ]),
);
console.table(bySet);
const curve = steps().map((least) => ({ least, ...figuresOf(report, least) }));
if (values.json) await writeFile(values.json, `${JSON.stringify({ chosen, bySet, curve }, null, 2)}\n`);

/** A set in an index of this process. */
function openSet(name, i) {
  const documents = new Map();
  for (const { _id: id, title, text } of rows(name, 'corpus.jsonl')) documents.set(id, { id, title, text });
  const relevant = new Map();
  for (const line of readFileSync(path.join(folder, name, 'qrels.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)) {
    const [query, document] = line.split('\t');
    relevant.set(query, (relevant.get(query) ?? new Set()).add(document));
  }
  const judged = rows(name, 'queries.jsonl').filter(({ _id: id }) => relevant.has(id));
  const collection = {
    id: i + 1,
    name,
    for: requester,
    dimension,
    metric: 'cosine',
    metadata: null,
    rulesVersion: 0,
  };
  const handler = new sources.EngineCallHandler();
  handler.run(collection.id, {
    call: 'open',
    settings: { dimension, metric: 'cosine', fields: [] },
    snapshot: null,
  });
  const puts = [...documents.values()].map((document) => {
    const vectors = new Float32Array(dimension);
    const text = sources.embeddingText(collection, document);
    if (text) model.embedDocument(text, dimension, vectors, 0);
    const isZero = vectors.every((component) => component === 0);
    return {
      id: document.id,
      source: JSON.stringify(document),
      vectors: isZero ? new Float32Array(0) : vectors,
      spans: Int32Array.from(isZero ? [] : [-1, 0, 0]),
    };
  });
  handler.run(collection.id, { call: 'apply', batch: sources.packBatch({ version: 1, puts, deletes: [] }) });
  const registry = { read: async ({ id }, request) => handler.run(id, request) };
  const indexes = {
    searchMerged: (targets, page, signal) =>
      sources.searchMerged({ registry, rules, clock, embedder }, targets, {
        answerBytesMax: 1 << 25,
        ...page,
        signal,
      }),
    countWords: (each, words, signal) => sources.countWords(registry, each, { words, signal }),
    recorded: async (_, ids) =>
      ids.map((id) => ({ id, version: 1, source: JSON.stringify(documents.get(id)) })),
  };
  return { name, documents, relevant, queries: judged.slice(0, questionsMax), collection, indexes };
}

function rows(name, file) {
  return readFileSync(path.join(folder, name, file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** How sure chat is of its best passage, and whether that is of a relevant document. */
async function outcomeOf(set, { _id: id, text }, { isOwn, half }) {
  const question = text.slice(0, 4_000);
  const request = { collections: [set.collection], question, contextLimit: 5, focus: [] };
  const found = await sources.retrieve(set.indexes, request, new AbortController().signal);
  const scored = await sources.scorePassages(embedder, found, requester);
  const evidence = scored.slice(0, 10).map((each) => sources.evidenceOf(each));
  const [best] = scored;
  return {
    set: set.name,
    isOwn,
    half,
    evidence: Math.max(0, ...evidence),
    isRelevant: isOwn && best !== undefined && (set.relevant.get(id)?.has(best.source.id) ?? false),
  };
}

function steps() {
  return Array.from({ length: 91 }, (_, i) => (i + 5) / 100);
}

/** With the best F0.5: an answer to what is not there is worse than none to what is. */
function bestThreshold(outcomes) {
  let best = { least: 0, f: -1 };
  for (const least of steps()) {
    const { 'F0.5': f } = figuresOf(outcomes, least);
    if (f > best.f) best = { least, f };
  }
  return best.least;
}

function figuresOf(outcomes, least) {
  const own = outcomes.filter(({ isOwn }) => isOwn);
  const others = outcomes.filter(({ isOwn }) => !isOwn);
  const isAnswered = ({ evidence }) => evidence >= least;
  const right = own.filter(isAnswered);
  const recall = right.length / own.length;
  // There are several times as many questions without an answer; each kind counts as much.
  const wrongly = others.filter(isAnswered).length / others.length;
  const precision = recall + wrongly === 0 ? 0 : recall / (recall + wrongly);
  const f = recall === 0 ? 0 : (1.25 * precision * recall) / (0.25 * precision + recall);
  const round = (value) => Math.round(value * 1000) / 1000;
  return {
    questions: own.length,
    precision: round(precision),
    recall: round(recall),
    'F0.5': round(f),
    'answered without an answer': round(wrongly),
    'cites a relevant one': round(
      right.filter(({ isRelevant }) => isRelevant).length / Math.max(1, right.length),
    ),
  };
}
