/**
 * Weights of a logistic regression by Newton's method, whose steps are halved until they gain (H.-T. Lin, C.-J. Lin, R. Weng, "A note on Platt's
 * probabilistic outputs for support vector machines", Machine Learning 68, 2007). As there, targets are (n + 1) / (n + 2) of n relevant pairs and
 * 1 / (m + 2) of m others, so that no weight grows without end. Figures are standardised, and their weights have a ridge of 1 (S. le Cessie, J. van
 * Houwelingen, "Ridge estimators in logistic regression", 1992), by which figures that say the same share what they say.
 *
 * The weight of the score is not negative: where the best one were, it is 0, and the others are fitted without it.
 * Cost: a pass over the pairs for each of some ten rounds.
 */
import type { Steps } from '#server/engine/steps.ts';
import type { RelevanceModel } from '#server/engine/types.ts';
import type { JudgedPair } from './judged-pair.ts';
import { solve } from './solve.ts';

type Figure = 'score' | 'words' | 'nearest';
const figures: readonly Figure[] = ['score', 'words', 'nearest'];
const ridge = 1;
const roundsMax = 50;
const halvingsMax = 30;
/** What is gained by a step, of the loss, below which there is no further one. */
const gainMin = 1e-10;
const pairsAtOnce = 4_096;

export function* fitRelevance(pairs: readonly JudgedPair[]): Steps<RelevanceModel> {
  const model = yield* fitTo(pairs, figures);
  return model.score < 0 ? yield* fitTo(pairs, ['words', 'nearest']) : model;
}

interface Column {
  name: Figure;
  mean: number;
  deviation: number;
  /** Standardised, by pair. */
  values: Float64Array;
}

function* fitTo(pairs: readonly JudgedPair[], names: readonly Figure[]): Steps<RelevanceModel> {
  const columns = names.flatMap((name) => columnOf(pairs, name));
  yield;
  const targets = targetsOf(pairs);
  const rows = [new Float64Array(pairs.length).fill(1), ...columns.map(({ values }) => values)];
  let weights = rows.map(() => 0);
  let loss = yield* lossOf(rows, targets, weights);
  for (let round = 0; round < roundsMax; round += 1) {
    const step = yield* newtonStep(rows, targets, weights);
    const next = yield* alongStep(rows, targets, { weights, step, loss });
    if (next === null) break;
    const gain = loss - next.loss;
    ({ weights, loss } = next);
    if (gain < gainMin * (1 + Math.abs(loss))) break;
  }
  return unscaled(columns, weights);
}

/** Null: no step along it gains, so the weights are the best ones. */
function* alongStep(
  rows: readonly Float64Array[],
  targets: Float64Array,
  { weights, step, loss }: { weights: number[]; step: number[]; loss: number },
): Steps<{ weights: number[]; loss: number } | null> {
  for (let halving = 0, share = 1; halving < halvingsMax; halving += 1, share /= 2) {
    const next = weights.map((weight, i) => weight - share * (step[i] ?? 0));
    const nextLoss = yield* lossOf(rows, targets, next);
    if (nextLoss < loss) return { weights: next, loss: nextLoss };
  }
  return null;
}

/** Of a figure in which pairs differ. */
function columnOf(pairs: readonly JudgedPair[], name: Figure): Column[] {
  const mean = pairs.reduce((sum, pair) => sum + pair[name], 0) / pairs.length;
  const squares = pairs.reduce((sum, pair) => sum + (pair[name] - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / pairs.length);
  if (!(deviation > 1e-6 * (1 + Math.abs(mean)))) return [];
  return [
    { name, mean, deviation, values: Float64Array.from(pairs, (pair) => (pair[name] - mean) / deviation) },
  ];
}

function targetsOf(pairs: readonly JudgedPair[]): Float64Array {
  const relevant = pairs.filter(({ isRelevant }) => isRelevant).length;
  const high = (relevant + 1) / (relevant + 2);
  const low = 1 / (pairs.length - relevant + 2);
  return Float64Array.from(pairs, ({ isRelevant }) => (isRelevant ? high : low));
}

function oddsAt(rows: readonly Float64Array[], weights: readonly number[], pair: number): number {
  let odds = 0;
  for (let i = 0; i < rows.length; i += 1) odds += (weights[i] ?? 0) * (rows[i]?.[pair] ?? 0);
  return odds;
}

/** The negative log-likelihood, with the ridge. */
function* lossOf(
  rows: readonly Float64Array[],
  targets: Float64Array,
  weights: readonly number[],
): Steps<number> {
  let loss = weights.slice(1).reduce((sum, weight) => sum + (ridge / 2) * weight ** 2, 0);
  for (let pair = 0; pair < targets.length; pair += 1) {
    const odds = oddsAt(rows, weights, pair);
    // ln(1 + e^odds) without an overflow.
    loss += Math.max(odds, 0) + Math.log1p(Math.exp(-Math.abs(odds))) - (targets[pair] ?? 0) * odds;
    if (pair % pairsAtOnce === pairsAtOnce - 1) yield;
  }
  return loss;
}

/** The gradient by the inverse of the second derivatives. */
function* newtonStep(
  rows: readonly Float64Array[],
  targets: Float64Array,
  weights: readonly number[],
): Steps<number[]> {
  const gradient = weights.map((weight, i) => (i === 0 ? 0 : ridge * weight));
  const second = weights.map((_, i): number[] => weights.map((__, j) => (i === j && i > 0 ? ridge : 0)));
  for (let pair = 0; pair < targets.length; pair += 1) {
    const share = 1 / (1 + Math.exp(-oddsAt(rows, weights, pair)));
    const error = share - (targets[pair] ?? 0);
    // Far from the middle it would be nothing, and nothing can be divided by.
    const curve = Math.max(share * (1 - share), 1e-12);
    for (const [i, row] of rows.entries()) {
      const value = row[pair] ?? 0;
      gradient[i] = (gradient[i] ?? 0) + error * value;
      const line = second[i] ?? [];
      for (const [j, other] of rows.entries()) line[j] = (line[j] ?? 0) + curve * value * (other[pair] ?? 0);
    }
    if (pair % pairsAtOnce === pairsAtOnce - 1) yield;
  }
  return solve(second, gradient);
}

/** Weights of the figures as they are. */
function unscaled(columns: readonly Column[], [base = 0, ...weights]: readonly number[]): RelevanceModel {
  const model = { base, score: 0, words: 0, nearest: 0 };
  columns.forEach(({ name, mean, deviation }, i) => {
    const weight = (weights[i] ?? 0) / deviation;
    model[name] = weight;
    model.base -= weight * mean;
  });
  return model;
}
