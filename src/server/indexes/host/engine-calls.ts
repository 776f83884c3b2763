import { SearchIndex } from '#server/engine/search-index.ts';
import { decodeSnapshot, encodeSnapshot } from '#server/engine/snapshot.ts';
import type {
  Agreement,
  Candidates,
  EngineAnswer,
  FieldView,
  FoundDocument,
  IndexSettings,
  IndexStats,
  KeywordFigures,
  KeywordQuestion,
  KeywordReading,
  PickedCandidates,
  SearchQuery,
  SideFigures,
  Snapshot,
} from '#server/engine/types.ts';
import type { CollectionLabel } from '#shared/search.ts';
import { facetBytes } from '../search/facet-counts.ts';
import { documentsText, type HitTexts, hitsText, mergedHitTexts } from '../search/search-hit.ts';
import { areWhole, type ShownFields } from '../search/shown-document.ts';
import { IndexLostError } from './index-lost-error.ts';
import { type PackedBatch, unpackBatch } from './packed-batch.ts';

/**
 * Everything that can be asked of an index, and what it answers: plain data that can cross a thread. The host, its messages and the
 * types of both ends follow from this table; a new call is an entry here and its handler below.
 */
interface EngineCalls {
  /** Opens an index, from its snapshot when one is given. `refused` says why a snapshot was not used; the index is then empty at version 0. */
  open: {
    asks: { settings: IndexSettings; snapshot: Snapshot | null };
    answers: IndexStats & { refused: string | null };
  };
  /** Applies one version's changes. */
  apply: { asks: { batch: PackedBatch }; answers: IndexStats };
  /**
   * `hits`: the page's as JSON text in UTF-8, in memory of its own. `bytesMax`: of hits and facets; above it `AnswerTooLargeError`, before
   * documents are copied.
   */
  search: {
    asks: { query: SearchQuery } & ShownWithin;
    answers: Omit<EngineAnswer, 'hits'> & { hits: Uint8Array };
  };
  /** The same without scores: each hit is its document. */
  list: {
    asks: { query: SearchQuery } & ShownWithin;
    answers: { found: number; hits: Uint8Array };
  };
  // The steps of a search over several indexes.
  tellWords: { asks: { query: SearchQuery; question: KeywordQuestion }; answers: KeywordFigures };
  tellSides: { asks: { query: SearchQuery; reading: KeywordReading | null }; answers: SideFigures };
  rankShared: { asks: { query: SearchQuery; agreement: Agreement }; answers: Candidates };
  hitsOfPicked: {
    asks: {
      query: SearchQuery;
      reading: KeywordReading | null;
      picked: PickedCandidates;
      collection: CollectionLabel;
    } & ShownWithin;
    answers: HitTexts;
  };
  /** The documents with these ids, null where there is none; vectors too when asked for. Only the first that have `bytesMax` bytes, at least one. */
  documents: {
    asks: { ids: string[]; withVectors: boolean; bytesMax?: number };
    answers: (FoundDocument | null)[];
  };
  /** Ids of the documents that pass the filter (null: all) in id order: the first `limit` after `after`. */
  ids: { asks: { filter: string | null; after: string | null; limit: number }; answers: string[] };
  fields: { asks: object; answers: FieldView[] };
  stats: { asks: object; answers: IndexStats };
  snapshot: { asks: object; answers: Snapshot };
  close: { asks: object; answers: null };
}

/** What is shown of documents, and how many bytes their answer may have. */
interface ShownWithin {
  shown: ShownFields;
  bytesMax: number;
}

export type CallName = keyof EngineCalls;
/** Calls that change nothing, so that they may be asked again when their index was lost. */
export type ReadCall = Exclude<CallName, 'open' | 'apply' | 'snapshot' | 'close'>;
export type EngineRequest<Name extends CallName = CallName> = { call: Name } & EngineCalls[Name]['asks'];
export type EngineReply<Name extends CallName = CallName> = EngineCalls[Name]['answers'];

type CallHandlers = {
  [Name in CallName]: (collectionId: number, asks: EngineCalls[Name]['asks']) => EngineReply<Name>;
};

/** Whole documents that are too many bytes are refused before any is read. */
function within(query: SearchQuery, { shown, bytesMax }: ShownWithin): SearchQuery {
  return areWhole(shown) ? { ...query, sourceBytesMax: bytesMax } : query;
}

/** The indexes of one thread. Synchronous: the thread that runs it answers one call after the other. */
export class EngineCallHandler {
  readonly #indexes = new Map<number, SearchIndex>();

  readonly #handlers: CallHandlers = {
    open: (collectionId, { settings, snapshot }) => this.#open(collectionId, settings, snapshot),
    apply: (collectionId, { batch }) => {
      const index = this.#index(collectionId);
      index.apply(unpackBatch(batch));
      return index.stats();
    },
    search: (collectionId, { query, shown, bytesMax }) => {
      const answer = this.#index(collectionId).search(within(query, { shown, bytesMax }));
      const left = bytesMax - facetBytes(answer.facets, bytesMax);
      return { ...answer, hits: hitsText(answer.hits, shown, left) };
    },
    list: (collectionId, { query, shown, bytesMax }) => {
      const { found, hits } = this.#index(collectionId).search(within(query, { shown, bytesMax }));
      return { found, hits: documentsText(hits, shown, bytesMax) };
    },
    tellWords: (collectionId, { query, question }) => this.#index(collectionId).tellWords(query, question),
    tellSides: (collectionId, { query, reading }) => this.#index(collectionId).tellSides(query, reading),
    rankShared: (collectionId, { query, agreement }) =>
      this.#index(collectionId).rankShared(query, agreement),
    hitsOfPicked: (collectionId, { query, reading, picked, ...asked }) =>
      mergedHitTexts(
        this.#index(collectionId).hitsOfPicked(within(query, asked), { reading, picked }),
        asked,
      ),
    documents: (collectionId, { ids, withVectors, bytesMax }) =>
      this.#index(collectionId).documents(ids, withVectors, bytesMax),
    ids: (collectionId, { filter, ...part }) => this.#index(collectionId).ids(filter, part),
    fields: (collectionId) => this.#index(collectionId).fields(),
    stats: (collectionId) => this.#index(collectionId).stats(),
    snapshot: (collectionId) => encodeSnapshot(this.#index(collectionId)),
    close: (collectionId) => {
      this.#indexes.delete(collectionId);
      return null;
    },
  };

  /** @throws IndexLostError, FilterFaultError, whatever the engine throws */
  run<Name extends CallName>(collectionId: number, request: EngineRequest<Name>): EngineReply<Name> {
    return this.#handlers[request.call](collectionId, request);
  }

  #open(collectionId: number, settings: IndexSettings, snapshot: Snapshot | null) {
    const decoded = snapshot ? decodeSnapshot(snapshot, settings) : null;
    const index = decoded && 'index' in decoded ? decoded.index : SearchIndex.create(settings);
    this.#indexes.set(collectionId, index);
    return { ...index.stats(), refused: decoded && 'refused' in decoded ? decoded.refused : null };
  }

  #index(collectionId: number): SearchIndex {
    const index = this.#indexes.get(collectionId);
    if (!index) throw new IndexLostError(collectionId);
    return index;
  }
}
