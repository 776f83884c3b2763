import { parentPort } from 'node:worker_threads';
import { AnswerTooLargeError, FilterFaultError, TooDearError } from '#server/engine/search-index.ts';
import type { Diagnostic } from '#server/engine/types.ts';
import { EngineCallHandler, type EngineReply, type EngineRequest } from './engine-calls.ts';
import { IndexLostError } from './index-lost-error.ts';
import { movableOfReply } from './movable-memory.ts';

/** A thread that owns the indexes hashed to it: requests in, answers out, in order. */

export interface ThreadRequest {
  id: number;
  collectionId: number;
  request: EngineRequest;
}
export type ThreadAnswer = {
  id: number;
  /** Milliseconds of the thread. */
  tookMs: number;
} & Outcome;

type Outcome =
  | { value: EngineReply }
  | { lost: true }
  | { faults: Diagnostic[] }
  | { tooLargeBytes: number }
  | { tooDear: TooDearError['part'] }
  | { error: { message: string; stack: string | undefined } };

const handler = new EngineCallHandler();

function answer({ collectionId, request }: ThreadRequest): Outcome {
  try {
    return { value: handler.run(collectionId, request) };
  } catch (error) {
    if (error instanceof IndexLostError) return { lost: true };
    if (error instanceof FilterFaultError) return { faults: error.diagnostics };
    if (error instanceof AnswerTooLargeError) return { tooLargeBytes: error.bytes };
    if (error instanceof TooDearError) return { tooDear: error.part };
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return { error: { message, stack } };
  }
}

parentPort?.on('message', (message: ThreadRequest) => {
  const startedAt = performance.now();
  const outcome = answer(message);
  const reply: ThreadAnswer = { id: message.id, tookMs: performance.now() - startedAt, ...outcome };
  parentPort?.postMessage(reply, 'value' in outcome ? movableOfReply(outcome.value) : []);
});
