import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { within } from './within.ts';

const late = () => new Error('late');

test('what comes too late is late, what comes in time is what it is', async () => {
  await expect(within(new Promise(() => undefined), 1, late)).rejects.toThrow('late');
  await expect(within(Promise.resolve('answer'), 60_000, late)).resolves.toBe('answer');
  await expect(within(Promise.reject(new Error('fault')), 60_000, late)).rejects.toThrow('fault');
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
  const answer = once(worker, 'message').then(([text]) => text as string);
  const inTime = within(answer, 1, late);
  worker.postMessage('go');
  // This thread does nothing else until the answer is there and the time is over.
  Atomics.wait(hasSent, 0, 0);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  await expect(inTime).resolves.toBe('answer');
  await worker.terminate();
});
