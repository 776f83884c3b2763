import type { Bitset } from '../../bits/bitset.ts';
import { TopK } from '../../bits/top-k.ts';
import type { BestScored, DocumentScores } from '../../lexical/text-scores.ts';
import { isPauseDue, type Steps } from '../../steps.ts';

/** Scores and coverages that were found before, by ordinal; 0 of all others. */
export class GivenScores implements DocumentScores {
  readonly #scores: ReadonlyMap<number, number>;
  readonly #covered: ReadonlyMap<number, number>;
  readonly asked: number;

  /** `covered`: of what is `asked`, in the same unit. */
  constructor(
    scores: ReadonlyMap<number, number>,
    { covered, asked }: { covered: ReadonlyMap<number, number>; asked: number },
  ) {
    this.#scores = scores;
    this.#covered = covered;
    this.asked = asked;
  }

  scoreOf(ordinal: number): number {
    return this.#scores.get(ordinal) ?? 0;
  }

  *scoresOf(ordinals: Int32Array, into: Float64Array): Steps<void> {
    for (const [place, ordinal] of ordinals.entries()) {
      into[place] = this.scoreOf(ordinal);
      if (isPauseDue(1)) yield;
    }
  }

  *coveredBy(ordinals: Int32Array, into: Float64Array): Steps<void> {
    for (const [place, ordinal] of ordinals.entries()) {
      into[place] = this.#covered.get(ordinal) ?? 0;
      if (isPauseDue(1)) yield;
    }
  }

  // biome-ignore lint/correctness/useYield: there is nothing to do.
  *know(): Steps<null> {
    return null;
  }

  *knowFew(): Steps<void> {}

  *best(count: number, among: Bitset, isBefore: (a: number, b: number) => boolean): Steps<BestScored> {
    const top = new TopK(count, isBefore);
    yield* among.visit((ordinal) => {
      top.offer(ordinal, this.scoreOf(ordinal));
    });
    return yield* top.sorted();
  }
}
