/**
 * What goes into the engine and what comes out: plain data that can cross a thread.
 * "Ordinal" is the engine's own dense number of a document (0, 1, 2, …); "id" is the caller's string. They never share a name.
 */

export type Metric = 'cosine' | 'euclidean' | 'dotproduct';
export type FieldType = 'string' | 'number' | 'boolean' | 'date';

export interface IndexSettings {
  /** Components of every vector. */
  dimension: number;
  metric: Metric;
  /** Declared fields; others are inferred on first sight. */
  fields: { name: string; type: FieldType }[];
}

/** One document as the record holds it. */
export interface IndexedDocument {
  id: string;
  /** The document's JSON text, `id` included, `embedding` left out. */
  source: string;
  /** One row of `dimension` components a passage, row-major; empty: the document has no vector. */
  vectors: Float32Array;
  /** Three numbers a passage: text field's place among the document's text fields (−1: several joined), start, end (UTF-16 offsets). */
  spans: Int32Array;
}

/** A document as it is read. */
export interface FoundDocument extends Omit<IndexedDocument, 'source'> {
  /** The JSON text in UTF-8, in a buffer shared with the other documents of the answer and with nothing else. */
  source: Uint8Array;
}

/** Everything one collection version changed. Versions only grow; the engine refuses an older one. */
export interface WriteBatch {
  version: number;
  puts: IndexedDocument[];
  deletes: string[];
}

export interface IndexStats {
  version: number;
  documentCount: number;
  vectorCount: number;
  /** Bytes of the typed arrays the index holds. */
  memoryBytes: number;
}

/** An index as named pieces of bytes. */
export type Snapshot = Map<string, Uint8Array>;

export interface SortKey {
  /** A field's path, or `_score`, `_text_match`, `_vector_distance`. */
  field: string;
  descending: boolean;
}

export interface FacetRequest {
  field: string;
  /** Labelled ranges; the end is excluded, null is open. Empty: count values. */
  ranges: { label: string; from: number | null; to: number | null }[];
}

export interface SearchQuery {
  mode: 'keyword' | 'vector' | 'hybrid';
  /** The words as typed; '' or '*' match every document. */
  text: string;
  /** Fields to search with their weights; null: every text field at weight 1. */
  fields: { name: string; weight: number }[] | null;
  /** Query vector; needed for `vector` and `hybrid` (null there: the query has no vector, the vector side is empty). */
  vector: Float32Array | null;
  /** The filter's text. */
  filter: string | null;
  sort: SortKey[];
  facets: FacetRequest[];
  facetQuery: string | null;
  facetValuesMax: number;
  offset: number;
  limit: number;
  prefix: boolean;
  typosMax: number;
  dropTokensThreshold: number;
  match: 'auto' | 'all' | 'any';
  /** Neighbours on the vector side. */
  k: number;
  distanceThreshold: number | null;
  /** Weight of the vector side in hybrid. */
  alpha: number;
  fusion: 'weighted' | 'rrf';
  /** Fields to highlight; null: the searched ones that matched. */
  highlightFields: string[] | null;
  /** Left out of the candidates, by id (`similar` leaves the document itself out). */
  excludeIds: string[];
}

export interface EngineHit {
  id: string;
  /** The document's JSON text in UTF-8, in a buffer shared with the other hits and with nothing else. */
  source: Uint8Array;
  score: number;
  textMatch: number | null;
  vectorDistance: number | null;
  highlights: { field: string; snippet: string; matchedTokens: string[] }[];
  passage: { field: string; start: number; end: number } | null;
}

export interface EngineFacet {
  field: string;
  counts: { value: string; count: number; highlighted?: string }[];
  stats: { min: number; max: number; avg: number; sum: number } | null;
}

export interface EngineAnswer {
  /** Size of the candidate set: hits on all pages together. */
  found: number;
  /** Documents in the collection. */
  outOf: number;
  hits: EngineHit[];
  facets: EngineFacet[];
  /** Which rule decided what a keyword match is; null without words. */
  matchRule: 'all' | 'any' | 'most' | null;
  droppedTokens: string[];
  correctedTokens: { from: string; to: string }[];
}

/** A fault in something a person wrote: where (0-based UTF-16 offset) and what was expected. */
export interface Diagnostic {
  position: number;
  message: string;
}

/** A field as the index sees it. */
export interface FieldView {
  path: string;
  /** Types seen, declared one first. */
  types: FieldType[];
  isDeclared: boolean;
  /** Documents that have the field. */
  documentCount: number;
}
