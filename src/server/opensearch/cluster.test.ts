import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Sql } from 'postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { loopTurns } from '#server/admission/loop-turns.ts';
import type { CollectionHandle } from '#server/indexes/indexes.ts';
import { Cluster, clientOf } from './cluster.ts';
import { constantsOf } from './fixed-constants.ts';
import { createGeneration } from './generations.ts';
import { searchesOf } from './multi-search.ts';
import type { Nodes } from './nodes.ts';
import { Refreshes } from './refreshes.ts';

/** Answers of a cluster as they come over the network, when the test says so. */
const waiting: ServerResponse[] = [];
const node = createServer((request, response) => {
  request.resume();
  waiting.push(response);
});
let cluster: Cluster;

beforeAll(async () => {
  await once(node.listen(0, '127.0.0.1'), 'listening');
  const { port } = node.address() as AddressInfo;
  cluster = new Cluster(await clientOf([`http://127.0.0.1:${port}`]));
});
afterAll(async () => {
  await cluster.close();
  node.close();
});

async function answer(count: number, status: number, body: string) {
  await expect.poll(() => waiting.length).toBe(count);
  for (const response of waiting.splice(0))
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

test('of answers that arrive together each is gone on with in a turn of its own', async () => {
  const turns: (() => void)[] = [];
  const turn = () => new Promise<void>((resolve) => void turns.push(resolve));
  const gone: number[] = [];
  const asked = [0, 1, 2].map(async (i) => {
    expect(await cluster.ask({ method: 'POST', path: '/_msearch', lines: [{}], turn })).toEqual({ a: 1 });
    gone.push(i);
  });
  await answer(3, 200, '{"a":1}');
  for (const count of [0, 1, 2]) {
    await expect.poll(() => turns.length).toBe(3 - count);
    expect(gone).toHaveLength(count);
    turns.shift()?.();
    await asked[gone.length];
  }
});

test('a search takes turns as its caller, and what is refused is told in the cluster’s words', async () => {
  const next = vi.spyOn(loopTurns, 'next');
  const requester = { tenant: 'a', caller: 'b' };
  const ask = searchesOf(cluster, { index: 'films', requester, signal: undefined });
  const reply = { timed_out: false, _shards: { failed: 0 }, hits: { total: { value: 3 }, hits: [] } };
  const asked = ask([{ size: 0 }]);
  await answer(1, 200, JSON.stringify({ responses: [reply] }));
  expect(await asked).toEqual([reply]);
  expect(next.mock.calls).toEqual([[requester]]);
  for (const [status, body, failure] of [
    [
      400,
      '{"error":{"reason":"no such thing"}}',
      { status: 400, message: expect.stringContaining('no such') },
    ],
    [404, 'not found', { status: 404 }],
    [413, 'too long', { code: 'UNPROCESSABLE', message: expect.stringContaining('ask for fewer') }],
    [200, '<html>', { code: 'UNAVAILABLE' }],
    [429, '{}', { code: 'UNAVAILABLE' }],
  ] as const) {
    const refused = expect(ask([{ size: 0 }])).rejects.toMatchObject(failure);
    await answer(1, status, body);
    await refused;
  }
});

test('what this server cannot write down is its own fault, and does not make the cluster count as away', async () => {
  const own = new RangeError('Invalid string length');
  const nodes = { ask: vi.fn(() => Promise.reject(own)), close: async () => undefined };
  const faulty = new Cluster(nodes as unknown as Nodes);
  await expect(faulty.ask({ method: 'POST', path: '/_bulk', lines: [{}] })).rejects.toBe(own);
  await faulty.assertThere();
  expect(nodes.ask).toHaveBeenCalledOnce();

  const endless: { own?: object } = {};
  endless.own = endless;
  const asked = cluster.ask({ method: 'POST', path: '/_search', body: endless });
  await expect(asked).rejects.toMatchObject({ name: 'SerializationError' });
});

test('where a cluster makes no further indexes whoever asks is told so, and to come again', async () => {
  const made = {
    ...{ name: 'films', language: 'en', fields: [], generation: 1 },
    constants: constantsOf({}),
  };
  for (const [status, reason] of [
    [
      400,
      'this action would add [2] total shards, but this cluster currently has [9]/[9] maximum shards open;',
    ],
    [403, 'blocked by: [FORBIDDEN/10/cluster create-index blocked (api)];'],
  ] as const) {
    const collection = { dimension: 8, metric: 'cosine' } as CollectionHandle;
    const asked = createGeneration(
      { cluster, patienceMs: 0 },
      collection,
      made as Parameters<typeof createGeneration>[2],
    );
    const refused = expect(asked).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 60 });
    await answer(1, status, JSON.stringify({ error: { reason } }));
    await refused;
  }
});

test('a copy that was not refreshed is not asked until it is', async () => {
  const noted: unknown[][] = [];
  const note = async (_: string, values: unknown[]) => void noted.push(values);
  const refreshes = new Refreshes({ cluster, sql: { unsafe: note } as unknown as Sql });
  const refreshed = async (failed: number) => {
    const asked = refreshes.run(1, { index: 'films', generation: 1 }, 7);
    await answer(1, 200, JSON.stringify({ _shards: { total: 2, successful: 2 - failed, failed } }));
    return await asked;
  };
  expect(await refreshed(1)).toBe('_primary');
  expect(noted).toEqual([]);
  expect(await refreshed(0)).toBeUndefined();
  expect(noted).toEqual([[1, 7, 1]]);
});

test('a node that was away may be another release', async () => {
  let number = '2.19.1';
  let isGone = false;
  let asked = 0;
  const own = createServer((request, response) => {
    asked += 1;
    if (isGone) request.socket.destroy();
    else response.end(JSON.stringify({ version: { number } }));
  });
  await once(own.listen(0, '127.0.0.1'), 'listening');
  const { port } = own.address() as AddressInfo;
  const upgraded = new Cluster(await clientOf([`http://127.0.0.1:${port}`]));
  const unit = () => upgraded.scoreUnit({ k1: 1.5 });
  expect([await unit(), await unit(), asked]).toEqual([2.5, 2.5, 1]);
  isGone = true;
  await expect(upgraded.assertAnswers()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await expect(unit()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  [isGone, number] = [false, '3.1.0'];
  await expect.poll(() => unit().catch(() => null)).toBe(1);
  const before = asked;
  expect([await unit(), asked]).toEqual([1, before]);
  await upgraded.close();
  own.close();
});
