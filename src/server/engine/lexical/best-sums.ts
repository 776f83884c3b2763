import { TopK } from '../bits/top-k.ts';
import type { Steps } from '../steps.ts';
import type { Batch, Threshold } from './layered-scan.ts';
import { slack } from './mask-sums.ts';
import { SummedDocuments } from './summed-documents.ts';

/** Documents whose sums reach the `count`-th best so far. */
export class BestSums implements Threshold {
  readonly #top: TopK;
  readonly #met = new SummedDocuments();
  value = 0;

  constructor(count: number) {
    this.#top = new TopK(count, (a, b) => a < b);
  }

  take(batch: Batch): void {
    for (let i = 0; i < batch.count; i += 1) this.#top.offer(batch.ordinals[i] ?? 0, batch.sums[i] ?? 0);
    this.value = Math.max(0, this.#top.least);
    this.#met.push(batch, this.value * slack);
  }

  /** Ascending. */
  ordinals(): Steps<Int32Array> {
    return this.#met.reaching(this.value * slack);
  }
}
