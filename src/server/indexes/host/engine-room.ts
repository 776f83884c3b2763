import { SearchIndex } from '#server/engine/search-index.ts';
import { decodeSnapshot, encodeSnapshot } from '#server/engine/snapshot.ts';
import type { IndexSettings, SearchQuery, WriteBatch } from '#server/engine/types.ts';

/** What a host is asked, as data that can cross a thread. */
export type EngineRequest =
  | { call: 'open'; collectionId: number; settings: IndexSettings; snapshot: Uint8Array | null }
  | { call: 'apply'; collectionId: number; batch: WriteBatch }
  | { call: 'search'; collectionId: number; query: SearchQuery }
  | { call: 'documents'; collectionId: number; ids: string[]; withVectors: boolean }
  | { call: 'ids'; collectionId: number; filter: string | null }
  | { call: 'fields' | 'stats' | 'snapshot' | 'close'; collectionId: number };

/** The index a call speaks of is not in this host: it was never opened here, or was lost with the thread that held it. */
export class IndexLostError extends Error {
  constructor(collectionId: number) {
    super(`The index of collection ${collectionId} is not open in this host`);
    this.name = 'IndexLostError';
  }
}

/** The indexes of one thread. Synchronous: the thread that runs it answers one call after the other. */
export class EngineRoom {
  readonly #indexes = new Map<number, SearchIndex>();

  run(request: EngineRequest): unknown {
    const { collectionId } = request;
    switch (request.call) {
      case 'open':
        return this.#open(collectionId, request.settings, request.snapshot);
      case 'close':
        this.#indexes.delete(collectionId);
        return null;
      case 'apply':
        return this.#apply(collectionId, request.batch);
      case 'search':
        return this.#index(collectionId).search(request.query);
      case 'documents':
        return this.#index(collectionId).documents(request.ids, request.withVectors);
      case 'ids':
        return this.#index(collectionId).ids(request.filter);
      case 'fields':
        return this.#index(collectionId).fields();
      case 'stats':
        return this.#index(collectionId).stats();
      case 'snapshot':
        return encodeSnapshot(this.#index(collectionId), collectionId);
    }
  }

  #open(collectionId: number, settings: IndexSettings, snapshot: Uint8Array | null) {
    const decoded = snapshot ? decodeSnapshot(snapshot, collectionId, settings) : null;
    const index = decoded && 'index' in decoded ? decoded.index : SearchIndex.create(settings);
    this.#indexes.set(collectionId, index);
    return { ...index.stats(), refused: decoded && 'refused' in decoded ? decoded.refused : null };
  }

  #apply(collectionId: number, batch: WriteBatch) {
    const index = this.#index(collectionId);
    index.apply(batch);
    return index.stats();
  }

  #index(collectionId: number): SearchIndex {
    const index = this.#indexes.get(collectionId);
    if (!index) throw new IndexLostError(collectionId);
    return index;
  }
}
