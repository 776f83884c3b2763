import type { Snapshot } from '#server/engine/types.ts';
import type { EngineReply, EngineRequest } from './engine-calls.ts';
import { memoryOf } from './packed-batch.ts';

/** What of a call moves to the other thread instead of being copied: batches and snapshots, which are made for one call. */

export function movableOfRequest(request: EngineRequest): ArrayBuffer[] {
  if ('batch' in request) return memoryOf(request.batch);
  return 'snapshot' in request && request.snapshot ? memoryOfSnapshot(request.snapshot) : [];
}

export function movableOfReply(reply: EngineReply): ArrayBuffer[] {
  return reply instanceof Map ? memoryOfSnapshot(reply) : [];
}

function memoryOfSnapshot(snapshot: Snapshot): ArrayBuffer[] {
  const buffers = new Set(Array.from(snapshot.values(), (bytes) => bytes.buffer));
  return [...buffers].filter((buffer) => buffer instanceof ArrayBuffer);
}
