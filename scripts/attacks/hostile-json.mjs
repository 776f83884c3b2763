/**
 * Bodies that cost much to read keep the main thread, and so everybody, for 50 ms at most, one at a time and five at once. That is judged by the
 * thread's own processor time, which is what it is on a busy machine too; what /health waits is by the clock, and told.
 *
 *   node scripts/attacks/hostile-json.mjs
 */
import { print, slowestHealth, withTarget } from './target.mjs';
import { judge, judgeAtMost, tally } from './verdict.mjs';

const turnMsMost = 50;

const megabytes10 = 10 * 1024 * 1024 - 100;
const fill = (piece, bytes) => piece.repeat(Math.floor(bytes / piece.length));
const documents = '/api/collections/things/documents';

const bodies = [
  [
    'empty lists, to a search',
    '/api/collections/things/search',
    `{"query":"x","q":["\\u0041",${fill('[],', megabytes10)}[]]}`,
  ],
  ['a filter that is far too long', '/api/collections/things/search', withFilter(fill('a', 250_000))],
  [
    'a multi-search of long filters',
    '/api/multi-search',
    `{"searches":[${fill(`${withFilter(fill('a:=1 || ', 65_000).slice(0, -4), '"collection":"things",')},`, 3_200_000).slice(0, -1)}]}`,
  ],
  ['empty lists', documents, `{"a":[${fill('[],', megabytes10)}[]]}`],
  ['empty lists, broken at the end', documents, `{"a":[${fill('[],', megabytes10)}`],
  [
    'as many values as may be',
    documents,
    `{"a":["\\u0041",${fill('[],', 290_000)}[]],"b":"${fill('x', 3_000_000)}"}`,
  ],
  ['escapes', documents, `{"a":"${fill('\\u0041', megabytes10)}"}`],
  ['a text that never ends', documents, `{"a":"${fill('x', megabytes10)}`],
  ['empty lines, then no JSON', documents, `${fill('\n', megabytes10)}x`],
  [
    'nested, as deep as may be',
    documents,
    `{"a":[${fill(`${'['.repeat(60)}${']'.repeat(60)},`, 390_000)}1]}`,
  ],
  ['as many fields as may be', documents, objectOf(99_000, () => '1')],
  ['as many empty objects', documents, objectOf(99_000, () => '{}')],
  ['a document as large as may be', documents, `{"a":"${fill('x', 4_190_000)}"}`],
  ['the same of é, escaped', documents, `{"a":"${fill('\\u00e9', megabytes10)}"}`],
  ['a multi-search of numbers', '/api/multi-search', `{"searches":[${fill('1,', 490_000)}1]}`],
  [
    'a multi-search of bad vectors',
    '/api/multi-search',
    `{"searches":[{"collection":"things","mode":"vector","vector_query":[${fill('"a",', 980_000)}"a"]}]}`,
  ],
  [
    'a multi-search of vectors',
    '/api/multi-search',
    `{"searches":[${fill(`{"collection":"things","mode":"vector","vector_query":[${fill('0.12345678,', 45_000)}1]},`, 2_200_000)}{}]}`,
  ],
];

function withFilter(filter, more = '') {
  return `{${more}"query":"*","filter_by":"${filter}"}`;
}

function objectOf(fields, value) {
  return `{${Array.from({ length: fields }, (_, i) => `"k${i}":${value(i)}`).join()}}`;
}

await withTarget(async (target) => {
  await target.createCollection('things', 8);
  const { slowestMs: idleMs } = await slowestHealth(
    target.url,
    () => new Promise((resolve) => setTimeout(resolve, 1_000)),
  );
  /** Since it was last asked. By the clock where the system tells no thread's processor time. */
  const longestTurnMs = async () => {
    const { wallMs, processorMs } = await target.longestTurn();
    return Number.isNaN(processorMs) ? wallMs : processorMs;
  };
  const idleTurnMs = await longestTurnMs();
  print(`idle: /health at most ${idleMs} ms, a turn ${idleTurnMs} ms`);
  for (const [name, path, body] of bodies) {
    const send = () => target.send('POST', path, body);
    await send();
    for (const count of [1, 5]) {
      await longestTurnMs();
      const { slowestMs, result } = await slowestHealth(target.url, () =>
        Promise.all(Array.from({ length: count }, send)),
      );
      const turnMs = await longestTurnMs();
      const statuses = result.map(({ status }) => status);
      print(
        `${name}, ${(body.length / 1e6).toFixed(1)} MB, ${count} at once: /health at most ${slowestMs} ms`,
      );
      judgeAtMost(`${name}, ${count} at once: a turn of the main thread`, turnMsMost, turnMs, 'ms');
      judge(`${name}, ${count} at once: the answers`, {
        expected: 'none of 500',
        found: tally(statuses),
        isFine: !statuses.includes(500),
      });
    }
  }
});
