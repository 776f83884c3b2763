import { parentPort } from 'node:worker_threads';
import { FilterFaultError } from '#server/engine/search-index.ts';
import type { Diagnostic } from '#server/engine/types.ts';
import { type EngineRequest, EngineRoom, IndexLostError } from './engine-room.ts';
import { type PackedBatch, unpackBatch } from './packed-batch.ts';

/** A thread that owns the indexes hashed to it: requests in, answers out, in order. */

export interface HostMessage {
  id: number;
  request:
    | Exclude<EngineRequest, { call: 'apply' }>
    | { call: 'apply-packed'; collectionId: number; batch: PackedBatch };
}
export type HostAnswer =
  | { id: number; value: unknown }
  | { id: number; lost: true }
  | { id: number; faults: Diagnostic[] }
  | { id: number; error: { message: string; stack: string | undefined } };

const room = new EngineRoom();

function answer({ id, request }: HostMessage): HostAnswer {
  try {
    return { id, value: room.run(unpacked(request)) };
  } catch (error) {
    if (error instanceof IndexLostError) return { id, lost: true };
    if (error instanceof FilterFaultError) return { id, faults: error.diagnostics };
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return { id, error: { message, stack } };
  }
}

function unpacked(request: HostMessage['request']): EngineRequest {
  return request.call === 'apply-packed'
    ? { call: 'apply', collectionId: request.collectionId, batch: unpackBatch(request.batch) }
    : request;
}

/** A snapshot is large and made for the caller: its memory moves instead of being copied. */
function movable(value: unknown): ArrayBuffer[] {
  return value instanceof Uint8Array && value.buffer instanceof ArrayBuffer ? [value.buffer] : [];
}

parentPort?.on('message', (message: HostMessage) => {
  const reply = answer(message);
  parentPort?.postMessage(reply, 'value' in reply ? movable(reply.value) : []);
});
