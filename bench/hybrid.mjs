/**
 * Words and meaning together, in process: the papers with their vectors, two words of a title as a question whose vector is given, so that only the search is
 * measured. `hybrid` beside each of its sides alone, and beside LanceDB (BM25 and vectors, ranks summed). Rounds go from one contender to the next.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { questionsOf, writePapers } from './corpora.mjs';
import { dimension, embedPapers, embedTexts } from './embedded.mjs';
import { calibrate, medianOfRounds, rounded } from './figures.mjs';
import { startContender } from './process.mjs';

const contenders = { vectora: 'vectora-hybrid.mjs', LanceDB: 'lancedb-hybrid.mjs' };
const kinds = ['keyword', 'vector', 'hybrid'];

export async function measureHybrid({ documents, rounds, questions, only }) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bench-'));
  const names = Object.keys(contenders).filter((name) => only === null || only.includes(name));
  const hosts = names.map((name) => startContender(name, contenders[name]));
  try {
    const at = (name) => path.join(folder, name);
    const asked = questionsOf(await writePapers(at('papers.ndjson'), documents), questions)['two words'];
    const texts = asked.map(({ text }) => text);
    await embedPapers(at('rows.f32'), documents);
    await embedTexts(at('questions.f32'), texts);
    await writeFile(at('questions.json'), JSON.stringify(texts));
    const loaded = {};
    for (const host of hosts) {
      loaded[host.name] = await host.ask({ call: 'load', folder, dimension });
      console.log(`${host.name}: ${rounded(loaded[host.name].seconds)} s`);
    }
    const measured = {};
    for (const kind of kinds) measured[kind] = await measureKind(hosts, kind, asked, rounds);
    return { documents, dimension, loaded, kinds: measured };
  } finally {
    await Promise.all(hosts.map((host) => host.stop()));
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureKind(hosts, kind, asked, rounds) {
  const questions = asked.map((_, i) => i);
  const done = {};
  for (const host of hosts) {
    const { ids } = await host.ask({ call: 'ask', kind, questions, wantsIds: true });
    const found = ids.filter((each, i) => each.includes(asked[i].id)).length;
    done[host.name] = { successAt10: rounded(found / asked.length, 3), rounds: [] };
  }
  const calibration = [];
  for (let round = 0; round < rounds; round += 1) {
    calibration.push(calibrate());
    for (const host of hosts)
      done[host.name].rounds.push((await host.ask({ call: 'ask', kind, questions, wantsIds: false })).micros);
  }
  const figures = Object.fromEntries(
    Object.entries(done).map(([name, own]) => {
      const { p50, p95, p99, ...rest } = medianOfRounds(own.rounds);
      const ms = { p50: rounded(p50 / 1000, 3), p95: rounded(p95 / 1000, 3), p99: rounded(p99 / 1000, 3) };
      return [name, { ...ms, ...rest, successAt10: own.successAt10 }];
    }),
  );
  console.log(kind);
  console.table(figures);
  return { calibrationMs: rounded(Math.min(...calibration)), contenders: figures };
}
