import { expect, test } from 'vitest';
import { createHashQueue } from './hash-queue.ts';

/** A task that ends when it is told to. */
function heldTask() {
  let finish = () => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { run: () => done, finish };
}

test('at most so many at once, a bounded number waiting, and the next is told when to come back', async () => {
  const run = createHashQueue(2, 3);
  let running = 0;
  let peak = 0;
  const tasks = Array.from({ length: 5 }, heldTask);
  const results = tasks.map((task, i) =>
    run(async () => {
      running++;
      peak = Math.max(peak, running);
      await task.run();
      running--;
      return i;
    }),
  );
  await expect(run(async () => 'never')).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    retryAfterSeconds: 1,
  });
  for (const task of tasks) task.finish();
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3, 4]);
  expect(peak).toBe(2);
  expect(await run(async () => 'free again')).toBe('free again');
});

test('a failing task gives its place to the next', async () => {
  const run = createHashQueue(1, 1);
  const failing = run(async () => {
    throw new Error('out of memory');
  });
  const next = run(async () => 'done');
  await expect(failing).rejects.toThrow('out of memory');
  expect(await next).toBe('done');
});
