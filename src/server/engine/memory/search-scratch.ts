type Numbers =
  | 'best'
  | 'frequencies'
  | 'scores'
  | 'ratios'
  | 'covered'
  | 'candidateTexts'
  | 'candidateCoverages'
  | 'candidateSimilarities'
  | 'similarities'
  | 'fused';
type Integers =
  | 'masks'
  | 'candidates'
  | 'textRanks'
  | 'vectorRanks'
  | 'rankedPlaces'
  | 'sortHigh'
  | 'sortLow'
  | 'sortCounts'
  | 'sortOrder'
  | 'sortTarget'
  | 'places'
  | 'groups'
  | 'heads'
  | 'groupSizes';

/**
 * A search's arrays with an element for each ordinal. Fresh ones for each search, megabytes of them, cost more than the search itself in pages to
 * clear and memory to collect, so they are used again; but never by two searches at once, as one may pause while another runs.
 */
export class SearchScratch {
  readonly #numbers = new Map<Numbers, Float64Array>();
  readonly #integers = new Map<Integers, Int32Array>();
  readonly #lists: Int32Array[] = [];
  #listsTaken = 0;
  /** What had been given up before. */
  takenAt = 0;

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

  /** One more array of so many numbers, until `giveBackLists`; as another search has left it. */
  list(length: number): Int32Array {
    const taken = this.#listsTaken;
    this.#listsTaken += 1;
    const kept = this.#lists[taken];
    if (kept !== undefined && kept.length >= length) return kept.subarray(0, length);
    const list = new Int32Array(Math.max(withReserve(length), listMin));
    if (taken < listsMax) this.#lists[taken] = list;
    return list.subarray(0, length);
  }

  giveBackLists(): void {
    this.#listsTaken = 0;
  }

  get bytes(): number {
    const arrays = [...this.#numbers.values(), ...this.#integers.values(), ...this.#lists];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Gives up what is longer than an index with so many ordinals needs. */
  shrinkTo(capacity: number): void {
    const longest = withReserve(capacity);
    for (const [use, { length }] of this.#numbers) if (length > longest) this.#numbers.delete(use);
    for (const [use, { length }] of this.#integers) if (length > longest) this.#integers.delete(use);
    if (this.#lists.some(({ length }) => length > Math.max(longest, listMin))) this.#lists.length = 0;
  }
}

/** Lists that are kept, and the shortest one. */
const listsMax = 16;
const listMin = 1 << 10;

/** A growing index does not need new arrays with each document. */
function withReserve(capacity: number): number {
  return capacity + (capacity >>> 3);
}

/** Kept when their searches have ended. More are only needed while several searches pause. */
const sparesMax = 2;
const spares: SearchScratch[] = [];
/** Of so many ordinals they are kept whatever there is: a megabyte each. */
const keptMin = 1 << 14;
/** The ordinals that arrays are kept for, and how often that was said. */
let kept = Number.POSITIVE_INFINITY;
let shrunk = 0;

export function takeScratch(): SearchScratch {
  const scratch = spares.pop() ?? new SearchScratch();
  scratch.takenAt = shrunk;
  return scratch;
}

/** Nothing may read it any more. */
export function giveBackScratch(scratch: SearchScratch): void {
  scratch.giveBackLists();
  if (scratch.takenAt !== shrunk) scratch.shrinkTo(kept);
  if (spares.length < sparesMax) spares.push(scratch);
}

/** No index has more ordinals any more: what searches of larger ones have left is given up, and what they work with when they end. */
export function shrinkScratch(capacity: number): void {
  kept = Math.max(capacity, keptMin);
  shrunk += 1;
  for (const scratch of spares) scratch.shrinkTo(kept);
}

/** Of all that is kept for searches to come. */
export function scratchBytes(): number {
  return spares.reduce((sum, { bytes }) => sum + bytes, 0);
}
