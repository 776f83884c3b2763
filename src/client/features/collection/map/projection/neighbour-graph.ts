/**
 * Which points hold each other, and how firmly: the graph of UMAP (McInnes, Healy, Melville, "UMAP", 2018, section 3.1). Each point holds its nearest
 * ones, the very nearest with 1 and the others the less the farther they are, measured by how dense the points lie around it; two that hold each
 * other hold more firmly.
 */
import type { Neighbours } from './nearest-rows.ts';

/** Both directions of each pair. `weights`: from 0, without it, to 1. */
export interface NeighbourGraph {
  from: Int32Array;
  to: Int32Array;
  weights: Float32Array;
}

/** Of the search for the width of a point's surroundings. */
const halvings = 40;
/** Weaker ones would hardly ever be looked at. */
const weightMin = 0.005;

export function neighbourGraph(neighbours: Neighbours): NeighbourGraph {
  const { rows, count, size } = neighbours;
  const holds = heldWeights(neighbours);
  const from: number[] = [];
  const to: number[] = [];
  const weights: number[] = [];
  for (let row = 0; row < count; row += 1) {
    for (let place = row * size; place < (row + 1) * size; place += 1) {
      const other = rows[place] ?? 0;
      const back = placeOf(neighbours, other, row);
      // A pair in which both hold is taken from the one with the lower number.
      if (back !== null && other < row) continue;
      const [own, theirs] = [holds[place] ?? 0, back === null ? 0 : (holds[back] ?? 0)];
      const weight = own + theirs - own * theirs;
      if (weight < weightMin) continue;
      from.push(row, other);
      to.push(other, row);
      weights.push(weight, weight);
    }
  }
  return { from: Int32Array.from(from), to: Int32Array.from(to), weights: Float32Array.from(weights) };
}

function placeOf({ rows, size }: Neighbours, row: number, wanted: number): number | null {
  for (let place = row * size; place < (row + 1) * size; place += 1) if (rows[place] === wanted) return place;
  return null;
}

/** How firmly each point holds each of its neighbours. */
function heldWeights({ distances, count, size }: Neighbours): Float32Array {
  const weights = new Float32Array(count * size);
  for (let row = 0; row < count; row += 1) {
    const beyond = Float64Array.from(distances.subarray(row * size, (row + 1) * size), Math.sqrt);
    const nearest = beyond.find((distance) => distance > 0) ?? 0;
    for (let i = 0; i < size; i += 1) beyond[i] = Math.max(0, (beyond[i] ?? 0) - nearest);
    const width = widthOf(beyond);
    for (let i = 0; i < size; i += 1) weights[row * size + i] = Math.exp(-(beyond[i] ?? 0) / width);
  }
  return weights;
}

/** With which the weights sum up to the logarithm of their number. */
function widthOf(beyond: Float64Array): number {
  const wanted = Math.log2(beyond.length);
  const mean = beyond.reduce((sum, distance) => sum + distance, 0) / beyond.length;
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  let width = 1;
  for (let i = 0; i < halvings; i += 1) {
    let sum = 0;
    for (const distance of beyond) sum += Math.exp(-distance / width);
    if (sum > wanted) high = width;
    else low = width;
    width = high === Number.POSITIVE_INFINITY ? width * 2 : (low + high) / 2;
  }
  // Points that all lie equally far have no width of their own.
  return Math.max(width, 1e-3 * mean, 1e-12);
}
