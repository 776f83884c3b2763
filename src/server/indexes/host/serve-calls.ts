import type { MessagePort } from 'node:worker_threads';
import {
  AnswerTooLargeError,
  FieldNameError,
  FilterFaultError,
  TooDearError,
} from '#server/engine/search-index.ts';
import { CallSlices } from './call-slices.ts';
import type { EngineCallHandler } from './engine-call-handler.ts';
import { IndexLostError } from './index-lost-error.ts';
import { movableOfReply } from './movable-memory.ts';
import type { Preemption } from './preemption.ts';
import type { Outcome, ThreadAnswer, ThreadMessage, ThreadRequest } from './thread-messages.ts';
import { threadTime } from './thread-time.ts';

/** The thread's end of the messages. Between calls, while there is none, it does what indexes have to do beside them. */
export function serveCalls(
  port: MessagePort,
  handler: Pick<EngineCallHandler, 'start' | 'upkeep'>,
  preemption: Preemption,
): void {
  const slices = new CallSlices(handler, preemption);
  const processorMs = threadTime();
  let isUpkeepDue = false;
  const keepUp = () => {
    if (isUpkeepDue || !slices.isIdle) return;
    isUpkeepDue = true;
    setImmediate(() => {
      isUpkeepDue = false;
      if (slices.isIdle && handler.upkeep()) keepUp();
    });
  };
  port.postMessage({ isReady: true } satisfies ThreadMessage);
  port.on('message', (message: ThreadRequest) => {
    const startedAt = performance.now();
    const computedBefore = processorMs?.() ?? startedAt;
    const outcome = take(slices, message);
    if (outcome === null) return;
    const now = performance.now();
    const reply: ThreadAnswer = {
      id: message.id,
      tookMs: now - startedAt,
      computedMs: (processorMs?.() ?? now) - computedBefore,
      ...outcome,
    };
    port.postMessage(reply, 'value' in outcome ? movableOfReply(outcome.value) : []);
    keepUp();
  });
}

/** Null: nothing is to be said. */
function take(slices: CallSlices, message: ThreadRequest): Outcome | null {
  try {
    return slices.take(message);
  } catch (error) {
    if (error instanceof IndexLostError) return { lost: true };
    if (error instanceof FilterFaultError) return { faults: error.diagnostics, isOfRule: error.isOfRule };
    if (error instanceof FieldNameError) return { unknownName: { part: error.part, fault: error.fault } };
    if (error instanceof AnswerTooLargeError) return { tooLargeBytes: error.bytes };
    if (error instanceof TooDearError) return { tooDear: error.part };
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return { error: { message, stack } };
  }
}
