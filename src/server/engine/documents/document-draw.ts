/**
 * Some of the living documents, for what a search wants to know about all of them roughly: those whose id's hash begins with at least
 * `level` zero bits, for the least level that leaves no more than `drawnMax`. So the documents alone decide who is drawn, whatever brought them, and
 * a collection of up to `drawnMax` is drawn as a whole (adaptive sampling: Flajolet, "On adaptive sampling", 1990).
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
  /** Ascending; an array that is kept: read only. */
  ordinals: Int32Array;
  /** How many documents each of them stands for. */
  weight: number;
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
  *of(live: Bitset): Steps<Drawn> {
    const ordinals = this.#ordinals ?? (yield* this.#draw(live));
    this.#drawn ??= { ordinals: Int32Array.from(ordinals).sort(), weight: 2 ** this.#level };
    return this.#drawn;
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
