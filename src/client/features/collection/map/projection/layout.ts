/**
 * Points in a plane in which neighbours stay neighbours: the layout of UMAP (McInnes, Healy, Melville, 2018, section 3.2). In each round points that hold
 * each other are drawn together, as often as they hold firmly, and for each time a few others, drawn at random, are pushed away. It begins with the axes
 * in which the vectors differ most, which is what keeps regions in their order (Kobak and Linderman, "Initialization is critical", 2021).
 *
 * Nearness in the plane is 1 / (1 + a·d²), in place of UMAP's two constants, which need a power for each pair. Random numbers have a seed, so that the
 * same vectors give the same map. Some 200,000 pairs a round for 5,000 points.
 */
import type { NeighbourGraph } from './neighbour-graph.ts';

const layoutRounds = 210;
/** Pushed away for each pair drawn together. */
const pushed = 5;
/** So that points come as near as a tenth of the distance at which they are strangers. */
const nearness = 1.5;
/** How far the first positions reach. */
const startReach = 10;
/** How far a point goes in one go at most. */
const pullMax = 4;
const seed = 29;

export class Layout {
  /** Two numbers a point. */
  readonly positions: Float32Array;
  readonly #graph: NeighbourGraph;
  /** By pair: how often it is still to be drawn together. */
  readonly #due: Float32Array;
  readonly #firmest: number;
  #random = seed;
  #round = 0;

  constructor(start: Float32Array, graph: NeighbourGraph) {
    const reach = start.reduce((most, position) => Math.max(most, Math.abs(position)), 0);
    this.positions = start.map((position) => (reach > 0 ? (position / reach) * startReach : 0));
    this.#graph = graph;
    this.#due = new Float32Array(graph.weights.length);
    this.#firmest = graph.weights.reduce((most, weight) => Math.max(most, weight), 0);
  }

  get isDone(): boolean {
    return this.#round >= layoutRounds;
  }

  get share(): number {
    return this.#round / layoutRounds;
  }

  step(): void {
    const { from, to, weights } = this.#graph;
    const due = this.#due;
    const rate = 1 - this.share;
    for (let pair = 0; pair < weights.length; pair += 1) {
      const now = (due[pair] ?? 0) + (weights[pair] ?? 0) / this.#firmest;
      due[pair] = now >= 1 ? now - 1 : now;
      if (now < 1) continue;
      const own = 2 * (from[pair] ?? 0);
      this.#pull(own, 2 * (to[pair] ?? 0), rate);
      this.#push(own, rate);
    }
    this.#round += 1;
  }

  /** Both ends; `own` and `other` are places in `positions`. */
  #pull(own: number, other: number, rate: number): void {
    const positions = this.positions;
    const x = (positions[own] ?? 0) - (positions[other] ?? 0);
    const y = (positions[own + 1] ?? 0) - (positions[other + 1] ?? 0);
    const force = (-2 * nearness) / (1 + nearness * (x * x + y * y));
    const moveX = rate * bounded(force * x);
    const moveY = rate * bounded(force * y);
    positions[own] = (positions[own] ?? 0) + moveX;
    positions[own + 1] = (positions[own + 1] ?? 0) + moveY;
    positions[other] = (positions[other] ?? 0) - moveX;
    positions[other + 1] = (positions[other + 1] ?? 0) - moveY;
  }

  /** Away from some others; from one in the same place in any direction. */
  #push(own: number, rate: number): void {
    const positions = this.positions;
    const count = positions.length / 2;
    let ownX = positions[own] ?? 0;
    let ownY = positions[own + 1] ?? 0;
    let random = this.#random;
    for (let i = 0; i < pushed; i += 1) {
      // Xorshift, as in `random-numbers.ts`; a call for each would take longer than all the rest.
      random ^= random << 13;
      random ^= random >>> 17;
      random ^= random << 5;
      const other = 2 * ((random & 0x7fffffff) % count);
      if (other === own) continue;
      const x = ownX - (positions[other] ?? 0);
      const y = ownY - (positions[other + 1] ?? 0);
      const square = x * x + y * y;
      const force = 2 / ((0.001 + square) * (1 + nearness * square));
      ownX += rate * (square > 0 ? bounded(force * x) : pullMax);
      ownY += rate * (square > 0 ? bounded(force * y) : pullMax);
    }
    this.#random = random;
    positions[own] = ownX;
    positions[own + 1] = ownY;
  }
}

function bounded(move: number): number {
  return move > pullMax ? pullMax : move < -pullMax ? -pullMax : move;
}
