/**
 * Directions that many rows lie around, by spherical k-means over a sample of a table's rows: twice as many as the square root of its rows. Bytes of the
 * rows stand for them. The sample and the first centroids are spread over the table by a rule, so that the same table gives the same lists.
 * Source: I. S. Dhillon and D. S. Modha, Concept Decompositions for Large Sparse Text Data (Machine Learning, 2001).
 */
import { isPauseDue, type Steps } from '../../steps.ts';
import type { VectorRows } from '../vector-rows.ts';
import { Centroids } from './centroids.ts';

const rounds = 5;
/** Rows of a sample for each centroid. */
const samplesEach = 24;
/** Units of work for a component of a centroid, or of a sum. */
const componentUnits = 1 / 64;
const sumUnits = 1;
/** The fractional parts of its multiples are spread evenly. */
const golden = 0.618_033_988_75;

/** Times the square root of the rows. */
const listsTimes = 2;

/** Lists for so many rows, a multiple of 32. */
export function listsFor(rows: number): number {
  return Math.max(32, Math.round((listsTimes * Math.sqrt(rows)) / 32) * 32);
}

/** `isUsed`: whether a row has a vector. Null: there is no row with one. Rows may be written between two steps. */
export function* trainCentroids(
  vectors: VectorRows,
  { rows, lists, isUsed }: { rows: number; lists: number; isUsed: (row: number) => boolean },
): Steps<Centroids | null> {
  const { shape } = vectors;
  const sample = sampleOf(rows, lists * samplesEach).filter(isUsed);
  if (sample.length < lists) return null;
  const centroids = new Centroids(shape, lists);
  const sums = Array.from({ length: lists }, () => new Float64Array(shape.dimension));
  for (let list = 0; list < lists; list += 1) {
    addRow(vectors, sample[Math.floor(((list + 0.5) / lists) * sample.length)] ?? 0, sums[list]);
    centroids.set(list, sums[list] ?? new Float64Array(shape.dimension));
    if (isPauseDue(shape.dimension * sumUnits)) yield;
  }
  const counts = new Int32Array(lists);
  for (let round = 0; round < rounds; round += 1) {
    for (const sum of sums) sum.fill(0);
    counts.fill(0);
    for (let i = 0; i < sample.length; i += 1) {
      const row = sample[i] ?? 0;
      const list = centroids.nearest(vectors.codesOf(row).bytes);
      addRow(vectors, row, sums[list]);
      counts[list] = (counts[list] ?? 0) + 1;
      if (isPauseDue(shape.dimension * sumUnits + lists * shape.byteStride * componentUnits)) yield;
    }
    for (let list = 0; list < lists; list += 1) {
      // One that nothing is near to begins again at some row.
      const again = Math.floor(((((round + 1) * lists + list) * golden) % 1) * sample.length);
      if (counts[list] === 0) addRow(vectors, sample[again] ?? 0, sums[list]);
      centroids.set(list, sums[list] ?? new Float64Array(shape.dimension));
      if (isPauseDue(shape.dimension * sumUnits)) yield;
    }
  }
  return centroids;
}

/** Rows spread over a table, each somewhere in its part. */
function sampleOf(rows: number, count: number): Int32Array {
  const size = Math.min(rows, count);
  return Int32Array.from({ length: size }, (_, i) => Math.floor(((i + ((i * golden) % 1)) / size) * rows));
}

/** Its direction. */
function addRow(vectors: VectorRows, row: number, sum = new Float64Array(0)): void {
  const { bytes, direction } = vectors.codesOf(row);
  for (let i = 0; i < sum.length; i += 1) sum[i] = (sum[i] ?? 0) + (bytes[i] ?? 0) * direction;
}
