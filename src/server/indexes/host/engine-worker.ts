import { parentPort, workerData } from 'node:worker_threads';
import { createGarbageCollector } from './collect-garbage.ts';
import { EngineCallHandler } from './engine-call-handler.ts';
import { Preemption } from './preemption.ts';
import { serveCalls } from './serve-calls.ts';
import type { SharedMemory, ThreadRequest } from './thread-messages.ts';
import { UpkeepMark } from './upkeep-mark.ts';
import { UpkeepTurns } from './upkeep-turns.ts';

/** It takes some ten milliseconds, so it is done once for the indexes that are closed within this time. */
const collectAfterMs = 10_000;

/** A thread that owns the indexes placed in it. */
if (parentPort) {
  const { preemption, upkeep }: SharedMemory = workerData;
  serveCalls(
    parentPort,
    new EngineCallHandler(new UpkeepTurns(new UpkeepMark(upkeep))),
    new Preemption(preemption),
  );
  const collect = createGarbageCollector();
  let isDue = false;
  parentPort.on('message', (message: ThreadRequest) => {
    if (!('request' in message) || message.request.call !== 'close') return;
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      collect();
    }, collectAfterMs).unref();
  });
}
