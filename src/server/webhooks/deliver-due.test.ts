import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { evaluateRules } from '#server/alerts/evaluate-rules.ts';
import { compose } from '#server/compose.ts';
import { webhookDeliveries } from '#server/db/schema/webhooks.ts';
import { readSettings } from '#server/env.ts';
import { createApp } from '#server/http/app.ts';
import type { Told } from '#server/live/listener.ts';
import { createLog } from '#server/log.ts';
import { call, must, type SignedUp, signIn, signUp } from '#server/testing/callers.ts';
import { type FreshDatabase, freshDatabase } from '#server/testing/databases.ts';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { type Kit, roomy, startKit } from '#server/testing/kit.ts';
import { type Receiver, startReceiver } from '#server/testing/webhook-receiver.ts';
import type { Webhook } from '#shared/webhooks.ts';
import { createWebhooks } from './webhooks.ts';

const rootDir = path.resolve(import.meta.dirname, '../../..');
const minuteMs = 60_000;

let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

interface Filling {
  urls: string[];
  rules?: number;
}

/** A workspace with webhooks, and with an alert of each rule to be raised. */
async function begin(kit: Kit, filling: Filling) {
  const owner = await signUp(kit);
  await fill(kit, { as: owner.as, workspaceId: owner.workspace.id }, filling);
  return owner;
}

async function fill(
  kit: Kit,
  { as, workspaceId }: Pick<SignedUp, 'as'> & { workspaceId: number },
  { urls, rules = 1 }: Filling,
) {
  const make = (to: string, body: object) =>
    must(call(kit, { method: 'POST', path: `/api/${to}`, body: { workspaceId, name: to, ...body }, as }));
  for (const url of urls) await make('webhooks', { url });
  for (let i = 0; i < rules; i += 1)
    await make('alert-rules', { metric: 'error_rate', threshold: 1, minutes: 1 });
  kit.deps.monitoring.requests.note({ workspaceId, status: 500, ms: 1 });
}

test('servers that send at the same time send each message once, and to one receiver one after the other', async () => {
  const time = fakeClock(new Date('2026-06-15T10:00:00Z'));
  const kit = await startKit({ clock: time.clock });
  try {
    const urls = ['a', 'b', 'c'].map((name) => `${receiver.url}/twice/${name}`);
    await begin(kit, { urls, rules: 5 });
    const others = Array.from({ length: 4 }, () => createWebhooks(kit.deps));
    const open = new Map<string | undefined, number>();
    let most = 0;
    receiver.answer((response, { path }) => {
      open.set(path, (open.get(path) ?? 0) + 1);
      most = Math.max(most, ...open.values());
      setImmediate(() => {
        open.set(path, (open.get(path) ?? 0) - 1);
        response.writeHead(200).end();
      });
    });
    time.pass(minuteMs);
    await evaluateRules(kit.deps);
    await Promise.all(others.map((server) => server.deliverDue()));
    const got = () => receiver.received.filter(({ path }) => path.startsWith('/twice/'));
    await expect.poll(() => got().length).toBe(15);
    await Promise.all(others.map((server) => server.deliverDue()));
    expect(new Set(got().map(({ headers }) => headers['webhook-id'])).size).toBe(15);
    expect(got()).toHaveLength(15);
    expect(most).toBe(1);
  } finally {
    await kit.close();
  }
});

test('receivers of one account that do not answer keep no other account waiting', async () => {
  const time = fakeClock(new Date('2026-06-15T10:00:00Z'));
  const kit = await startKit({ clock: time.clock });
  await kit.deps.webhooks.stop();
  const webhooks = createWebhooks({ ...kit.deps, timeoutMs: 10 * minuteMs });
  webhooks.start();
  try {
    const urlsOf = (name: string, count: number) =>
      Array.from({ length: count }, (_, i) => `${receiver.url}/${name}/${i}`);
    const got = (name: string) => receiver.received.filter(({ path }) => path.startsWith(`/${name}/`));
    receiver.answer((response, { path }) => {
      if (!path.startsWith('/silent/')) response.writeHead(200).end();
    });
    const { as } = await begin(kit, { urls: urlsOf('silent', 10) });
    const path = '/api/workspaces';
    const more = await must(call<{ id: number }>(kit, { method: 'POST', path, body: { name: 'More' }, as }));
    await fill(kit, { as, workspaceId: more.id }, { urls: urlsOf('silent', 10) });
    // Nobody has had a turn yet: by their ids alone these come last.
    await begin(kit, { urls: urlsOf('prompt', 10) });
    time.pass(minuteMs);
    await evaluateRules(kit.deps);
    await expect.poll(() => got('prompt').length).toBe(10);
    await expect.poll(() => got('silent').length).toBe(8);
  } finally {
    await webhooks.stop();
    await kit.close();
  }
});

test('who looks at the webhooks hears what came of a message', async () => {
  const time = fakeClock(new Date('2026-06-15T10:00:00Z'));
  const kit = await startKit({ clock: time.clock });
  try {
    receiver.answer((response) => response.writeHead(500).end());
    const { user, workspace } = await begin(kit, { urls: [`${receiver.url}/told`] });
    const [session] = await kit.deps.record.sql`select id from sessions where user_id = ${user.id}`;
    const heard: Told[] = [];
    const { begun, close } = kit.deps.live.listen({ userId: user.id, sessionId: session?.['id'] }, [], {
      tell: (one) => void heard.push(one),
      end: () => undefined,
    });
    await begun;
    time.pass(minuteMs);
    await evaluateRules(kit.deps);
    const [webhook] = await kit.deps.record.sql`select id from webhooks`;
    const change = { workspaceId: workspace.id, noun: 'webhooks', id: webhook?.['id'], requestId: null };
    await expect
      .poll(() => heard.flatMap((one) => (one.kind === 'change' ? [one.change] : [])))
      .toContainEqual(change);
    close();
  } finally {
    await kit.close();
  }
});

test('a server that was killed amid an attempt leaves it to another', async () => {
  const time = fakeClock(new Date('2026-06-15T10:00:00Z'));
  const kit = await startKit({ clock: time.clock });
  try {
    receiver.answer((response) => response.writeHead(200).end());
    await begin(kit, { urls: [`${receiver.url}/killed`] });
    // As a server leaves it that claimed it and is no more.
    const until = new Date(time.clock().getTime() + 2 * minuteMs).toISOString();
    await kit.deps.record.sql`update webhooks set claimed_until = ${until}`;
    time.pass(minuteMs);
    await evaluateRules(kit.deps);
    await kit.deps.webhooks.deliverDue();
    const got = () => receiver.received.filter(({ path }) => path === '/killed');
    expect(got()).toEqual([]);
    time.pass(minuteMs);
    await kit.deps.webhooks.deliverDue();
    await expect.poll(() => got().length).toBe(1);
  } finally {
    await kit.close();
  }
});

async function serving<T>(
  database: FreshDatabase,
  clock: () => Date,
  act: (kit: Kit) => Promise<T>,
): Promise<T> {
  const settings = { ...readSettings({}), ...roomy, ...database.settings };
  const log = createLog('silent');
  const { deps, stop } = await compose({ settings, log, clock, rootDir });
  try {
    return await act({ app: createApp(deps, { clientDir: null }), deps, logLines: [], close: stop });
  } finally {
    await stop();
  }
}

test('what waits is sent after a restart', async () => {
  const time = fakeClock(new Date('2026-06-15T10:00:00Z'));
  const database = await freshDatabase();
  receiver.answer((response) => response.writeHead(500).end());
  const got = () => receiver.received.filter(({ path }) => path === '/restart');
  try {
    const owner = await serving(database, time.clock, async (kit) => {
      const begun = await begin(kit, { urls: [`${receiver.url}/restart`] });
      time.pass(minuteMs);
      await evaluateRules(kit.deps);
      await expect
        .poll(() => kit.deps.record.db.select().from(webhookDeliveries))
        .toMatchObject([{ attempts: 1, status: 500 }]);
      return begun;
    });
    receiver.answer((response) => response.writeHead(200).end());
    time.pass(minuteMs);
    await serving(database, time.clock, async (kit) => {
      // Nobody asks for it.
      await expect.poll(() => got().length).toBe(2);
      await expect
        .poll(() => kit.deps.record.db.select().from(webhookDeliveries))
        .toMatchObject([{ attempts: 2, status: 200, nextAt: null }]);
      const { as } = await signIn(kit, owner.user);
      const at = `/api/webhooks?workspaceId=${owner.workspace.id}`;
      const [webhook] = await must(call<Webhook[]>(kit, { method: 'GET', path: at, as }));
      expect(webhook?.lastDelivery).toMatchObject({ attempts: 2, error: null });
    });
  } finally {
    await database.cleanup();
  }
});

test('a server that stops waits for nobody, and what it broke off was no attempt', async () => {
  const time = fakeClock(new Date('2026-06-15T10:00:00Z'));
  const database = await freshDatabase();
  receiver.answer(() => undefined);
  const got = () => receiver.received.filter(({ path }) => path === '/stopped');
  try {
    await serving(database, time.clock, async (kit) => {
      await begin(kit, { urls: [`${receiver.url}/stopped`] });
      time.pass(minuteMs);
      await evaluateRules(kit.deps);
      await expect.poll(() => got().length).toBe(1);
    });
    receiver.answer((response) => response.writeHead(200).end());
    await serving(database, time.clock, async (kit) => {
      await expect.poll(() => got().length).toBe(2);
      // Had the answer been waited for, the first would count: as one without an answer.
      await expect
        .poll(() => kit.deps.record.db.select().from(webhookDeliveries))
        .toMatchObject([{ attempts: 1, status: 200, nextAt: null }]);
    });
  } finally {
    await database.cleanup();
  }
});
