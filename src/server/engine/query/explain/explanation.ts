/** What a hit's score is made of: figures that add up to it, made after the search for the hits of its page alone. */

/** How a document holds a word of the query. */
export type MatchKind = 'word' | 'synonym' | 'prefix' | 'typo';

/** All that a document holds of a word in one field and in one way. */
export interface ExplainedMatch {
  /** Null: one of the fields beyond those that are told apart. */
  field: string | null;
  kind: MatchKind;
  /** Between the word and what stands for it; 0 but for typos. */
  typos: number;
  /** What stands there, as it is indexed; the first of them. */
  forms: string[];
  /** Times it stands there. */
  frequency: number;
  fieldWeight: number;
  /** What it counts beside the word itself. */
  share: number;
  /** Of the word's score. */
  score: number;
}

interface ExplainedWord {
  word: string;
  /** Times it stands in the query. */
  count: number;
  /** Documents that hold it, by which it is weighed. */
  documents: number;
  /** Its idf, times its count, less what is lost where it is read as another. */
  weight: number;
  /** 0 to 1: how much of the weight the document earns. */
  saturation: number;
  /** Weight times saturation. */
  score: number;
  /** They add up to the score. */
  matches: ExplainedMatch[];
}

/** BM25 of a document. */
export interface ExplainedWords {
  /** The sum of the words' scores and of `wholeTitle`. */
  score: number;
  /** Weighted words of the document's searched fields, and their mean over all documents. */
  length: number;
  meanLength: number;
  words: ExplainedWord[];
  /** Words of the query that the document does not hold. */
  missing: string[];
  /** What it earns because its title is what was asked for; 0: it is not. */
  wholeTitle: number;
  /** 0 to 1: how much of the weight of all words it holds, a word that it has only with a typo in part. */
  coverage: number;
}

export interface ExplainedSimilarity {
  similarity: number;
  distance: number;
  /** Whether it is one of the `k` nearest. */
  isNeighbour: boolean;
}

/** One side of a hybrid score. */
export interface FusedSide {
  /** 0 to 1. */
  value: number;
  /** In the side's own order, from 1, where ranks make the value; null: ranks do not, or the side does not have it. */
  rank: number | null;
}

export interface ExplainedFusion {
  method: 'weighted' | 'rrf';
  alpha: number;
  keyword: FusedSide;
  /** By how far the vector is trusted. */
  vector: FusedSide;
  /** Absent: good hits do not lift each other here. */
  neighbours?: ExplainedNeighbours;
}

interface ExplainedNeighbours {
  /** The part of the score that they make, of which the two sides have the rest. */
  weight: number;
  /** Mean score of the hits that are nearest to it among the best; 0: it is none of the best. */
  value: number;
}

export interface Explanation {
  /** What each side adds to the score, the hits that are near to it with the vector. Null: it has no part in it; both null: a pin alone has brought the document in. */
  keywordScore: number | null;
  vectorScore: number | null;
  /** Null: the search has no words, or the document none of them. */
  words: ExplainedWords | null;
  /** Null: the search or the document has no vector. */
  similarity: ExplainedSimilarity | null;
  /** Null: the search is not hybrid. */
  fusion: ExplainedFusion | null;
  /** Where it is pinned, from 1. */
  pinnedAt: number | null;
}
