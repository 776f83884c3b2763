import type { EngineReply, EngineRequest } from './engine-calls.ts';
import { memoryOf } from './packed-batch.ts';

/** What of a call moves to the other thread instead of being copied: batches and documents, which are copied for one call. */

export function movableOfRequest(request: EngineRequest): ArrayBuffer[] {
  return 'batch' in request ? memoryOf(request.batch) : [];
}

export function movableOfReply(reply: EngineReply): ArrayBuffer[] {
  if (reply instanceof Uint8Array) return memoryOfText(reply);
  if (Array.isArray(reply)) return memoryOfSources(reply.find((item) => item !== null));
  if (reply === null) return [];
  if ('lines' in reply) return memoryOfText(reply.lines);
  if ('map' in reply) return memoryOfText(reply.map);
  if (!('hits' in reply)) return [];
  const facets = 'facets' in reply ? reply.facets : null;
  return facets === null ? memoryOfText(reply.hits) : [reply.hits, facets].flatMap(memoryOfText);
}

/** The documents of an answer share one buffer. */
function memoryOfSources(first: unknown): ArrayBuffer[] {
  const isDocument = typeof first === 'object' && first !== null && 'source' in first;
  const buffer = isDocument && first.source instanceof Uint8Array ? first.source.buffer : null;
  return buffer instanceof ArrayBuffer ? [buffer] : [];
}

function memoryOfText({ buffer }: Pick<Uint8Array, 'buffer'>): ArrayBuffer[] {
  return buffer instanceof ArrayBuffer ? [buffer] : [];
}
