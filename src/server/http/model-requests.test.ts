import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ChatModel } from '#shared/chat.ts';
import { type Credentials, call, createTenant, must } from '../testing/callers.ts';
import { type Kit, startKit } from '../testing/kit.ts';

/** What may be asked of the models of others, for which whoever runs the server pays, and where that goes. */

let provider: Server;
let asked = 0;
let answer: (response: ServerResponse) => void;
let kit: Kit;
beforeAll(async () => {
  provider = createServer((_, response) => {
    asked += 1;
    answer(response);
  }).listen(0, '127.0.0.1');
  await once(provider, 'listening');
  const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`;
  const openai = { apiKey: 'a key', baseUrl, modelId: 'some-model' };
  kit = await startKit({ settings: { openai, anthropic: openai, modelRequestsPerMinute: 2 } });
});
beforeEach(() => {
  asked = 0;
  answer = (response) => response.writeHead(500).end();
});
afterAll(async () => {
  await kit.close();
  provider.close();
});

async function tenant(): Promise<Credentials> {
  const { key } = (await createTenant(kit)).key;
  const body = [{ id: 'solaris', title: 'Solaris', extract: 'Solaris was directed by Andrei Tarkovsky.' }];
  const path = '/api/collections/things/documents/import';
  await must(call(kit, { method: 'POST', path, body, as: { key } }));
  return { key };
}

const ask = (as: Credentials, model: ChatModel) =>
  call(kit, {
    method: 'POST',
    path: '/api/collections/things/chat',
    body: { message: 'Who directed Solaris?', model },
    as,
  });

test('an account asks them so often a minute, one like the other, and its own model on', async () => {
  const as = await tenant();
  expect((await ask(as, 'gpt-4')).status).toBe(503);
  expect((await ask(as, 'claude')).status).toBe(503);
  for (const model of ['gpt-4', 'claude'] as const) {
    const refused = await ask(as, model);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '15']);
  }
  expect(asked).toBe(2);
  expect((await ask(as, 'vector-ai')).status).toBe(200);
  expect((await ask(await tenant(), 'gpt-4')).status).toBe(503);
  expect(asked).toBe(3);
});

test.each(['gpt-4', 'claude'] as const)(
  '%s is asked where it is said to be, and nowhere that sends one on',
  async (model) => {
    let elsewhere = 0;
    const other = createServer((_, response) => {
      elsewhere += 1;
      response.writeHead(500).end();
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    answer = (response) => response.writeHead(307, { Location: `http://127.0.0.1:${port}/v1` }).end();
    expect((await ask(await tenant(), model)).status).toBe(503);
    expect([asked, elsewhere]).toEqual([1, 0]);
    other.close();
  },
);
