/**
 * The list of a search with pins: a pin stands at its position, or behind an earlier pin that has it, and where the list is shorter at its
 * end; the other candidates fill the places between, in their order. Where each stands depends on the whole list alone, never on the page.
 */
import type { Bitset } from '../bits/bitset.ts';

interface Pinned {
  ordinal: number;
  /** From 0, in the whole list. */
  place: number;
}

export class PinnedList {
  /** All candidates, pins among them. */
  readonly all: Bitset;
  /** Without the pins. */
  readonly others: Bitset;
  /** By position. */
  readonly pinned: readonly { ordinal: number; position: number }[];
  readonly #pins: Pinned[];
  readonly #ordinals: ReadonlySet<number>;

  /** `pinned`: each document once, by position, which counts from 1. */
  constructor(candidates: Bitset, pinned: readonly { ordinal: number; position: number }[]) {
    this.pinned = pinned;
    this.#ordinals = new Set(pinned.map(({ ordinal }) => ordinal));
    if (pinned.length === 0) {
      [this.all, this.others, this.#pins] = [candidates, candidates, []];
      return;
    }
    this.all = candidates.clone();
    this.others = candidates.clone();
    for (const { ordinal } of pinned) {
      this.all.add(ordinal);
      this.others.remove(ordinal);
    }
    this.#pins = placed(pinned, this.others.count());
  }

  has(ordinal: number): boolean {
    return this.#ordinals.has(ordinal);
  }

  /** From 0, in the whole list, of a pin, or of another that has so many others before it. */
  placeOf(ordinal: number, othersBefore: number): number {
    const own = this.#pins.find((pin) => pin.ordinal === ordinal);
    if (own !== undefined) return own.place;
    let place = othersBefore;
    for (const pin of this.#pins) if (pin.place <= place) place += 1;
    return place;
  }

  /** The last pin that stands before a place; null: there is none. */
  lastBefore(end: number): number | null {
    return this.#pins.findLast(({ place }) => place < end)?.ordinal ?? null;
  }

  /** A page as it is cut out of the whole: the pins on it, and how many stand before it. */
  partOf({ offset, limit }: { offset: number; limit: number }) {
    const before = this.#pins.filter(({ place }) => place < offset).length;
    const within = this.#pins.filter(({ place }) => place >= offset && place < offset + limit);
    return { offset, limit, before, within };
  }

  /** The page: the others that are on it with its pins between them. */
  between(others: Int32Array, { offset, within }: { offset: number; within: Pinned[] }): Int32Array {
    if (within.length === 0) return others;
    const page = new Int32Array(others.length + within.length);
    const places = new Map(within.map(({ place, ordinal }) => [place - offset, ordinal]));
    const rest = others.values();
    return page.map((_, i) => places.get(i) ?? rest.next().value ?? 0);
  }
}

/** Two never share a place, and none stands behind the end. */
function placed(pinned: readonly { ordinal: number; position: number }[], others: number): Pinned[] {
  let last = -1;
  return pinned.map(({ ordinal, position }, i) => {
    last = Math.max(last + 1, position - 1);
    return { ordinal, place: Math.min(last, others + i) };
  });
}
