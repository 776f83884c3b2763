/**
 * Some of the living documents, for what a search wants to know about all of them roughly: those whose id's hash begins with at least
 * `level` zero bits, for the least level that leaves no more than `drawnMax`. So the documents alone decide who is drawn, whatever brought them, and
 * a collection of up to `drawnMax` is drawn as a whole (adaptive sampling: Flajolet, "On adaptive sampling", 1990).
 * Where a document has several rows that are looked at, fewer are drawn in the same way, so that these are bounded too.
 *
 * Cost: a hash of each id the first time; then one for each put and delete, and all once more where deletes have left room for twice as many.
 */
import type { Bitset } from '../bits/bitset.ts';
import { isPauseDue, type Steps } from '../steps.ts';

export const drawnMax = 512;
/** Of work, for an id that is hashed. */
const hashUnits = 16;
/** A hash has 32 bits, all of which may be zeros. */
const levels = 33;

export interface Drawn {
  /** Ascending; an array that may be kept: read only. */
  ordinals: Int32Array;
  /** How many documents each of them stands for. */
  weight: number;
}

/** What looking at a document takes. */
export interface RowLimit {
  rowsOf: (ordinal: number) => number;
  rowsMax: number;
}

export class DocumentDraw {
  readonly #hashOf: (ordinal: number) => number;
  /** Living documents by the zeros that their hash begins with. */
  #counts = new Float64Array(levels);
  #level = 0;
  /** Null: to be drawn anew. */
  #ordinals: Set<number> | null = null;
  #drawn: Drawn | null = null;

  constructor(hashOf: (ordinal: number) => number) {
    this.#hashOf = hashOf;
  }

  add(ordinal: number): void {
    if (this.#ordinals === null) return;
    const zeros = this.#zerosOf(ordinal);
    this.#counts[zeros] = (this.#counts[zeros] ?? 0) + 1;
    if (zeros < this.#level) return;
    this.#drawn = null;
    this.#ordinals.add(ordinal);
    this.#level = this.#thin(this.#ordinals, this.#level);
  }

  remove(ordinal: number): void {
    if (this.#ordinals === null) return;
    const zeros = this.#zerosOf(ordinal);
    this.#counts[zeros] = (this.#counts[zeros] ?? 0) - 1;
    if (this.#ordinals.delete(ordinal)) this.#drawn = null;
    if (this.#level !== leastLevel(this.#counts)) this.#ordinals = null;
  }

  /** `live`: all living documents. */
  *of(live: Bitset, limit?: RowLimit): Steps<Drawn> {
    const ordinals = this.#ordinals ?? (yield* this.#draw(live));
    this.#drawn ??= { ordinals: Int32Array.from(ordinals).sort(), weight: 2 ** this.#level };
    return limit === undefined ? this.#drawn : this.#within(this.#drawn, limit);
  }

  /** Of these the ones of the least level that has no more than so many rows; of the highest with rows, where that one has more. */
  #within(drawn: Drawn, { rowsOf, rowsMax }: RowLimit): Drawn {
    const rowsAt = new Float64Array(levels);
    let rows = 0;
    const rowsOfDrawn = drawn.ordinals.map(rowsOf);
    for (const own of rowsOfDrawn) rows += own;
    if (rows <= rowsMax) return drawn;
    const zeros = drawn.ordinals.map((ordinal) => this.#zerosOf(ordinal));
    zeros.forEach((level, i) => {
      rowsAt[level] = (rowsAt[level] ?? 0) + (rowsOfDrawn[i] ?? 0);
    });
    const highest = rowsAt.findLastIndex((own) => own > 0);
    let level = this.#level;
    for (; rows > rowsMax && level < highest; level += 1) rows -= rowsAt[level] ?? 0;
    return { ordinals: drawn.ordinals.filter((_, i) => (zeros[i] ?? 0) >= level), weight: 2 ** level };
  }

  *#draw(live: Bitset): Steps<Set<number>> {
    const counts = new Float64Array(levels);
    const ordinals = new Set<number>();
    let level = 0;
    for (const ordinal of yield* live.ordinals()) {
      const zeros = this.#zerosOf(ordinal);
      counts[zeros] = (counts[zeros] ?? 0) + 1;
      if (zeros >= level) ordinals.add(ordinal);
      level = this.#thin(ordinals, level);
      if (isPauseDue(hashUnits)) yield;
    }
    this.#counts = counts;
    this.#level = level;
    this.#ordinals = ordinals;
    this.#drawn = null;
    return ordinals;
  }

  /** @returns the level that leaves no more than `drawnMax` of them */
  #thin(ordinals: Set<number>, level: number): number {
    let thinned = level;
    while (ordinals.size > drawnMax && thinned < levels - 1) {
      thinned += 1;
      for (const each of ordinals) if (this.#zerosOf(each) < thinned) ordinals.delete(each);
    }
    return thinned;
  }

  #zerosOf(ordinal: number): number {
    return Math.clz32(this.#hashOf(ordinal));
  }
}

/** The least level that no more than `drawnMax` documents reach. */
function leastLevel(counts: Float64Array): number {
  let level = levels - 1;
  let count = counts[level] ?? 0;
  while (level > 0 && count + (counts[level - 1] ?? 0) <= drawnMax) {
    level -= 1;
    count += counts[level] ?? 0;
  }
  return level;
}
