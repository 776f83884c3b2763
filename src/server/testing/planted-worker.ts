import { parentPort, workerData } from 'node:worker_threads';
import type { Steps } from '#server/engine/steps.ts';
import { EngineCallHandler } from '#server/indexes/host/engine-call-handler.ts';
import type { EngineReply, EngineRequest } from '#server/indexes/host/engine-calls.ts';
import { Preemption } from '#server/indexes/host/preemption.ts';
import { serveCalls } from '#server/indexes/host/serve-calls.ts';
import type { SharedMemory } from '#server/indexes/host/thread-messages.ts';
import { threadTime } from '#server/indexes/host/thread-time.ts';
import { UpkeepMark } from '#server/indexes/host/upkeep-mark.ts';
import { UpkeepTurns } from '#server/indexes/host/upkeep-turns.ts';

/** The engine's thread with faults that a request calls for by its words, and otherwise as it is. */

const computedMs = threadTime() ?? (() => performance.now());

/** Steps that compute for so long, however long a busy machine makes them wait meanwhile. */
function* idle(stepMs: number): Steps<never> {
  for (;;) {
    const until = computedMs() + stepMs;
    while (computedMs() < until);
    yield;
  }
}

const shared: SharedMemory = workerData;
const preemption = new Preemption(shared.preemption);
const upkeep = new UpkeepTurns(new UpkeepMark(shared.upkeep));
let upkeepOf: (() => boolean) | null = null;

/** Steps that are over when another call wants its turn, and no sooner. */
function* stubborn(): Steps<never> {
  for (;;) {
    while (!preemption.isRequested);
    yield;
  }
}

function takeMemory(): never {
  for (const all: number[][] = []; ; ) all.push(Array(10_000).fill(0.5));
}

function stayForEver(): never {
  for (;;);
}

/** What a write leaves to be done beside calls. */
function plantedUpkeep(request: EngineRequest): (() => boolean) | null {
  const words = JSON.stringify(request);
  if (words.includes('upkeep for ever')) return stayForEver;
  return words.includes('upkeep that takes all memory') ? takeMemory : null;
}

function planted(request: EngineRequest): Steps<never> | null {
  const words = JSON.stringify(request);
  if (words.includes('steps without end')) return idle(1);
  if (words.includes('steps until another wants its turn')) return stubborn();
  if (words.includes('steps of more than a second')) return idle(1_100);
  if (words.includes('a step without end')) stayForEver();
  if (words.includes('memory without end')) takeMemory();
  return null;
}

const real = new EngineCallHandler();

if (parentPort) {
  const start: typeof real.start = (collectionId, request, progress) => {
    const fault = planted(request);
    upkeepOf ??= plantedUpkeep(request);
    if (upkeepOf) upkeep.add(collectionId);
    if (fault === null) return real.start(collectionId, request, progress);
    progress.part = 'filter';
    return fault satisfies Steps<EngineReply> as ReturnType<typeof real.start<typeof request.call>>;
  };
  serveCalls(
    parentPort,
    { start, upkeep: () => upkeep.run(() => (upkeepOf ? { upkeep: upkeepOf } : undefined)) },
    preemption,
  );
}
