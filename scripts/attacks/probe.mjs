/** Asks /health over and over, in a thread of its own: who measures must not wait for who sends. Told anything, it answers the slowest in ms. */
import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let isOver = false;
let slowestMs = 0;
parentPort.once('message', () => {
  isOver = true;
});
while (!isOver) {
  const startedAt = performance.now();
  await new Promise((resolve, reject) => {
    const request = get(`${workerData}/health`, { agent }, (response) =>
      response.resume().once('end', resolve),
    );
    request.once('error', reject);
  });
  slowestMs = Math.max(slowestMs, performance.now() - startedAt);
  await pause(1);
}
agent.destroy();
parentPort.postMessage(Math.round(slowestMs));
