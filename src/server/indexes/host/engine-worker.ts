import { parentPort } from 'node:worker_threads';
import { FilterFaultError } from '#server/engine/search-index.ts';
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
export type ThreadAnswer =
  | { id: number; value: EngineReply }
  | { id: number; lost: true }
  | { id: number; faults: Diagnostic[] }
  | { id: number; error: { message: string; stack: string | undefined } };

const handler = new EngineCallHandler();

function answer({ id, collectionId, request }: ThreadRequest): ThreadAnswer {
  try {
    return { id, value: handler.run(collectionId, request) };
  } catch (error) {
    if (error instanceof IndexLostError) return { id, lost: true };
    if (error instanceof FilterFaultError) return { id, faults: error.diagnostics };
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return { id, error: { message, stack } };
  }
}

parentPort?.on('message', (message: ThreadRequest) => {
  const reply = answer(message);
  parentPort?.postMessage(reply, 'value' in reply ? movableOfReply(reply.value) : []);
});
