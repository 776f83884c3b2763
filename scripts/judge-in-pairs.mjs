/**
 * Two ways of searching, judged blind: a sheet shows for each query the first three hits of both, of which nobody is told which is whose, and what a judge has marked is counted.
 *
 *   npm run eval -- fresh --tier queries --json > lists.jsonl
 *   node scripts/judge-in-pairs.mjs sheet lists.jsonl --list fresh --modes hybrid,keyword --out sheet.md      the sides by chance
 *   node scripts/judge-in-pairs.mjs count lists.jsonl --modes hybrid,keyword --marks marks.jsonl [--marks …]
 *
 * A mark is a line of JSON: `{"query": text, "better": "A" | "B" | "same", "A": good, "B": good}`, where good says whether the person who asked would be content with the three. With the marks
 * of two judges it is told how often they agree, and Cohen's kappa. The sides follow from the query alone, so that a sheet can be made again.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { root } from './freshness.mjs';
import { loadSources } from './load-sources.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    list: { type: 'string', default: 'fresh' },
    modes: { type: 'string', default: 'hybrid,keyword' },
    out: { type: 'string', default: 'sheet.md' },
    marks: { type: 'string', multiple: true, default: [] },
  },
});
const [task, lists] = positionals;
const modes = values.modes.split(',');
const shownHits = 3;
const shownCharacters = 420;

/** By query, the ids of each mode. */
const answers = new Map();
for (const { set, mode, query, ids } of linesOf(lists)) {
  if (query === undefined || !modes.includes(mode)) continue;
  const answer = answers.get(query) ?? { set, ids: {} };
  answer.ids[mode] = ids.slice(0, shownHits);
  answers.set(query, answer);
}
if (task === 'sheet') await writeSheet();
else if (task === 'count') count();
else throw new Error('Say "sheet" or "count", and the lists');

function linesOf(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}

/** Which mode is shown as A, and which as B. */
function sidesOf(query) {
  const isTurned = (createHash('sha256').update(query).digest()[0] & 1) === 1;
  const [a, b] = isTurned ? modes.toReversed() : modes;
  return { A: a, B: b };
}

async function writeSheet() {
  const { naturalCollections } = await loadSources(
    "export { naturalCollections } from './src/server/testing/judged/natural-sets.ts';",
  );
  const rows = new Map(
    naturalCollections(root, values.list).map(({ name, rows: all }) => [
      name,
      new Map(all.map(({ _id, ...fields }) => [_id, fields])),
    ]),
  );
  const text = [...answers].map(([query, { set, ids }], i) => {
    const sides = Object.entries(sidesOf(query)).map(([side, mode]) => {
      const hits = (ids[mode] ?? []).map((id, place) => `${place + 1}. ${told(rows.get(set).get(id))}`);
      return `${side}\n${hits.length === 0 ? '(nothing)' : hits.join('\n')}`;
    });
    return `## ${i + 1}. ${query}   [${set}]\n${sides.join('\n')}\n`;
  });
  writeFileSync(values.out, text.join('\n'));
}

function told(fields) {
  return JSON.stringify(fields).slice(0, shownCharacters);
}

function count() {
  const judges = values.marks.map((file) => new Map(linesOf(file).map((mark) => [mark.query, mark])));
  for (const [i, marks] of judges.entries()) {
    const good = Object.fromEntries(modes.map((mode) => [mode, 0]));
    const better = { ...good, same: 0 };
    for (const query of answers.keys()) {
      const mark = marks.get(query);
      if (mark === undefined) throw new Error(`${values.marks[i]} has no mark for “${query}”`);
      const sides = sidesOf(query);
      for (const [side, mode] of Object.entries(sides)) if (mark[side] === true) good[mode] += 1;
      better[sides[mark.better] ?? 'same'] += 1;
    }
    console.log(values.marks[i], 'of', answers.size, { good, better });
  }
  const [first, second] = judges;
  if (second !== undefined) tellAgreement(first, second);
}

function tellAgreement(first, second) {
  const pairs = [...answers.keys()].flatMap((query) =>
    ['A', 'B'].map((side) => [first.get(query)[side] === true, second.get(query)[side] === true]),
  );
  const share = (isCounted) => pairs.filter(isCounted).length / pairs.length;
  const agreed = share(([a, b]) => a === b);
  const [a, b] = [share(([each]) => each), share(([, each]) => each)];
  const byChance = a * b + (1 - a) * (1 - b);
  console.log({ lists: pairs.length, agreed, kappa: (agreed - byChance) / (1 - byChance) });
}
