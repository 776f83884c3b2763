/**
 * Keyword search in process beside its peers: the same papers, the same questions, in turns. Every contender answers all questions of a kind in each round; rounds go
 * from one contender to the next, so that whatever else the machine does meets all alike, and each round has questions of its own, so that nobody answers what it
 * has kept. First one round with ids: how many of the papers that the questions are made of stand among the first ten.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { questionsOf, writePapers } from './corpora.mjs';
import { calibrate, medianOfRounds, rounded } from './figures.mjs';
import { startContender } from './process.mjs';

const contenders = {
  vectora: 'vectora.mjs',
  'vectora-least': 'vectora-least.mjs',
  numpy: 'numpy_bm25.py',
  tantivy: 'tantivy_search.py',
  'SQLite FTS5': 'sqlite-fts5.mjs',
  MiniSearch: 'minisearch.mjs',
  FlexSearch: 'flexsearch.mjs',
  Orama: 'orama.mjs',
  tsvector: 'postgres-tsvector.mjs',
};
/** Slow ones answer fewer questions: a round of them all would take minutes. */
const roundMsMax = 4_000;

export async function measureKeyword({ documents, rounds, questions, only = null, kinds = null }) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bench-'));
  try {
    const corpus = path.join(folder, 'papers.ndjson');
    const asked = questionsOf(await writePapers(corpus, documents), questions * (rounds + 1));
    const names = Object.keys(contenders).filter((name) => only === null || only.includes(name));
    const hosts = names.map((name) => startContender(name, contenders[name]));
    try {
      const loaded = {};
      // One after the other: together they would slow each other down.
      for (const host of hosts) {
        loaded[host.name] = await host.ask({ call: 'load', corpus });
        console.log(
          `${host.name}: ${loaded[host.name].documents} in ${rounded(loaded[host.name].seconds)} s`,
        );
      }
      const chosen = Object.entries(asked).filter(([kind]) => kinds === null || kinds.includes(kind));
      return { documents, loaded, kinds: await askAll(hosts, chosen, { rounds, questions }) };
    } finally {
      await Promise.all(hosts.map((host) => host.stop()));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function askAll(hosts, asked, { rounds, questions: count }) {
  const kinds = {};
  for (const [kind, questions] of asked) {
    const texts = questions.map(({ text }) => text);
    const ofRound = (round) => texts.slice((round + 1) * count, (round + 2) * count);
    const own = {};
    const calibration = [];
    for (const host of hosts) {
      const { ids } = await host.ask({
        call: 'ask',
        kind,
        questions: texts.slice(0, Math.min(200, count)),
        wantsIds: true,
        msMax: roundMsMax,
      });
      const found = ids.filter((each, i) => each.includes(questions[i].id)).length;
      own[host.name] = { foundOf: ids.length, found, rounds: [] };
    }
    for (let round = 0; round < rounds; round += 1) {
      calibration.push(calibrate());
      for (const host of hosts) {
        const { micros } = await host.ask({
          call: 'ask',
          kind,
          questions: ofRound(round),
          wantsIds: false,
          msMax: roundMsMax,
        });
        own[host.name].rounds.push(micros);
      }
    }
    kinds[kind] = {
      calibrationMs: rounded(Math.min(...calibration)),
      contenders: Object.fromEntries(
        Object.entries(own).map(([name, { rounds: done, found, foundOf }]) => [
          name,
          { ...inMs(medianOfRounds(done)), successAt10: rounded(found / foundOf, 3) },
        ]),
      ),
    };
    console.log(kind);
    console.table(kinds[kind].contenders);
  }
  return kinds;
}

function inMs({ p50, p95, p99, ...rest }) {
  return { p50: rounded(p50 / 1000, 3), p95: rounded(p95 / 1000, 3), p99: rounded(p99 / 1000, 3), ...rest };
}
