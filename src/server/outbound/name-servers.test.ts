import { createSocket, type Socket } from 'node:dgram';
import { promises } from 'node:dns';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { resolveByNameServers } from './name-servers.ts';

/** Answers names that begin with `good` with 203.0.113.7 and no IPv6 address, and says nothing of others. */
let server: Socket;
let servers: string[];
let silentOnes = 0;
beforeAll(async () => {
  server = createSocket('udp4', (query, from) => {
    const isGood = query.toString('latin1', 13, 17) === 'good';
    if (!isGood) silentOnes += 1;
    else server.send(answerTo(query), from.port, from.address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  servers = [`127.0.0.1:${server.address().port}`];
});
afterAll(() => void server.close());

/** RFC 1035, 4.1: the question again, and for an A record one answer that points to its name. */
function answerTo(query: Buffer): Buffer {
  const endOfName = query.indexOf(0, 12) + 1;
  const question = query.subarray(12, endOfName + 4);
  const isA = query.readUInt16BE(endOfName) === 1;
  const header = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, isA ? 1 : 0, 0, 0, 0, 0]);
  query.copy(header, 0, 0, 2);
  const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 203, 0, 113, 7]);
  return Buffer.concat([header, question, ...(isA ? [answer] : [])]);
}

test('names whose name server is silent keep nobody from finding others', async () => {
  // Nobody waits for their end: it is far beyond that of the test.
  const resolve = resolveByNameServers({ servers, timeoutMs: 60_000 });
  for (let i = 0; i < 40; i += 1) resolve(`silent${i}.example`).catch(() => undefined);
  await expect.poll(() => silentOnes).toBeGreaterThanOrEqual(80);
  expect(await resolve('good.example')).toEqual([{ address: '203.0.113.7', family: 4 }]);
  // The operator's own hosts are found by the system, whose threads nobody holds.
  expect(await promises.lookup('localhost')).toMatchObject({ address: expect.any(String) });
});

test('of a name server that is silent it is said that it did not answer', async () => {
  const resolve = resolveByNameServers({ servers, timeoutMs: 100 });
  await expect(resolve('silent.example')).rejects.toMatchObject({ code: 'ETIMEOUT' });
});
