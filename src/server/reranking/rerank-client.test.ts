import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import { startReceiver } from '#server/testing/webhook-receiver.ts';
import { RerankClient } from './rerank-client.ts';

type Receiver = Awaited<ReturnType<typeof startReceiver>>;
/** Whose searches they are. */
const by = { owner: 'account:1' };
type Answering = Parameters<Receiver['answer']>[0];

const apiKey = 'a-secret-of-the-operator';
let server: Receiver;
let lines: string[];
let nowMs: number;
const clients: RerankClient[] = [];

beforeAll(async () => {
  server = await startReceiver();
});
afterAll(() => server.close());
beforeEach(() => {
  server.received.length = 0;
  lines = [];
  nowMs = 0;
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
  expect(lines.join('\n')).not.toContain(apiKey);
});

function open(given: Partial<ConstructorParameters<typeof RerankClient>[0]> = {}): RerankClient {
  const client = new RerankClient({
    url: `${server.url}/v1/rerank`,
    apiKey,
    model: 'm',
    timeoutMs: 60_000,
    mayBePrivate: true,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    log: createLog('debug', (line) => lines.push(line)),
    now: () => nowMs,
    ...given,
  });
  clients.push(client);
  return client;
}

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answering =>
  (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));
const toldOf = () => lines.map((line) => JSON.parse(line));
const results = (...scores: [index: number, score: unknown][]) =>
  json({ results: scores.map(([index, relevance_score]) => ({ index, relevance_score })) });

test('documents have their scores by place, and none that the service leaves out', async () => {
  server.answer(results([2, 0.9], [0, -1.5]));
  expect(await open().scores('q', ['a', 'b', 'c'], by)).toEqual({ scores: [-1.5, null, 0.9] });
  const [{ method, path, headers, body } = { method: '', path: '', headers: {}, body: '{}' }] =
    server.received;
  expect([method, path, headers.authorization]).toEqual(['POST', '/v1/rerank', `Bearer ${apiKey}`]);
  expect(JSON.parse(body)).toEqual({
    model: 'm',
    query: 'q',
    documents: ['a', 'b', 'c'],
    top_n: 3,
    return_documents: false,
  });
});

describe('why there are no scores is told where', () => {
  test.each<[string, Answering, RegExp]>([
    ['it refuses the key', json({ message: 'no' }, 401), /it answers 401/],
    ['it is down', json({}, 503), /it answers 503/],
    [
      'it leads elsewhere',
      (response) => void response.writeHead(302, { location: '/x' }).end(),
      /it answers 302/,
    ],
    ['its answer is no JSON', (response) => void response.end('<html>'), /not one of scores/],
    ['its answer has no results', json({ data: [] }), /not one of scores/],
    ['a score is none', results([0, null]), /not one of scores/],
    ['a score is a text', results([0, '0.5']), /not one of scores/],
    ['a document is named that was not sent', results([5, 0.5]), /were not sent, or one twice/],
    ['one is named twice', results([0, 0.5], [0, 0.4]), /were not sent, or one twice/],
    ['it hangs up', (response) => void response.destroy(), /the connection failed/],
    ['its answer has no end', (response) => void endless(response), /more than was asked for/],
  ])('%s', async (_, answer, reason) => {
    server.answer(answer);
    expect(await open().scores('q', ['a', 'b'], by)).toEqual({ reason: expect.stringMatching(reason) });
  });

  test('it does not answer in time', async () => {
    server.answer(() => undefined);
    const outcome = await open({ timeoutMs: 50 }).scores('q', ['a'], by);
    expect(outcome).toEqual({ reason: 'the re-ranking service: it does not answer within 50 ms' });
  });

  test('its address is not one of the public Internet, or not https', async () => {
    const reason = expect.stringContaining('its address is not allowed');
    const elsewhere = open({ mayBePrivate: false, url: 'https://rerank.example/rerank' });
    expect(await elsewhere.scores('q', ['a'], by)).toEqual({ reason });
    expect(await open({ mayBePrivate: false }).scores('q', ['a'], by)).toEqual({ reason });
    expect(server.received).toEqual([]);
  });
});

function endless(response: Parameters<Answering>[0]): void {
  response.on('error', () => undefined);
  const write = () => {
    if (!response.destroyed && response.write('x'.repeat(64 * 1024))) setImmediate(write);
    else response.once('drain', write);
  };
  write();
}

test('while it fails it is not asked, and once it is well again it is', async () => {
  const client = open();
  server.answer(json({}, 500));
  for (let i = 0; i < 8; i += 1) await client.scores('q', ['a'], by);
  // Each time the simplest one is asked for too.
  expect(server.received).toHaveLength(10);
  expect(await client.scores('q', ['a'], by)).toEqual({
    reason: expect.stringContaining('not asked for a while'),
  });
  nowMs += 5_000;
  server.answer(results([0, 1]));
  expect(await client.scores('q', ['a'], by)).toEqual({ scores: [1] });
  expect(server.received).toHaveLength(11);
  const told = lines.map((line) => JSON.parse(line).message ?? JSON.parse(line).msg);
  expect(told).toHaveLength(2);
});

test('it is not asked before it says, when it has too many requests or is down', async () => {
  for (const [status, reason] of [
    [429, /too many requests \(429\)$/],
    [503, /it answers 503$/],
  ] as const) {
    server.received.length = 0;
    nowMs = 0;
    const client = open();
    server.answer(json({}, status, { 'retry-after': '30' }));
    for (let i = 0; i < 5; i += 1)
      expect(await client.scores('q', ['a'], by)).toEqual({ reason: expect.stringMatching(reason) });
    server.answer(results([0, 1]));
    nowMs = 29_999;
    expect(await client.scores('q', ['a'], by)).toEqual({
      reason: expect.stringContaining('not asked for a while'),
    });
    nowMs = 30_000;
    expect(await client.scores('q', ['a'], by)).toEqual({ scores: [1] });
    expect(server.received).toHaveLength(6);
  }
});

describe('a search that is refused', () => {
  const refusesLong: Answering = (response, message) =>
    (JSON.parse(message.body).query === 'long' ? json({}, 422) : results([0, 1]))(response, message);
  const refused = { reason: 'the re-ranking service: it answers 422' };

  test('keeps nobody else from being answered, however often it is sent', async () => {
    const client = open();
    server.answer(refusesLong);
    for (let i = 0; i < 8; i += 1) expect(await client.scores('long', ['a'], by)).toEqual(refused);
    expect(await client.scores('q', ['a'], by)).toEqual({ scores: [1] });
    // Each time the simplest one is asked for too.
    expect(server.received).toHaveLength(17);
    expect(lines).toEqual([]);
    expect(JSON.parse(server.received[1]?.body ?? '{}')).toMatchObject({ query: 'a', documents: ['a'] });
  });

  test('shows after a rest that the service is well again', async () => {
    const client = open();
    server.answer(json({}, 500));
    for (let i = 0; i < 5; i += 1) await client.scores('q', ['a'], by);
    nowMs += 5_000;
    server.answer(refusesLong);
    expect(await client.scores('long', ['a'], by)).toEqual(refused);
    expect(await client.scores('q', ['a'], by)).toEqual({ scores: [1] });
  });

  test('is a failure of the settings where the simplest one is refused too', async () => {
    const client = open();
    server.answer(json({}, 422));
    for (let i = 0; i < 8; i += 1) await client.scores('q', ['a'], by);
    expect(server.received).toHaveLength(10);
    expect(toldOf()).toEqual([
      expect.objectContaining({ reason: 'it answers 422', advice: expect.stringContaining('RERANK_MODEL') }),
    ]);
  });

  test('is no failure where nobody waits any more', async () => {
    const client = open();
    server.answer(json({}, 500));
    for (let i = 0; i < 4; i += 1) await client.scores('q', ['a'], by);
    const caller = new AbortController();
    server.answer((response, message) => {
      if (JSON.parse(message.body).query === 'long') json({}, 422)(response, message);
      else caller.abort(new Error('gone'));
    });
    await expect(client.scores('long', ['a'], { ...by, signal: caller.signal })).rejects.toThrow('gone');
    server.answer(results([0, 1]));
    expect(await client.scores('q', ['a'], by)).toEqual({ scores: [1] });
  });
});

test('whoever hangs up waits no longer, which is no failure of the service', async () => {
  const client = open();
  const caller = new AbortController();
  server.answer(() => caller.abort(new Error('gone')));
  for (let i = 0; i < 6; i += 1)
    await expect(client.scores('q', ['a'], { ...by, signal: caller.signal })).rejects.toThrow();
  server.answer(results([0, 1]));
  expect(await client.scores('q', ['a'], by)).toEqual({ scores: [1] });
});

describe('what one account has the service do', () => {
  const isSimplest = ({ body }: { body: string }) => JSON.parse(body).query === 'a';
  const slowForLong: Answering = (response, message) => {
    const { query } = JSON.parse(message.body);
    if (query !== 'long') results([0, 1])(response, message);
  };
  const other = { owner: 'account:2' };

  test('searches that take it too long keep nobody else from being answered, and that account waits', async () => {
    const client = open({ timeoutMs: 1_500 });
    server.answer(slowForLong);
    const late = { reason: expect.stringContaining('does not answer within') };
    const five = Array.from({ length: 5 }, () => client.scores('long', ['a'], by));
    expect(await Promise.all(five)).toEqual(five.map(() => late));
    await expect.poll(() => server.received.some(isSimplest)).toBe(true);
    expect(await client.scores('q', ['a'], other)).toEqual({ scores: [1] });
    const waits = { reason: expect.stringContaining('too slow for these searches') };
    expect(await client.scores('q', ['a'], by)).toEqual(waits);
    nowMs += 5_000;
    expect(await client.scores('q', ['a'], by)).toEqual({ scores: [1] });
    expect(lines).toEqual([]);
  });

  test('a service that answers nothing in time is down for all', async () => {
    const client = open({ timeoutMs: 200 });
    server.answer(() => undefined);
    const each = Array.from({ length: 5 }, (_, i) => client.scores('q', ['a'], { owner: `account:${i}` }));
    await Promise.all(each);
    const down = { reason: expect.stringContaining('has failed') };
    await expect.poll(() => client.scores('q', ['a'], { owner: 'account:9' })).toEqual(down);
    expect(toldOf()).toMatchObject([{ reason: 'it does not answer within 200 ms' }]);
  });

  test('documents at which it fails keep nobody else from being answered', async () => {
    const client = open();
    server.answer((response, message) =>
      (JSON.parse(message.body).query === 'long' ? json({}, 500) : results([0, 1]))(response, message),
    );
    for (let i = 0; i < 8; i += 1) await client.scores('long', ['a'], by);
    expect(await client.scores('q', ['a'], other)).toEqual({ scores: [1] });
    expect(lines).toEqual([]);
  });

  test('it has no more places than it leaves free', async () => {
    const client = open();
    const held: (() => void)[] = [];
    server.answer((response, message) => void held.push(() => results([0, 1])(response, message)));
    const first = Array.from({ length: 8 }, () => client.scores('q', ['a'], by));
    await expect.poll(() => held.length, { timeout: 180_000 }).toBe(8);
    const full = { reason: expect.stringContaining('too much to do') };
    expect(await client.scores('q', ['a'], by)).toEqual(full);
    const others = Array.from({ length: 4 }, () => client.scores('q', ['a'], other));
    await expect.poll(() => held.length, { timeout: 180_000 }).toBe(12);
    expect(await client.scores('q', ['a'], other)).toEqual(full);
    for (const answer of held) answer();
    expect(await Promise.all([...first, ...others])).toEqual(Array(12).fill({ scores: [1] }));
  });
});

test('more than sixteen at once stay as they are', async () => {
  const client = open();
  const held: (() => void)[] = [];
  server.answer((response, message) => void held.push(() => results([0, 1])(response, message)));
  const first = Array.from({ length: 16 }, (_, i) => client.scores('q', ['a'], { owner: `account:${i}` }));
  await expect.poll(() => held.length, { timeout: 180_000 }).toBe(16);
  expect(await client.scores('q', ['a'], by)).toEqual({ reason: expect.stringContaining('too much to do') });
  for (const answer of held) answer();
  expect(await Promise.all(first)).toEqual(first.map(() => ({ scores: [1] })));
});
