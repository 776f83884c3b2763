import { availableParallelism } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readSettings } from './env.ts';
import { SettingsError } from './settings-error.ts';

test('an empty environment gives the documented defaults', () => {
  expect(readSettings({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    databaseUrl: null,
    signup: 'open',
    trustProxy: false,
    storageReserveBytes: 256 * 1024 * 1024,
    purgeAfterMs: 60_000,
  });
});

test('a variable set to nothing counts as absent', () => {
  expect(readSettings({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: null });
});

test('one core is left to HTTP', () => {
  expect(readSettings({}).searchWorkers).toBe(Math.max(1, availableParallelism() - 1));
  expect(readSettings({ SEARCH_WORKERS: '5' }).searchWorkers).toBe(5);
});

test.each([
  ['PORT', '70000'],
  ['PORT', 'web'],
  ['DATABASE_URL', 'mysql://localhost/db'],
  ['PUBLIC_URL', 'search.example.com'],
  ['CONTACT_EMAIL', 'nobody'],
  ['APP_SECRET', 'short'],
  ['APP_SECRET_FORMER', 'short'],
  ['SMTP_URL', 'https://mail.example.com'],
  ['MAIL_FROM', 'nobody'],
  ['SIGNUP', 'maybe'],
  ['TRUST_PROXY', 'perhaps'],
  ['WEBHOOKS_TO_PRIVATE_ADDRESSES', 'some'],
  ['DETECT_LANGUAGES', 'some'],
  ['EMBEDDINGS', 'cohere'],
  ['EMBEDDINGS_COLLECTIONS', 'some'],
  ['EMBEDDINGS_URL', 'models.example.com'],
  ['EMBEDDINGS_URL', 'https://ada:secret@models.example.com/v1'],
  ['EMBEDDINGS_API_KEY', 'two words'],
  ['EMBEDDINGS_DIMENSIONS', '0'],
  ['EMBEDDINGS_TIMEOUT_SECONDS', '0'],
  ['RERANK_URL', 'https://ada:secret@models.example.com/rerank'],
  ['RERANK_URL', 'http://models.example.com/rerank'],
  ['RERANK_API_KEY', 'two words'],
  ['RERANK_TIMEOUT_MS', '1'],
  ['SEARCH_ENGINE', 'lucene'],
  ['OPENSEARCH_URL', 'search.example.com'],
  ['OPENSEARCH_URL', 'http://one.example.com:9200,ftp://two.example.com'],
  ['DRAIN_SECONDS', '301'],
  ['LOG_LEVEL', 'loud'],
  ['STORAGE_RESERVE_MB', '-1'],
  ['SEARCH_WORKERS', '0'],
])('%s=%s stops the start with a sentence that names it', (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(SettingsError);
  expect(() => readSettings({ [name]: value })).toThrow(name);
});

test('mail needs a server, a sender and an address for its links', () => {
  const [url, from] = ['smtps://ada:secret@mail.example.com', 'Vectora <vectora@example.com>'];
  const all = { SMTP_URL: url, MAIL_FROM: from, PUBLIC_URL: 'https://search.example.com' };
  expect(readSettings(all).mail).toEqual({ url, from });
  expect(readSettings({ ...all, SMTP_URL: '' }).mail).toBeNull();
  expect(() => readSettings({ ...all, MAIL_FROM: '' })).toThrow('SMTP_URL needs MAIL_FROM too');
  expect(() => readSettings({ SMTP_URL: url })).toThrow('SMTP_URL needs MAIL_FROM and PUBLIC_URL too');
});

test('an embedding service needs an address and a model, and https where it is public', () => {
  const url = 'https://models.example.com/v1';
  const all = { EMBEDDINGS: 'openai', EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: 'm' };
  expect(readSettings(all).embeddingService).toEqual({
    url,
    model: 'm',
    apiKey: null,
    dimensions: null,
    timeoutMs: 20_000,
    mayBePrivate: false,
  });
  expect(readSettings({ ...all, EMBEDDINGS: 'builtin' }).embeddingService).toBeNull();
  expect(() => readSettings({ ...all, EMBEDDINGS_URL: '' })).toThrow('EMBEDDINGS_URL');
  expect(() => readSettings({ ...all, EMBEDDINGS_MODEL: '' })).toThrow('EMBEDDINGS_MODEL');
  const plain = { ...all, EMBEDDINGS_URL: 'http://localhost:8080/v1' };
  expect(() => readSettings(plain)).toThrow('EMBEDDINGS_TO_PRIVATE_ADDRESSES');
  expect(readSettings({ ...plain, EMBEDDINGS_TO_PRIVATE_ADDRESSES: 'true' }).embeddingService).toMatchObject({
    mayBePrivate: true,
  });
});

test('a service for re-ranking needs its address alone, and https where it is public', () => {
  const url = 'https://models.example.com/rerank';
  expect(readSettings({}).rerank).toBeNull();
  const plain = { url, apiKey: null, model: null, timeoutMs: 1_000, mayBePrivate: false };
  expect(readSettings({ RERANK_URL: url }).rerank).toEqual(plain);
  const given = { RERANK_URL: 'http://localhost:8080/rerank', RERANK_MODEL: 'm', RERANK_API_KEY: 'k' };
  expect(readSettings({ ...given, RERANK_TO_PRIVATE_ADDRESSES: 'true' }).rerank).toMatchObject({
    url: 'http://localhost:8080/rerank',
    model: 'm',
    apiKey: 'k',
    mayBePrivate: true,
  });
});

test('a model in a directory needs the directory, from wherever it is told', () => {
  const all = { EMBEDDINGS: 'onnx', EMBEDDINGS_MODEL: 'models/tiny' };
  expect(readSettings(all).embeddingModel).toEqual({ directory: path.resolve('models/tiny'), file: null });
  expect(readSettings(all).embeddingService).toBeNull();
  expect(
    readSettings({ ...all, EMBEDDINGS_MODEL_FILE: 'onnx/model_quantized.onnx' }).embeddingModel,
  ).toMatchObject({
    file: 'onnx/model_quantized.onnx',
  });
  expect(
    readSettings({ ...all, EMBEDDINGS: 'openai', EMBEDDINGS_URL: 'https://a.example/v1' }).embeddingModel,
  ).toBeNull();
  expect(() => readSettings({ EMBEDDINGS: 'onnx' })).toThrow('EMBEDDINGS=onnx needs EMBEDDINGS_MODEL');
});

test('collections stay with their models unless all are to be moved', () => {
  expect(readSettings({}).movesCollections).toBe(false);
  expect(readSettings({ EMBEDDINGS_COLLECTIONS: 'all' }).movesCollections).toBe(true);
});

test('what is wrong with a setting is told without its value', () => {
  expect(() => readSettings({ EMBEDDINGS_API_KEY: 'sk-secret with a space' })).not.toThrow('sk-secret');
  expect(() => readSettings({ EMBEDDINGS_URL: 'https://ada:secret@host' })).not.toThrow('ada:secret');
});

test('every bad setting is named at once', () => {
  expect(() => readSettings({ PORT: 'x', SIGNUP: 'y' })).toThrow(/PORT[\s\S]*SIGNUP/);
});

test('PUBLIC_URL is compared with origins, so a trailing slash is dropped', () => {
  expect(readSettings({ PUBLIC_URL: 'https://search.example.com/' }).publicUrl).toBe(
    'https://search.example.com',
  );
});

test('a search cluster has nodes, or the start stops with a sentence', () => {
  expect(readSettings({}).openSearch).toBeNull();
  const nodes = { OPENSEARCH_URL: 'http://one:9200, https://ada:secret@two' };
  expect(readSettings(nodes).openSearch, 'tests find a cluster so').toBeNull();
  expect(readSettings({ ...nodes, SEARCH_ENGINE: 'opensearch' }).openSearch).toEqual({
    nodes: ['http://one:9200', 'https://ada:secret@two'],
  });
  expect(() => readSettings({ SEARCH_ENGINE: 'opensearch' })).toThrow('OPENSEARCH_URL');
});
