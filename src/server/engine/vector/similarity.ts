/**
 * How near two vectors are, computed in doubles, four components at a time (a single running sum makes each addition wait for the last: 2.5
 * times slower). The sums are declared one by one: destructured from an array they stay boxed, which costs as much again. Every function
 * reads `query.length` components of `table` from `offset`.
 */
import type { Metric } from '../types.ts';

export function dot(query: Float32Array, table: Float32Array, offset: number): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const whole = query.length & ~3;
  let i = 0;
  for (; i < whole; i += 4) {
    a += (query[i] ?? 0) * (table[offset + i] ?? 0);
    b += (query[i + 1] ?? 0) * (table[offset + i + 1] ?? 0);
    c += (query[i + 2] ?? 0) * (table[offset + i + 2] ?? 0);
    d += (query[i + 3] ?? 0) * (table[offset + i + 3] ?? 0);
  }
  for (; i < query.length; i += 1) a += (query[i] ?? 0) * (table[offset + i] ?? 0);
  return a + b + c + d;
}

export function euclideanDistance(query: Float32Array, table: Float32Array, offset: number): number {
  let a = 0;
  let b = 0;
  const whole = query.length & ~1;
  let i = 0;
  for (; i < whole; i += 2) {
    const first = (query[i] ?? 0) - (table[offset + i] ?? 0);
    const second = (query[i + 1] ?? 0) - (table[offset + i + 1] ?? 0);
    a += first * first;
    b += second * second;
  }
  if (i < query.length) a += ((query[i] ?? 0) - (table[offset + i] ?? 0)) ** 2;
  return Math.sqrt(a + b);
}

/** The distance that callers see for a similarity: 1 − cosine, the euclidean distance, minus the dot product. */
export function distanceOf(metric: Metric, similarity: number): number {
  if (metric === 'cosine') return 1 - similarity;
  return similarity === 0 ? 0 : -similarity;
}
