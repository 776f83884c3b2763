import type { EngineRequest } from './engine-room.ts';
import type { EngineHost } from './host.ts';

/**
 * The host interface over one function that carries a request to where the engine is and its answer back. The carrier's caller vouches
 * for the answers' types: both ends are built from the same `EngineRoom`.
 */
export function hostOver(
  carry: <Answer>(request: EngineRequest) => Promise<Answer>,
  stop: () => Promise<void>,
): EngineHost {
  return {
    open: (collectionId, settings, snapshot) => carry({ call: 'open', collectionId, settings, snapshot }),
    apply: (collectionId, batch) => carry({ call: 'apply', collectionId, batch }),
    search: (collectionId, query) => carry({ call: 'search', collectionId, query }),
    documents: (collectionId, ids, withVectors) =>
      carry({ call: 'documents', collectionId, ids, withVectors }),
    ids: (collectionId, filter) => carry({ call: 'ids', collectionId, filter }),
    fields: (collectionId) => carry({ call: 'fields', collectionId }),
    stats: (collectionId) => carry({ call: 'stats', collectionId }),
    snapshot: (collectionId) => carry({ call: 'snapshot', collectionId }),
    close: (collectionId) => carry({ call: 'close', collectionId }),
    stop,
  };
}
