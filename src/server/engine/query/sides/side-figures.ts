/**
 * What the scores of a hybrid or vector search depend on beyond the document itself: which documents are the nearest, and the range of
 * each side's scores. Decided from the best of each side, of one index or of several that are searched as one.
 */
import type { Bitset } from '../../bits/bitset.ts';
import { TopK } from '../../bits/top-k.ts';
import { isPauseDue, type Steps } from '../../steps.ts';
import type { Ranking, Scale, SideFigures } from '../../types.ts';
import { takeBest } from './take-best.ts';

/** Documents that are offered in one go, and units of work for each. */
const offeredAtOnce = 1_024;
const offerUnits = 16;

export interface Sides {
  /** Documents that match the words and pass the filter, and BM25 by ordinal; null: there are no words. */
  matched: Bitset;
  textScores: Float64Array | null;
  /** Similarity by ordinal: −Infinity where it has no vector or does not pass; null: there is no vector. */
  similarities: Float64Array | null;
}

export function textScoreOf({ textScores }: Pick<Sides, 'textScores'>, ordinal: number): number {
  return textScores === null ? 0 : (textScores[ordinal] ?? 0);
}

export function similarityOf({ similarities }: Pick<Sides, 'similarities'>, ordinal: number): number {
  return similarities === null
    ? Number.NEGATIVE_INFINITY
    : (similarities[ordinal] ?? Number.NEGATIVE_INFINITY);
}

/** What says among how many of each side the range of similarities is looked for. */
interface Calibration {
  k: number;
  ranking: Pick<Ranking, 'calibrationMin'>;
}

function calibratedBy({ k, ranking }: Calibration): number {
  return Math.max(k, ranking.calibrationMin);
}

export function* sideFigures(
  sides: Sides,
  { isBefore, ...calibration }: Calibration & { isBefore: (a: number, b: number) => boolean },
): Steps<SideFigures> {
  const size = calibratedBy(calibration);
  const byText = new TopK(size, isBefore);
  yield* sides.matched.visit((ordinal) => {
    byText.offer(ordinal, textScoreOf(sides, ordinal));
  });
  const bySimilarity = new TopK(size, isBefore);
  if (sides.similarities !== null) yield* offerSimilar(bySimilarity, sides.similarities, () => true);
  const scoresOf = ({ ordinals }: { ordinals: Int32Array }) => ({
    texts: Float64Array.from(ordinals, (ordinal) => textScoreOf(sides, ordinal)),
    similarities: Float64Array.from(ordinals, (ordinal) => similarityOf(sides, ordinal)),
  });
  return {
    byText: scoresOf(yield* byText.sorted()),
    bySimilarity: scoresOf(yield* bySimilarity.sorted()),
  };
}

/** Offers every document that has a similarity and is near enough. */
export function* offerSimilar(
  top: TopK,
  similarities: Float64Array,
  isNear: (similarity: number) => boolean,
): Steps<void> {
  for (let from = 0; from < similarities.length; from += offeredAtOnce) {
    const to = Math.min(from + offeredAtOnce, similarities.length);
    for (let ordinal = from; ordinal < to; ordinal += 1) {
      const similarity = similarities[ordinal] ?? Number.NEGATIVE_INFINITY;
      if (similarity > Number.NEGATIVE_INFINITY && isNear(similarity)) top.offer(ordinal, similarity);
    }
    if (isPauseDue((to - from) * offerUnits)) yield;
  }
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
