import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'esbuild';
import type { SharedMemory } from '#server/indexes/host/thread-messages.ts';
import type { Ticker } from '#server/indexes/host/watchdog.ts';

/** More of them than the watchdog lets pass in silence. */
const ticksOfSilence = 11;

/**
 * Bundles `planted-worker.ts`. Its threads have little memory, so that one that asks for more and more ends soon. `ticker` is for their
 * host: a thread's silence is not timed, it is over as soon as a step without end was sent to it. So no busy machine makes another one of it.
 */
export async function buildPlantedThread() {
  const folder = await mkdtemp(path.join(tmpdir(), 'vectora-planted-'));
  const outfile = path.join(folder, 'planted-worker.mjs');
  await build({
    entryPoints: [path.join(import.meta.dirname, 'planted-worker.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
  });
  const ticks = new Set<() => void>();
  const tick = () => {
    for (const each of [...ticks]) each();
  };
  const ticker: Ticker = (each) => {
    ticks.add(each);
    return () => ticks.delete(each);
  };
  const startWorker = (shared: SharedMemory) => {
    const worker = new Worker(outfile, {
      workerData: shared,
      resourceLimits: { maxOldGenerationSizeMb: 64 },
    });
    const post = worker.postMessage.bind(worker);
    worker.postMessage = (message: unknown, memory) => {
      post(message, memory);
      if (JSON.stringify(message).includes('a step without end'))
        setImmediate(() => times(ticksOfSilence, tick));
    };
    return worker;
  };
  return { startWorker, ticker, tick, remove: () => rm(folder, { recursive: true, force: true }) };
}

function times(count: number, task: () => void): void {
  for (let i = 0; i < count; i += 1) task();
}
