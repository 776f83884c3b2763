import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createModelRation, type TakeOfModels } from '../chat/models/model-ration.ts';
import { RateWindows } from '../db/rate-windows.ts';
import { createLog } from '../log.ts';
import { type Kit, startKit } from './kit.ts';

/** Two servers on one record ask the models of others, three times a minute of an account. No cluster is there. */
const modelRequestsPerMinute = 3;
const inAll = 30;
const openai = { apiKey: 'a key', baseUrl: 'http://127.0.0.1:1/v1', modelId: 'some-model' };
const settings = { openSearch: { nodes: ['http://127.0.0.1:1'] }, openai };
const kits: Kit[] = [];
let one: TakeOfModels;
let two: TakeOfModels;
beforeAll(async () => {
  const first = await startKit({ settings });
  kits.push(first, await startKit({ beside: first, settings }));
});
afterAll(async () => {
  for (const kit of kits.reverse()) await kit.close();
});

const startRation = ({ deps: { record } }: Kit) => {
  const { leasing } = new RateWindows({ record, log: createLog('silent'), waitMs: 60_000 });
  return createModelRation({ settings: { modelRequestsPerMinute }, clock: () => new Date(0), leasing });
};
beforeEach(async () => {
  for (const { deps } of kits) await deps.record.sql`delete from rate_windows`;
  [one, two] = kits.map(startRation) as [TakeOfModels, TakeOfModels];
});

/** Since when something may have filled up. */
let startedAt = 0;
beforeEach(() => {
  startedAt = performance.now();
});
const filled = (perMinute: number) => ((performance.now() - startedAt) / 60_000) * perMinute;

/** How many of so many get through both in turns. */
async function through(tenant: string, tries: number): Promise<number> {
  let passed = 0;
  for (let i = 0; i < tries; i += 1) {
    const take = i % 2 === 0 ? one : two;
    await take({ tenant, caller: 'a key' }).then(
      () => {
        passed += 1;
      },
      (error: unknown) => {
        expect(error).toMatchObject({ code: 'TOO_MANY_REQUESTS', retryAfterSeconds: expect.any(Number) });
      },
    );
  }
  return passed;
}

test('of an account as many get through both as are allowed of one', async () => {
  const passed = await through('account:1', 6);
  expect(passed).toBeGreaterThanOrEqual(modelRequestsPerMinute);
  expect(passed).toBeLessThanOrEqual(modelRequestsPerMinute + filled(modelRequestsPerMinute) + 1);
  expect(await through('account:2', 1)).toBe(1);
});

test('accounts that sent some within the hour leave half of all to those that sent none', async () => {
  const busy = Array.from({ length: 15 }, (_, i) => `account:${i}`);
  let again = 0;
  for (const tenant of busy) {
    const passed = await through(tenant, 6);
    if (passed > 0) again += passed - 1;
  }
  expect(again).toBeGreaterThanOrEqual(inAll / 2 - 1);
  expect(again).toBeLessThanOrEqual(inAll / 2 + filled(inAll / 2) + 1);
});

test('all together send no more than ten accounts may', async () => {
  let passed = 0;
  for (let i = 0; i < 3 * inAll; i += 1) passed += await through(`account:${i}`, 2);
  expect(passed).toBeGreaterThanOrEqual(inAll - 1);
  expect(passed).toBeLessThanOrEqual(inAll + filled(inAll) + 1);
});

test('servers ask the record that they share', async () => {
  for (const { deps } of kits) {
    await deps.record.sql`delete from rate_windows`;
    const names = async () => {
      const question = {
        collections: [],
        message: 'Who?',
        contextLimit: 1,
        model: 'gpt-4' as const,
        turns: [],
        for: { tenant: 'account:1', caller: 'a key' },
      };
      await deps.chat.ask(question, { signal: new AbortController().signal }).catch(() => {});
      return (await deps.record.sql`select name from rate_windows`).map(({ name }) => name);
    };
    // A record that takes long is not waited for.
    await expect.poll(names, { timeout: 30_000 }).toContain('model of account:1');
  }
});
