import { relevanceOf } from '#server/engine/search-index.ts';
import type { Steps } from '#server/engine/steps.ts';
import type { RelevanceModel } from '#server/engine/types.ts';
import { brierScore, calibrationError, type ToldPair } from './calibration-error.ts';
import { fitRelevance } from './fit-relevance.ts';
import type { JudgedPair } from './judged-pair.ts';

const folds = 5;

export interface HeldOutError {
  calibrationError: number;
  brier: number;
}

/** The errors of relevance that is told of queries that the fit has not seen. */
export function* heldOutError(pairs: readonly JudgedPair[]): Steps<HeldOutError> {
  const told = yield* toldHeldOut(pairs);
  return { calibrationError: calibrationError(told), brier: brierScore(told) };
}

/**
 * The pairs in five folds, each told by what is fitted to the other four; in their order. All pairs of a query are in one fold, as hits of a query are
 * alike.
 */
export function* toldHeldOut<Pair extends JudgedPair>(pairs: readonly Pair[]): Steps<(Pair & ToldPair)[]> {
  const models: RelevanceModel[] = [];
  for (let fold = 0; fold < folds; fold += 1)
    models.push(yield* fitRelevance(pairs.filter(({ query }) => query % folds !== fold)));
  return pairs.map((pair) => {
    const model = models[pair.query % folds];
    return { ...pair, relevance: model === undefined ? 0 : relevanceOf(model, pair) };
  });
}
