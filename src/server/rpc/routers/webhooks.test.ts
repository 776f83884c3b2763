import { createHmac } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { evaluateRules } from '#server/alerts/evaluate-rules.ts';
import { webhookDeliveries } from '#server/db/schema/webhooks.ts';
import { type Answer, call, must, type SignedUp, signUp } from '#server/testing/callers.ts';
import { dumpRecord } from '#server/testing/dump.ts';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { type Receiver, startReceiver } from '#server/testing/webhook-receiver.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import type { NewWebhook, Webhook, WebhookTest } from '#shared/webhooks.ts';

const minuteMs = 60_000;
const time = fakeClock(new Date('2026-06-15T10:00:00Z'));
let kit: Kit;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
  kit = await startKit({ clock: time.clock, logLevel: 'debug' });
});
afterAll(async () => {
  await kit.close();
  await receiver.close();
});

let paths = 0;

async function begin() {
  const owner = await signUp(kit);
  const { id: workspaceId } = owner.workspace;
  const path = `/hooks/${++paths}`;
  const asked =
    ({ as }: Pick<SignedUp, 'as'>) =>
    <T>(method: string, to: string, body?: object) =>
      call<T>(kit, { method, path: `/api/${to}`, body, as });
  const ask = asked(owner);
  const create = (webhook: object = {}) =>
    ask<NewWebhook>('POST', 'webhooks', {
      workspaceId,
      name: 'On call',
      url: receiver.url + path,
      ...webhook,
    });
  const list = () => must(ask<Webhook[]>('GET', `webhooks?workspaceId=${workspaceId}`));
  const received = () => receiver.received.filter((message) => message.path === path);
  /** Until what came of so many attempts is written down: a clock that is put forward before ends their server's claim. */
  const attempted = (times: number) =>
    expect.poll(async () => (await list())[0]?.lastDelivery?.attempts).toBe(times);
  /** Raises an alert, which is resolved a minute later. */
  const raise = async (name = 'Errors') => {
    await must(
      ask('POST', 'alert-rules', { workspaceId, name, metric: 'error_rate', threshold: 10, minutes: 1 }),
    );
    kit.deps.monitoring.requests.note({ workspaceId, status: 500, ms: 1 });
    time.pass(minuteMs);
    await evaluateRules(kit.deps);
  };
  const resolve = async () => {
    time.pass(minuteMs);
    await evaluateRules(kit.deps);
  };
  return { owner, workspaceId, asked, ask, create, list, received, attempted, raise, resolve };
}

/** As the specification says, by nothing of ours. */
function isSigned(secret: string, { headers, body }: Receiver['received'][number]): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const said = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return headers['webhook-signature'] === `v1,${createHmac('sha256', key).update(said).digest('base64')}`;
}

test('an alert is sent when it is raised and when it is resolved, signed with the webhook’s secret', async () => {
  const { create, raise, resolve, received, attempted, list, workspaceId } = await begin();
  const { secret, lastDelivery } = await must(create());
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
  expect(lastDelivery).toBeNull();
  await raise();
  const raisedAt = time.clock();
  await attempted(1);
  await resolve();
  await expect.poll(async () => (await list())[0]?.lastDelivery?.event).toBe('alert.resolved');
  await kit.deps.webhooks.deliverDue();
  const [first, second] = received();
  if (!first || !second) throw new Error('two messages were received');
  expect(isSigned(secret, first)).toBe(true);
  expect(isSigned(secret, second)).toBe(true);
  expect(isSigned(secret, { ...first, body: `${first.body} ` })).toBe(false);
  expect(first.headers).toMatchObject({
    'webhook-timestamp': String(raisedAt.getTime() / 1_000),
    'user-agent': 'Vectora-Webhooks/1',
  });
  expect(first.headers['webhook-id']).not.toBe(second.headers['webhook-id']);
  const alert = {
    workspaceId,
    name: 'Errors',
    metric: 'error_rate',
    value: expect.any(Number),
    threshold: 10,
  };
  expect(JSON.parse(first.body)).toMatchObject({
    type: 'alert.raised',
    timestamp: raisedAt.toISOString(),
    data: { ...alert, status: 'active', raisedAt: raisedAt.toISOString(), resolvedAt: null },
  });
  expect(JSON.parse(second.body)).toMatchObject({
    type: 'alert.resolved',
    timestamp: time.clock().toISOString(),
    data: { ...alert, status: 'resolved', resolvedAt: time.clock().toISOString() },
  });
  expect((await list())[0]?.lastDelivery).toMatchObject({
    event: 'alert.resolved',
    status: 204,
    error: null,
    attempts: 1,
    nextAt: null,
  });
});

test('what is refused is tried again after growing waits with the same id, until it is received', async () => {
  const { create, raise, received, list, attempted } = await begin();
  const { secret } = await must(create());
  let refusals = 2;
  receiver.answer((response) => response.writeHead(refusals-- > 0 ? 503 : 200).end());
  await raise();
  await expect.poll(() => received().length).toBe(1);
  await expect.poll(async () => (await list())[0]?.lastDelivery?.error).toBe('it answers 503');
  const { nextAt } = (await list())[0]?.lastDelivery ?? {};
  expect(nextAt).toBe(new Date(time.clock().getTime() + 5_000).toISOString());
  await kit.deps.webhooks.deliverDue();
  expect(received()).toHaveLength(1);
  for (const [seconds, times] of [
    [5, 2],
    [29, 2],
    [1, 3],
    [7_200, 3],
  ] as const) {
    time.pass(seconds * 1_000);
    await kit.deps.webhooks.deliverDue();
    await attempted(times);
    expect(received()).toHaveLength(times);
  }
  expect((await list())[0]?.lastDelivery).toMatchObject({
    status: 200,
    error: null,
    attempts: 3,
    nextAt: null,
  });
  const [first, second] = received();
  expect(new Set(received().map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp']);
  expect(received().every((message) => isSigned(secret, message))).toBe(true);
});

test('after its last attempt a message is given up', async () => {
  const { create, raise, received, list, attempted } = await begin();
  await must(create());
  receiver.answer((response) => response.writeHead(500).end());
  await raise();
  for (let i = 1; i <= limits.webhookAttemptsMax + 1; i += 1) {
    await kit.deps.webhooks.deliverDue();
    await attempted(Math.min(i, limits.webhookAttemptsMax));
    time.pass(10 * 60 * minuteMs);
  }
  expect(received()).toHaveLength(limits.webhookAttemptsMax);
  expect((await list())[0]?.lastDelivery?.nextAt).toBeNull();
});

test('a test says what the receiver answers, and stands as what was sent last', async () => {
  const { create, ask, list, received } = await begin();
  const { id, secret, workspaceId } = await must(create({ name: 'Chat room' }));
  const send = () => must(ask<WebhookTest>('POST', `webhooks/${id}/test`));
  receiver.answer((response) => response.writeHead(202).end());
  expect(await send()).toMatchObject({ status: 202, error: null, tookMs: expect.any(Number) });
  const [sent] = received();
  if (!sent) throw new Error('a message was received');
  expect(isSigned(secret, sent)).toBe(true);
  expect(JSON.parse(sent.body)).toMatchObject({
    type: 'webhook.test',
    data: { workspaceId, webhookId: id, name: 'Chat room' },
  });
  receiver.answer((response) => response.writeHead(404).end());
  expect(await send()).toMatchObject({ status: 404, error: 'it answers 404' });
  expect((await list())[0]?.lastDelivery).toMatchObject({ event: 'webhook.test', status: 404, nextAt: null });
});

test('an account sends so many tests a minute: the receiver may be anybody', async () => {
  const { create, ask, received } = await begin();
  const { id } = await must(create());
  const send = () => ask<ErrorBody>('POST', `webhooks/${id}/test`);
  receiver.answer((response) => response.writeHead(202).end());
  const statuses: number[] = [];
  for (let i = 0; i <= limits.webhookTestsPerMinute; i += 1) statuses.push((await send()).status);
  expect(statuses.slice(0, -1)).toEqual(statuses.slice(0, -1).map(() => 200));
  expect(statuses.at(-1)).toBe(429);
  expect(received()).toHaveLength(limits.webhookTestsPerMinute);
  time.pass(minuteMs);
  expect((await send()).status).toBe(200);
});

test('the secret is answered once, stored sealed, and replaced by another', async () => {
  const { create, ask, list, received } = await begin();
  const { id, secret } = await must(create());
  expect(JSON.stringify(await list())).not.toContain(secret);
  const renewed = await must(ask<NewWebhook>('POST', `webhooks/${id}/rotate`));
  expect(renewed.secret).not.toBe(secret);
  receiver.answer((response) => response.writeHead(200).end());
  await must(ask('POST', `webhooks/${id}/test`));
  const [sent] = received();
  expect(sent && isSigned(renewed.secret, sent)).toBe(true);
  const places = [await dumpRecord(kit.deps.record), kit.logLines.join('\n')];
  for (const place of places) {
    expect(place).not.toContain(secret.slice('whsec_'.length));
    expect(place).not.toContain(renewed.secret.slice('whsec_'.length));
  }
  expect(places[0]).toContain('"webhooks.rotate"');
});

test('one that is paused gets nothing, also nothing of what waited, and one that is deleted neither', async () => {
  const { create, ask, list, raise, resolve, received } = await begin();
  const { id } = await must(create());
  receiver.answer((response) => response.writeHead(500).end());
  await raise();
  await expect.poll(async () => (await list())[0]?.lastDelivery?.attempts).toBe(1);
  await must(ask('PUT', `webhooks/${id}`, { isActive: false }));
  expect((await list())[0]?.lastDelivery?.nextAt).toBeNull();
  await resolve();
  await must(ask('PUT', `webhooks/${id}`, { isActive: true }));
  time.pass(minuteMs);
  await kit.deps.webhooks.deliverDue();
  expect(received()).toHaveLength(1);
  await raise('Again');
  await must(ask('DELETE', `webhooks/${id}`));
  expect(await list()).toEqual([]);
  time.pass(minuteMs);
  await kit.deps.webhooks.deliverDue();
  expect(received().length).toBeLessThanOrEqual(2);
});

test('another workspace’s alerts are not sent to it', async () => {
  const [one, other] = [await begin(), await begin()];
  receiver.answer((response) => response.writeHead(200).end());
  await must(one.create());
  await must(other.create());
  await other.raise();
  await expect.poll(() => other.received().length).toBe(1);
  await kit.deps.webhooks.deliverDue();
  expect(one.received()).toEqual([]);
});

const messageOf = ({ status, body }: Answer<unknown>) => `${status} ${(body as ErrorBody).message}`;

test('only admins see and change webhooks; a workspace has a handful', async () => {
  const { create, asked, workspaceId } = await begin();
  const { id } = await must(create());
  const editor = await signUp(kit);
  await kit.deps.record.sql`
    insert into members (workspace_id, user_id, role) values (${workspaceId}, ${editor.user.id}, 'editor')`;
  const ask = asked(editor);
  expect((await ask('GET', `webhooks?workspaceId=${workspaceId}`)).status).toBe(403);
  expect((await ask('POST', 'webhooks', { workspaceId, name: 'x', url: receiver.url })).status).toBe(403);
  for (const act of ['test', 'rotate']) expect((await ask('POST', `webhooks/${id}/${act}`)).status).toBe(403);
  expect((await ask('DELETE', `webhooks/${id}`)).status).toBe(403);
  for (let i = 1; i < limits.webhooksMax; i += 1) await must(create());
  expect(messageOf(await create())).toBe(`422 A workspace has at most ${limits.webhooksMax} webhooks`);
});

test('what became of messages is kept for some days', async () => {
  const { create, ask } = await begin();
  const { id } = await must(create());
  receiver.answer((response) => response.writeHead(200).end());
  await must(ask('POST', `webhooks/${id}/test`));
  const { db } = kit.deps.record;
  // Not those of the other tests: an alert may be told anew once the time has passed.
  const count = () => db.$count(webhookDeliveries, eq(webhookDeliveries.webhookId, id));
  expect(await count()).toBeGreaterThan(0);
  time.pass((limits.webhookDeliveriesKeptDays * 24 * 60 + 1) * minuteMs);
  // The purge looks every ten seconds.
  await expect.poll(count, { timeout: 240_000, interval: 500 }).toBe(0);
});
