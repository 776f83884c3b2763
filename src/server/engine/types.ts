/**
 * What goes into the engine and what comes out: plain data that can cross a thread.
 * "Ordinal" is the engine's own dense number of a document (0, 1, 2, …); "id" is the caller's string. They never share a name.
 */

import type { Explanation } from './query/explain/explanation.ts';
import type { Point } from './query/geo/point.ts';
import type { EngineGroup, Grouping } from './query/groups/grouping.ts';
import type { RelevanceFigures, RelevanceModel } from './query/relevance/relevance-model.ts';
import type { WalkPlace } from './query/walk/walk-place.ts';
import type { Analyzer } from './text/analyzer.ts';
import type { ScanStats } from './vector/scan-stats.ts';

export type { CompletedWord } from './lexical/complete-words.ts';
export type { RelevanceFigures, RelevanceModel } from './query/relevance/relevance-model.ts';

export type Metric = 'cosine' | 'euclidean' | 'dotproduct';
export type FieldType = 'string' | 'number' | 'boolean' | 'date' | 'geopoint';

export interface IndexSettings {
  /** Components of every vector. */
  dimension: number;
  metric: Metric;
  /** Declared fields; others are inferred on first sight. */
  fields: { name: string; type: FieldType }[];
  /** How texts become words; absent: `english`. */
  analyzer?: Analyzer;
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

export interface IndexStats extends ScanStats {
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
  /** Of a field with points: by how far they are from here. */
  from?: Point;
}

export interface FacetRequest {
  field: string;
  /** Labelled ranges; the end is excluded, null is open. Empty: count values. */
  ranges: { label: string; from: number | null; to: number | null }[];
}

/** What scores and matches are made of. A share says what a variant counts beside the word itself; to the nearest 1/1024. */
export interface Ranking {
  /** Of BM25. */
  k1: number;
  b: number;
  /** Of the fields that titles stand in, where all fields are searched. */
  titleWeight: number;
  /** What a document earns whose title is what was asked for: of what all words weigh together. */
  wholeTitleShare: number;
  /** Of words that tell little, in a query that has more than `shortWordsMax` others. */
  faintShare: number;
  prefixShare: number;
  /** By typos: 1 for none. */
  typoShares: readonly [none: number, one: number, two: number];
  synonymShare: number;
  /** How much of its weight a word keeps that is read as another, by typos between them. */
  certainty: readonly [none: number, one: number, two: number];
  /** How much of its weight a document covers that has only a neighbour of a word others have. */
  coveredByTypo: number;
  /** The same of a word that nobody has, where others have a nearer neighbour. */
  coveredByTwoTypos: number;
  /** What a match covers of what the best one covers: of a short query, and of a longer one. */
  coverageShare: number;
  longCoverageShare: number;
  /** A query of up to this many words wants all of them; its last word is being typed. */
  shortWordsMax: number;
  /** Fewer documents that hold all words of a short query do not hide others. */
  fewMatches: number;
  /** Fewer matches than this are few; a word that fewer documents hold is rare. */
  fewDocuments: number;
  /** A word that this share of the documents holds is spelt right. */
  commonShare: number;
  /** Of reciprocal rank fusion. */
  rankConstant: number;
  /** The range of similarities is looked for among so many of each side, or `k` if that is more. */
  calibrationMin: number;
  /** Standard deviations of all documents' similarities that count as much as the best match of the words, at least. */
  similarityDeviations: number;
  /** Of what the words of a hybrid search weigh together, what a document has to earn to count in full. */
  wordsRange: number;
  /** How much of the words' part of a hybrid score is for what a document covers of them. */
  coveredWeight: number;
  /** How much less a vector counts where documents hold all words. */
  certainWords: number;
  /** Of what stands near to a document in a hybrid score (`query/neighbour-support.ts`). */
  neighboursWeight: number;
}

/** Words of the query, one behind the other, that also stand for others; all folded. */
export interface Synonym {
  words: string[];
  /** Each is a word, or several that must stand one behind the other. */
  alternatives: (readonly string[])[];
}

/** A document that stands at a place of the list whatever its score. */
export interface Pin {
  id: string;
  /** From 1. */
  position: number;
}

export interface SearchQuery {
  mode: 'keyword' | 'vector' | 'hybrid';
  /** As typed, operators too (`text/query-syntax.ts`); without words, or '*', every document matches that the operators admit. */
  text: string;
  /** Fields to search with their weights; null: every text field at weight 1, titles at `ranking.titleWeight`. */
  fields: { name: string; weight: number }[] | null;
  /** Query vector, or several row by row, of which the nearest counts; needed for `vector` and `hybrid` (null there: the query has no vector, the vector side is empty). */
  vector: Float32Array | null;
  /** The filter's text. */
  filter: string | null;
  /** A second one that must pass too, which is somebody else's: its faults are told apart. */
  ruleFilter: string | null;
  sort: SortKey[];
  facets: FacetRequest[];
  facetQuery: string | null;
  facetValuesMax: number;
  /** Whether a field's own conditions in `filter` do not count for its facet. */
  areFacetsDisjunctive: boolean;
  /** Null: hits are not grouped. Else `offset` and `limit` count groups. */
  group: Grouping | null;
  /** Null: a page by its offset. Else the answer says where the next page begins; `from`: where this one does, in place of `offset`. */
  walk: { from: WalkPlace | null } | null;
  offset: number;
  limit: number;
  prefix: boolean;
  typosMax: number;
  /** When words are joined and split: never, while few documents are found and typos are allowed, or always. */
  wordBreaks: 'off' | 'fallback' | 'always';
  dropTokensThreshold: number;
  match: 'auto' | 'all' | 'any';
  /** Words of the text, folded, that are left out unless there is nothing else; null: the analyzer's stop words. */
  stopWords: string[] | null;
  synonyms: Synonym[];
  /** Neighbours on the vector side. */
  k: number;
  /** Whether all vectors that pass are compared as they are, not those alone that look near by their codes. */
  isExact: boolean;
  /** How vectors are compared; null: as the index does. */
  metric: Metric | null;
  distanceThreshold: number | null;
  /** Weight of the vector side in hybrid. */
  alpha: number;
  /** How much of the text its model reads, 0 to 1; null: the vector is not made of the text. */
  vectorTrust: number | null;
  fusion: 'weighted' | 'rrf';
  /** Fields to highlight; null: the searched ones that matched. */
  highlightFields: string[] | null;
  /** Left out of the candidates, by id (`similar` leaves the document itself out). */
  excludeIds: string[];
  /** Placed in the list if they pass the filters, also where they are no matches. */
  pins: Pin[];
  ranking: Ranking;
  /** By what hits' relevance is told, and what is no match for having less of it (null: nothing is); null or absent: it is not told. Of hits without words and vector it never is. */
  relevance?: { model: RelevanceModel; min: number | null } | null;
  /** By what it is told whether hits fit what was asked; null or absent: it is not told. */
  fit?: FitAsked | null;
  /** What the texts of the page's documents may have together; absent: any number. */
  sourceBytesMax?: number;
  /** What highlights may have, and explanations, or it is given up before all are made: there may be as many as words in all fields. */
  answerBytesMax?: number;
  /** Whether hits say what their scores are made of. */
  isExplained?: boolean;
}

/** What it is told by whether hits fit what was asked (`query/fit.ts`). */
export interface FitAsked {
  /**
   * What similarities by cosine say: `own`: those of the built-in models, which the constants were chosen on; `other`: another model's, whose scale is another;
   * `unread`: nothing, as the built-in models do not read the query.
   */
  scale: 'own' | 'other' | 'unread';
  /** Words of the query that may be meant as they were typed: what is read as others is not covered by those. */
  knownWords: readonly string[];
}

export interface FiguresAsked {
  /** Ids of documents; those that the search does not find are left out. */
  judged: readonly string[];
  /** How many of the best hits are told beside them. */
  first: number;
}

export interface JudgedFigures extends RelevanceFigures {
  id: string;
  isFirst: boolean;
}

/** What a search spends its time on; `answer`: writing down what was found, which is not done here. */
export type SearchPart =
  | 'filter'
  | 'words'
  | 'vector'
  | 'ranking'
  | 'groups'
  | 'highlights'
  | 'explain'
  | 'facets'
  | 'answer';

/** Where a search stands; it is written down on the way. */
export interface SearchProgress {
  part: SearchPart | null;
}

export interface EngineHit {
  id: string;
  /** Of the document's JSON text in UTF-8. */
  sourceBytes: number;
  /** The text, read when it is asked for, so that a page of long ones is not held at once: before the index changes. */
  readonly source: Uint8Array;
  score: number;
  /** 0 to 1; absent: it is not told, or a pin alone has brought the document in. */
  relevance?: number;
  /** Whether it fits what was asked; absent: it is not told, or cannot be. */
  fits?: boolean;
  textMatch: number | null;
  vectorDistance: number | null;
  /** It stands where it was pinned. */
  isPinned: boolean;
  highlights: { field: string; snippet: string; matchedTokens: string[] }[];
  passage: { field: string; start: number; end: number } | null;
  /** By field, how far its nearest point is from where the search sorts from; absent: it does not. */
  distancesMeters?: Record<string, number>;
  /** Absent: it was not asked for. */
  explanation?: Explanation;
}

export interface EngineFacet {
  field: string;
  counts: { value: string; count: number; highlighted?: string }[];
  /** Of the numbers; `count` is how many there are. */
  stats: { count: number; min: number; max: number; avg: number; sum: number } | null;
}

export interface EngineAnswer {
  /** Size of the candidate set, in groups where hits are grouped: all pages together. */
  found: number;
  /** The same in documents. */
  foundDocuments: number;
  /** Of the page, in their order; null: hits are not grouped. */
  groups: EngineGroup[] | null;
  /** Where a walk goes on; null: this was its last page, or there is no walk. */
  next: WalkPlace | null;
  /** Documents in the collection. */
  outOf: number;
  hits: EngineHit[];
  /** Whether it is told of each of the first hits that it does not fit what was asked. */
  nothingFits: boolean;
  facets: EngineFacet[];
  /** Which rule decided what a keyword match is; null without words. */
  matchRule: 'all' | 'any' | 'most' | null;
  droppedTokens: string[];
  correctedTokens: { from: string; to: string }[];
}

/** A query vector as it was written, and what came with it; null: not given. */
export interface WrittenVectorQuery {
  vector: number[] | null;
  /** Of a document whose vectors are the query's; absent: not given. */
  id?: string;
  k: number | null;
  distanceThreshold: number | null;
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
  /** Of each of these types, how many documents have a value of it. */
  counts: { type: FieldType; documentCount: number }[];
  isDeclared: boolean;
  /** Documents that have the field. */
  documentCount: number;
}
