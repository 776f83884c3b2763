import type { LookupAddress } from 'node:dns';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import {
  type EmbeddingServer,
  embeddingOf,
  json,
  type Misbehaviour,
  startEmbeddingServer,
  status,
  well,
} from '#server/testing/embedding-server.ts';
import { TextsRefusedError } from '../texts-refused-error.ts';
import { OpenAiService } from './openai-service.ts';

const apiKey = 'sk-a-secret-of-the-operator';
const requester = { tenant: 't', caller: 'c' };
let server: EmbeddingServer;
let lines: string[];
let waits: number[];
const services: OpenAiService[] = [];

beforeAll(async () => {
  server = await startEmbeddingServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.asked.length = 0;
  server.plan(well);
  lines = [];
  waits = [];
});
afterEach(async () => {
  await Promise.all(services.splice(0).map((service) => service.stop()));
  expect(lines.join('\n')).not.toContain(apiKey);
});

function open(options: Partial<ConstructorParameters<typeof OpenAiService>[0]> = {}): OpenAiService {
  const service = new OpenAiService({
    url: server.url,
    apiKey,
    model: 'm',
    dimensions: null,
    timeoutMs: 10_000,
    mayBePrivate: true,
    log: createLog('debug', (line) => lines.push(line)),
    random: () => 0.5,
    // Nobody waits in tests: what would be waited is noted.
    wait: async (ms) => void waits.push(ms),
    ...options,
  });
  services.push(service);
  return service;
}

const documents = (...texts: string[]) => ({
  texts: texts.map((text) => ({ title: '', text })),
  dimension: 8,
  for: requester,
});

const unit = (text: string, dimension = 8) => {
  const row = embeddingOf(text, dimension);
  const length = Math.hypot(...row);
  return Float32Array.from(row, (x) => (length === 0 ? 0 : x / length));
};

async function faultsOf(
  promise: Promise<unknown>,
): Promise<{ faults: Map<number, string>; vectors: Float32Array }> {
  const error = await promise.catch((thrown: unknown) => thrown);
  if (!(error instanceof TextsRefusedError)) throw new Error('no text was refused', { cause: error });
  return { faults: new Map(error.faults), vectors: error.vectors };
}

test('texts go in batches with the key, the model and the dimension, and come back as unit vectors in order', async () => {
  const texts = Array.from({ length: 70 }, (_, i) => `text number ${'ab'.repeat(i % 7)}`);
  const vectors = await open().embedDocuments(documents(...texts));
  texts.forEach((text, i) => {
    expect(vectors.subarray(i * 8, i * 8 + 8)).toEqual(unit(text));
  });
  expect(server.asked.map(({ input }) => input.length)).toEqual([32, 32, 6]);
  expect(server.asked[0]).toMatchObject({
    model: 'm',
    dimensions: 8,
    encoding_format: 'float',
    authorization: `Bearer ${apiKey}`,
    path: '/v1/embeddings',
  });
});

test('a title stands before its text, what is beyond the longest is cut between characters, and no half is sent', async () => {
  const text = `${'x'.repeat(23_993)}😀 end`;
  await open().embedDocuments({ ...documents(), texts: [{ title: 'Title', text }] });
  const [sent = ''] = server.asked[0]?.input ?? [];
  expect(sent.startsWith('Title\n\nxxx')).toBe(true);
  expect(sent).toHaveLength(24_000);
  expect(sent.isWellFormed()).toBe(true);
});

test('of a model with dimensions of its own none is asked for, and other collections do not fit', async () => {
  const service = open({ dimensions: 8, apiKey: null, url: `${server.url}/?version=1` });
  await service.embedDocuments(documents('one'));
  expect(server.asked[0]).not.toHaveProperty('dimensions');
  expect(server.asked[0]).toMatchObject({ authorization: undefined, path: '/v1/embeddings?version=1' });
  expect([service.fits(8), service.fits(9)]).toEqual([true, false]);
  const others = { ...documents('one'), dimension: 9 };
  await expect(service.embedDocuments(others)).rejects.toMatchObject({ code: 'UNPROCESSABLE' });
  await expect(service.embedQuery('one', 9)).rejects.toMatchObject({ code: 'UNPROCESSABLE' });
});

test('vectors are put in order by their index, whatever order they come in', async () => {
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }), async (order) => {
      server.plan((response, { input }) => {
        json(response, {
          data: order.map((index) => ({ index, embedding: embeddingOf(input[index] ?? '', 8) })),
        });
      });
      const texts = ['zero', 'one', 'two', 'three', 'four'];
      const vectors = await open().embedDocuments(documents(...texts));
      expect(vectors).toEqual(Float32Array.from(texts.flatMap((text) => [...unit(text)])));
    }),
    { numRuns: 20 },
  );
});

test('a query is asked for once, also by several at once, and remembered', async () => {
  const service = open();
  const [one, two] = await Promise.all([service.embedQuery('a query', 8), service.embedQuery('a query', 8)]);
  expect(one).toEqual(unit('a query'));
  expect(two).toBe(one);
  expect(await service.embedQuery('a query', 8)).toBe(one);
  expect(server.asked).toHaveLength(1);
});

const cut: Misbehaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"data": [');
  response.destroy();
};
const hangs: Misbehaviour = () => undefined;
const dribbles: Misbehaviour = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{');
};
const huge: Misbehaviour = (response) => {
  response.on('error', () => response.destroy());
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = () => {
    while (!response.destroyed && response.write(' '.repeat(65_536)));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};
const answers =
  (body: unknown): Misbehaviour =>
  (response) =>
    json(response, body);
const works = { state: 'working', reason: null };
const row = { index: 0, embedding: embeddingOf('one', 8) };

/** What is wrong for a while: tried again. */
const passing: [string, Misbehaviour, RegExp][] = [
  ['429', status(429), /too many requests/],
  ['500', status(500), /answers 500/],
  ['503 with a page', (response) => void response.writeHead(503).end('<html>'), /answers 503/],
  ['a connection that is cut before an answer', (response) => void response.destroy(), /connection failed/],
  ['a connection that is cut within an answer', cut, /connection failed/],
  ['no JSON', (response) => void response.writeHead(200).end('<html>'), /not one of embeddings/],
  ['other JSON', answers({ object: 'list' }), /not one of embeddings/],
  ['a list in place of an object', answers([row]), /not one of embeddings/],
  ['too many vectors', answers({ data: [row, { ...row, index: 1 }] }), /number of its vectors/],
  ['too few vectors', answers({ data: [] }), /number of its vectors/],
  ['a vector of no text', answers({ data: [{ ...row, index: 4_000_000_000 }] }), /leaves a text out/],
  ['a body without an end', huge, /more than was asked for/],
];

test.each(passing)('%s is tried again, then told', async (name, misbehaviour, reason) => {
  let tries = 0;
  server.plan((response, asked) => {
    const isBad = isSimplest(asked) || tries++ < 2;
    (isBad ? misbehaviour : well)(response, asked);
  });
  const service = open();
  expect(await service.embedDocuments(documents('one'))).toEqual(unit('one'));
  expect(server.asked.filter((asked) => !isSimplest(asked))).toHaveLength(3);
  // By which it is known whose fault it is; but who is told to come later asks for no more.
  expect(server.asked.filter(isSimplest)).toHaveLength(name === '429' ? 0 : 1);
  // Half of at most 500 ms, then of at most a second.
  expect(waits).toEqual([250, 500]);
  expect(service.state().documents).toEqual(works);

  server.plan(misbehaviour);
  server.asked.length = 0;
  const refused = service.embedDocuments(documents('one'));
  await expect(refused).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(reason),
  });
  expect(server.asked.filter((asked) => !isSimplest(asked))).toHaveLength(4);
  expect(service.state()).toEqual({
    queries: works,
    documents: { state: 'failing', reason: expect.stringMatching(reason) },
    dimensions: new Map(),
  });
});

test.each([
  ['hangs', hangs],
  ['begins an answer and goes no further', dribbles],
])('one that %s is given up after its time, and the next try goes on', async (_, misbehaviour) => {
  server.plan(misbehaviour, well);
  // Long enough for the good answer on a busy machine.
  const service = open({ timeoutMs: 3_000, random: () => 0 });
  expect(await service.embedDocuments(documents('one'))).toEqual(unit('one'));
  expect(server.asked.filter((asked) => !isSimplest(asked))).toHaveLength(2);
});

test('a query waits for a hanging service no longer than it may, and says so', async () => {
  server.plan(hangs);
  await expect(open({ timeoutMs: 50 }).embedQuery('one', 8)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('does not answer'),
  });
});

test('Retry-After is waited for, in seconds and as a date, and jitter comes on top', async () => {
  const date = new Date(Date.now() + 20_000).toUTCString();
  server.plan(status(429, { 'retry-after': '2' }), status(503, { 'retry-after': date }), well);
  await open().embedDocuments(documents('one'));
  // Until then from whenever it was read: after it was planned, and before now.
  const leftMs = Date.parse(date) - Date.now();
  const [inSeconds, asDate = 0] = waits;
  expect(inSeconds).toBe(2_250);
  expect(asDate).toBeGreaterThanOrEqual(leftMs);
  expect(asDate).toBeLessThanOrEqual(20_500);
  expect(server.asked).toHaveLength(3);
});

test('a Retry-After beyond what a caller waits is told to the caller, and nobody waits for it', async () => {
  server.plan(status(429, { 'retry-after': '90' }));
  await expect(open().embedQuery('one', 8)).rejects.toMatchObject({ retryAfterSeconds: 90 });
  expect([server.asked.length, waits]).toEqual([1, []]);
});

test('waits are of any length up to twice as much each time', async () => {
  await fc.assert(
    fc.asyncProperty(fc.double({ min: 0, max: 0.999, noNaN: true }), async (share) => {
      waits = [];
      server.plan(status(500));
      await expect(open({ random: () => share }).embedDocuments(documents('one'))).rejects.toThrow();
      expect(waits).toEqual([500 * share, 1_000 * share, 2_000 * share]);
    }),
    { numRuns: 10 },
  );
});

/** What an operator has to mend: not tried again. */
const settled: [string, Misbehaviour, RegExp][] = [
  ['401', status(401, {}, { error: { message: `Incorrect API key: ${apiKey}` } }), /EMBEDDINGS_API_KEY/],
  ['403', status(403), /EMBEDDINGS_API_KEY/],
  ['404', status(404), /EMBEDDINGS_URL or EMBEDDINGS_MODEL/],
  ['a redirect', status(302, { location: 'http://169.254.169.254/v1' }), /redirects are not followed/],
  ['a redirect that keeps the method', status(307, { location: 'http://127.0.0.1:1/' }), /redirects/],
];

test.each(settled)(
  '%s is told at once, and what is to be done to the log alone',
  async (_, misbehaviour, advice) => {
    server.plan(misbehaviour);
    const refused = open().embedDocuments(documents('one', 'two'));
    const message = expect.stringMatching(/^The embedding service is not available: it answers \d{3}$/);
    await expect(refused).rejects.toMatchObject({ code: 'UNAVAILABLE', message });
    expect(lines.at(-1)).toMatch(advice);
    expect(server.asked).toHaveLength(1);
  },
);

test.each([
  ['OpenAI', { error: { message: 'no', param: 'dimensions' } }],
  ['older vLLM', { object: 'error', message: 'Model does not support matryoshka representation' }],
  ['FastAPI', { detail: [{ loc: ['body', 'dimensions'], msg: 'extra fields not permitted' }] }],
  ['others', { error: 'dimensions is not supported' }],
])(
  'a dimension that it refuses, in the words of %s, is no fault for collections with another',
  async (_, body) => {
    server.plan((response, asked) => {
      if (asked.dimensions === 8) well(response, asked);
      else status(400, {}, body)(response, asked);
    });
    const service = open();
    for (let i = 0; i < 6; i += 1)
      await expect(service.embedQuery(`query ${i}`, 4_096)).rejects.toThrow('it answers 400');
    await expect(service.embedDocuments({ ...documents('one', 'two'), dimension: 4_096 })).rejects.toThrow(
      '400',
    );
    expect(service.state()).toMatchObject({ queries: works, documents: works });
    expect(service.state().dimensions.get(4_096)).toMatch(/^it answers 400/);
    expect(await service.embedQuery('one', 8)).toEqual(unit('one'));
    expect(lines.filter((line) => line.includes('EMBEDDINGS_DIMENSIONS'))).toHaveLength(1);
    // The first is followed by the simplest text, which all others are asked for.
    expect(server.asked).toHaveLength(9);
  },
);

test('a query that is refused for its length is shortened only while its time lasts', async () => {
  let now = 0;
  server.plan((response, asked) => {
    now += 2_000;
    unless(isSimplest, status(400))(response, asked);
  });
  await expect(open({ now: () => now }).embedQuery('word '.repeat(4_000), 8)).rejects.toThrow('no vector');
  expect(server.asked).toHaveLength(2);
});

test('a service that is down is not asked for a while, then once, and then as before', async () => {
  let now = 0;
  const service = open({ now: () => now });
  server.plan(status(500));
  for (let i = 0; i < 3; i += 1) await expect(service.embedQuery(`query ${i}`, 8)).rejects.toThrow('500');
  // And one for the simplest text, at which it fails, too.
  expect(server.asked).toHaveLength(6);
  expect(service.state().queries).toEqual({ state: 'paused', reason: 'it answers 500' });
  await expect(service.embedQuery('another', 8)).rejects.toMatchObject({ retryAfterSeconds: 5 });
  expect(server.asked).toHaveLength(6);
  now += 5_000;
  server.plan(well);
  expect(await service.embedQuery('another', 8)).toEqual(unit('another'));
  expect(service.state().queries).toEqual(works);
  expect(server.asked).toHaveLength(7);
  expect(lines.filter((line) => line.includes('embedding service'))).toHaveLength(2);
});

test('a service that is too slow for queries goes on with documents, and one that refuses documents with queries', async () => {
  let now = 0;
  const service = open({ now: () => now });
  const isQuery = ({ input: [text = ''] }: { input: string[] }) => !text.startsWith('one');
  server.plan((response, asked) => (isQuery(asked) ? status(500) : well)(response, asked));
  for (let i = 0; i < 3; i += 1) await expect(service.embedQuery(`query ${i}`, 8)).rejects.toThrow('500');
  expect(service.state()).toMatchObject({
    queries: { state: 'paused', reason: 'it answers 500' },
    documents: works,
  });
  expect(await service.embedDocuments(documents('one'))).toEqual(unit('one'));
  // Nor do documents end the rest of the queries.
  const asked = server.asked.length;
  await expect(service.embedQuery('query 4', 8)).rejects.toMatchObject({ retryAfterSeconds: 5 });
  expect(server.asked).toHaveLength(asked);

  const isGood = (asked: { input: string[] }) => isQuery(asked) && !isSimplest(asked);
  server.plan(unless(isGood, status(503)));
  for (let i = 0; i < 2; i += 1)
    await expect(service.embedDocuments(documents('one'))).rejects.toThrow('503');
  now += 5_000;
  expect(await service.embedQuery('query 5', 8)).toEqual(unit('query 5'));
  expect(service.state()).toMatchObject({
    queries: works,
    documents: { state: 'paused', reason: 'it answers 503' },
  });
  const told = lines.filter((line) => line.includes('embedding service')).map((line) => JSON.parse(line).for);
  expect(told).toEqual(['queries', 'documents', 'queries']);
});

/** Of a text alone it is said what is wrong with it where the simplest one is taken. */
const isSimplest = ({ input }: { input: string[] }) => input.join() === 'a';
const unless =
  (isGood: (asked: { input: string[] }) => boolean, misbehaviour: Misbehaviour): Misbehaviour =>
  (response, asked) =>
    (isGood(asked) ? well : misbehaviour)(response, asked);

const badRow: [string, unknown, RegExp][] = [
  ['too short', [1, 2, 3], /3 components in place of 8/],
  ['too long', new Array(9).fill(0.5), /9 components/],
  ['empty', [], /0 components/],
  ['with null for NaN', [1, null, 1, 1, 1, 1, 1, 1], /component 1 .* not a finite number/],
  ['with a text', [1, 1, 'NaN', 1, 1, 1, 1, 1], /component 2/],
  ['beyond single precision', [1, 1, 1, 1e300, 1, 1, 1, 1], /component 3/],
];

test.each(badRow)('a vector that is %s is that text’s fault alone', async (_, embedding, reason) => {
  server.plan((response, { input }) => {
    const data = input.map((text, index) => ({
      index,
      embedding: text === 'bad' ? embedding : embeddingOf(text, 8),
    }));
    json(response, { data });
  });
  const { faults, vectors } = await faultsOf(open().embedDocuments(documents('one', 'bad', 'two')));
  expect([...faults]).toEqual([[1, expect.stringMatching(reason)]]);
  expect(vectors).toEqual(Float32Array.from([...unit('one'), ...new Array(8).fill(0), ...unit('two')]));
  expect(server.asked).toHaveLength(1);
});

test('texts that the service refuses are told apart by halves, and the others have their vectors', async () => {
  const isBad = (text: string) => text.startsWith('bad');
  const rule: Misbehaviour = (response, asked) => {
    if (!asked.input.some(isBad)) well(response, asked);
    else status(400, {}, { error: { message: `no: ${apiKey}` } })(response, asked);
  };
  const kinds = fc.array(fc.boolean(), { minLength: 1, maxLength: 32 });
  await fc.assert(
    fc.asyncProperty(kinds, async (areBad) => {
      server.plan(rule);
      server.asked.length = 0;
      const texts = areBad.map((is, i) => `${is ? 'bad' : 'good'} ${i}`);
      const bad = texts.flatMap((text, i) => (isBad(text) ? [i] : []));
      const embedding = open().embedDocuments(documents(...texts));
      const { faults, vectors } =
        bad.length > 0 ? await faultsOf(embedding) : { faults: new Map(), vectors: await embedding };
      expect([...faults.keys()].sort((a, b) => a - b)).toEqual(bad);
      for (const reason of faults.values()) expect(reason).toBe('it answers 400: no: …');
      texts.forEach((text, i) => {
        const expected = isBad(text) ? new Float32Array(8) : unit(text);
        expect(vectors.subarray(i * 8, i * 8 + 8)).toEqual(expected);
      });
      // And one for the simplest text.
      expect(server.asked.length).toBeLessThanOrEqual(2 * texts.length);
    }),
    { numRuns: 25 },
  );
});

test('a query that it refuses has no vector, and its own words are for the log alone', async () => {
  server.plan(unless(isSimplest, status(400, {}, { error: { message: 'organisation 7 may not' } })));
  const refused = open().embedQuery('one', 8);
  await expect(refused).rejects.toMatchObject({
    message: 'The embedding service is not available: it gives the query no vector',
  });
  expect(lines.at(-1)).toContain('organisation 7 may not');
});

test('a text that is too long for the service is tried with less of it', async () => {
  server.plan((response, asked) => {
    if ((asked.input[0]?.length ?? 0) <= 3_000) well(response, asked);
    else status(400, {}, { error: { message: 'too many tokens' } })(response, asked);
  });
  const vectors = await open().embedDocuments(documents('word '.repeat(5_000)));
  expect(server.asked.map(({ input }) => input[0]?.length)).toEqual([24_000, 1, 8_000, 2_667]);
  expect(vectors.some((x) => x !== 0)).toBe(true);
});

test.each([
  ['an address', '127.0.0.1', undefined],
  ['a name', 'models.test', [{ address: '127.0.0.1', family: 4 }]],
  [
    'a name of which one address is private',
    'models.test',
    [
      { address: '1.1.1.1', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ],
  ],
])('a private address is not connected to, given as %s', async (_, host, found) => {
  const resolve = async (): Promise<LookupAddress[]> => found ?? [];
  const service = open({ url: `https://${host}:${server.port}/v1`, mayBePrivate: false, resolve });
  await expect(service.embedQuery('one', 8)).rejects.toThrow('its address is not allowed');
  expect(lines.at(-1)).toContain('EMBEDDINGS_TO_PRIVATE_ADDRESSES');
  expect(server.asked).toHaveLength(0);
});

test('http is not spoken in public', async () => {
  const service = open({ url: 'http://models.test/v1', mayBePrivate: false, resolve: async () => [] });
  await expect(service.embedQuery('one', 8)).rejects.toThrow('its address is not allowed');
});

test('documents of one tenant do not wait for all of another’s, and a query for none', async () => {
  const held: (() => void)[] = [];
  server.plan((response, asked) => {
    held.push(() => well(response, asked));
  });
  const service = open();
  const many = Array.from({ length: 640 }, (_, i) => `text ${i}`);
  const all = service.embedDocuments(documents(...many));
  await expect.poll(() => held.length).toBe(4);
  const other = { ...documents('other'), for: { tenant: 'u', caller: 'c' } };
  const one = service.embedDocuments(other);
  const query = service.embedQuery('a query', 8);
  await expect.poll(() => held.length).toBe(5);
  expect(server.asked[4]?.input).toEqual(['a query']);
  held[0]?.();
  await expect.poll(() => held.length).toBe(6);
  expect(server.asked[5]?.input).toEqual(['other']);
  server.plan(well);
  for (const answer of held.slice(1)) answer();
  await Promise.all([all, one, query]);
});

test('whoever gives up is answered at once, and stopping ends what is under way', async () => {
  server.plan(hangs);
  const service = open();
  const controller = new AbortController();
  const given = service.embedDocuments(documents('one'), controller.signal);
  await expect.poll(() => server.asked.length).toBe(1);
  controller.abort(new Error('gone'));
  await expect(given).rejects.toThrow('gone');
  await expect(service.embedDocuments(documents('one'), controller.signal)).rejects.toThrow('gone');
  const left = service.embedDocuments(documents('two'));
  const query = service.embedQuery('three', 8);
  await expect.poll(() => server.asked.length).toBe(3);
  const ended = Promise.all(
    [left, query].map((each) => expect(each).rejects.toMatchObject({ code: 'UNAVAILABLE' })),
  );
  await service.stop();
  await ended;
  await expect(service.embedDocuments(documents('four'))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(await service.embedDocuments(documents()).catch(() => 'refused')).toHaveLength(0);
});
