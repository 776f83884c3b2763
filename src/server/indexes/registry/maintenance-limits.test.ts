import { expect, test } from 'vitest';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { MaintenanceLimits } from './maintenance-limits.ts';

const collection = (id: number, tenant = 'ada') => ({ id, for: { tenant, caller: tenant } });
const repairs = { what: 'repairs', done: 'repaired' };
const tooMany = { code: 'TOO_MANY_REQUESTS', retryAfterSeconds: expect.any(Number) };

test('one of a collection at a time, however it ends; others meanwhile', async () => {
  const limits = new MaintenanceLimits(repairs, fakeClock().monotonic);
  let fail = () => {};
  const first = limits.run(
    collection(1),
    () => new Promise((_, reject) => (fail = () => reject(new Error('gone')))),
  );
  let begun = 0;
  const second = limits.run(collection(1), async () => (begun += 1));
  await expect(second).rejects.toMatchObject({
    ...tooMany,
    message: 'This collection is being repaired already',
  });
  expect(begun).toBe(0);
  expect(await limits.run(collection(2), async () => 'done')).toBe('done');
  fail();
  await expect(first).rejects.toThrow('gone');
  expect(await limits.run(collection(1), async () => 'done')).toBe('done');
});

test('six a minute of a tenant, over all its collections', async () => {
  const { monotonic, pass } = fakeClock();
  const limits = new MaintenanceLimits(repairs, monotonic);
  const repair = (id: number, tenant?: string) => limits.run(collection(id, tenant), async () => 'done');
  for (let id = 1; id <= 6; id++) expect(await repair(id)).toBe('done');
  await expect(repair(7)).rejects.toMatchObject(tooMany);
  expect(await repair(8, 'grace')).toBe('done');
  pass(10_000);
  expect(await repair(7)).toBe('done');
  await expect(repair(7)).rejects.toMatchObject(tooMany);
});

test('as many again of the account itself, which its members and keys do not use up', async () => {
  const limits = new MaintenanceLimits(repairs, fakeClock().monotonic);
  const repair = (caller: string) =>
    limits.run({ id: 1, for: { tenant: 'account:7', caller } }, async () => 'done');
  for (const caller of ['user:8', 'key:7', 'user:8', 'user:70', 'key:7', 'user:8'])
    expect(await repair(caller)).toBe('done');
  await expect(repair('user:8')).rejects.toMatchObject(tooMany);
  for (let i = 0; i < 6; i += 1) expect(await repair('user:7')).toBe('done');
  await expect(repair('user:7')).rejects.toMatchObject(tooMany);
  await expect(repair('key:7')).rejects.toMatchObject(tooMany);
});
