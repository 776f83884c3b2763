import type { FieldType } from '#server/engine/types.ts';
import type { CollectionHandle } from '#server/indexes/indexes.ts';
import { unlessAborted } from '#server/indexes/registry/unless-aborted.ts';
import { type DrawnDocuments, drawDocuments } from './drawn-documents.ts';
import type { FixedConstants } from './fixed-constants.ts';
import type { KnownFields } from './known-fields.ts';
import type { MadeBy } from './made-by.ts';
import type { MeanLength } from './mean-length.ts';
import type { AskNamed, AskSearches } from './multi-search.ts';
import type { KnownShape } from './shape.ts';

/** What of an open index does not change while it is this generation's. */
export interface OpenedIndex extends MadeBy {
  /** Of all generations. */
  name: string;
  generation: number;
  /** By which the cluster is asked: the record alone says which generation is searched. */
  index: string;
  declared: { name: string; type: FieldType }[];
  known: KnownFields;
  /** By what texts are long: their words that are no stop words. False: all words, in one that the release before has made. */
  hasContent: boolean;
  /** Which fields there are, and of which version that was told; null: nobody has asked. */
  shape: { version: number; known: Promise<KnownShape> } | null;
  /** The last time that all documents were counted for it again; null: never. `known`: null: they are being counted, or could not be. */
  recount: { known: KnownShape | null; startedAt: number } | null;
  /** The same with how many documents have each. */
  counted: { version: number; known: Promise<KnownShape> } | null;
  /** Documents that were drawn, and at which version; null: none were. */
  drawn: { version: number; drawn: Promise<DrawnDocuments> } | null;
}

/** An index as one question finds it. */
export interface AskedVersion {
  collection: CollectionHandle;
  opened: OpenedIndex;
  /** It has this version whole. */
  version: number;
  documentCount: number;
  /** Of the collection's settings; the index may have been made with others. */
  wanted: FixedConstants;
  /** By id, of documents that have one; of the record. */
  firstVectors: (ids: string[]) => Promise<Map<string, Float32Array>>;
  /** The caller hangs up. */
  signal: AbortSignal | undefined;
  ask: AskSearches;
  /** What other questions wait for too: whatever becomes of this one. */
  askForAll: AskSearches;
  askNamed: AskNamed;
  meanLength: MeanLength;
}

/** Whose answer other questions wait for too. */
export type SharedQuestion = Pick<
  AskedVersion,
  'collection' | 'opened' | 'version' | 'documentCount' | 'signal' | 'askForAll'
>;

/** Drawn anew when the collection has become another: an eighth more versions. */
export function drawnOf({ opened, version, signal, askForAll }: SharedQuestion): Promise<DrawnDocuments> {
  const known = opened.drawn;
  if (known !== null && version - known.version <= known.version / 8)
    return unlessAborted(known.drawn, signal);
  const drawn = drawDocuments(askForAll);
  opened.drawn = { version, drawn };
  drawn.catch(() => {
    if (opened.drawn?.drawn === drawn) opened.drawn = null;
  });
  return unlessAborted(drawn, signal);
}
