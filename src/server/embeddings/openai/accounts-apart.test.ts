import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import {
  type EmbeddingServer,
  type Misbehaviour,
  openService,
  startEmbeddingServer,
  status,
  well,
} from '#server/testing/embedding-server.ts';
import { TextsRefusedError } from '../texts-refused-error.ts';
import type { OpenAiService } from './openai-service.ts';

let server: EmbeddingServer;
const services: OpenAiService[] = [];

beforeAll(async () => {
  server = await startEmbeddingServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.asked.length = 0;
  server.plan(well);
});
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.stop()));
});

function open(options: Parameters<typeof openService>[1] = {}): OpenAiService {
  const service = openService(server, options);
  services.push(service);
  return service;
}

/** What it does to texts of the first account. */
const toFirst =
  (misbehaviour: Misbehaviour): Misbehaviour =>
  (response, asked) =>
    (asked.input.some((text) => text.startsWith('first')) ? misbehaviour : well)(response, asked);
const hangs: Misbehaviour = () => undefined;
const works = { state: 'working', reason: null };

test.each([
  ['fails', status(500), 10_000],
  ['is late', hangs, 300],
])(
  'a service that %s at what one account asks for rests for that account alone',
  async (_, misbehaviour, timeoutMs) => {
    let now = 0;
    server.plan(toFirst(misbehaviour));
    const service = open({ timeoutMs, now: () => now, random: () => 0 });
    const ask = (owner: string) => service.embedQuery(`${owner} ${server.asked.length}`, 8, owner);
    // Until it rests; whose fault it is may be found after the answer.
    await expect
      .poll(() => ask('first').catch((error: Error) => error.message), { timeout: 30_000 })
      .toContain('not asked for it for a while');
    const asked = server.asked.length;
    await expect(ask('first')).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 });
    expect(server.asked).toHaveLength(asked);
    expect(await ask('second')).toHaveLength(8);
    expect(service.state().queries).toEqual(works);
    now += 5_000;
    server.plan(well);
    expect(await ask('first')).toHaveLength(8);
  },
);

test('whoever is told to come later while others are not rests alone, and all rest who are told so together', async () => {
  const service = open();
  const ask = (owner: string) => service.embedQuery(`${owner} ${server.asked.length}`, 8, owner);
  const later = status(429);
  server.plan(toFirst(later));
  for (let i = 0; i < 2; i += 1) await expect(ask('first')).rejects.toThrow('429');
  await expect(ask('first')).rejects.toThrow('not asked for it for a while');
  expect(service.state().queries.state).not.toBe('paused');
  expect(await ask('second')).toHaveLength(8);

  server.plan(later);
  for (const owner of ['third', 'fourth', 'fifth', 'sixth']) await expect(ask(owner)).rejects.toThrow('429');
  expect(service.state().queries.state).toBe('paused');
});

test('a text at which it fails has no vector, those beside it and those of others have theirs', async () => {
  server.plan(toFirst(status(500)));
  const service = open();
  const embed = (tenant: string, ...texts: string[]) =>
    service.embedDocuments({
      texts: texts.map((text) => ({ title: '', text })),
      dimension: 8,
      for: { tenant, caller: 'c' },
    });
  for (let i = 0; i < 3; i += 1) {
    const refused = await embed('first', 'one', 'two', `first ${i}`, 'three').catch(
      (error: unknown) => error,
    );
    if (!(refused instanceof TextsRefusedError)) throw new Error('no text was refused', { cause: refused });
    expect(refused.faults).toEqual(new Map([[2, 'it answers 500']]));
    const areThere = [0, 1, 2, 3].map((n) => refused.vectors.subarray(n * 8, n * 8 + 8).some((x) => x !== 0));
    expect(areThere).toEqual([true, true, false, true]);
  }
  expect(await embed('second', 'one')).toHaveLength(8);
  expect(service.state().documents).toEqual(works);
});

test.each([400, 500])(
  'a dimension that it answers %d to is refused to those who ask for it, and others go on',
  async (code) => {
    server.plan((response, asked) => (asked.dimensions === 7 ? status(code) : well)(response, asked));
    const service = open();
    expect(await service.embedQuery('second', 8, 'second')).toHaveLength(8);
    for (let i = 0; i < 6; i += 1)
      await expect(service.embedQuery(`first ${i}`, 7, 'first')).rejects.toThrow(`it answers ${code}`);
    await expect(
      service.embedDocuments({
        texts: [{ title: '', text: 'one' }],
        dimension: 7,
        for: { tenant: 'first', caller: 'c' },
      }),
    ).rejects.toThrow(`it answers ${code}`);
    expect(await service.embedQuery('second again', 8, 'second')).toHaveLength(8);
    expect(service.state()).toMatchObject({ queries: works, documents: works });
    expect(service.state().dimensions.get(7)).toBe(`it answers ${code}`);
  },
);

test('whose fault it is may be found out for as long as a query may take, however little time was left', async () => {
  let now = 0;
  server.plan((response, asked) => {
    const isFirst = asked.input.some((text) => text.startsWith('first'));
    if (isFirst) now += 2_950;
    if (isFirst) status(500)(response, asked);
    // Longer than what was left.
    else setTimeout(() => well(response, asked), 200);
  });
  const service = open({ now: () => now });
  const failing = Array.from({ length: 6 }, (_, i) =>
    service.embedQuery(`first ${i}`, 8, 'first').catch(() => null),
  );
  await Promise.all(failing);
  expect(await service.embedQuery('second', 8, 'second')).toHaveLength(8);
  expect(service.state().queries).toEqual(works);
});

test('the log tells once that it is not asked for an account', async () => {
  const lines: string[] = [];
  server.plan(toFirst(status(500)));
  const service = open({ log: createLog('info', (line) => lines.push(line)) });
  for (let i = 0; i < 6; i += 1) await service.embedQuery(`first ${i}`, 8, 'first').catch(() => null);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      message: 'the embedding service fails at what an account asks for',
      for: 'queries',
      owner: 'first',
      reason: 'it answers 500',
    }),
  ]);
});

test('one account has no more queries under way than it leaves free to others', async () => {
  server.plan(toFirst(hangs));
  const service = open({ timeoutMs: 30_000 });
  const waiting = Array.from({ length: 64 }, (_, i) =>
    service.embedQuery(`first ${i}`, 8, 'first').catch(() => null),
  );
  await expect.poll(() => server.asked.length).toBe(64);
  await expect(service.embedQuery('first too many', 8, 'first')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('too much to do'),
  });
  expect(await service.embedQuery('second', 8, 'second')).toHaveLength(8);
  await service.stop();
  await Promise.all(waiting);
});
