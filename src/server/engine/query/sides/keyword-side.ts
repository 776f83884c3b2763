import type { Bitset } from '../../bits/bitset.ts';
import { TopK } from '../../bits/top-k.ts';
import { isPauseDue, type Steps, stepUnits } from '../../steps.ts';
import type { Side } from './side.ts';

/** The words of a search: BM25, 0 where there are no words or the document has none of them. */
export class KeywordSide implements Side {
  readonly #matched: Bitset;
  readonly #scores: Float64Array | null;
  readonly #isBefore: (a: number, b: number) => boolean;

  /** `matched` pass the filters; `scores`: by ordinal, null: there are no words. */
  constructor(matched: Bitset, scores: Float64Array | null, isBefore: (a: number, b: number) => boolean) {
    this.#matched = matched;
    this.#scores = scores;
    this.#isBefore = isBefore;
  }

  *best(count: number): Steps<Int32Array> {
    const top = new TopK(count, this.#isBefore);
    yield* this.#matched.visit((ordinal) => {
      top.offer(ordinal, this.#scoreOf(ordinal));
    });
    return (yield* top.sorted()).ordinals;
  }

  *scoresOf(ordinals: Int32Array, scores: Float64Array): Steps<void> {
    for (let from = 0; from < ordinals.length; from += stepUnits) {
      const to = Math.min(from + stepUnits, ordinals.length);
      for (let place = from; place < to; place += 1) scores[place] = this.#scoreOf(ordinals[place] ?? 0);
      if (isPauseDue(to - from)) yield;
    }
  }

  #scoreOf(ordinal: number): number {
    return this.#scores === null ? 0 : (this.#scores[ordinal] ?? 0);
  }
}
