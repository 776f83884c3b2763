import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, call, must, signUp } from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { type Receiver, startReceiver } from '#server/testing/webhook-receiver.ts';
import type { ErrorBody } from '#shared/errors.ts';
import type { NewWebhook } from '#shared/webhooks.ts';

/** As operators have it who say nothing. */
let kit: Kit;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  kit = await startKit({ settings: { webhooksToPrivateAddresses: false } });
});
afterAll(async () => {
  await kit.close();
  await receiver.close();
});

async function begin() {
  const { as, workspace } = await signUp(kit);
  const ask = <T>(method: string, to: string, body?: object) =>
    call<T>(kit, { method, path: `/api/${to}`, body, as });
  const create = (webhook: { url: string }) =>
    ask<NewWebhook>('POST', 'webhooks', { workspaceId: workspace.id, name: 'On call', ...webhook });
  const list = () => must(ask<unknown[]>('GET', `webhooks?workspaceId=${workspace.id}`));
  return { ask, create, list };
}

const messageOf = ({ status, body }: Answer<unknown>) => `${status} ${(body as ErrorBody).message}`;

test.each([
  'https://127.0.0.1/x',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://[::1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://[fd00:ec2::254]/latest/meta-data',
  'https://169.254.169.254/latest/meta-data',
  'https://100.100.100.200/',
  'https://localhost/',
  'https://localhost.:8443/',
])('%s is refused when it is saved', async (url) => {
  const { create, list } = await begin();
  expect(messageOf(await create({ url }))).toMatch(
    /^400 url: (must not lead to a private address; whoever runs this server can allow it|its host is not known)$/,
  );
  expect(await list()).toEqual([]);
});

test('an address is https, without a password in it; a change is looked at as well', async () => {
  const { create, ask } = await begin();
  expect(messageOf(await create({ url: 'http://1.1.1.1/' }))).toBe(
    '400 url: must begin with https://; whoever runs this server can allow it',
  );
  expect(messageOf(await create({ url: 'ftp://1.1.1.1/' }))).toContain('400 url: must be an address');
  expect(messageOf(await create({ url: 'https://' }))).toContain('400 url: must be an address');
  expect(messageOf(await create({ url: 'https://ada:word@1.1.1.1/' }))).toBe(
    '400 url: must not contain a user or password',
  );
  const { id } = await must(create({ url: 'https://1.1.1.1/' }));
  expect(messageOf(await ask('PUT', `webhooks/${id}`, { url: 'https://10.0.0.1/' }))).toBe(
    '400 url: must not lead to a private address; whoever runs this server can allow it',
  );
});

test('one that was saved while it was allowed is not sent to when it is no more', async () => {
  const { create, ask } = await begin();
  const { id } = await must(create({ url: 'https://1.1.1.1/' }));
  await kit.deps.record.sql`update webhooks set url = ${`${receiver.url}/never`} where id = ${id}`;
  expect(await must(ask('POST', `webhooks/${id}/test`))).toMatchObject({
    status: null,
    error: 'only https is sent to',
  });
  const url = `https://127.0.0.1:${receiver.port}/never`;
  await kit.deps.record.sql`update webhooks set url = ${url} where id = ${id}`;
  expect(await must(ask('POST', `webhooks/${id}/test`))).toMatchObject({
    status: null,
    error: '127.0.0.1 is not an address of the public Internet',
  });
  expect(receiver.received.filter(({ path }) => path === '/never')).toEqual([]);
});
