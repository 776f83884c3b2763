/**
 * Similarities of several models on one scale. One model's lie near .8 where another's lie near .3, so each counts from the mean of its model's
 * documents, in units of as many of their standard deviations as a hybrid score's range has at least (`side-figures.ts`): the z-score of
 * M. Montague and J. Aslam, "Relevance score normalization for metasearch", CIKM 2001, cut as there for few documents. Where all are of one model
 * there are no units, and nothing changes.
 */
import type { Scale, SideFigures } from '../../merged-types.ts';
import type { Ranking } from '../../types.ts';
import { type CalibrationAsked, deviationsOf, neighbourCounts, scaleOf } from './side-figures.ts';
import { joinedSpread } from './spread-of.ts';

export interface SimilarityUnit {
  /** What counts 0. */
  mean: number;
  /** What counts 1 lies so far above; more than 0. */
  size: number;
}

/** Of each index, by the model that its vectors are of; null: those of all are of one. */
export function similarityUnits(
  all: SideFigures[],
  models: readonly string[],
  { similarityDeviations }: Pick<Ranking, 'similarityDeviations'>,
): SimilarityUnit[] | null {
  const units = new Map<string, SimilarityUnit>();
  for (const model of new Set(models)) {
    const spreads = all.filter((_, index) => models[index] === model).map(({ spread }) => spread);
    const { count, mean, deviation } = joinedSpread(spreads);
    // Without a range that scores have at least, one deviation is as good a unit as any.
    const deviations = similarityDeviations > 0 ? deviationsOf(count, similarityDeviations) : 1;
    // Of equal similarities none stands out, whatever the unit.
    if (count > 0) units.set(model, { mean, size: deviations * deviation || 1 });
  }
  if (units.size < 2) return null;
  return all.map((_, index) => units.get(models[index] ?? '') ?? { mean: 0, size: 1 });
}

export const inUnits = (similarity: number, { mean, size }: SimilarityUnit): number =>
  (similarity - mean) / size;

/** How many of the k nearest documents of all indexes lie in each, and by what each one's scores are normalised. */
export function agreedSides(
  all: SideFigures[],
  asked: CalibrationAsked & { isNear: (similarity: number) => boolean },
  units: SimilarityUnit[] | null,
): { neighbours: number[]; scales: Scale[] } {
  // Whether a document is near enough is asked of its own similarity.
  const lists = all.map(({ bySimilarity }) => bySimilarity.similarities.filter(asked.isNear));
  if (units === null) {
    const neighbours = neighbourCounts(lists, asked.k);
    const scale = scaleOf(all, neighbours, asked);
    return { neighbours, scales: all.map(() => scale) };
  }
  const unitOf = (index: number) => units[index] ?? { mean: 0, size: 1 };
  const neighbours = neighbourCounts(
    lists.map((list, index) => list.map((similarity) => inUnits(similarity, unitOf(index)))),
    asked.k,
  );
  const { similarityMin, similarityRange, ...scale } = scaleOf(
    all.map((figures, index) => figuresInUnits(figures, unitOf(index))),
    neighbours,
    asked,
  );
  const scales = all.map((_, index) => {
    const { mean, size } = unitOf(index);
    return {
      ...scale,
      similarityMin: mean + similarityMin * size,
      similarityRange: similarityRange * size,
    };
  });
  return { neighbours, scales };
}

function figuresInUnits(
  { byText, bySimilarity, spread, asked }: SideFigures,
  unit: SimilarityUnit,
): SideFigures {
  const converted = ({ texts, similarities }: SideFigures['byText']) => ({
    texts,
    // Rounded down, so that what equal similarities lose in the last digits is no range.
    similarities: similarities.map((similarity) => Math.floor(inUnits(similarity, unit) * 1e6) / 1e6),
  });
  return {
    byText: converted(byText),
    bySimilarity: converted(bySimilarity),
    asked,
    spread: {
      count: spread.count,
      mean: spread.count === 0 ? 0 : inUnits(spread.mean, unit),
      squares: spread.squares / unit.size ** 2,
    },
  };
}
