import type { RelevanceFigures } from '#server/engine/types.ts';

/** A hit of a judged query of which it is known whether it is relevant. */
export interface JudgedPair extends RelevanceFigures {
  /** Number of its query. */
  query: number;
  isRelevant: boolean;
}
