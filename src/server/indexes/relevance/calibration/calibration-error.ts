/** How far told relevance lies from what people have said. */

export interface ToldPair {
  /** 0 to 1. */
  relevance: number;
  isRelevant: boolean;
}

const bins = 10;

/**
 * The expected calibration error over ten bins of equal width: how far, on the average over the pairs, the relevance that is told in a bin lies
 * from the share of it that is relevant (M. Naeini, G. Cooper, M. Hauskrecht, "Obtaining well calibrated probabilities using Bayesian binning",
 * AAAI 2015). 0 to 1.
 */
export function calibrationError(pairs: readonly ToldPair[]): number {
  const told = new Float64Array(bins);
  const relevant = new Float64Array(bins);
  for (const { relevance, isRelevant } of pairs) {
    const bin = Math.min(bins - 1, Math.floor(relevance * bins));
    told[bin] = (told[bin] ?? 0) + relevance;
    relevant[bin] = (relevant[bin] ?? 0) + Number(isRelevant);
  }
  const apart = told.reduce((sum, each, bin) => sum + Math.abs(each - (relevant[bin] ?? 0)), 0);
  return apart / Math.max(1, pairs.length);
}

/** The mean squared difference (G. Brier, 1950). 0 to 1; saying the share of all for each is share · (1 − share). */
export function brierScore(pairs: readonly ToldPair[]): number {
  const squares = pairs.reduce(
    (sum, { relevance, isRelevant }) => sum + (relevance - Number(isRelevant)) ** 2,
    0,
  );
  return squares / Math.max(1, pairs.length);
}
