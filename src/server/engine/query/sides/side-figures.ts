/**
 * What the scores of a hybrid or vector search depend on beyond the document itself: which documents are the nearest, and the range of
 * each side's scores. Decided from the best of each side, of one index or of several that are searched as one.
 *
 * Scores of words count from 0 to the greatest of them, but to no less than a share of what the words weigh together: where the best match holds few of them,
 * or hardly, the words say little.
 *
 * Similarities count from the least of these, or the mean of all documents' if that is less, to the greatest, but over no less than
 * some standard deviations of all: where the best stand out little from the rest, the vector says little, and so it counts (the score distributions of
 * A. Arampatzis and J. Kamps, "A signal-to-noise approach to score normalization", CIKM 2009).
 */

import type { Bitset } from '../../bits/bitset.ts';
import type { Scale, SideFigures } from '../../merged-types.ts';
import type { Steps } from '../../steps.ts';
import type { Ranking } from '../../types.ts';
import { type SideOfVector, type SideOfWords, scoresInPlace } from './side.ts';
import { joinedSpread } from './spread-of.ts';
import { takeBest } from './take-best.ts';

/** What covers half of the words says little, what covers all much. */
const coveragePower = 4;

export interface Sides {
  text: SideOfWords;
  /** Null: there is no vector. */
  vector: SideOfVector | null;
}

/** What says among how many of each side the range of similarities is looked for. */
interface Calibration {
  k: number;
  ranking: Pick<Ranking, 'calibrationMin'>;
}

export interface CalibrationAsked extends Calibration {
  alpha: number;
  ranking: Pick<Ranking, 'calibrationMin' | 'similarityDeviations' | 'wordsRange' | 'coveredWeight'>;
}

/** The larger of `k` and what the ranking says. */
export function calibratedBy({ k, ranking }: Calibration): number {
  return Math.max(k, ranking.calibrationMin);
}

export function* sideFigures(sides: Sides, calibration: Calibration): Steps<SideFigures> {
  const size = calibratedBy(calibration);
  const byText = yield* sides.text.best(size);
  const bySimilarity = sides.vector === null ? noneScored : yield* sides.vector.best(size);
  return {
    byText: {
      texts: byText.scores,
      similarities: yield* scoresInPlace(sides.vector, byText.ordinals, Number.NEGATIVE_INFINITY),
    },
    bySimilarity: {
      texts: yield* scoresInPlace(sides.text, bySimilarity.ordinals, 0),
      similarities: bySimilarity.scores,
    },
    spread: sides.vector === null ? noSpread : yield* sides.vector.spread(),
    asked: sides.text.asked,
  };
}

/** Of one index that is searched for itself. */
export function* ownScale(sides: Sides & { neighbours: Bitset }, asked: CalibrationAsked): Steps<Scale> {
  return scaleOf([yield* sideFigures(sides, asked)], [sides.neighbours.count()], asked);
}

const noneScored = { ordinals: new Int32Array(0), scores: new Float64Array(0) };
const noSpread = { count: 0, mean: 0, squares: 0 };

/** How many of the k nearest documents of all indexes lie in each, by their similarities, best first. */
export function neighbourCounts(lists: Float64Array[], k: number): number[] {
  const counts = lists.map(() => 0);
  for (const index of takeBest(lists, k)) counts[index] = (counts[index] ?? 0) + 1;
  return counts;
}

/** `neighbours`: how many of the nearest lie in each index. */
export function scaleOf(all: SideFigures[], neighbours: number[], asked: CalibrationAsked): Scale {
  const { min, max } = similarityBounds(all, asked);
  const { count, mean, deviation } = joinedSpread(all.map(({ spread }) => spread));
  const similarityMin = Math.min(min, mean);
  const deviations = deviationsOf(count, asked.ranking.similarityDeviations);
  const textMax = mostText(all, neighbours, asked.alpha);
  const { wordsRange, coveredWeight } = wordsSettings(asked);
  return {
    textMax,
    textRange: textMax > 0 ? Math.max(textMax, wordsRange * Math.max(...all.map((one) => one.asked))) : 0,
    coveredWeight,
    similarityMin,
    similarityRange: Math.max(max - similarityMin, deviations * deviation),
    nearest: deviation > 0 && max > Number.NEGATIVE_INFINITY ? (max - mean) / deviation : 0,
  };
}

/** Where words alone put documents forward they keep their own order. */
function wordsSettings({ alpha, ranking }: CalibrationAsked): Pick<Ranking, 'wordsRange' | 'coveredWeight'> {
  return alpha === 0 ? { wordsRange: 0, coveredWeight: 0 } : ranking;
}

/** The words' part of a hybrid score, 0..1. `coverage`: the share of their weight that the document covers. */
export function textShare(
  { textRange, coveredWeight }: Scale,
  { text, coverage, isMatch }: { text: number; coverage: number; isMatch: boolean },
): number {
  if (!(textRange > 0)) return Number(isMatch);
  return (1 - coveredWeight) * (text / textRange) + coveredWeight * coverage ** coveragePower;
}

/** No one of n lies farther from their mean than √(n − 1) deviations (Samuelson's inequality). */
export function deviationsOf(count: number, most: number): number {
  return Math.min(most, Math.sqrt(Math.max(0, count - 1)));
}

/** A similarity's part of a hybrid score, 0..1. */
export function vectorShare({ similarityMin, similarityRange }: Scale, similarity: number): number {
  if (similarity === Number.NEGATIVE_INFINITY) return 0;
  if (!(similarityRange > 0)) return Number(similarity >= similarityMin);
  return Math.min(1, Math.max(0, (similarity - similarityMin) / similarityRange));
}

/** Similarity ranges over the best of both sides. */
function similarityBounds(all: SideFigures[], calibration: Calibration): { min: number; max: number } {
  const size = calibratedBy(calibration);
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const side of ['byText', 'bySimilarity'] as const) {
    const order = side === 'byText' ? 'texts' : 'similarities';
    const next = all.map(() => 0);
    for (const index of takeBest(
      all.map((figures) => figures[side][order]),
      size,
    )) {
      const place = next[index] ?? 0;
      next[index] = place + 1;
      const similarity = all[index]?.[side].similarities[place] ?? Number.NEGATIVE_INFINITY;
      if (similarity === Number.NEGATIVE_INFINITY) continue;
      min = Math.min(min, similarity);
      max = Math.max(max, similarity);
    }
  }
  return { min, max };
}

/** The largest text score of a candidate. */
function mostText(all: SideFigures[], neighbours: number[], alpha: number): number {
  let most = 0;
  all.forEach(({ byText, bySimilarity }, index) => {
    if (alpha < 1) most = Math.max(most, ...byText.texts.subarray(0, 1));
    if (alpha === 0) return;
    for (const text of bySimilarity.texts.subarray(0, neighbours[index] ?? 0)) most = Math.max(most, text);
  });
  return most;
}
