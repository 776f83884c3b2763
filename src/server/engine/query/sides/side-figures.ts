/**
 * What the scores of a hybrid or vector search depend on beyond the document itself: which documents are the nearest, and the range of
 * each side's scores. Decided from the best of each side, of one index or of several that are searched as one.
 */

import type { Scale, SideFigures } from '../../merged-types.ts';
import type { Steps } from '../../steps.ts';
import type { Ranking } from '../../types.ts';
import { fewScores, type Side } from './side.ts';
import { takeBest } from './take-best.ts';

export interface Sides {
  text: Side;
  /** Null: there is no vector. */
  vector: Side | null;
}

/** What says among how many of each side the range of similarities is looked for. */
interface Calibration {
  k: number;
  ranking: Pick<Ranking, 'calibrationMin'>;
}

/** The larger of `k` and what the ranking says. */
export function calibratedBy({ k, ranking }: Calibration): number {
  return Math.max(k, ranking.calibrationMin);
}

export function* sideFigures(sides: Sides, calibration: Calibration): Steps<SideFigures> {
  const size = calibratedBy(calibration);
  const byText = yield* sides.text.best(size);
  const bySimilarity = sides.vector === null ? new Int32Array(0) : yield* sides.vector.best(size);
  return { byText: yield* scoresIn(sides, byText), bySimilarity: yield* scoresIn(sides, bySimilarity) };
}

function* scoresIn({ text, vector }: Sides, ordinals: Int32Array): Steps<SideFigures['byText']> {
  const texts = yield* fewScores(text, ordinals, 0);
  const similarities = yield* fewScores(vector, ordinals, Number.NEGATIVE_INFINITY);
  return {
    texts: Float64Array.from(ordinals, (ordinal) => texts.get(ordinal) ?? 0),
    similarities: Float64Array.from(
      ordinals,
      (ordinal) => similarities.get(ordinal) ?? Number.NEGATIVE_INFINITY,
    ),
  };
}

/** How many of the k nearest documents of all indexes lie in each. */
export function neighbourCounts(
  all: SideFigures[],
  { k, isNear }: { k: number; isNear: (similarity: number) => boolean },
): number[] {
  const lists = all.map(({ bySimilarity }) => bySimilarity.similarities.filter(isNear));
  const counts = all.map(() => 0);
  for (const index of takeBest(lists, k)) counts[index] = (counts[index] ?? 0) + 1;
  return counts;
}

/** `neighbours`: how many of the nearest lie in each index. Similarity ranges over the best of both sides. */
export function scaleOf(
  all: SideFigures[],
  neighbours: number[],
  { alpha, ...calibration }: Calibration & { alpha: number },
): Scale {
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
  return { textMax: mostText(all, neighbours, alpha), similarityMin: min, similarityMax: max };
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
