import { expect, it } from 'vitest';
import { inParallel } from './in-parallel.ts';

/** A task that ends when it is told to. */
function steps() {
  const begun: number[] = [];
  const ends = new Map<number, (error?: Error) => void>();
  const task = (item: number) => {
    begun.push(item);
    return new Promise<string>((resolve, reject) => {
      ends.set(item, (error) => (error ? reject(error) : resolve(`done ${item}`)));
    });
  };
  const end = async (item: number, error?: Error) => {
    ends.get(item)?.(error);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, task, end };
}

it('begins as many as may run at once, the next when one ends, and answers in order', async () => {
  const { begun, task, end } = steps();
  const all = inParallel([0, 1, 2, 3], { atOnce: 2 }, task);
  expect(begun).toEqual([0, 1]);
  await end(1);
  expect(begun).toEqual([0, 1, 2]);
  await end(2);
  await end(0);
  await end(3);
  expect(await all).toEqual(['done 0', 'done 1', 'done 2', 'done 3']);
});

it('begins nothing after a failure', async () => {
  const { begun, task, end } = steps();
  const all = inParallel([0, 1, 2, 3], { atOnce: 2 }, task);
  const fails = expect(all).rejects.toThrow('no');
  await end(0, new Error('no'));
  await end(1);
  await fails;
  expect(begun).toEqual([0, 1]);
});

it('begins nothing after the signal', async () => {
  const { begun, task, end } = steps();
  const controller = new AbortController();
  const all = inParallel([0, 1, 2], { atOnce: 1, signal: controller.signal }, task);
  const fails = expect(all).rejects.toThrow('gone');
  controller.abort(new Error('gone'));
  await end(0);
  await fails;
  expect(begun).toEqual([0]);
});

it('answers nothing for nothing', async () => {
  expect(await inParallel([], { atOnce: 3 }, async () => 1)).toEqual([]);
});
