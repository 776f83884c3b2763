/**
 * Directions that many rows lie around, by spherical k-means over a sample of a table's rows: eight times as many as the square root of its rows. Bytes of the
 * rows stand for them. The sample and the first centroids are spread over the table by a rule, so that the same table gives the same lists.
 * Source: I. S. Dhillon and D. S. Modha, Concept Decompositions for Large Sparse Text Data (Machine Learning, 2001).
 */
import { isPauseDue, type Steps } from '../../steps.ts';
import type { VectorRows } from '../vector-rows.ts';
import { GroupedCentroids } from './grouped-centroids.ts';

const rounds = 5;
/** Rows of a sample for each centroid. */
const samplesEach = 24;
/** Units of work for a component of a sum. */
const sumUnits = 1;
/** To draw a row. */
const rowUnits = 8;
/** The fractional parts of its multiples are spread evenly. */
const golden = 0.618_033_988_75;

/** Times the square root of the rows: with twice as many lists half the rows are read for the same share of the nearest, and centroids cost a fifth of that. */
const listsTimes = 8;

/** Lists for so many rows, a multiple of 32. */
export function listsFor(rows: number): number {
  return Math.max(32, Math.round((listsTimes * Math.sqrt(rows)) / 32) * 32);
}

/** `isUsed`: whether a row has a vector. Null: there is no row with one. Rows may be written between two steps. */
export function* trainCentroids(
  vectors: VectorRows,
  { rows, lists, isUsed }: { rows: number; lists: number; isUsed: (row: number) => boolean },
): Steps<GroupedCentroids | null> {
  const { shape } = vectors;
  const sample = yield* sampleOf({ rows, count: lists * samplesEach }, isUsed);
  if (sample.length < lists) return null;
  const centroids = new GroupedCentroids(shape, lists);
  const sums: Float64Array[] = [];
  for (let list = 0; list < lists; list += 1) {
    const sum = new Float64Array(shape.dimension);
    addRow(vectors, sample[Math.floor(((list + 0.5) / lists) * sample.length)] ?? 0, sum);
    sums.push(sum);
    if (isPauseDue(shape.dimension * sumUnits)) yield;
  }
  yield* centroids.set(sums);
  const counts = new Int32Array(lists);
  for (let round = 0; round < rounds; round += 1) {
    for (const sum of sums) {
      sum.fill(0);
      if (isPauseDue(shape.dimension * sumUnits)) yield;
    }
    counts.fill(0);
    for (let i = 0; i < sample.length; i += 1) {
      const row = sample[i] ?? 0;
      const list = centroids.nearest(vectors.codesOf(row).bytes);
      addRow(vectors, row, sums[list]);
      counts[list] = (counts[list] ?? 0) + 1;
      if (isPauseDue(shape.dimension * sumUnits + centroids.nearestUnits)) yield;
    }
    for (const [list, sum] of sums.entries()) {
      // One that nothing is near to begins again at some row.
      const again = Math.floor(((((round + 1) * lists + list) * golden) % 1) * sample.length);
      if (counts[list] === 0) addRow(vectors, sample[again] ?? 0, sum);
    }
    yield* centroids.set(sums);
  }
  return centroids;
}

/** Rows spread over a table, each somewhere in its part; those that are used. */
function* sampleOf(
  { rows, count }: { rows: number; count: number },
  isUsed: (row: number) => boolean,
): Steps<number[]> {
  const sample: number[] = [];
  const size = Math.min(rows, count);
  for (let i = 0; i < size; i += 1) {
    const row = Math.floor(((i + ((i * golden) % 1)) / size) * rows);
    if (isUsed(row)) sample.push(row);
    if (isPauseDue(rowUnits)) yield;
  }
  return sample;
}

/** Its direction. */
function addRow(vectors: VectorRows, row: number, sum: Float64Array = new Float64Array(0)): void {
  const { bytes } = vectors.codesOf(row);
  const { scale, length } = vectors.lengthsOf(row);
  const direction = scale / length;
  for (let i = 0; i < sum.length; i += 1) sum[i] = (sum[i] ?? 0) + (bytes[i] ?? 0) * direction;
}
