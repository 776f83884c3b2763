import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createRateLimits } from '../admission/rate-limits.ts';
import { RateWindows } from '../db/rate-windows.ts';
import { createLog } from '../log.ts';
import { type Credentials, call, createTenant, type SignedUp } from './callers.ts';
import { type Kit, startKit } from './kit.ts';

/** What a key, a session and an address may send a minute to two servers on one record, and how both tell it. No cluster is there. */
const perMinute = 40;
const fillsMs = 60_000 / perMinute;
const settings = { openSearch: { nodes: ['http://127.0.0.1:1'] }, trustProxy: true };
let one: Kit;
let two: Kit;
let owner: SignedUp;
let key: { key: string };
beforeAll(async () => {
  one = await startKit({ settings });
  two = await startKit({ beside: one, settings });
  ({ owner, key } = await createTenant(one));
});
afterAll(async () => {
  await two.close();
  await one.close();
});

/** From where each test asks. */
let address = '';
let addresses = 0;
beforeEach(async () => {
  addresses += 1;
  address = `192.0.2.${addresses}`;
  await one.deps.record.sql`delete from rate_windows`;
  for (const { deps } of [one, two]) {
    const { leasing } = new RateWindows({ record: deps.record, log: createLog('silent'), waitMs: 60_000 });
    const each = { rateLimitKey: perMinute, rateLimitSession: perMinute, rateLimitAddress: perMinute };
    deps.rates = createRateLimits(each, undefined, leasing);
  }
});

function ask(by: Kit, as: Credentials, path: string) {
  return call<{ message?: string }>(by, { method: 'GET', path, as, headers: { 'x-forwarded-for': address } });
}

const callers = {
  key: { as: () => key, path: '/api/collections' },
  session: { as: () => owner.as, path: '/api/auth/me' },
  address: { as: () => null, path: '/api/auth/me' },
};

test.each(['key', 'session', 'address'] as const)(
  'of one %s as many requests get through both as are allowed, and the rest are told when to come back',
  async (counted) => {
    const { as, path } = callers[counted];
    const startedAt = performance.now();
    const answers = [];
    for (let i = 0; i < 30; i += 1) answers.push(await ask(one, as(), path), await ask(two, as(), path));
    const filled = (performance.now() - startedAt) / fillsMs;
    const refused = answers.filter(({ status }) => status === 429);
    const passed = answers.length - refused.length;
    expect(passed).toBeGreaterThanOrEqual(perMinute);
    expect(passed).toBeLessThanOrEqual(perMinute + filled + 1);
    for (const { headers, body } of refused) {
      expect(headers.get('RateLimit-Policy')).toBe(`"${counted}";q=${perMinute};w=60`);
      const wait = Number(headers.get('Retry-After'));
      expect(headers.get('RateLimit')).toBe(`"${counted}";r=0;t=${wait}`);
      expect([1, 2]).toContain(wait);
      expect(body.message).toContain(`try again in ${wait} s`);
    }
    const [first] = answers;
    expect(first?.headers.get('RateLimit')).toBe(`"${counted}";r=${perMinute - 1};t=2`);
  },
);

test('pages count too, and whether a server is well is told without the record', async () => {
  const page = (by: Kit) => ask(by, null, '/nowhere');
  await page(one);
  const rows = () => one.deps.record.sql`select name from rate_windows`;
  expect((await rows()).map(({ name }) => name)).toEqual([`address ${address}`]);
  await ask(two, null, '/health');
  expect(await rows()).toHaveLength(1);
});

test('servers that have an engine of their own ask nobody, and those that share a record do', async () => {
  const windows = async (more: object) => {
    const kit = await startKit({ settings: more });
    const { key: own } = await createTenant(kit);
    const ofKey = async () => {
      expect((await ask(kit, own, '/api/collections')).status).toBe(200);
      const { sql } = kit.deps.record;
      return (await sql`select name from rate_windows where name = ${`key ${own.id}`}`).length;
    };
    return { kit, ofKey };
  };
  const alone = await windows({ openSearch: null });
  expect(await alone.ofKey()).toBe(0);
  const shared = await windows(settings);
  // A record that takes long is not waited for.
  await expect.poll(shared.ofKey, { timeout: 30_000 }).toBe(1);
  for (const { kit } of [alone, shared]) await kit.close();
});
