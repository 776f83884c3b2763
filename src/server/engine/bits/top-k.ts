import { withRoom } from '../memory/with-room.ts';
import type { Steps } from '../steps.ts';
import { sortSteps } from './sort-steps.ts';

/**
 * The k best of a stream of scored ordinals: a binary heap whose root is the worst one kept, so that most offers cost one
 * comparison and a replacement costs log k. Best is the higher score; equal scores are ordered by `isBefore(a, b)`, which must be a
 * strict total order of ordinals (the engine orders by id), so that the result does not depend on the order of the offers.
 * Ordinals offered twice are kept twice; NaN is refused, since it has no place in an order.
 */
export class TopK {
  readonly #k: number;
  readonly #isBefore: (a: number, b: number) => boolean;
  // Small at first: a caller may ask for far more than there is.
  #ordinals = new Int32Array(0);
  #scores = new Float64Array(0);
  #size = 0;

  constructor(k: number, isBefore: (a: number, b: number) => boolean) {
    this.#k = Math.max(0, Math.trunc(k));
    this.#isBefore = isBefore;
  }

  offer(ordinal: number, score: number): void {
    if (Number.isNaN(score)) throw new RangeError('a score is not a number');
    if (this.#size < this.#k) {
      this.#ordinals = withRoom(this.#ordinals, this.#size + 1);
      this.#scores = withRoom(this.#scores, this.#size + 1);
      this.#rise(this.#size++, ordinal, score);
    } else if (this.#k > 0 && this.#isWorse(0, ordinal, score)) {
      this.#sink(0, this.#size, ordinal, score);
    }
  }

  /** What a score must reach to be kept; −Infinity: there is room for any. */
  get least(): number {
    return this.#size < this.#k || this.#k === 0 ? Number.NEGATIVE_INFINITY : this.#scoreAt(0);
  }

  /** Everything kept, best first. The heap stays as it is: more may be offered afterwards. */
  *sorted(): Steps<{ ordinals: Int32Array; scores: Float64Array }> {
    const places = Int32Array.from({ length: this.#size }, (_, place) => place);
    yield* sortSteps(places, (a, b) => {
      const difference = this.#scoreAt(b) - this.#scoreAt(a);
      // Two infinities of one sign differ by NaN and are equal.
      if (difference !== 0 && !Number.isNaN(difference)) return difference;
      return this.#order(this.#ordinalAt(a), this.#ordinalAt(b));
    });
    return {
      ordinals: Int32Array.from(places, (place) => this.#ordinalAt(place)),
      scores: Float64Array.from(places, (place) => this.#scoreAt(place)),
    };
  }

  #order(a: number, b: number): number {
    if (a === b) return 0;
    return this.#isBefore(a, b) ? -1 : 1;
  }

  #ordinalAt(place: number): number {
    return this.#ordinals[place] ?? 0;
  }

  #scoreAt(place: number): number {
    return this.#scores[place] ?? 0;
  }

  /** Whether what is kept at `place` comes after the given one in the result. */
  #isWorse(place: number, ordinal: number, score: number): boolean {
    const kept = this.#scoreAt(place);
    if (kept !== score) return kept < score;
    const keptOrdinal = this.#ordinalAt(place);
    return keptOrdinal !== ordinal && this.#isBefore(ordinal, keptOrdinal);
  }

  #rise(from: number, ordinal: number, score: number): void {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      // The parent must be the worse one: it sinks below when it is better than the newcomer.
      if (this.#isWorse(parent, ordinal, score)) break;
      this.#move(parent, place);
      place = parent;
    }
    this.#put(place, ordinal, score);
  }

  #sink(from: number, size: number, ordinal: number, score: number): void {
    let place = from;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= size) break;
      const right = child + 1;
      if (right < size && this.#isWorse(right, this.#ordinalAt(child), this.#scoreAt(child))) child = right;
      if (!this.#isWorse(child, ordinal, score)) break;
      this.#move(child, place);
      place = child;
    }
    this.#put(place, ordinal, score);
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#ordinalAt(from), this.#scoreAt(from));
  }

  #put(place: number, ordinal: number, score: number): void {
    this.#ordinals[place] = ordinal;
    this.#scores[place] = score;
  }
}
