/**
 * How likely a hit is relevant, from its score and from two facts about its search: logistic regression, which of the score alone is Platt
 * scaling (J. Platt, "Probabilistic outputs for support vector machines", 1999). The facts are the same for all hits of a search and the weight
 * of the score is never negative, so among these hits relevance does not fall where the score rises: no order changes.
 */

/** Weights of the log-odds; fitted outside of the engine. */
export interface RelevanceModel {
  base: number;
  /** At least 0. */
  score: number;
  words: number;
  nearest: number;
}

/** What all hits of a search have in common. */
export interface RelevanceFacts {
  /** How much of what the words of the query weigh the best document has of them, 0 to 1; 0: the search has no words. */
  words: number;
  /** By how many standard deviations of all documents' similarities the nearest lies above their mean; 0: there is no vector. */
  nearest: number;
}

/** `score`: 0 to 1, of a search by one side as if it were a hybrid one with that side alone. */
export type RelevanceFigures = RelevanceFacts & { score: number };

/** 0 to 1. */
export function relevanceOf(model: RelevanceModel, { score, words, nearest }: RelevanceFigures): number {
  const common = model.base + model.words * words + model.nearest * nearest;
  return 1 / (1 + Math.exp(-(common + model.score * score)));
}
