/**
 * Asks an address over and over, in a thread of its own: who measures must not wait for who sends. Told anything, it answers how long each answer took, in
 * ms, and the statuses; where there was no answer, the error's code stands for one.
 */
import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const { url, headers = {}, pauseMs = 1 } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const statuses = [];
const tookMs = [];
let isOver = false;
parentPort.once('message', () => {
  isOver = true;
});
do {
  const startedAt = performance.now();
  statuses.push(await ask());
  tookMs.push(performance.now() - startedAt);
  await pause(pauseMs);
} while (!isOver);
agent.destroy();
parentPort.postMessage({ tookMs, statuses });

function ask() {
  return new Promise((resolve) => {
    const request = get(url, { agent, headers }, (response) =>
      response.resume().once('end', () => resolve(response.statusCode)),
    );
    // A connection that is idle may be closed while a request is on its way: then another one is used, as browsers do.
    request.once('error', (error) =>
      resolve(request.reusedSocket && error.code === 'ECONNRESET' ? ask() : error.code),
    );
  });
}
