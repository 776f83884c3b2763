/** Which letters a word has, in 32 bits: most words that are not alike are told apart by them. */
import { type Steps, stepUnits } from '../steps.ts';

/** One bit for each code point modulo 32: a typo changes at most two. */
export function letterSet(word: string): number {
  let set = 0;
  for (const letter of word) set |= 1 << ((letter.codePointAt(0) ?? 0) & 31);
  return set >>> 0;
}

/** Whether a word of 32 bits has more than `most` bits set. Without a count of them: this is asked of every word there is. */
export function hasMoreBits(bits: number, most: number): boolean {
  let rest = bits;
  for (let i = 0; i < most; i += 1) rest &= rest - 1;
  return rest !== 0;
}

/**
 * The sets of all strings with a first letter, in the order of the strings, so that a pass over them reads one number after the other. One by
 * one they lie all over the memory, which took several times as long. Kept until the order changes.
 */
export class OrderedLetterSets {
  #order: Int32Array | null = null;
  readonly #byLetter = new Map<string, Uint32Array>();
  bytes = 0;

  /** `among`: the strings that begin so, a part of `order`; `sets`: by string. */
  *of(
    first: string,
    { among, order, sets }: { among: Int32Array; order: Int32Array; sets: Uint32Array },
  ): Steps<Uint32Array> {
    if (this.#order !== order) {
      this.#byLetter.clear();
      this.bytes = 0;
    }
    this.#order = order;
    const known = this.#byLetter.get(first);
    if (known !== undefined) return known;
    const ordered = new Uint32Array(among.length);
    for (let place = 0; place < among.length; place += 1) {
      ordered[place] = sets[among[place] ?? 0] ?? 0;
      if ((place + 1) % stepUnits === 0) yield;
    }
    this.#byLetter.set(first, ordered);
    this.bytes += ordered.byteLength;
    return ordered;
  }
}
