/**
 * Many uploads at once into collections of the largest dimension: the server's memory comes to no more than their indexes and 500 MB, whatever the
 * number of uploads. What it keeps when all is deleted is told.
 *
 *   node scripts/attacks/many-imports.mjs [uploads] [MB of each] [dimension]
 */
import { once } from 'node:events';
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { print, slowestHealth, withTarget } from './target.mjs';
import { judge, judgeAtMost, tally } from './verdict.mjs';

const [uploads = 25, megabytes = 10, dimension = 4_096] = process.argv.slice(2).map(Number);
const megabyte = 1024 * 1024;
const moreMemoryMb = 500;
const metricsToken = 'a-token-of-thirty-two-characters';
const words = 'the quick brown fox jumps over a lazy dog near robots learning to love quiet gardens'.split(
  ' ',
);

/** Documents of about 2 KB. */
function upload(bytes) {
  const lines = [];
  let length = 0;
  for (let i = 0; length < bytes; i += 1) {
    const text = Array.from(
      { length: 340 },
      (_, place) => words[(i * 7 + place * ((i % 5) + 1)) % words.length],
    ).join(' ');
    const line = JSON.stringify({ id: `d${i}`, title: `Document ${i}`, text });
    lines.push(line);
    length += line.length + 1;
  }
  return { body: `${lines.join('\n')}\n`, documents: lines.length };
}

/** Answers the status, however long it takes: `fetch` waits five minutes for an answer. */
async function send({ url, key }, path, body) {
  const headers = {
    'x-api-key': key,
    'content-type': 'application/x-ndjson',
    'content-length': Buffer.byteLength(body),
  };
  const sent = request(`${url}${path}`, { method: 'POST', headers });
  sent.end(body);
  const [response] = await once(sent, 'response');
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

/** How many got in. */
async function storedDocuments({ url, key }, collections) {
  let stored = 0;
  for (const { id } of collections) {
    const response = await fetch(`${url}/api/collections/${id}`, { headers: { 'x-api-key': key } });
    stored += (await response.json()).documentCount;
  }
  return stored;
}

/** What the indexes have, in MB. */
async function indexMegabytes({ url }) {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  const [, bytes] = /^vectora_held_bytes\{of="indexes"\} (\S+)$/m.exec(await response.text());
  return Math.round(Number(bytes) / megabyte);
}

await withTarget(
  async (target) => {
    const { body, documents } = upload(megabytes * megabyte);
    const collections = [];
    for (let i = 0; i < uploads; i += 1) collections.push(await target.createCollection(`c${i}`, dimension));
    await pause(3_000);
    const idle = target.memory().now;
    target.forgetPeak();
    const startedAt = performance.now();
    const usedBefore = target.processorSeconds();
    const { result, slowestMs } = await slowestHealth(target.url, () =>
      Promise.all(collections.map(({ id }) => send(target, `/api/collections/${id}/documents/import`, body))),
    );
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    const used = (target.processorSeconds() - usedBefore).toFixed(1);
    const { now, peak } = target.memory();
    const stored = await storedDocuments(target, collections);
    const index = await indexMegabytes(target);
    print(
      `${uploads} uploads of ${megabytes} MB, ${documents} documents each: ${seconds} s, ${used} s of processors`,
    );
    print(
      `RSS idle ${idle} MB, afterwards ${now} MB; ${stored} documents are in, the indexes have ${index} MB; /health at most ${slowestMs} ms`,
    );
    judge('the uploads', {
      expected: '200, 207, 429 or 503',
      found: tally(result),
      isFine: result.every((status) => [200, 207, 429, 503].includes(status)),
    });
    judgeAtMost('memory', idle + index + moreMemoryMb, peak, 'MB');
    for (const { id } of collections) await target.dropCollection(id);
    await pause(30_000);
    print(`RSS half a minute after all were deleted for good: ${target.memory().now} MB`);
  },
  { PURGE_AFTER_SECONDS: '1', METRICS_TOKEN: metricsToken },
);
