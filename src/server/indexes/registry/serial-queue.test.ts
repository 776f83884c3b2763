import { expect, it } from 'vitest';
import { SerialQueue } from './serial-queue.ts';

it('runs the tasks of a key in their order, one at a time, and past one that fails', async () => {
  const queue = new SerialQueue<string>();
  const steps: string[] = [];
  const task = (name: string) => async () => {
    steps.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    steps.push(`${name} ends`);
    if (name === 'a') throw new Error(name);
    return name;
  };
  const first = queue.run('key', task('a'));
  const second = queue.run('key', task('b'));
  await expect(first).rejects.toThrow('a');
  expect(await second).toBe('b');
  expect(steps).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});

it('lets one that comes while another runs wait, though one before it has ended', async () => {
  const queue = new SerialQueue<string>();
  const steps: string[] = [];
  let release = () => {};
  const first = queue.run('key', async () => void steps.push('a'));
  const second = queue.run('key', () => new Promise<void>((resolve) => (release = resolve)));
  await first;
  const third = queue.run('key', async () => void steps.push('c'));
  await new Promise((resolve) => setImmediate(resolve));
  steps.push('b');
  release();
  await Promise.all([second, third]);
  expect(steps).toEqual(['a', 'b', 'c']);
});

it('runs what is to be next before all that wait, and not before what runs', async () => {
  const queue = new SerialQueue<string>();
  const steps: string[] = [];
  let release = () => {};
  const task = (name: string) => async () => void steps.push(name);
  const running = queue.run('key', async () => {
    await new Promise<void>((resolve) => (release = resolve));
    steps.push('running');
  });
  const waiting = ['a', 'b'].map((name) => queue.run('key', task(name)));
  const next = queue.runNext('key', task('next'));
  await new Promise((resolve) => setImmediate(resolve));
  release();
  await Promise.all([running, ...waiting, next]);
  expect(steps).toEqual(['running', 'next', 'a', 'b']);
  await queue.runNext('key', task('alone'));
  expect(steps.at(-1)).toBe('alone');
  expect(queue.isBusy('key')).toBe(false);
});

it('lets keys pass each other, and is busy with a key until its last task has settled', async () => {
  const queue = new SerialQueue<string>();
  let release = () => {};
  const held = queue.run('slow', () => new Promise<void>((resolve) => (release = resolve)));
  await queue.run('quick', async () => undefined);
  expect([queue.isBusy('slow'), queue.isBusy('quick')]).toEqual([true, false]);
  let isIdle = false;
  const idle = queue.idle().then(() => (isIdle = true));
  await queue.run('quick', async () => undefined);
  expect(isIdle).toBe(false);
  release();
  await held;
  expect(queue.isBusy('slow')).toBe(false);
  await idle;
});

it('lets go at once of what waits no longer, wherever it stands', async () => {
  const queue = new SerialQueue<string>();
  const begun: string[] = [];
  let release = () => {};
  const running = queue.run('key', () => new Promise<void>((resolve) => (release = resolve)));
  const callers = [new AbortController(), new AbortController()];
  const task = (name: string) => async () => void begun.push(name);
  const first = queue.run('key', task('first'), callers[0]?.signal);
  const second = queue.run('key', task('second'));
  const third = queue.run('key', task('third'), callers[1]?.signal);
  const gone = queue.run('key', task('gone'), AbortSignal.abort(new Error('gone before')));
  for (const caller of callers) caller.abort(new Error('gone'));
  // While the one before them still runs.
  await expect(first).rejects.toThrow('gone');
  await expect(third).rejects.toThrow('gone');
  await expect(gone).rejects.toThrow('gone before');
  release();
  await Promise.all([running, second]);
  await expect(queue.run('key', task('alone'), AbortSignal.abort(new Error('late')))).rejects.toThrow('late');
  await queue.run('key', task('last'));
  expect(begun).toEqual(['second', 'last']);
  expect(queue.isBusy('key')).toBe(false);
});
