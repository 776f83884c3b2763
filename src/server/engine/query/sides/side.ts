import type { BestScored } from '../../lexical/text-scores.ts';
import type { Spread } from '../../merged-types.ts';
import type { Steps } from '../../steps.ts';

/** What one side of a search, its words or its vector, says of the documents that pass the filters. */
export interface Side {
  /** The `count` best of those it knows, best first, equals by id; in arrays that are kept. */
  best: (count: number) => Steps<BestScored>;
  /** Writes its scores of these documents, ascending, to the same places of `scores`, which is as long. */
  scoresOf: (ordinals: Int32Array, scores: Float64Array) => Steps<void>;
}

/** The side of the words. */
export interface SideOfWords extends Side {
  /** What the words weigh together; 0: there are none. */
  readonly asked: number;
  /** Writes which share of that these documents cover, 0 to 1, ascending, to the same places of `shares`; `without`: not counting words at these places of the plan. */
  coverages: (ordinals: Int32Array, shares: Float64Array, without?: readonly number[]) => Steps<void>;
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
  const scores = yield* scoresInPlace(side, ordinals, nothing);
  return new Map(Array.from(ordinals, (ordinal, place) => [ordinal, scores[place] ?? nothing]));
}

/** The scores of a few in any order, by place. */
export function* scoresInPlace(
  side: Side | null,
  ordinals: Int32Array,
  nothing: number,
): Steps<Float64Array> {
  const scores = new Float64Array(ordinals.length).fill(nothing);
  if (side === null || ordinals.length === 0) return scores;
  const { length } = ordinals;
  // Ordinal and place in one number, which sorts without a function that compares.
  const both = Float64Array.from(ordinals, (ordinal, place) => ordinal * length + place).sort();
  const found = new Float64Array(length);
  yield* side.scoresOf(
    Int32Array.from(both, (each) => Math.floor(each / length)),
    found,
  );
  for (let i = 0; i < length; i += 1) scores[(both[i] ?? 0) % length] = found[i] ?? nothing;
  return scores;
}
