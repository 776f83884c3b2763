import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test, vi } from 'vitest';
import { within } from './within.ts';

afterEach(() => vi.useRealTimers());

const late = () => new Error('late');

test('an answer in time is passed on, a failure too, and no timer is left', async () => {
  vi.useFakeTimers();
  expect(await within(Promise.resolve('an answer'), 1_000, late)).toBe('an answer');
  await expect(within(Promise.reject(new Error('a failure')), 1_000, late)).rejects.toThrow('a failure');
  expect(vi.getTimerCount()).toBe(0);
});

test('without an answer it fails when the time is over, not before', async () => {
  vi.useFakeTimers();
  let outcome = 'none';
  const waiting = within(new Promise(() => {}), 1_000, late).catch((error) => {
    outcome = error.message;
  });
  await vi.advanceTimersByTimeAsync(999);
  expect(outcome).toBe('none');
  await vi.advanceTimersByTimeAsync(1);
  // A look at what has come meanwhile.
  await vi.advanceTimersByTimeAsync(1);
  await waiting;
  expect(outcome).toBe('late');
});

test('what came while the process was held up is not late', async () => {
  const hasSent = new Int32Array(new SharedArrayBuffer(4));
  const answering = `
    const { parentPort, workerData } = require('node:worker_threads');
    parentPort.once('message', () => {
      parentPort.postMessage('answer');
      Atomics.store(workerData, 0, 1);
      Atomics.notify(workerData, 0);
    });`;
  const worker = new Worker(answering, { eval: true, workerData: hasSent });
  await once(worker, 'online');
  // What follows comes before the timers' next turn, and that before the worker's.
  await nextTurn();
  const answer = once(worker, 'message').then(([text]) => text as string);
  const inTime = within(answer, 1, late);
  worker.postMessage('go');
  // This thread does nothing else until the answer is there and the time is over.
  Atomics.wait(hasSent, 0, 0);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  await expect(inTime).resolves.toBe('answer');
  await worker.terminate();
});
