/** What indexes tell and are told when several are searched as if they were one: plain data that can cross a thread. */
import type { EngineFacet } from './types.ts';

/** How a word of a query is read. */
export interface WordPlan {
  text: string;
  /** Times it stands in the query. */
  count: number;
  /** How much of its weight counts. */
  share: number;
  /** Whether a document that is to have all words must have this one. */
  isNeeded: boolean;
  /** Whether it also stands for the words it begins; null: only where it is no word itself. */
  isPrefix: boolean | null;
  /** A stop word that may become another word: it stands for the words it begins, and not for itself. */
  isBeginningOnly: boolean;
  /** It stands in quotation marks alone: for itself, without typos and synonyms. */
  isQuoted: boolean;
  /** Words a typo or two away that it also stands for, nearest first. */
  neighbours: readonly NearWord[];
  /** It written otherwise, each one word or several in a row: in two, or in one with the word beside it. They count as synonyms do, with a lower share. */
  breaks: string[][];
}

export interface NearWord {
  word: string;
  /** Typos. */
  distance: number;
  documents: number;
}

/** Words within the typos allowed, or, where there are none, within the wider limits. */
export interface NearWords {
  near: readonly NearWord[];
  wide: readonly NearWord[];
}

/** Living documents that hold a word of a query in a searched field. */
export interface WordFigures {
  /** As typed. */
  own: number;
  /** As typed or as the beginning of a longer word. */
  exact: number;
  /** As one of its neighbours, if nobody here holds it so. */
  near: number;
  /** Typos between it and the nearest neighbour that is held; 0: none is. */
  nearest: number;
  /** Indexes in which it is a word. */
  indexes: number;
}

/** Of words in a row. */
export interface BreakFigures {
  /** By word: living documents that hold it in any field, less those that hold it as another word beside theirs (`note-book`): below 0 where some hold several. */
  documents: number[];
  /** Of several words: of the documents that hold them all in searched fields; beyond a bound not all of them are counted. */
  characters: number;
}

export interface KeywordFigures {
  indexes: number;
  documents: number;
  /** Words of the searched fields, weighted like them. */
  length: number;
  words: WordFigures[];
  /** Documents that surely hold every word that is needed. */
  full: number;
  /** How much of the words' weight the document covers that covers most; 0 where that was not asked for. */
  covered: number;
  /** Of the words that neighbours were asked for, in their order. */
  nearWords: NearWords[];
  /** Of the breaks that were asked about, in their order. */
  breaks: BreakFigures[];
}

/** Asks an index about the words of a query. */
export interface KeywordQuestion {
  words: WordPlan[];
  /** The figures of all indexes together, as far as they are known. */
  totals: KeywordFigures | null;
  /** Words to look for neighbours of, and whether within the wider limits too. */
  lookUps: { place: number; isWide: boolean }[];
  /** One word or several in a row, each. */
  breaks: string[][];
  /** Whether `covered` is asked for. */
  wantsCovered: boolean;
}

/** What the matches of an index hold of a word of the query. */
export interface HeldWord {
  /** As typed, or as the beginning of a longer word. */
  isExact: boolean;
  isAny: boolean;
  /** Matches with each of its neighbours; counted where they hold it only so. */
  byNeighbour: number[];
}

/** How the words of a query are read, and what counts as a match: the same in all indexes. */
export interface KeywordReading {
  words: WordPlan[];
  totals: KeywordFigures;
  rule: 'all' | 'any' | 'most';
  /** Whether a document that holds all words, but some only as a neighbour, is left out by `all`, and not let in by `most`. */
  isSure: boolean;
  /** Of `most`: what a document must cover. */
  coveredMin: number;
}

/** Of the best on one side, best first: both scores. */
interface SideScores {
  texts: Float64Array;
  /** −Infinity: the document has no vector. */
  similarities: Float64Array;
}

/** What the scores of a hybrid or vector search depend on, of one index. */
export interface SideFigures {
  byText: SideScores;
  bySimilarity: SideScores;
  /** What the words weigh together, the same in all indexes. */
  asked: number;
  spread: Spread;
}

/** How the similarities of an index's documents are spread, those without a vector aside. */
export interface Spread {
  /** Documents. */
  count: number;
  mean: number;
  /** Sum of the squared differences from the mean. */
  squares: number;
}

/** What each side's scores are normalised by in a hybrid one. */
export interface Scale {
  /** The greatest text score. */
  textMax: number;
  /** A text score that counts 1, no less than the greatest; 0: there are no words. */
  textRange: number;
  /** How much of the words' part is for what a document covers of them. */
  coveredWeight: number;
  /** What counts 0. */
  similarityMin: number;
  /** What counts 1 lies so far above; 0: all similarities are equal. */
  similarityRange: number;
  /** By how many standard deviations of all the greatest similarity lies above their mean; 0: there is none, or all are equal. */
  nearest: number;
}

/** What indexes that are searched as one have agreed on. */
export interface Agreement {
  /** Null: the search has no words. */
  reading: KeywordReading | null;
  /** How many of the nearest documents lie in this index; null: the search has no vector. */
  neighbours: number | null;
  /** Null: the search is neither hybrid nor one that tells relevance. */
  scale: Scale | null;
  /** Null: the best of all do not lift each other, or it is not known yet how. */
  support: GivenSupport | null;
}

/** How the best hits of all indexes have lifted each other (`query/supported-scores.ts`). */
export interface GivenSupport {
  /** The part of a score that the nearest make. */
  weight: number;
  /** Those of this index. */
  ids: string[];
  /** Theirs now. */
  scores: Float64Array;
}

/** A part of an index's candidates in their order, without the documents. */
export interface Candidates {
  /** All of them. */
  found: number;
  outOf: number;
  ids: string[];
  scores: Float64Array;
  /** NaN: it is not told. */
  relevances: Float64Array;
  /** 0: the document has none of the words. */
  textMatches: Float64Array;
  /** How much of the words' weight they cover, 0 to 1; 0 where that counts nothing. */
  coverages: Float64Array;
  facets: EngineFacet[];
  /** 1 for one of the nearest of all. */
  areNeighbours: Uint8Array;
  /** Whether they fit what was asked; null: it is not told here. */
  fits: (boolean | null)[] | null;
  held: HeldWord[];
}

/** The candidates of an index that are on the page. */
export type PickedCandidates = Pick<
  Candidates,
  'ids' | 'scores' | 'relevances' | 'textMatches' | 'coverages' | 'areNeighbours' | 'fits'
>;

export interface PickedHits {
  agreement: Pick<Agreement, 'reading' | 'scale' | 'support'>;
  picked: PickedCandidates;
}
