import type { Bitset } from '../../bits/bitset.ts';
import { TopK } from '../../bits/top-k.ts';
import type { BestScored, DocumentScores } from '../../lexical/text-scores.ts';
import { fillSteps } from '../../memory/fill-steps.ts';
import type { Steps } from '../../steps.ts';
import type { SideOfWords } from './side.ts';

/** The words of a search: BM25, 0 where there are no words or the document has none of them. */
export class KeywordSide implements SideOfWords {
  readonly #matched: Bitset;
  readonly #scores: DocumentScores | null;
  readonly #isBefore: (a: number, b: number) => boolean;

  /** `matched` pass the filters; `scores`: null: there are no words. */
  constructor(matched: Bitset, scores: DocumentScores | null, isBefore: (a: number, b: number) => boolean) {
    this.#matched = matched;
    this.#scores = scores;
    this.#isBefore = isBefore;
  }

  get asked(): number {
    return this.#scores?.asked ?? 0;
  }

  *best(count: number): Steps<BestScored> {
    if (this.#scores !== null) return yield* this.#scores.best(count, this.#matched, this.#isBefore);
    const top = new TopK(count, this.#isBefore);
    yield* this.#matched.visit((ordinal) => {
      top.offer(ordinal, 0);
    });
    return yield* top.sorted();
  }

  *coverages(ordinals: Int32Array, shares: Float64Array, without: readonly number[] = []): Steps<void> {
    const { asked } = this;
    if (this.#scores === null || asked === 0) yield* fillSteps(shares, 0);
    else {
      yield* this.#scores.coveredBy(ordinals, shares, without);
      for (let i = 0; i < shares.length; i += 1) shares[i] = Math.min(1, (shares[i] ?? 0) / asked);
    }
  }

  *scoresOf(ordinals: Int32Array, scores: Float64Array): Steps<void> {
    if (this.#scores === null) yield* fillSteps(scores, 0);
    else yield* this.#scores.scoresOf(ordinals, scores);
  }
}
