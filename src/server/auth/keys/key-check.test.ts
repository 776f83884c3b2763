import { afterAll, beforeAll, expect, test } from 'vitest';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { newTenant } from '#server/testing/procedure-caller.ts';
import { statementsOf } from '#server/testing/statements.ts';
import { createAuth } from '../create-auth.ts';
import { createKnownCallers } from '../known/known-callers.ts';
import { makeApiKey } from './key-format.ts';

let kit: Kit;
beforeAll(async () => {
  kit = await startKit();
});
afterAll(() => kit.close());

const unknown = { code: 'UNAUTHORIZED' };
const throttled = { code: 'TOO_MANY_REQUESTS' };

async function start() {
  const { deps } = kit;
  const { clock, monotonic, pass } = fakeClock(new Date());
  const known = createKnownCallers({ ...deps, clock });
  const settings = { ...deps.settings, unknownKeysPerAddress: 3 };
  const auth = createAuth({ ...deps, settings, known, clock, monotonic });
  const { call, project } = await newTenant(deps);
  const { key } = await call.apiKeys.create({ name: 'Key', projectId: project.id });
  if (!key) throw new Error('the new key cannot be read');
  const guess = (address: string) => auth.authenticateKey(makeApiKey(), address);
  return { auth, key, guess, pass };
}

test('who guesses keys is soon refused without a look into the record', async () => {
  const { guess, pass } = await start();
  for (let i = 0; i < 3; i++) await expect(guess(`2001:db8::${i}`)).rejects.toMatchObject(unknown);
  const guessOften = async () => {
    for (let i = 0; i < 20; i++) await expect(guess('2001:db8::9')).rejects.toMatchObject(throttled);
  };
  // What the server does by itself now and then may fall between.
  await expect.poll(() => statementsOf(kit.deps.record, guessOften)).toEqual([]);
  await expect(guess('2001:db8:0:1::9')).rejects.toMatchObject(unknown);
  pass(60_000);
  await expect(guess('2001:db8::9')).rejects.toMatchObject(unknown);
});

test('of many guesses at once only so many ask the record', async () => {
  const { guess } = await start();
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => guess('203.0.113.9')));
  const codes = results.map((result) => result.status === 'rejected' && result.reason.code);
  expect(codes.filter((code) => code === 'UNAUTHORIZED')).toHaveLength(3);
  expect(codes.filter((code) => code === 'TOO_MANY_REQUESTS')).toHaveLength(47);
});

test('a key that is not known here counts once, however many show it at once', async () => {
  const { auth, key, guess } = await start();
  const all = Array.from({ length: 50 }, () => auth.authenticateKey(key, '203.0.113.9'));
  expect(await Promise.all(all)).toHaveLength(50);
  await expect(guess('203.0.113.9')).rejects.toMatchObject(unknown);
});

test('a key that was in use goes on at an address from which others guess', async () => {
  const { auth, key, guess, pass } = await start();
  await auth.authenticateKey(key, '203.0.113.9');
  for (let i = 0; i < 3; i++) await expect(guess('203.0.113.9')).rejects.toMatchObject(unknown);
  await auth.authenticateKey(key, '203.0.113.9');
  pass(61_000);
  for (let i = 0; i < 3; i++) await expect(guess('203.0.113.9')).rejects.toMatchObject(unknown);
  await expect(guess('203.0.113.9')).rejects.toMatchObject(throttled);
  // Asked for again, after its minute.
  expect(await auth.authenticateKey(key, '203.0.113.9')).toMatchObject({ kind: 'key' });
});

test('good keys and typing mistakes do not count', async () => {
  const { auth, key, guess } = await start();
  for (let i = 0; i < 10; i++) {
    await auth.authenticateKey(key, '203.0.113.9');
    await expect(auth.authenticateKey(`${key}x`, '203.0.113.9')).rejects.toMatchObject(unknown);
  }
  for (let i = 0; i < 3; i++) await expect(guess('203.0.113.9')).rejects.toMatchObject(unknown);
  await expect(guess('203.0.113.9')).rejects.toMatchObject(throttled);
});
