/** Documents in the order of the most that each can score, roughly: a counting sort by that. */
import type { Bitset } from '../bits/bitset.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import type { MaskSums } from './mask-sums.ts';
import type { MaskedDocuments } from './word-masks.ts';

const steps = 255;
/** Of work, for a document. */
const documentUnits = 8;
/** Documents that are put in their places without a pause. */
const placedAtOnce = 4_096;

export class BoundedDocuments {
  /** The best ones first; those of a step ascending. */
  readonly ordinals: Int32Array;
  /** By step, where those of the next one begin. */
  readonly #ends: Int32Array;
  readonly #most: number;

  private constructor(ordinals: Int32Array, ends: Int32Array, most: number) {
    this.ordinals = ordinals;
    this.#ends = ends;
    this.#most = most;
  }

  /** What neither the document at that place nor one behind it can score more than. */
  boundAt(place: number): number {
    const step = this.#ends.findIndex((end) => place < end);
    return step < 0 ? 0 : ((steps - step) / steps) * this.#most;
  }

  /** `bounds`: of masks, to which `others` come for words without a slot; `most`: of all, also of those without a mask. */
  static *of(
    among: Bitset,
    masked: MaskedDocuments,
    { bounds, others, most }: { bounds: MaskSums; others: number; most: number },
  ): Steps<BoundedDocuments> {
    const ordinals = yield* among.ordinals();
    const stepOf = new Uint8Array(ordinals.length);
    const starts = new Int32Array(steps + 2);
    let at = 0;
    for (let i = 0; i < ordinals.length; i += 1) {
      const ordinal = ordinals[i] ?? 0;
      while (at < masked.ordinals.length && (masked.ordinals[at] ?? 0) < ordinal) at += 1;
      const isMasked = at < masked.ordinals.length && masked.ordinals[at] === ordinal;
      const bound = isMasked ? bounds.of(masked.masks[at] ?? 0) + others : most;
      // From the top: step 0 is that of the most.
      const step = most > 0 ? steps - Math.min(steps, Math.ceil((bound / most) * steps)) : 0;
      stepOf[i] = step;
      starts[step + 1] = (starts[step + 1] ?? 0) + 1;
      if (isPauseDue(documentUnits)) yield;
    }
    for (let step = 1; step < starts.length; step += 1)
      starts[step] = (starts[step] ?? 0) + (starts[step - 1] ?? 0);
    const sorted = new Int32Array(ordinals.length);
    for (let i = 0; i < ordinals.length; i += 1) {
      const step = stepOf[i] ?? 0;
      const place = starts[step] ?? 0;
      starts[step] = place + 1;
      sorted[place] = ordinals[i] ?? 0;
      if (i % placedAtOnce === 0 && isPauseDue(placedAtOnce)) yield;
    }
    // Each has moved on by those of its step.
    return new BoundedDocuments(sorted, starts.subarray(0, steps + 1), most);
  }
}
