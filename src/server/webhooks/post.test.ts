import type { LookupAddress } from 'node:dns';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { resolveBySystem } from '#server/outbound/find-addresses.ts';
import { type Receiver, startReceiver } from '#server/testing/webhook-receiver.ts';
import { type PostOptions, post } from './post.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer((response) => response.writeHead(204).end());
});
afterAll(() => receiver.close());

const anywhere: PostOptions = { resolve: resolveBySystem, mayBePrivate: true, timeoutMs: 60_000 };
const publicOnly: PostOptions = { ...anywhere, mayBePrivate: false };
const send = (url: string, options: PostOptions) =>
  post({ url, headers: { 'x-of': 'test' }, body: '{"ä":1}' }, options);

test('a body arrives as it was, and what is answered in the range of 200 counts as received', async () => {
  expect(await send(`${receiver.url}/a?b=c`, anywhere)).toMatchObject({ status: 204, error: null });
  expect(receiver.received).toMatchObject([
    {
      method: 'POST',
      path: '/a?b=c',
      body: '{"ä":1}',
      headers: { 'x-of': 'test', 'content-type': 'application/json', 'content-length': '8' },
    },
  ]);
  receiver.answer((response) => response.writeHead(500).end('no'));
  expect(await send(receiver.url, anywhere)).toMatchObject({ status: 500, error: 'it answers 500' });
});

const spellings = (port: number) => [
  `127.0.0.1:${port}`,
  `2130706433:${port}`,
  `0x7f000001:${port}`,
  `0x7f.1:${port}`,
  `0177.0.0.1:${port}`,
  `127.1:${port}`,
  `[::ffff:127.0.0.1]:${port}`,
  `[::ffff:7f00:1]:${port}`,
  `[64:ff9b::7f00:1]:${port}`,
  `[::1]:${port}`,
  `localhost:${port}`,
  `LOCALHOST.:${port}`,
  `%6c%6f%63%61%6c%68%6f%73%74:${port}`,
  `①②⑦.0.0.1:${port}`,
];

test('this machine is not sent to, however its address is written', async () => {
  for (const host of spellings(receiver.port)) {
    const { status, error } = await send(`https://${host}/`, publicOnly);
    expect({ host, status, error }).toEqual({
      host,
      status: null,
      error: expect.stringMatching(/is not an address of the public Internet|its host is not known/),
    });
  }
  expect(receiver.received).toEqual([]);
  // The same spellings do lead here.
  expect(await send(`http://2130706433:${receiver.port}/`, anywhere)).toMatchObject({ status: 204 });
});

const named = (...addresses: string[]) => {
  const found = addresses.map(
    (address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }),
  );
  return async () => found;
};

test('a name that leads to a private address is not connected to, also where it leads to a public one as well', async () => {
  for (const resolve of [named('127.0.0.1'), named('::1'), named('93.184.216.34', '10.0.0.1')]) {
    const { status, error } = await send(`https://rebound.example:${receiver.port}/`, {
      ...publicOnly,
      resolve,
    });
    expect({ status, error }).toEqual({
      status: null,
      error: 'rebound.example is not an address of the public Internet',
    });
  }
  expect(receiver.received).toEqual([]);
  const allowed = { ...anywhere, resolve: named('127.0.0.1') };
  expect(await send(`http://rebound.example:${receiver.port}/`, allowed)).toMatchObject({ status: 204 });
});

test('a name that means another address by the time of the connection is looked at again', async () => {
  let asked = 0;
  const resolve = async (): Promise<LookupAddress[]> => {
    asked += 1;
    return [{ address: asked === 1 ? '93.184.216.34' : '127.0.0.1', family: 4 }];
  };
  // As when it was saved.
  expect(await resolve()).toEqual([{ address: '93.184.216.34', family: 4 }]);
  const { error } = await send(`https://rebound.example:${receiver.port}/`, { ...publicOnly, resolve });
  expect(error).toBe('rebound.example is not an address of the public Internet');
  expect(receiver.received).toEqual([]);
});

test('http is for operators who allow it', async () => {
  expect(await send('http://93.184.216.34/', publicOnly)).toMatchObject({
    status: null,
    error: 'only https is sent to',
  });
});

test('a redirect is not followed', async () => {
  receiver.answer((response) => response.writeHead(302, { location: `${receiver.url}/elsewhere` }).end());
  expect(await send(receiver.url, anywhere)).toMatchObject({
    status: 302,
    error: 'it answers 302, and redirects are not followed',
  });
  expect(receiver.received).toHaveLength(1);
});

test('who does not answer in time is cut off, and who answers without end is not listened to', async () => {
  const quick = { ...anywhere, timeoutMs: 200 };
  receiver.answer(() => undefined);
  expect(await send(receiver.url, quick)).toMatchObject({ status: null, error: 'no answer within 0.2 s' });
  const ended = new Promise((resolve) => {
    receiver.answer((response) => {
      response.on('close', resolve);
      const pour = () => {
        while (response.write('x'.repeat(64 * 1024)));
      };
      response.on('drain', pour);
      response.writeHead(200);
      pour();
    });
  });
  expect(await send(receiver.url, anywhere)).toMatchObject({ status: 200, error: null });
  await ended;
});

test('where nothing listens, and what nobody is called, is told in words', async () => {
  expect(await send('http://127.0.0.1:1/', anywhere)).toMatchObject({ error: 'nothing listens there' });
  const unknown = async () => {
    throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
  };
  const nobody = { ...publicOnly, resolve: unknown };
  expect(await send('https://nobody.example/', nobody)).toMatchObject({ error: 'its host is not known' });
});
