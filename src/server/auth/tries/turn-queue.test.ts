import { expect, test } from 'vitest';
import { fakeClock } from '#server/testing/fake-clock.ts';
import { TurnQueue, type Whose } from './turn-queue.ts';

/** A task that ends when it is told to. */
function heldTask() {
  let finish = () => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return { run: () => done, finish };
}

function makeQueue(parallel: number, waitingMax: number) {
  const { monotonic, pass } = fakeClock();
  const queue = new TurnQueue({ parallel, waitingMax, refusal: 'Too many people are here' }, monotonic);
  const run = <T>(whose: string | Whose, task: () => Promise<T>) =>
    queue.run(typeof whose === 'string' ? { address: whose } : whose, task);
  const order: string[] = [];
  /** By the name of an address or, after "account", of an account. */
  const note = (name: string) => {
    const [kind = '', account = ''] = name.split(' ');
    return run(kind === 'account' ? { account } : kind, async () => void order.push(name));
  };
  return { run, note, order, pass };
}

const refused = { code: 'TOO_MANY_REQUESTS', retryAfterSeconds: 1, message: 'Too many people are here' };

test('at most so many at once, a bounded number waiting, and the next is told when to come back', async () => {
  const { run } = makeQueue(2, 3);
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
  const { run } = makeQueue(1, 1);
  const failing = run('a', async () => {
    throw new Error('out of memory');
  });
  const next = run('a', async () => 'done');
  await expect(failing).rejects.toThrow('out of memory');
  expect(await next).toBe('done');
});

test('whoever had fewer turns lately is next, whoever came first', async () => {
  const { run, note, order } = makeQueue(1, 10);
  const first = heldTask();
  const results = [run('flood', first.run)];
  for (const name of ['flood 1', 'flood 2', 'flood 3', 'ada 1', 'grace 1', 'ada 2']) results.push(note(name));
  first.finish();
  await Promise.all(results);
  expect(order).toEqual(['ada 1', 'grace 1', 'flood 1', 'ada 2', 'flood 2', 'flood 3']);
});

test('a turn is forgotten in time', async () => {
  const { run, note, order, pass } = makeQueue(1, 10);
  for (let i = 0; i < 4; i++) await note('flood');
  pass(60 * 60_000);
  await note('ada');
  const first = heldTask();
  const results = [run('other', first.run), note('ada again'), note('flood again')];
  first.finish();
  await Promise.all(results);
  expect(order.slice(-2)).toEqual(['flood again', 'ada again']);
});

test('a flood from one address shuts nobody else out: its newest leaves for them', async () => {
  const { run } = makeQueue(1, 4);
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

test('addresses that had turns make room for one that had none', async () => {
  const { run, note } = makeQueue(1, 4);
  const flood = ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4'];
  for (const address of flood) await note(address);
  const first = heldTask();
  const running = run('203.0.113.5', first.run);
  const outcomes = Promise.allSettled(flood.map((address) => run(address, async () => address)));
  const honest = run('198.51.100.7', async () => 'in');
  // They do not win it back by asking again.
  for (const address of flood) await expect(note(address)).rejects.toMatchObject(refused);
  first.finish();
  await running;
  expect(await honest).toBe('in');
  const statuses = (await outcomes).map(({ status }) => status);
  expect(statuses).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
});

test('one network of many addresses has the places of one', async () => {
  const { run } = makeQueue(1, 4);
  const first = heldTask();
  const running = run('2001:db8:0:1::1', first.run);
  const flood = [2, 3, 4, 5].map((n) => run(`2001:db8:0:${n}::1`, async () => n));
  const outcomes = Promise.allSettled(flood);
  const honest = ['2001:db8:1:1::1', '198.51.100.7'].map((address) => run(address, async () => address));
  first.finish();
  await running;
  expect(await Promise.all(honest)).toHaveLength(2);
  expect((await outcomes).filter(({ status }) => status === 'rejected')).toHaveLength(2);
});

test('a flood from one address shuts nobody out of its own network either', async () => {
  const { run } = makeQueue(1, 4);
  const first = heldTask();
  const running = run('198.51.100.7', first.run);
  const flood = Array.from({ length: 4 }, (_, i) => run('2001:db8:0:1::1', async () => i));
  const outcomes = Promise.allSettled(flood);
  const neighbour = run('2001:db8:0:2::1', async () => 'in');
  await expect(run('2001:db8:0:1::2', async () => 'never')).rejects.toMatchObject(refused);
  first.finish();
  await running;
  expect(await neighbour).toBe('in');
  expect((await outcomes).filter(({ status }) => status === 'rejected')).toHaveLength(1);
});

test('who is known has places and every second turn, however many strangers wait', async () => {
  const { run, note, order } = makeQueue(1, 3);
  const first = heldTask();
  const running = run('203.0.113.9', first.run);
  const strangers = [1, 2, 3].map((n) => note(`203.0.113.${n}`));
  await expect(note('203.0.113.4')).rejects.toMatchObject(refused);
  const known = ['account ada', 'account grace', 'account ada'].map(note);
  await expect(note('account ada')).rejects.toMatchObject(refused);
  first.finish();
  await Promise.all([running, ...strangers, ...known]);
  expect(order).toEqual([
    'account ada',
    '203.0.113.1',
    'account grace',
    '203.0.113.2',
    'account ada',
    '203.0.113.3',
  ]);
});
