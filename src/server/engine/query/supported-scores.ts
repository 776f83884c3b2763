/**
 * Documents near to each other tend to answer the same queries (the cluster hypothesis, C. van Rijsbergen, 1979), so that a good one among good ones is worth more than one
 * that stands alone: a part of the score of each of the best hits of a hybrid search is the mean score of the ten among them that are nearest to it, by the squares of
 * their similarities (F. Diaz, "Regularizing ad hoc retrieval scores", CIKM 2005). One that is near to none of them, or cannot be compared, has for it the mean score
 * of all of the best: nothing is known for it or against it.
 *
 * Cost: 1,225 products of 50 vectors, and ten of 50 picked 50 times.
 */
import { noteWork, type Steps } from '../steps.ts';
import { pairProducts } from '../vector/kernels/pair-products.ts';
import { inverseNorm } from '../vector/similarity.ts';

/** So many hits are compared. What is behind them keeps its order, with the rest of its score. */
export const supportedMax = 50;
const nearestMax = 10;
/** What rounding makes of a right angle. */
const noSimilarity = 1e-6;

export interface BestHits {
  /** Of at most `supportedMax`, the best first. */
  scores: Float64Array;
  /** Of each its document's first vector; of no components: it has none. */
  vectors: readonly Float32Array[];
  /** Of each what its vector was made by: only those of one model are compared. Absent: all are of one. */
  models?: readonly string[];
}

/** New scores by place. `weight`: the part that the nearest make. */
export function* supportedScores({ scores, vectors, models }: BestHits, weight: number): Steps<Float64Array> {
  const mean = scores.reduce((sum, score) => sum + score, 0) / Math.max(1, scores.length);
  const supports = new Float64Array(scores.length).fill(mean);
  const spaces = new Map<string, number[]>();
  for (const [place, { length }] of vectors.entries()) {
    if (length === 0) continue;
    const space = `${length} ${models?.[place] ?? ''}`;
    const places = spaces.get(space);
    if (places === undefined) spaces.set(space, [place]);
    else places.push(place);
  }
  for (const places of spaces.values()) {
    const rows = places.map((place) => vectors[place] ?? noVector);
    const similarities = yield* similaritiesOf(rows);
    addSupports(supports, { places, similarities, scores });
  }
  return scores.map((score, place) => (1 - weight) * score + weight * (supports[place] ?? 0));
}

const noVector = new Float32Array(0);

/** Cosines, rows × rows, 0 of each to itself. */
function* similaritiesOf(rows: readonly Float32Array[]): Steps<Float32Array> {
  return yield* pairProducts({
    count: rows.length,
    dimension: rows[0]?.length ?? 0,
    write(place, into, at) {
      const row = rows[place] ?? noVector;
      const scale = inverseNorm(row);
      for (let i = 0; i < row.length; i += 1) into[at + i] = (row[i] ?? 0) * scale;
    },
  });
}

/** Of hits of one space. */
function addSupports(
  supports: Float64Array,
  { places, similarities, scores }: { places: number[]; similarities: Float32Array; scores: Float64Array },
): void {
  const count = places.length;
  const near = new Float64Array(nearestMax);
  const others = new Int32Array(nearestMax);
  for (const [row, place] of places.entries()) {
    const kept = pickNearest(similarities.subarray(row * count, (row + 1) * count), near, others);
    let sum = 0;
    let weights = 0;
    for (let i = 0; i < kept; i += 1) {
      const square = (near[i] ?? 0) ** 2;
      sum += square * (scores[places[others[i] ?? 0] ?? 0] ?? 0);
      weights += square;
    }
    if (kept > 0) supports[place] = sum / weights;
  }
  noteWork(count * count);
}

/** The greatest into `near`, by place into `others`. Equal ones stay in the order of their places. @returns how many there are */
function pickNearest(similarities: Float32Array, near: Float64Array, others: Int32Array): number {
  let kept = 0;
  for (let other = 0; other < similarities.length; other += 1) {
    const similarity = similarities[other] ?? 0;
    if (similarity <= noSimilarity) continue;
    if (kept === nearestMax && similarity <= (near[nearestMax - 1] ?? 0)) continue;
    let at = kept < nearestMax ? kept++ : nearestMax - 1;
    for (; at > 0 && (near[at - 1] ?? 0) < similarity; at -= 1) {
      near[at] = near[at - 1] ?? 0;
      others[at] = others[at - 1] ?? 0;
    }
    near[at] = similarity;
    others[at] = other;
  }
  return kept;
}
