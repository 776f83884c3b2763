/**
 * Bodies that cost much to read: how long they keep /health, and so everybody, waiting; one at a time and five at once.
 *
 *   node scripts/attacks/hostile-json.mjs
 */
import { print, slowestHealth, withTarget } from './target.mjs';

const megabytes10 = 10 * 1024 * 1024 - 100;
const fill = (piece, bytes) => piece.repeat(Math.floor(bytes / piece.length));
const documents = '/api/collections/things/documents';

const bodies = [
  [
    'empty lists, to a search',
    '/api/collections/things/search',
    `{"query":"x","q":["\\u0041",${fill('[],', megabytes10)}[]]}`,
  ],
  ['empty lists', documents, `{"a":[${fill('[],', megabytes10)}[]]}`],
  ['empty lists, broken at the end', documents, `{"a":[${fill('[],', megabytes10)}`],
  [
    'as many values as may be',
    documents,
    `{"a":["\\u0041",${fill('[],', 590_000)}[]],"b":"${fill('x', 3_000_000)}"}`,
  ],
  ['escapes', documents, `{"a":"${fill('\\u0041', megabytes10)}"}`],
  ['a text that never ends', documents, `{"a":"${fill('x', megabytes10)}`],
  ['empty lines, then no JSON', documents, `${fill('\n', megabytes10)}x`],
  [
    'nested, as deep as may be',
    documents,
    `{"a":[${fill(`${'['.repeat(60)}${']'.repeat(60)},`, 390_000)}1]}`,
  ],
  ['a multi-search of numbers', '/api/multi-search', `{"searches":[${fill('1,', 490_000)}1]}`],
  [
    'a multi-search of vectors',
    '/api/multi-search',
    `{"searches":[${fill(`{"collection":"things","mode":"vector","vector_query":[${fill('0.12345678,', 45_000)}1]},`, 2_200_000)}{}]}`,
  ],
];

await withTarget(async (target) => {
  await target.createCollection('things', 8);
  const { slowestMs: idleMs } = await slowestHealth(
    target.url,
    () => new Promise((resolve) => setTimeout(resolve, 1_000)),
  );
  print(`idle: /health at most ${idleMs} ms`);
  for (const [name, path, body] of bodies) {
    await target.send('POST', path, body);
    const one = await slowestHealth(target.url, () => target.send('POST', path, body));
    const five = await slowestHealth(target.url, () =>
      Promise.all(Array.from({ length: 5 }, () => target.send('POST', path, body))),
    );
    print(
      `${name.padEnd(32)} ${(body.length / 1e6).toFixed(1)} MB, ${one.result.status}: /health at most ${one.slowestMs} ms, with five at once ${five.slowestMs} ms`,
    );
  }
});
