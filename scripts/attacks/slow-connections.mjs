/**
 * Connections that are held and hardly used: headers that dribble, bodies that never end, exports whose reader has stopped reading. Each is cut in its
 * time, and others are served meanwhile. Takes three minutes and a half.
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
  async function secondsUntilExportsAreCut() {
    const before = target.openSockets();
    const startedAt = performance.now();
    const readers = await Promise.all(
      Array.from({ length: count }, () =>
        open(`${head('GET', '/api/collections/large/documents/export')}\r\n`),
      ),
    );
    for (const socket of readers) socket.pause();
    await pause(1_000);
    while (target.openSockets() > before + 2 && performance.now() - startedAt < givenUpMs) await pause(500);
    for (const socket of readers) socket.destroy();
    return (performance.now() - startedAt) / 1_000;
  }

  async function open(first) {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(first);
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
  const exportsCut = Math.ceil(await secondsUntilExportsAreCut());
  // STALL_TIMEOUT_SECONDS is 60: so long at least, twice as long at most.
  judgeAtMost('exports whose reader has stopped: cut', 2 * 60 + 5, exportsCut, 's');
  print(`RSS ${target.memory().now} MB`);
});
