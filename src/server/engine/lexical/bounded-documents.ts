/** Documents in the order of the most that each can score, roughly: a counting sort by that. */
import type { Bitset } from '../bits/bitset.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import type { MaskSums } from './mask-sums.ts';
import type { MaskedDocuments } from './word-masks.ts';

const steps = 255;
/** Of work, for a document. */
const documentUnits = 8;

export class BoundedDocuments {
  /** The best ones first; those of a step ascending. */
  readonly ordinals: Int32Array;
  /** By their places. No document behind one can score more. */
  readonly bounds: Float64Array;

  private constructor(count: number) {
    this.ordinals = new Int32Array(count);
    this.bounds = new Float64Array(count);
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
    const bounded = new BoundedDocuments(ordinals.length);
    for (let i = 0; i < ordinals.length; i += 1) {
      const step = stepOf[i] ?? 0;
      const place = starts[step] ?? 0;
      starts[step] = place + 1;
      bounded.ordinals[place] = ordinals[i] ?? 0;
      bounded.bounds[place] = ((steps - step) / steps) * most;
    }
    if (isPauseDue(ordinals.length)) yield;
    return bounded;
  }
}
