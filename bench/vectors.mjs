/**
 * The nearest ten of many vectors, beside peers: papers embedded by the built-in table (384 components), their titles as questions, in turns as `keyword.mjs`.
 * What is nearest is told by a plain scan; recall is how many of its ten a contender finds. Of a graph the least effort is taken that reaches .99.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { papers } from './corpora.mjs';
import { dimension, embedPapers, embedTexts } from './embedded.mjs';
import { calibrate, medianOfRounds, rounded } from './figures.mjs';
import { startContender } from './process.mjs';

const contenders = {
  vectora: 'vectora-vectors.mjs',
  'plain scan': 'plain-vectors.mjs',
  usearch: 'usearch-vectors.mjs',
  hnswlib: 'hnswlib-vectors.mjs',
  LanceDB: 'lancedb-vectors.mjs',
  pgvector: 'pgvector-vectors.mjs',
};
const recallMin = 0.99;
/** How much a graph searches, from little to much. */
const efforts = [16, 32, 64, 96, 128, 192, 256, 384, 512, 768];

export async function measureVectors({ documents, rounds, questions, only }) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bench-'));
  const names = Object.keys(contenders).filter(
    (name) => name === 'plain scan' || only === null || only.includes(name),
  );
  const hosts = names.map((name) => startContender(name, contenders[name]));
  try {
    const rows = path.join(folder, 'rows.f32');
    const asked = path.join(folder, 'questions.f32');
    const titles = [];
    for await (const { title } of papers(Math.min(documents, 100_000))) titles.push(title);
    await embedPapers(rows, documents);
    await embedTexts(
      asked,
      Array.from({ length: questions }, (_, i) => titles[(i * 7919) % titles.length]),
    );
    const given = { call: 'load', rows, asked, dimension, folder };
    const loaded = {};
    for (const host of hosts) {
      loaded[host.name] = await host.ask(given);
      console.log(`${host.name}: ${rounded(loaded[host.name].seconds)} s`);
    }
    const all = Array.from({ length: questions }, (_, i) => i);
    const truth = await host(hosts, 'plain scan').ask({ call: 'ask', questions: all, wantsIds: true });
    const chosen = {};
    for (const each of hosts) chosen[each.name] = await chooseEffort(each, all, truth.ids);
    const done = Object.fromEntries(hosts.map(({ name }) => [name, []]));
    const calibration = [];
    for (let round = 0; round < rounds; round += 1) {
      calibration.push(calibrate());
      for (const each of hosts) {
        const { effort } = chosen[each.name];
        // The plain scan is a few milliseconds each; a tenth of the questions tells enough.
        const some = each.name === 'plain scan' ? all.slice(0, Math.ceil(all.length / 10)) : all;
        const { micros } = await each.ask({ call: 'ask', kind: effort, questions: some, wantsIds: false });
        done[each.name].push(micros);
      }
    }
    const figures = Object.fromEntries(
      names.map((name) => {
        const { p50, p95, p99, count } = medianOfRounds(done[name]);
        const ms = { p50: rounded(p50 / 1000, 3), p95: rounded(p95 / 1000, 3), p99: rounded(p99 / 1000, 3) };
        return [name, { ...ms, count, ...chosen[name] }];
      }),
    );
    console.table(figures);
    return {
      documents,
      dimension,
      calibrationMs: rounded(Math.min(...calibration)),
      loaded,
      contenders: figures,
    };
  } finally {
    await Promise.all(hosts.map((each) => each.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}

const host = (hosts, name) => hosts.find((each) => each.name === name);

/** The least effort whose recall is enough; what has no effort to choose says so by `null`. */
async function chooseEffort(contender, questions, truth) {
  const hasEffort = ['usearch', 'hnswlib', 'LanceDB', 'pgvector'].includes(contender.name);
  let best = { effort: null, recall: 0 };
  for (const effort of hasEffort ? efforts : [null]) {
    const { ids } = await contender.ask({ call: 'ask', kind: effort, questions, wantsIds: true });
    best = { effort, recall: rounded(recallOf(ids, truth), 4) };
    if (best.recall >= recallMin) break;
  }
  return best;
}

function recallOf(ids, truth) {
  const shares = ids.map((found, i) => {
    const right = new Set(truth[i]);
    return found.filter((id) => right.has(id)).length / right.size;
  });
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
