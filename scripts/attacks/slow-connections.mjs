/**
 * Connections that are held and hardly used: headers that dribble, bodies that never end, exports whose reader takes nothing or hardly anything. Each is cut
 * in its time, and others are served meanwhile. Takes two minutes and a half.
 *
 *   node scripts/attacks/slow-connections.mjs [connections of each kind]
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { print, slowestHealth, withTarget } from './target.mjs';
import { judgeAtMost } from './verdict.mjs';

const [count = 30] = process.argv.slice(2).map(Number);
const givenUpMs = 150_000;
const dribbleMs = 1_000;
/** Fewer than a workspace's share of the answers' memory lets in: who is refused keeps its connection a little longer. */
const exportsMax = 12;

await withTarget(async (target) => {
  await target.createCollection('large', 8);
  const text = 'x'.repeat(900_000);
  for (let i = 0; i < 20; i += 1)
    await target.send('POST', '/api/collections/large/documents', { id: `d${i}`, text });
  const { hostname, port } = new URL(target.url);
  const head = (method, path) =>
    `${method} ${path} HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${target.key}\r\n`;
  const chunked = 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  /** What is sent at once, what then dribbles, and the seconds after which it is cut at the latest: those that are promised and some more. */
  const kinds = {
    'nothing sent': { first: '', more: '', seconds: 15 + 3 },
    'headers that dribble': { first: head('GET', '/health'), more: 'X: 1\r\n', seconds: 15 + 3 },
    'a body without end where none is wanted': {
      first: `${head('GET', '/health')}${chunked}`,
      more: '1\r\nx\r\n',
      seconds: 3,
    },
    'a body that dribbles': {
      first: `${head('POST', '/api/multi-search')}${chunked}`,
      more: '1\r\n \r\n',
      seconds: 60 + 5,
    },
    'an import that says nothing': {
      first: `${head('POST', '/api/collections/large/documents/import')}${chunked}`,
      more: '',
      seconds: 60 + 5,
    },
    'an import that dribbles': {
      first: `${head('POST', '/api/collections/large/documents/import')}${chunked}`,
      more: '1\r\n \r\n',
      seconds: 60 + 5,
    },
  };

  /** Seconds until the server has cut it. */
  async function secondsUntilCut({ first, more }) {
    const startedAt = performance.now();
    const socket = await open(first);
    socket.resume();
    const dribble = setInterval(() => more && socket.write(more), dribbleMs);
    const givenUp = setTimeout(() => socket.destroy(), givenUpMs);
    await once(socket, 'close');
    clearInterval(dribble);
    clearTimeout(givenUp);
    return (performance.now() - startedAt) / 1_000;
  }

  /** Who does not read does not learn that it is cut, so the server's own sockets are counted. */
  async function secondsUntilExportsAreCut(bytesASecond) {
    const before = target.openSockets();
    const startedAt = performance.now();
    const asked = `${head('GET', '/api/collections/large/documents/export')}\r\n`;
    const readers = await Promise.all(
      Array.from({ length: Math.min(count, exportsMax) }, () => open(asked, bytesASecond)),
    );
    await pause(1_000);
    while (target.openSockets() > before + 2 && performance.now() - startedAt < givenUpMs) await pause(500);
    for (const socket of readers) socket.destroy();
    while (target.openSockets() > before + 2) await pause(100);
    return (performance.now() - startedAt) / 1_000;
  }

  /** One that reads so little reads it once a second. */
  async function open(first, bytesASecond) {
    const onread = { buffer: Buffer.alloc(bytesASecond || 65_536), callback: () => false };
    const reads = bytesASecond === undefined ? {} : { onread };
    const socket = connect({ port: Number(port), host: hostname, ...reads });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    if (bytesASecond === 0) socket.pause();
    socket.write(first);
    const reading = setInterval(() => bytesASecond > 0 && socket.resume(), 1_000);
    socket.once('close', () => clearInterval(reading));
    return socket;
  }

  const { result, slowestMs } = await slowestHealth(target.url, () =>
    Promise.all(
      Object.entries(kinds).map(async ([name, kind]) => {
        const seconds = await Promise.all(Array.from({ length: count }, () => secondsUntilCut(kind)));
        return [name, Math.ceil(Math.max(...seconds))];
      }),
    ),
  );
  for (const [name, seconds] of result) judgeAtMost(`${name}: cut`, kinds[name].seconds, seconds, 's');
  judgeAtMost('/health meanwhile', 500, slowestMs, 'ms');
  for (const [name, bytesASecond] of Object.entries({ 'has stopped': 0, 'takes 100 bytes a second': 100 })) {
    const seconds = Math.ceil(await secondsUntilExportsAreCut(bytesASecond));
    // At a tenth of the rate a tenth of what was waited for is given back.
    const promised = 60 / (1 - bytesASecond / 1_000);
    judgeAtMost(`exports whose reader ${name}: cut`, Math.ceil(promised) + 5, seconds, 's');
  }
  print(`RSS ${target.memory().now} MB`);
});
