/**
 * Documents near to each other tend to answer the same queries (the cluster hypothesis, C. van Rijsbergen, 1979), so that a good one among good ones is worth more than one
 * that stands alone: of the best 50 of a hybrid search a part of the score is the mean score of the ten among them that are nearest to it, by the squares of their
 * similarities (F. Diaz, "Regularizing ad hoc retrieval scores", CIKM 2005). What is not among them keeps the rest of its score, and so its order, behind them.
 *
 * A document is compared by its first vector. Cost: 1,225 products of vectors, and a sort of 50 for each.
 */

import type { Bitset } from '../bits/bitset.ts';
import { TopK } from '../bits/top-k.ts';
import type { KeywordFigures } from '../merged-types.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import type { SearchQuery } from '../types.ts';
import { dot, inverseNorm } from '../vector/similarity.ts';
import type { SearchParts } from './search-parts.ts';

const bestMax = 50;
const nearestMax = 10;
/** Components of vectors that are multiplied in a unit of work. */
const componentsOfUnit = 64;

type Asked = Pick<SearchQuery, 'mode' | 'alpha' | 'fusion' | 'ranking'>;

/** Which part of a score it makes. Words that documents hold all are asked for themselves, and each side alone keeps its order. */
export function supportWeight(
  { mode, alpha, fusion, ranking }: Asked,
  { totals }: { totals: KeywordFigures | null },
): number {
  const isOfBoth = mode === 'hybrid' && fusion === 'weighted' && alpha > 0 && alpha < 1;
  return isOfBoth && (totals?.full ?? 0) === 0 ? ranking.neighboursWeight : 0;
}

/** Changes the scores of the candidates in their place. */
export function* addSupport(
  { documents, vectors, settings }: Pick<SearchParts, 'documents' | 'vectors' | 'settings'>,
  { candidates, scores }: { candidates: Bitset; scores: Float64Array },
  weight: number,
): Steps<void> {
  const top = new TopK(bestMax, documents.isBefore);
  yield* candidates.visit((ordinal) => {
    top.offer(ordinal, scores[ordinal] ?? 0);
  });
  const best = yield* top.sorted();
  const rows = Array.from(best.ordinals, (ordinal) => unit(vectors.firstVectorOf(ordinal)));
  const similarities = yield* similaritiesOf(rows, settings.dimension);
  yield* candidates.visit((ordinal) => {
    scores[ordinal] = (1 - weight) * (scores[ordinal] ?? 0);
  });
  for (const [place, ordinal] of best.ordinals.entries()) {
    const own = similarities.subarray(place * rows.length, (place + 1) * rows.length);
    scores[ordinal] = (scores[ordinal] ?? 0) + weight * supportOf(own, best.scores);
  }
}

/** rows × rows, 0 of each to itself. */
function* similaritiesOf(rows: readonly Float32Array[], dimension: number): Steps<Float64Array> {
  const similarities = new Float64Array(rows.length ** 2);
  for (const [place, own] of rows.entries()) {
    for (let other = 0; other < place; other += 1) {
      const similarity = similarityOf(own, rows[other] ?? own);
      similarities[place * rows.length + other] = similarity;
      similarities[other * rows.length + place] = similarity;
    }
    if (isPauseDue((place * dimension) / componentsOfUnit)) yield;
  }
  return similarities;
}

/** `similarities` and `scores` by place. */
function supportOf(similarities: Float64Array, scores: Float64Array): number {
  const near = Array.from(similarities, (similarity, other) => ({ other, similarity }))
    .filter(({ similarity }) => similarity > 0)
    // Equal ones stay in the order of their scores.
    .sort((a, b) => b.similarity - a.similarity)
    .slice(0, nearestMax);
  let sum = 0;
  let weights = 0;
  for (const { other, similarity } of near) {
    sum += similarity ** 2 * (scores[other] ?? 0);
    weights += similarity ** 2;
  }
  return weights > 0 ? sum / weights : 0;
}

/** Of no components: the document has no vector, and is near to none. */
function similarityOf(one: Float32Array, other: Float32Array): number {
  return one.length === other.length ? dot(one, other) : 0;
}

function unit(vector: Float32Array): Float32Array {
  const scale = inverseNorm(vector);
  return vector.map((value) => value * scale);
}
