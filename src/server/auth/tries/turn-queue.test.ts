import { expect, test } from 'vitest';
import { createTurnQueue } from './turn-queue.ts';

/** A task that ends when it is told to. */
function heldTask() {
  let finish = () => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { run: () => done, finish };
}

const refused = { code: 'TOO_MANY_REQUESTS', retryAfterSeconds: 1 };

test('at most so many at once, a bounded number waiting, and the next is told when to come back', async () => {
  const run = createTurnQueue(2, 3);
  let running = 0;
  let peak = 0;
  const tasks = Array.from({ length: 5 }, heldTask);
  const results = tasks.map((task, i) =>
    run('a', async () => {
      running++;
      peak = Math.max(peak, running);
      await task.run();
      running--;
      return i;
    }),
  );
  await expect(run('a', async () => 'never')).rejects.toMatchObject(refused);
  for (const task of tasks) task.finish();
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3, 4]);
  expect(peak).toBe(2);
  expect(await run('a', async () => 'free again')).toBe('free again');
});

test('a failing task gives its place to the next', async () => {
  const run = createTurnQueue(1, 1);
  const failing = run('a', async () => {
    throw new Error('out of memory');
  });
  const next = run('a', async () => 'done');
  await expect(failing).rejects.toThrow('out of memory');
  expect(await next).toBe('done');
});

test('groups take turns, whoever came first', async () => {
  const run = createTurnQueue(1, 10);
  const order: string[] = [];
  const first = heldTask();
  const results = [run('flood', first.run)];
  for (const name of ['flood 1', 'flood 2', 'flood 3', 'ada 1', 'grace 1', 'ada 2']) {
    const [group = ''] = name.split(' ');
    results.push(run(group, async () => void order.push(name)));
  }
  first.finish();
  await Promise.all(results);
  expect(order).toEqual(['flood 1', 'ada 1', 'grace 1', 'flood 2', 'ada 2', 'flood 3']);
});

test('a flood from one place shuts nobody else out: its newest leaves for them', async () => {
  const run = createTurnQueue(1, 4);
  const first = heldTask();
  const running = run('flood', first.run);
  const flood = Array.from({ length: 4 }, (_, i) => run('flood', async () => i));
  const outcomes = Promise.allSettled(flood);
  const honest = ['ada', 'grace'].map((name) => run(name, async () => name));
  await expect(run('flood', async () => 'never')).rejects.toMatchObject(refused);
  first.finish();
  await running;
  expect(await Promise.all(honest)).toEqual(['ada', 'grace']);
  expect((await outcomes).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
  ]);
});
