import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loopTurns } from '#server/admission/loop-turns.ts';
import { usedBy } from '../host/call-budget.ts';
import { RequestWork } from './request-work.ts';

let time: number;
beforeEach(() => {
  time = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => time);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const requester = { tenant: 't', caller: 'c' };
const take = (ms: number) => () => {
  time += ms;
  return ms;
};

it('gives others a turn after two milliseconds, and counts what it takes for the request', async () => {
  const turns = vi.spyOn(loopTurns, 'next');
  const { signal } = new AbortController();
  const work = new RequestWork({ for: requester, signal });
  for (let i = 0; i < 20; i += 1) expect(await work.run(take(0.5))).toBe(0.5);
  expect(turns.mock.calls).toEqual(Array.from({ length: 3 }, () => [requester]));
  expect(usedBy(signal).ms).toBe(10);
  await expect(work.run(() => Promise.reject(new Error('its own')))).rejects.toThrow('its own');
});

it('goes on with one bit in a turn where several wait for theirs', async () => {
  const work = new RequestWork({ for: requester, signal: undefined });
  await work.run(take(3));
  const bits: number[] = [];
  const turns = vi.spyOn(loopTurns, 'next');
  await Promise.all([1, 2, 3].map((bit) => work.run(() => bits.push(bit) + take(3)())));
  expect(bits).toEqual([1, 2, 3]);
  expect(turns).toHaveBeenCalledTimes(3);
});

it('ends when the request has computed for as long as it may, in the engine too', async () => {
  const { signal } = new AbortController();
  usedBy(signal).ms = 95;
  const work = new RequestWork({ for: requester, signal, budgetMs: 100 });
  await work.run(take(3));
  await work.run(take(3));
  await expect(work.run(take(3))).rejects.toMatchObject({ code: 'UNPROCESSABLE' });
  expect(usedBy(signal).ms).toBe(101);
});

it('ends when its caller has gone', async () => {
  const caller = new AbortController();
  const work = new RequestWork({ for: requester, signal: caller.signal });
  await work.run(take(3));
  caller.abort(new Error('gone'));
  await expect(work.run(take(3))).rejects.toThrow('gone');
  function* steps() {
    for (;;) yield void take(3)();
  }
  await expect(work.runSteps(steps())).rejects.toThrow('gone');
});
