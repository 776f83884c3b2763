import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAuth } from '#server/auth/create-auth.ts';
import { createKnownCallers } from '#server/auth/known/known-callers.ts';
import { call as send } from '#server/testing/callers.ts';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { callAs, newTenant } from '#server/testing/procedure-caller.ts';
import { limits } from '#shared/limits.ts';

const refused = { code: 'UNAUTHORIZED', message: 'This API key is not valid' };
const hourMs = 3_600_000;

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

/** A key of a new tenant, on a clock of its own. */
async function start(expiresAt?: (now: Date) => string) {
  const { clock, pass } = fakeClock(new Date());
  const known = createKnownCallers({ ...kit.deps, clock });
  const auth = createAuth({ ...kit.deps, clock, known });
  const { principal, project } = await newTenant(kit.deps);
  const call = callAs({ ...kit.deps, clock, auth }, principal);
  const given = expiresAt ? { expiresAt: expiresAt(clock()) } : {};
  const created = await call.apiKeys.create({ name: 'Shop', projectId: project.id, ...given });
  const list = async () => (await call.apiKeys.list({ projectId: project.id }))[0];
  return { auth, call, clock, pass, created, list };
}

describe('rotating a key', () => {
  test('both values work until the grace ends, then the new one alone', async () => {
    const { auth, call, clock, pass, created, list } = await start();
    await auth.authenticateKey(created.key);
    const rotated = await call.apiKeys.rotate({ id: created.id, graceHours: 2 });
    expect(rotated.id).toBe(created.id);
    expect(rotated.key).toMatch(/^vk_/);
    expect(rotated.key).not.toBe(created.key);
    const until = new Date(clock().getTime() + 2 * hourMs).toISOString();
    expect(rotated.former).toEqual({ lastFour: created.lastFour, until });
    expect(await list()).toMatchObject({ lastFour: rotated.key.slice(-4), former: rotated.former });
    const [former, current] = await Promise.all([
      auth.authenticateKey(created.key),
      auth.authenticateKey(rotated.key),
    ]);
    expect(former).toEqual(current);
    expect((await call.apiKeys.reveal({ id: created.id })).key).toBe(rotated.key);
    pass(2 * hourMs);
    await expect(auth.authenticateKey(created.key)).rejects.toMatchObject(refused);
    await auth.authenticateKey(rotated.key);
    expect((await list())?.former).toBeNull();
  });

  test('without grace the former value ends at once, though it was in use a moment ago', async () => {
    const { auth, call, created } = await start();
    await auth.authenticateKey(created.key);
    const rotated = await call.apiKeys.rotate({ id: created.id, graceHours: 0 });
    expect(rotated.former).toBeNull();
    await expect(auth.authenticateKey(created.key)).rejects.toMatchObject(refused);
    await auth.authenticateKey(rotated.key);
  });

  test('the grace can be ended early, and only then comes a third value', async () => {
    const { auth, call, created } = await start();
    const rotated = await call.apiKeys.rotate({ id: created.id });
    await auth.authenticateKey(created.key);
    await expect(call.apiKeys.rotate({ id: created.id })).rejects.toMatchObject({ code: 'CONFLICT' });
    await auth.authenticateKey(created.key);
    expect((await call.apiKeys.update({ id: created.id, former: null })).former).toBeNull();
    await expect(auth.authenticateKey(created.key)).rejects.toMatchObject(refused);
    const again = await call.apiKeys.rotate({ id: created.id });
    await auth.authenticateKey(rotated.key);
    await auth.authenticateKey(again.key);
  });

  test('the former value ends with the key, where that is earlier, and is off while the key is', async () => {
    const { auth, call, pass, created } = await start((now) =>
      new Date(now.getTime() + hourMs).toISOString(),
    );
    await call.apiKeys.rotate({ id: created.id, graceHours: 24 });
    await call.apiKeys.update({ id: created.id, isActive: false });
    await expect(auth.authenticateKey(created.key)).rejects.toMatchObject(refused);
    await call.apiKeys.update({ id: created.id, isActive: true });
    await auth.authenticateKey(created.key);
    pass(hourMs);
    await expect(auth.authenticateKey(created.key)).rejects.toMatchObject(refused);
  });

  test('of rotations at the same moment one is done', async () => {
    const { call, created } = await start();
    const results = await Promise.allSettled(
      Array.from({ length: 5 }, () => call.apiKeys.rotate({ id: created.id })),
    );
    const refusals = results.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
    expect(refusals).toEqual(Array.from({ length: 4 }, () => 'CONFLICT'));
  });

  test.each([-1, 1.5, limits.apiKeyGraceHoursMax + 1])(
    'a grace of %d hours is refused',
    async (graceHours) => {
      const { call, created } = await start();
      const attempt = call.apiKeys.rotate({ id: created.id, graceHours });
      await expect(attempt).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    },
  );
});

test('each key counts its own requests, and both values are one key', async () => {
  const { call, project } = await newTenant(kit.deps);
  const [busy, idle] = await Promise.all([
    call.apiKeys.create({ name: 'Busy', projectId: project.id }),
    call.apiKeys.create({ name: 'Idle', projectId: project.id }),
  ]);
  const ask = (key: string) => send(kit, { method: 'GET', path: '/api/collections', as: { key } });
  const requests = async () =>
    Object.fromEntries(
      (await call.apiKeys.list({ projectId: project.id })).map((key) => [key.name, key.requestsLast24h]),
    );
  await ask(busy.key);
  const { key } = await call.apiKeys.rotate({ id: busy.id });
  await ask(busy.key);
  await ask(key);
  expect(await requests()).toEqual({ Busy: 3, Idle: 0 });
  await kit.deps.telemetry.flush();
  await ask(key);
  expect(await requests()).toEqual({ Busy: 4, Idle: 0 });
  // What is counted of a key that is gone by then is nobody's.
  await ask(idle.key);
  await call.apiKeys.delete({ id: idle.id });
  await kit.deps.telemetry.flush();
  expect(await requests()).toEqual({ Busy: 4 });
});
