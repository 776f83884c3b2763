/**
 * Somebody asks for large answers on many connections and reads none of them: lists, documents that are changed, and what anybody may ask for. What lies in the
 * server's memory for them is bounded, another tenant is served all the while, and all of it is given back when they hang up.
 *
 *   node scripts/attacks/unread-answers.mjs [connections]
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createBystander, judgeSlowest, searchesBeside } from './bystander.mjs';
import { print, withTarget } from './target.mjs';
import { judge, judgeAtMost, tally } from './verdict.mjs';

const [connections = 100] = process.argv.slice(2).map(Number);
/** So many at once are let in by the gate. */
const atOnce = 16;
const documents = 8;
const bytes = 3_500_000;
/** All answers have 128 MB together (src/shared/limits.ts); as much again for making them. */
const moreMemoryMb = 256;
const besideMs = 1_000;
const waitMs = 5_000;
const changes = 'documents that are changed';
const path = '/api/collections/large/documents';

await withTarget(async (target) => {
  const bystander = await createBystander(target);
  await target.createCollection('large', 8);
  const embedding = Array.from({ length: 8 }, () => 1);
  for (let i = 0; i < documents; i += 1) {
    const { status } = await target.send('POST', path, { id: `d${i}`, text: 'x'.repeat(bytes), embedding });
    if (status !== 201) throw new Error(`document ${i}: ${status}`);
  }
  const { hostname, port } = new URL(target.url);
  const request = (method, asked, body = '') =>
    `${method} ${asked} HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${target.key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const change = (i) => request('PATCH', `${path}/d${i % documents}`, `{"n":${i}}`);
  /** Pipelined, so that what the system takes for a connection is used up. */
  const attacks = {
    'lists of documents': () => request('GET', `${path}?per_page=250`).repeat(3),
    [changes]: (i) => `${change(i)}${change(i + 1)}${change(i + 2)}`,
    'the description of the API': () => request('GET', '/api/openapi.json').repeat(40),
  };

  /** Reads the head of the first answer and nothing more. */
  async function askAndStall(text) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(text);
    const first = await Promise.race([once(socket, 'data'), once(socket, 'close'), pause(waitMs, [])]);
    socket.pause();
    return { socket, status: String(first[0] ?? '').slice(9, 12) || 'nothing' };
  }

  for (const [name, textOf] of Object.entries(attacks)) {
    const before = target.memory().now;
    target.forgetPeak();
    const searches = await searchesBeside(bystander, async () => {
      const stalled = [];
      while (stalled.length < connections) {
        const texts = Array.from({ length: atOnce }, (_, i) => textOf(stalled.length + i));
        stalled.push(...(await Promise.all(texts.map(askAndStall))));
      }
      return stalled;
    });
    const { result } = searches;
    const { peak } = target.memory();
    print(`${name}: ${tally(result.map(({ status }) => status))}; RSS ${before} → at most ${peak} MB`);
    // Changing a large document takes memory whether or not the answer is read.
    if (name !== changes) judgeAtMost(`${name}: memory`, before + moreMemoryMb, peak, 'MB');
    judgeSlowest(name, searches, besideMs);
    for (const { socket } of result) socket.destroy();
    await pause(1_000);
    const { status } = await target.send('GET', `${path}?per_page=250`);
    judge(`${name}: the same tenant once they have hung up`, {
      expected: '200',
      found: status,
      isFine: status === 200,
    });
  }
});
