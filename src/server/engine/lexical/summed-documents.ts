import { sortAscending } from '../bits/sort-steps.ts';
import { withRoom } from '../memory/with-room.ts';
import { isPauseDue, type Steps, stepUnits } from '../steps.ts';
import type { Batch } from './layered-scan.ts';

/** Documents that a scan has found, with what it says they add up to. */
export class SummedDocuments {
  #ordinals = new Int32Array(64);
  #sums = new Float64Array(64);
  #size = 0;

  /** Those of a batch that reach `least`. */
  push({ ordinals, sums, count }: Batch, least: number): void {
    this.#ordinals = withRoom(this.#ordinals, this.#size + count);
    this.#sums = withRoom(this.#sums, this.#size + count);
    for (let i = 0; i < count; i += 1) {
      const sum = sums[i] ?? 0;
      if (sum < least) continue;
      this.#ordinals[this.#size] = ordinals[i] ?? 0;
      this.#sums[this.#size] = sum;
      this.#size += 1;
    }
  }

  /** Those that reach `least`, ascending; nothing may be pushed afterwards. */
  *reaching(least: number): Steps<Int32Array> {
    const found = this.#ordinals;
    let count = 0;
    for (let from = 0; from < this.#size; from += stepUnits) {
      const to = Math.min(from + stepUnits, this.#size);
      for (let i = from; i < to; i += 1) {
        if ((this.#sums[i] ?? 0) < least) continue;
        found[count] = found[i] ?? 0;
        count += 1;
      }
      if (isPauseDue(to - from)) yield;
    }
    const reaching = found.subarray(0, count);
    yield* sortAscending(reaching);
    return reaching;
  }
}
