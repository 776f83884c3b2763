import { relevanceOf } from '#server/engine/search-index.ts';
import type { Steps } from '#server/engine/steps.ts';
import { brierScore, calibrationError, type ToldPair } from './calibration-error.ts';
import { fitRelevance } from './fit-relevance.ts';
import type { JudgedPair } from './judged-pair.ts';

const folds = 5;

export interface HeldOutError {
  calibrationError: number;
  brier: number;
}

/**
 * The errors of relevance that is told of queries that the fit has not seen: in five folds, each told by what is fitted to the other four. All
 * pairs of a query are in one fold, as hits of a query are alike.
 */
export function* heldOutError(pairs: readonly JudgedPair[]): Steps<HeldOutError> {
  const told: ToldPair[] = [];
  for (let fold = 0; fold < folds; fold += 1) {
    const isHeldOut = ({ query }: JudgedPair) => query % folds === fold;
    const model = yield* fitRelevance(pairs.filter((pair) => !isHeldOut(pair)));
    for (const pair of pairs.filter(isHeldOut))
      told.push({ relevance: relevanceOf(model, pair), isRelevant: pair.isRelevant });
    yield;
  }
  return { calibrationError: calibrationError(told), brier: brierScore(told) };
}
