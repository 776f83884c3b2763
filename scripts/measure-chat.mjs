/**
 * How well chat tells what the documents answer from what they do not. The questions of each judged set are asked of its own documents; and, as questions
 * without an answer, of the other sets' documents, and of its own without those that answer them. Every other question chooses the
 * weights and the evidence from which on an answer is given; the others are reported on.
 *
 *   DATASETS_DIR=… node scripts/measure-chat.mjs [--sets cranfield,medline,cisi,cacm,wiki-movies] [--questions 76] [--json figures.json]
 *
 * Precision: of the questions that are answered, how many have an answer; those of each kind count as much in sum, and each set does. Recall: of those that have one, how
 * many are answered. "Cites a relevant one": of the set's own that are answered, how many first cite a document that the judges found relevant.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './freshness.mjs';
import { judgedSet } from './judged-sets.mjs';
import { loadSources } from './load-sources.mjs';

const { values } = parseArgs({
  options: {
    sets: { type: 'string', default: 'cranfield,medline,cisi,cacm,wiki-movies' },
    questions: { type: 'string', default: '76' },
    json: { type: 'string' },
  },
});
const names = values.sets.split(',');
const questionsMax = Number(values.questions);
/** Keeps weights small where parts of the evidence tell much the same. */
const penalty = 0.001;

const sources = await loadSources(`
  export { runSteps } from './src/server/engine/steps.ts';
  export { EngineCallHandler } from './src/server/indexes/host/engine-calls.ts';
  export { packBatch } from './src/server/indexes/host/packed-batch.ts';
  export { searchMerged } from './src/server/indexes/search/search-merged.ts';
  export { noRules } from './src/server/indexes/rules/rules.ts';
  export { countWords } from './src/server/indexes/search/count-words.ts';
  export { embeddingText } from './src/server/indexes/passages/embedding-text.ts';
  export { StaticEmbedder } from './src/server/embeddings/static-embedder.ts';
  export { loadStaticTable } from './src/server/embeddings/static-table.ts';
  export { retrieve } from './src/server/chat/retrieve.ts';
  export { scorePassages } from './src/server/chat/score-passages.ts';
  export { evidenceMin, evidenceOf, evidencePartsOf } from './src/server/chat/evidence.ts';
`);
const table = await sources.loadStaticTable(path.join(root, 'models/static-embeddings'));
const model = new sources.StaticEmbedder(table);
const embedder = {
  embedQuery: async (text, dimension) => model.embedQuery(text, dimension),
  readQuery: async (text) => model.readQuery(text),
  knowsWord: (word) => model.knowsWord(word),
};
const tierOf = () => 'static';
const rules = { of: async () => sources.noRules };
const clock = () => new Date();
const dimension = 384;
const requester = { tenant: 'measure', caller: 'measure' };

const sets = [];
for (const name of names) {
  const set = openSet(await judgedSet(name, { questionsMax }), sets.length);
  console.log(`${name}: ${set.documents.size} documents, ${set.questions.length} questions`);
  sets.push(set);
}
const outcomes = [];
for (const of of sets) {
  for (const [i, question] of of.questions.entries()) {
    for (const set of sets) {
      const kind = set === of ? 'own' : 'other';
      outcomes.push(await outcomeOf(set, question, { kind, half: i % 2 }));
    }
    if (of.without === null)
      outcomes.push(
        await outcomeOf(of, question, { kind: 'left out', half: i % 2, hidden: question.relevant }),
      );
  }
  for (const [i, question] of (of.without ?? []).entries())
    outcomes.push(await outcomeOf(of, question, { kind: 'left out', half: i % 2 }));
}

const [learning, reported] = [0, 1].map((half) => outcomes.filter((each) => each.half === half));
const chosen = bestThreshold(learning);
console.log('\nweights that fit one half:', fitted(learning));
console.log(`evidence chosen on one half: ${chosen.toFixed(2)}; in the code: ${sources.evidenceMin}`);
const bySet = Object.fromEntries(
  [...names, 'all'].map((name) => [
    name,
    figuresOf(
      reported.filter(({ set }) => name === 'all' || set === name),
      sources.evidenceMin,
    ),
  ]),
);
console.table(bySet);
const curve = steps().map((least) => ({ least, ...figuresOf(reported, least) }));
if (values.json) await writeFile(values.json, `${JSON.stringify({ chosen, bySet, curve }, null, 2)}\n`);

/** A set in an index of this process. */
function openSet(set, i) {
  const { name, documents } = set;
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
    const text = sources.runSteps(sources.embeddingText(collection, document));
    if (text) model.embedDocument(text, vectors);
    const isZero = vectors.every((component) => component === 0);
    return {
      id: document.id,
      source: JSON.stringify(document),
      vectors: isZero ? new Float32Array(0) : vectors,
      spans: Int32Array.from(isZero ? [] : [-1, 0, 0]),
    };
  });
  handler.run(collection.id, { call: 'apply', batch: sources.packBatch({ version: 1, puts, deletes: [] }) });
  return { ...set, collection, registry: { read: async ({ id }, request) => handler.run(id, request) } };
}

/** What chat asks of indexes; hidden documents are not found. */
function indexesOf({ registry, documents }, hidden) {
  return {
    searchMerged: async (targets, { page, per_page: perPage }, signal) => {
      const wider = { page, per_page: perPage + hidden.size, answerBytesMax: 1 << 25, signal };
      const { answer, failed } = await sources.searchMerged(
        { registry, rules, clock, embedder, tierOf },
        targets,
        wider,
      );
      const hits = answer.hits.filter((hit) => !hidden.has(hit.parse().id)).slice(0, perPage);
      return { answer: { ...answer, hits }, failed };
    },
    countWords: (each, words, signal) => sources.countWords(registry, each, { words, signal }),
    recorded: async (_, ids) =>
      ids.map((id) => ({ id, version: 1, source: JSON.stringify(documents.get(id)) })),
  };
}

/** How sure chat is of its best passage, by what, and whether that is of a relevant document. */
async function outcomeOf(set, { text, relevant }, { kind, half, hidden = new Set() }) {
  const request = {
    collections: [set.collection],
    question: text.slice(0, 4_000),
    contextLimit: 5,
    focus: [],
    turn: async () => {},
  };
  const found = await sources.retrieve(indexesOf(set, hidden), request, new AbortController().signal);
  const scored = await sources.scorePassages(embedder, found, requester);
  const told = scored
    .map((each) => ({
      evidence: sources.evidenceOf(each, found.question),
      parts: sources.evidencePartsOf(each, found.question),
      id: each.source.id,
    }))
    .sort((a, b) => b.evidence - a.evidence);
  const [best] = told;
  const first = told.find(
    ({ evidence, id }) => evidence >= sources.evidenceMin && id === scored[0]?.source.id,
  );
  return {
    set: set.name,
    kind,
    half,
    evidence: best?.evidence ?? 0,
    parts: best?.parts ?? null,
    isRelevant: kind === 'own' && relevant.has((first ?? best)?.id),
  };
}

function steps() {
  return Array.from({ length: 99 }, (_, i) => (i + 1) / 100);
}

/** With the best F0.5: an answer to what is not there is worse than none to what is. */
function bestThreshold(from) {
  let best = { least: 0, f: -1 };
  for (const least of steps()) {
    const { 'F0.5': f } = figuresOf(from, least);
    if (f > best.f) best = { least, f };
  }
  return best.least;
}

function figuresOf(from, least) {
  const answered = (kind) => meanOfSets(from, kind, ({ evidence }) => evidence >= least);
  const recall = answered('own');
  const [others, leftOut] = [answered('other'), answered('left out')];
  const precisionAgainst = (wrongly) => (recall + wrongly === 0 ? 0 : recall / (recall + wrongly));
  const precision = precisionAgainst((others + leftOut) / 2);
  const f = recall === 0 ? 0 : (1.25 * precision * recall) / (0.25 * precision + recall);
  const right = from.filter(({ kind, evidence }) => kind === 'own' && evidence >= least);
  const figures = {
    recall,
    'precision, other sets': precisionAgainst(others),
    'precision, left out': precisionAgainst(leftOut),
    'F0.5': f,
    'other sets answered': others,
    'left out answered': leftOut,
    'cites a relevant one': right.filter(({ isRelevant }) => isRelevant).length / Math.max(1, right.length),
  };
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, Math.round(value * 1000) / 1000]),
  );
}

/** Of the questions of a kind how many; each set counts as much. */
function meanOfSets(from, kind, isCounted) {
  const shares = names.flatMap((name) => {
    const asked = from.filter((each) => each.set === name && each.kind === kind);
    return asked.length === 0 ? [] : [asked.filter(isCounted).length / asked.length];
  });
  return shares.reduce((sum, each) => sum + each, 0) / Math.max(1, shares.length);
}

/** Logistic regression, by plain gradient descent: what each part of the evidence weighs. */
function fitted(from) {
  const known = from.filter(({ parts }) => parts !== null);
  const partNames = Object.keys(known[0]?.parts ?? {});
  const weights = Object.fromEntries(['constant', ...partNames].map((name) => [name, 0]));
  const sizes = new Map();
  for (const { set, kind } of known) sizes.set(`${set} ${kind}`, (sizes.get(`${set} ${kind}`) ?? 0) + 1);
  const countOf = ({ set, kind }) => (kind === 'own' ? 1 : 0.5) / sizes.get(`${set} ${kind}`);
  const total = known.reduce((sum, each) => sum + countOf(each), 0);
  for (let step = 0; step < 5_000; step += 1) {
    const slope = Object.fromEntries(Object.keys(weights).map((name) => [name, 0]));
    for (const each of known) {
      const parts = { constant: 1, ...each.parts };
      const sum = Object.entries(parts).reduce((all, [name, value]) => all + weights[name] * value, 0);
      const error = (1 / (1 + Math.exp(-sum)) - (each.kind === 'own' ? 1 : 0)) * countOf(each);
      for (const [name, value] of Object.entries(parts)) slope[name] += (error * value) / total;
    }
    for (const [name, weight] of Object.entries(weights))
      weights[name] -= 4 * (slope[name] + (name === 'constant' ? 0 : penalty * weight));
  }
  return Object.fromEntries(
    Object.entries(weights).map(([name, value]) => [name, Math.round(value * 100) / 100]),
  );
}
