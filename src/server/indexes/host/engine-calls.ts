import type {
  Agreement,
  Candidates,
  KeywordFigures,
  KeywordQuestion,
  KeywordReading,
  PickedHits,
  SideFigures,
} from '#server/engine/merged-types.ts';
import type { plainReads, SampleAsked, SearchIndex } from '#server/engine/search-index.ts';
import type { SnapshotPiece } from '#server/engine/snapshot.ts';
import type { Steps } from '#server/engine/steps.ts';
import type {
  EngineAnswer,
  FieldView,
  IndexSettings,
  IndexStats,
  SearchQuery,
} from '#server/engine/types.ts';
import type { CollectionLabel } from '#shared/search.ts';
import type { HitTexts } from '../search/search-hit.ts';
import type { ShownFields } from '../search/shown-document.ts';
import type { PieceOfSnapshot } from './gathered-snapshots.ts';
import type { PackedBatch } from './packed-batch.ts';
import type { PartTimes } from './part-clock.ts';

/**
 * Everything that can be asked of an index, and what it answers: plain data that can cross a thread. The host, its messages and the
 * types of both ends follow from this table. What is answered as the index answers it comes from `plainReads`; any other call is an entry here and its
 * handler in `engine-call-handler.ts`.
 */
export interface EngineCalls extends PlainReads {
  /** Opens an empty index at version 0. With the pieces of a snapshot there is none before their bytes have come by `openBytes`. */
  open: {
    asks: { settings: OpenSettings; snapshot: readonly SnapshotPiece[] | null };
    answers: IndexStats;
  };
  /**
   * The next bytes of the snapshot that is opened: piece by piece, in parts of any length, which must not be changed before the answer. Null:
   * more are to come. `refused`: why it is not used; there is no index then.
   */
  openBytes: { asks: { bytes: Uint8Array }; answers: IndexStats | { refused: string } | null };
  /** Applies one version's changes. */
  apply: { asks: { batch: PackedBatch }; answers: IndexStats };
  /**
   * `hits` (or groups of them), `facets`: as JSON texts in UTF-8, each in memory of its own; null: no facets were asked for. `bytesMax`: of both; above it
   * `AnswerTooLargeError`, before documents are copied. `heads`: of the first hits as JSON, those of groups one behind the other.
   */
  search: {
    asks: { query: SearchQuery } & ShownWithin;
    answers: Omit<EngineAnswer, 'hits' | 'groups' | 'facets'> & {
      hits: Uint8Array;
      heads: string;
      facets: Uint8Array | null;
    } & Timed;
  };
  /** Whether the fields that a search names exist. */
  check: { asks: { query: SearchQuery }; answers: null };
  /** A search without scores: each hit is its document. */
  list: { asks: { query: SearchQuery } & ShownWithin; answers: { found: number; hits: Uint8Array } };
  // The steps of a search over several indexes.
  tellWords: { asks: { query: SearchQuery; question: KeywordQuestion }; answers: KeywordFigures & Timed };
  tellSides: { asks: { query: SearchQuery; reading: KeywordReading | null }; answers: SideFigures & Timed };
  rankShared: { asks: { query: SearchQuery; agreement: Agreement }; answers: Candidates & Timed };
  /** The first vectors of documents, row by row. */
  firstVectors: { asks: { ids: string[] }; answers: { vectors: Float32Array } & Timed };
  hitsOfPicked: {
    asks: { query: SearchQuery; collection: CollectionLabel } & PickedHits & ShownWithin;
    answers: HitTexts & Timed;
  };
  /** Ids of the documents that pass the filter (null: all) in id order: the first `limit` after `after`. */
  ids: { asks: { filter: string | null; after: string | null; limit: number }; answers: string[] };
  /**
   * The same documents as lines of JSON in UTF-8: as many as have `bytesMax` bytes, at least one. `last`: behind which there may be more; null:
   * these are all.
   */
  lines: {
    asks: { filter: string | null; after: string | null; limit: number } & ShownWithin;
    answers: { lines: Uint8Array; count: number; last: string | null };
  };
  /** What a map of documents is drawn from, as JSON in UTF-8; above `bytesMax` `AnswerTooLargeError`. */
  sample: { asks: SampleAsked & { bytesMax: number }; answers: { map: Uint8Array } };
  fields: { asks: object; answers: FieldView[] };
  stats: { asks: object; answers: IndexStats };
  /** Gathers a snapshot: its pieces by name, with their bytes, which `snapshotBytes` copies, until the next change or `endSnapshot`. */
  snapshot: { asks: object; answers: SnapshotPiece[] };
  snapshotBytes: { asks: PieceOfSnapshot; answers: Uint8Array };
  endSnapshot: { asks: object; answers: null };
  close: { asks: object; answers: null };
}

export type PlainRead = (typeof plainReads)[number];
type PlainReads = {
  [Name in PlainRead]: {
    asks: Parameters<SearchIndex[Name]>[0];
    answers: ReturnType<SearchIndex[Name]> extends Steps<infer Answer> ? Answer : never;
  };
};

/** The analyzer by its language (ISO 639-1; null or absent: English), as no function crosses a thread. */
export type OpenSettings = Omit<IndexSettings, 'analyzer'> & { language?: string | null };

/** What is shown of documents, and how many bytes their answer may have. */
export interface ShownWithin {
  shown: ShownFields;
  bytesMax: number;
}

export interface Timed {
  /** How long the parts of a search took. */
  times: PartTimes;
  /** What keeps the indexes was away, or had none of this collection, and another index of the record has answered. */
  isFromRecord?: 'away' | 'being made';
}

export type CallName = keyof EngineCalls;
/** Calls that change nothing, so that they may be asked again when their index was lost. */
export type ReadCall = Exclude<
  CallName,
  'open' | 'openBytes' | 'apply' | 'snapshot' | 'snapshotBytes' | 'endSnapshot' | 'close'
>;
export type EngineRequest<Name extends CallName = CallName> = { call: Name } & EngineCalls[Name]['asks'];
export type EngineReply<Name extends CallName = CallName> = EngineCalls[Name]['answers'];
