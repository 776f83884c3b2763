import { Layout } from './layout.ts';
import { type Neighbours, nearestRows, rankExactly } from './nearest-rows.ts';
import { neighbourGraph } from './neighbour-graph.ts';
import { principalComponents, type Rows } from './principal-components.ts';

/** A map as it comes to be. */
export interface Projected {
  /** Two numbers a point. */
  positions: Float32Array;
  /** Of the work, from 0 to 1; 1: these are the last ones. */
  share: number;
}

/** What neighbours are looked for among: enough of the directions to miss hardly one of them. */
const roughComponents = 32;
/** Neighbours that a point holds; and how many more are looked at, as the rough ones are in another order. */
const neighboursMax = 15;
const roughNeighbours = 40;
/** Fewer points lie well enough along their first two axes. */
const layoutPointsMin = 16;
/** Of the work, what is done once the neighbours are known. */
const layoutShare = 0.6;
/** Rounds between two pictures. */
const roundsShown = 7;

/**
 * Where each row lies in a plane, rough at once and better step by step. The rows are centred in place.
 * @returns the nearest rows of each, by all of its components
 */
export function* projectVectors(rows: Rows): Generator<Projected, Neighbours, void> {
  const along = principalComponents(rows, roughComponents);
  const start = firstTwo(along);
  const isDone = rows.count < layoutPointsMin;
  yield { positions: start, share: isDone ? 1 : 0.1 };
  const neighbours = rankExactly(rows, nearestRows(along, roughNeighbours), neighboursMax);
  if (isDone) return neighbours;
  const layout = new Layout(start, neighbourGraph(neighbours));
  while (!layout.isDone) {
    for (let i = 0; i < roundsShown; i += 1) layout.step();
    yield { positions: layout.positions.slice(), share: 1 - layoutShare * (1 - layout.share) };
  }
  return neighbours;
}

function firstTwo({ values, count, size }: Rows): Float32Array {
  const positions = new Float32Array(2 * count);
  for (let row = 0; row < count; row += 1)
    for (let axis = 0; axis < Math.min(2, size); axis += 1)
      positions[2 * row + axis] = values[row * size + axis] ?? 0;
  return positions;
}
