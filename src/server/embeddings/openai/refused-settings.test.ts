import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '#server/log.ts';
import {
  type EmbeddingServer,
  embeddingOf,
  json,
  type Misbehaviour,
  openService,
  startEmbeddingServer,
  status,
  well,
} from '#server/testing/embedding-server.ts';
import { TextsRefusedError } from '../texts-refused-error.ts';
import type { OpenAiService } from './openai-service.ts';

const apiKey = 'sk-a-secret-of-the-operator';
let server: EmbeddingServer;
let lines: string[];
let now: number;
let service: OpenAiService;

beforeAll(async () => {
  server = await startEmbeddingServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.asked.length = 0;
  lines = [];
  now = 0;
  const log = createLog('debug', (line) => lines.push(line));
  service = openService(server, { apiKey, log, now: () => now });
});
afterEach(() => service.stop());

const texts = (count: number, dimension = 8) => ({
  texts: Array.from({ length: count }, (_, i) => ({ title: '', text: `text ${i}` })),
  dimension,
  for: { tenant: 't', caller: 'c' },
});

const sent = () => server.asked.map(({ input }) => input.length);

/** A refusal of the whole request, as services word it. */
const refusals: [string, Misbehaviour, RegExp][] = [
  [
    'the name of a model by a 400',
    status(400, {}, { error: { message: 'The model `m` does not exist', param: 'model' } }),
    /^it answers 400: The model `m` does not exist$/,
  ],
  [
    'the name of a model by a 404',
    status(404, {}, { object: 'error', message: 'The model `m` does not exist' }),
    /^it answers 404: The model `m` does not exist$/,
  ],
  [
    'a parameter that it does not know',
    status(422, {}, { detail: [{ loc: ['body', 'encoding_format'], msg: 'extra fields not permitted' }] }),
    /^it answers 422: .*encoding_format.*not permitted/,
  ],
  ['everything without a word', status(400), /^it answers 400$/],
];

test.each(refusals)('one that refuses %s is at fault, and no text is', async (_, misbehaviour, reason) => {
  server.plan(misbehaviour);
  const refused = service.embedDocuments(texts(32));
  await expect(refused).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(/^The embedding service is not available: it answers \d{3}$/),
  });
  expect(service.state().documents).toEqual({ state: 'failing', reason: expect.stringMatching(reason) });
  // No halves of it: the batch, and the simplest text.
  expect(sent().length).toBeLessThanOrEqual(2);
  expect(lines.filter((line) => line.includes('fails'))).toHaveLength(1);
});

test('what waits is not sent while any text is refused, is asked for less and less often, and goes on by itself', async () => {
  const isBatch = ({ input }: { input: string[] }) => input.length > 1;
  server.plan(status(400, {}, { error: { message: 'unknown model' } }));
  for (let i = 0; i < 10; i += 1) await expect(service.embedDocuments(texts(32))).rejects.toThrow('400');
  // The first batch, then five times the simplest text, and then nothing for a while.
  expect(sent()).toEqual([32, 1, 1, 1, 1, 1]);
  expect(service.state().documents).toEqual({ state: 'paused', reason: 'it answers 400: unknown model' });
  now += 5_000;
  await expect(service.embedDocuments(texts(32))).rejects.toThrow('400');
  now += 5_000;
  await expect(service.embedDocuments(texts(32))).rejects.toMatchObject({ retryAfterSeconds: 5 });
  expect(server.asked.filter(isBatch)).toHaveLength(1);
  expect(server.asked).toHaveLength(7);
  now += 5_000;
  server.plan(well);
  expect(await service.embedDocuments(texts(32))).toHaveLength(32 * 8);
  expect(service.state().documents).toEqual({ state: 'working', reason: null });
  expect(sent().slice(7)).toEqual([1, 32]);
});

test('a query that is refused with everything else is told as the service’s failure', async () => {
  server.plan(status(400, {}, { error: { message: 'unknown model' } }));
  await expect(service.embedQuery('words', 8)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'The embedding service is not available: it answers 400',
  });
  expect(service.state().queries).toEqual({ state: 'failing', reason: 'it answers 400: unknown model' });
  expect(service.state().documents.state).toBe('working');
});

test('a model whose vectors have another size refuses the dimension, no text, and none is sent before it gives it', async () => {
  const ofSixteen: Misbehaviour = (response, { input }) =>
    json(response, { data: input.map((text, index) => ({ index, embedding: embeddingOf(text, 16) })) });
  server.plan(ofSixteen);
  const reason = 'its vector has 16 components in place of 8';
  for (let i = 0; i < 7; i += 1) await expect(service.embedDocuments(texts(32))).rejects.toThrow(reason);
  expect(sent()).toEqual([32, 1, 1, 1, 1, 1, 1, 1]);
  expect(service.state()).toMatchObject({
    documents: { state: 'working' },
    dimensions: new Map([[8, reason]]),
  });
  expect(await service.embedDocuments(texts(2, 16))).toHaveLength(32);
  expect(lines.filter((line) => line.includes('EMBEDDINGS_DIMENSIONS'))).toHaveLength(1);
  server.plan(well);
  expect(await service.embedDocuments(texts(32))).toHaveLength(32 * 8);
  expect(service.state().dimensions.size).toBe(0);
});

test('where the simplest text has its vector, texts that are all refused are at fault', async () => {
  server.plan((response, asked) => {
    if (asked.input.join() === 'a') well(response, asked);
    else status(400, {}, { error: { message: 'not these words' } })(response, asked);
  });
  const error = await service.embedDocuments(texts(4)).catch((thrown: unknown) => thrown);
  if (!(error instanceof TextsRefusedError)) throw new Error('no text was refused', { cause: error });
  expect([...error.faults.values()]).toEqual(new Array(4).fill('it answers 400: not these words'));
  expect(service.state().documents).toEqual({ state: 'working', reason: null });
});

test('a refusal that speaks of dimensions is its text’s alone where others have their vectors', async () => {
  server.plan((response, asked) => {
    if (!asked.input.some((text) => text.includes('text 1'))) well(response, asked);
    else status(400, {}, { error: { message: 'cannot read "the fourth dimension"' } })(response, asked);
  });
  const error = await service.embedDocuments(texts(4)).catch((thrown: unknown) => thrown);
  if (!(error instanceof TextsRefusedError)) throw new Error('no text was refused', { cause: error });
  expect([...error.faults]).toEqual([[1, 'it answers 400: cannot read "the fourth dimension"']]);
  // Nothing of it is told to who asks for the same dimension.
  expect(service.state().dimensions.size).toBe(0);
  expect(await service.embedQuery('one', 8)).toBeInstanceOf(Float32Array);
});

test('what it says is told without keys, names of organisations and addresses, and shortened', async () => {
  const message = `No ${apiKey}, nor sk-proj-abc***wxyz of org-1234567 (Bearer abcdefgh),\n see https://intern.example/x?y ${'z'.repeat(500)}`;
  server.plan(status(404, {}, { error: { message } }));
  await expect(service.embedDocuments(texts(1))).rejects.toThrow('404');
  const { reason } = service.state().documents;
  expect(reason).toMatch(/^it answers 404: No …, nor … of … \(…\), see … z+$/);
  expect(reason).toHaveLength('it answers 404: '.length + 200);
  for (const secret of [apiKey, 'abc', '1234567', 'intern.example'])
    expect(`${lines.join('\n')}${reason}`).not.toContain(secret);
});
