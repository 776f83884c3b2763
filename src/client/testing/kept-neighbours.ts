import type { Rows } from '#client/features/collection/map/projection/principal-components.ts';

/** How true a map is. */
export interface KeptNeighbours {
  /** 1 less what is punished for points that are near on the map and not among the vectors (Venna and Kaski, 2001); 1 is best, .5 about chance. */
  trustworthiness: number;
  /** Of the nearest vectors, the share that is among the nearest points. */
  kept: number;
}

/** `nearest`: how many count as near. Every `step`-th row is looked at. */
export function keptNeighbours(
  rows: Rows,
  positions: Float32Array,
  { nearest = 10, step = 1 } = {},
): KeptNeighbours {
  const points: Rows = { values: positions, count: rows.count, size: 2 };
  let punished = 0;
  let kept = 0;
  let asked = 0;
  for (let row = 0; row < rows.count; row += step) {
    const ranks = ranksFrom(rows, row);
    for (const near of orderFrom(points, row).slice(0, nearest)) {
      punished += Math.max(0, (ranks[near] ?? 0) - nearest);
      if ((ranks[near] ?? 0) <= nearest) kept += 1;
    }
    asked += 1;
  }
  const worst = (asked * nearest * (2 * rows.count - 3 * nearest - 1)) / 2;
  return { trustworthiness: 1 - punished / worst, kept: kept / (asked * nearest) };
}

/** The nearest is 1. */
function ranksFrom(rows: Rows, row: number): Int32Array {
  const ranks = new Int32Array(rows.count);
  for (const [place, other] of orderFrom(rows, row).entries()) ranks[other] = place + 1;
  return ranks;
}

function orderFrom({ values, count, size }: Rows, row: number): number[] {
  const distances = Float64Array.from({ length: count }, (_, other) => {
    let sum = 0;
    for (let i = 0; i < size; i += 1)
      sum += ((values[row * size + i] ?? 0) - (values[other * size + i] ?? 0)) ** 2;
    return sum;
  });
  return Array.from({ length: count }, (_, other) => other)
    .filter((other) => other !== row)
    .sort((a, b) => (distances[a] ?? 0) - (distances[b] ?? 0) || a - b);
}
