import { expect, test } from 'vitest';
import { createMakingWay } from './making-way.ts';

const { signal } = new AbortController();

async function restAfter(workedMs: number, share: number, processors = 2): Promise<number> {
  let rested = 0;
  const makesWay = createMakingWay({
    busyShareNow: () => share,
    processors,
    rest: async (ms) => {
      rested += ms;
    },
  });
  await makesWay(workedMs, signal);
  return rested;
}

test('whoever searches now and then is no reason to rest; whoever does without end leaves a sixteenth of the time', async () => {
  expect(await restAfter(20, 0.05)).toBe(0);
  expect(await restAfter(20, 0.1)).toBe(60);
  expect(await restAfter(20, 0.5)).toBe(300);
  expect(await restAfter(20, 1)).toBe(300);
  expect(await restAfter(2_000, 1)).toBe(1_000);
});

test('with more processors there is less to make way for', async () => {
  expect(await restAfter(20, 1, 8)).toBe(75);
  expect(await restAfter(20, 1, 1)).toBe(300);
});

test('this thread itself is seen, and a server that stops is not waited for', async () => {
  const stopping = new AbortController();
  const makesWay = createMakingWay();
  const until = performance.now() + 50;
  while (performance.now() < until);
  const rested = makesWay(3_600_000, stopping.signal).then(() => 'over');
  stopping.abort(new Error('The server stops'));
  const later = new Promise((resolve) => setTimeout(resolve, 500, 'rests on'));
  expect(await Promise.race([rested, later])).toBe('over');
});
