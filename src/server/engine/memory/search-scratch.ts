type Numbers = 'frequencies' | 'scores' | 'covered' | 'similarities' | 'fused';
type Integers = 'passages' | 'textRanks' | 'vectorRanks';

/**
 * A search's arrays with an element for each ordinal. Fresh ones for each search, megabytes of them, cost more than the search itself in pages to
 * clear and memory to collect, so they are used again; but never by two searches at once, as one may pause while another runs.
 */
export class SearchScratch {
  readonly #numbers = new Map<Numbers, Float64Array>();
  readonly #integers = new Map<Integers, Int32Array>();

  /** As the last search has left them. */
  numbers(use: Numbers, capacity: number): Float64Array {
    let array = this.#numbers.get(use);
    if (array === undefined || array.length < capacity) {
      array = new Float64Array(withReserve(capacity));
      this.#numbers.set(use, array);
    }
    return array.subarray(0, capacity);
  }

  /** As the last search has left them. */
  integers(use: Integers, capacity: number): Int32Array {
    let array = this.#integers.get(use);
    if (array === undefined || array.length < capacity) {
      array = new Int32Array(withReserve(capacity));
      this.#integers.set(use, array);
    }
    return array.subarray(0, capacity);
  }
}

/** A growing index does not need new arrays with each document. */
function withReserve(capacity: number): number {
  return capacity + (capacity >>> 3);
}

/** Kept when their searches have ended. More are only needed while several searches pause. */
const sparesMax = 2;
const spares: SearchScratch[] = [];

export function takeScratch(): SearchScratch {
  return spares.pop() ?? new SearchScratch();
}

/** Nothing may read it any more. */
export function giveBackScratch(scratch: SearchScratch): void {
  if (spares.length < sparesMax) spares.push(scratch);
}
