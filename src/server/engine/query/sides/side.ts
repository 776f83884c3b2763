import type { Spread } from '../../merged-types.ts';
import type { Steps } from '../../steps.ts';

/** What one side of a search, its words or its vector, says of the documents that pass the filters. */
export interface Side {
  /** The `count` best of those it knows, best first, equals by id; in an array that is kept. */
  best: (count: number) => Steps<Int32Array>;
  /** Writes its scores of these documents, ascending, to the same places of `scores`, which is as long. */
  scoresOf: (ordinals: Int32Array, scores: Float64Array) => Steps<void>;
}

/** The side of the words. */
export interface SideOfWords extends Side {
  /** What the words weigh together; 0: there are none. */
  readonly asked: number;
  /** Writes which share of that these documents cover, 0 to 1, ascending, to the same places of `shares`. */
  coverages: (ordinals: Int32Array, shares: Float64Array) => Steps<void>;
}

/** The side of the vector. */
export interface SideOfVector extends Side {
  /** How the similarities of all documents are spread, whatever the filters. */
  spread: () => Steps<Spread>;
}

/** The scores of a few. */
export function* fewScores(
  side: Side | null,
  ordinals: Int32Array,
  nothing: number,
): Steps<Map<number, number>> {
  const scores = new Float64Array(ordinals.length).fill(nothing);
  const ascending = ordinals.toSorted();
  if (side !== null) yield* side.scoresOf(ascending, scores);
  return new Map(Array.from(ascending, (ordinal, place) => [ordinal, scores[place] ?? nothing]));
}
