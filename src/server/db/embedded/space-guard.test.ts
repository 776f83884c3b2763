import { expect, test } from 'vitest';
import { createSpaceGuard } from './space-guard.ts';

function guardOn(free: { bytes: number; reads: number; fault?: Error }) {
  let now = 5_000;
  const assertSpace = createSpaceGuard({
    folder: '/',
    reserveBytes: 100,
    clock: () => new Date(now),
    freeBytes: async () => {
      free.reads += 1;
      if (free.fault) throw free.fault;
      return free.bytes;
    },
  });
  return { assertSpace, pass: (ms: number) => (now += ms) };
}

test('refuses below the reserve with 503 naming storage, and writes again once space is freed', async () => {
  const free = { bytes: 99, reads: 0 };
  const { assertSpace, pass } = guardOn(free);
  const refused = { code: 'UNAVAILABLE', retryAfterSeconds: 30, message: expect.stringContaining('storage') };
  await expect(assertSpace()).rejects.toMatchObject(refused);
  free.bytes = 100;
  pass(1_000);
  await assertSpace();
});

test('reads free space at most once a second, also for writes at the same time', async () => {
  const free = { bytes: 1_000, reads: 0 };
  const { assertSpace, pass } = guardOn(free);
  await Promise.all([assertSpace(), assertSpace(), assertSpace()]);
  pass(999);
  await assertSpace();
  expect(free.reads).toBe(1);
  pass(1);
  await assertSpace();
  expect(free.reads).toBe(2);
});

test('refuses while free space cannot be read and asks again at once', async () => {
  const free = { bytes: 1_000, reads: 0, fault: new Error('gone') as Error | undefined };
  const { assertSpace } = guardOn(free as { bytes: number; reads: number });
  await expect(assertSpace()).rejects.toMatchObject({ code: 'UNAVAILABLE', cause: { message: 'gone' } });
  free.fault = undefined;
  await assertSpace();
});

test('a clock set back does not keep an old reading', async () => {
  const free = { bytes: 1_000, reads: 0 };
  const { assertSpace, pass } = guardOn(free);
  await assertSpace();
  pass(-3_000_000);
  free.bytes = 0;
  await expect(assertSpace()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
});

test('reads the real disk when nothing else is given', async () => {
  const options = { folder: '/', clock: () => new Date() };
  await createSpaceGuard({ ...options, reserveBytes: 0 })();
  await expect(createSpaceGuard({ ...options, reserveBytes: Number.MAX_SAFE_INTEGER })()).rejects.toThrow(
    'storage',
  );
});
