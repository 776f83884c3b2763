import { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { Environment } from '#server/http/environment.ts';
import { holdToDescription } from './hold-to-description.ts';

const headers = { 'X-Request-Id': 'one' };
const synonym = { id: 'robot', synonyms: ['robot', 'android'], root: null };
const path = '/api/collections/films/synonyms/robot';

/** An app that answers one thing, whatever it is asked. */
function appThatAnswers(body: unknown, init: { status?: number; headers?: Record<string, string> } = {}) {
  const app = new Hono<Environment>();
  app.all('*', () => Response.json(body, { ...init, headers: { ...headers, ...init.headers } }));
  return { app, held: holdToDescription(app) };
}

test('what is as described comes through, with its body', async () => {
  const { app, held } = appThatAnswers(synonym);
  const answer = await app.request(path);
  expect(await answer.json()).toEqual(synonym);
  expect(await (await app.request(path)).text()).toBe(JSON.stringify(synonym));
  expect(held.faults).toEqual([]);
});

test.each<[what: string, init: { status?: number; headers?: Record<string, string> }, fault: string]>([
  ['a status', { status: 418 }, 'no status 418'],
  ['a header', { headers: { 'X-Powered-By': 'us' } }, 'no header x-powered-by'],
  ['a type', { headers: { 'content-type': 'text/html' } }, 'no content of the type text/html'],
])(
  '%s that is not described is told at once, and remembered for a caller by socket',
  async (_, init, fault) => {
    const { app, held } = appThatAnswers(synonym, init);
    await expect(async () => app.request(path)).rejects.toThrow(fault);
    expect(held.faults.map(({ message }) => message).join()).toContain(fault);
  },
);

test('a field that is not described is told when the body is read', async () => {
  const { app } = appThatAnswers({ ...synonym, secret: 1 });
  const [one, other] = [await app.request(path), await app.request(path)];
  await expect(one.json()).rejects.toThrow('secret');
  await expect(other.text()).rejects.toThrow('secret');
});
