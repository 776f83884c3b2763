/**
 * What texts cost that are hard on whoever normalises, folds, cuts or marks them: each kind of `engine/testing/nasty-texts.ts` is written, embedded,
 * filtered by words and by its beginning, highlighted and, up to the longest query that the API takes, searched for. Linear means that a
 * character costs the same in a long text as in a short one.
 *
 *   node scripts/measure-text.mjs [--kinds marks] [--longest 4194304]
 *
 * Processor time of this process, the least of some runs. Exits 1 where a character costs more than `--factor` (4) times as much in the longest text
 * as in one of an eighth, and more than `--floor` (200) nanoseconds.
 */
import { parseArgs } from 'node:util';
import { loadSources } from './load-sources.mjs';

const { values } = parseArgs({
  options: {
    kinds: { type: 'string', default: '' },
    longest: { type: 'string', default: String(4 * 1024 * 1024) },
    factor: { type: 'string', default: '4' },
    floor: { type: 'string', default: '200' },
  },
});
const longest = Number(values.longest);
const lengths = [64, 8, 1].map((part) => Math.floor(longest / part));
const queryLengths = [64, 512, 4_096];
const runsMs = 50;

const { nastyTexts, indexOf, document, searchFor, WordPiece } = await loadSources(`
  export { nastyTexts } from './src/server/engine/testing/nasty-texts.ts';
  export { indexOf, document, searchFor } from './src/server/engine/testing/fixtures.ts';
  export { WordPiece } from './src/server/embeddings/word-piece.ts';
`);

/** With so many the text is cut into words. Beside another text the inverted index does not tell whether one of both has all words. */
const manyWords = Array.from({ length: 9 }, (_, i) => `k${i}`);

const wordPiece = new WordPiece('[UNK]\na');

/** What is measured, of a text. */
function workOn(text) {
  const index = indexOf([document('1', { text: [`fox ${text} fox ${manyWords.join(' ')}`, 'short'] })]);
  const beginning = text.slice(0, 30_000).toWellFormed().replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return {
    write: () => indexOf([document('1', { text })]),
    embed: () => wordPiece.words(text, 1_000_000),
    'filter by words': () => index.ids(`text:[${manyWords.map((word) => `fox ${word}`).join(', ')}]`),
    'filter by beginning': () => index.ids(`text:="fox ${beginning}"*`),
    highlight: () => index.search(searchFor({ text: 'fox' })),
  };
}

/** Queries are shorter. */
function queryOf(text) {
  const index = indexOf([document('1', { title: 'other' })]);
  return { query: () => index.search(searchFor({ text })) };
}

let isLinear = true;
for (const [kind, textOf] of Object.entries(nastyTexts)) {
  if (!kind.includes(values.kinds)) continue;
  report(kind, lengths, (length) => workOn(textOf(length)));
  report(kind, queryLengths, (length) => queryOf(textOf(length)));
}
process.exitCode = isLinear ? 0 : 1;

function report(kind, of, prepare) {
  const byWork = new Map();
  for (const length of of) {
    for (const [name, run] of Object.entries(prepare(length)))
      byWork.set(name, [...(byWork.get(name) ?? []), costOf(run, length)]);
  }
  for (const [name, costs] of byWork) {
    const [, middle, last] = costs;
    const isSteep =
      last.nanoseconds > Number(values.factor) * middle.nanoseconds &&
      last.nanoseconds > Number(values.floor);
    if (isSteep) isLinear = false;
    const told = costs.map(({ length, ms }) => `${inWords(length)} ${ms.toFixed(ms < 10 ? 2 : 0)} ms`);
    const each = `${last.nanoseconds.toFixed(0)} ns a character`;
    console.log(`${kind}, ${name}: ${told.join(', ')}; ${each}${isSteep ? '  STEEP' : ''}`);
  }
}

function costOf(run, length) {
  let least = Number.POSITIVE_INFINITY;
  const until = performance.now() + runsMs;
  do {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
  } while (performance.now() < until);
  return { length, ms: least, nanoseconds: (least * 1e6) / length };
}

function inWords(length) {
  return length < 1_024 ? `${length}` : `${Math.round(length / 1_024)} K`;
}
