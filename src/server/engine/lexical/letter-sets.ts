/** Which letters a word has, in 32 bits: most words that are not alike are told apart by them. */
import type { BytesList } from '../memory/bytes-list.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import { tokenCharactersMax } from '../text/word-rules.ts';
import { lettersOf, TypoMatcher } from './typos.ts';

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

/** Of strings in their order. */
export interface OrderedLetters {
  sets: Uint32Array;
  /** How many letters each has. */
  counts: Uint8Array;
  /** Where each ends in `bytes`, which are UTF-8. */
  ends: Uint32Array;
  bytes: Uint8Array;
}

/**
 * The letters of all strings with a first letter, in the order of the strings, so that a pass over them reads one behind the other. One by
 * one they lie all over the memory, which took several times as long. Kept until the order changes.
 */
export class OrderedLetterSets {
  #order: Int32Array | null = null;
  readonly #byLetter = new Map<string, OrderedLetters>();
  bytes = 0;

  /** `among`: the strings that begin so, a part of `order`; `sets`: by string. */
  *of(
    first: string,
    {
      among,
      order,
      sets,
      strings,
    }: { among: Int32Array; order: Int32Array; sets: Uint32Array; strings: BytesList },
  ): Steps<OrderedLetters> {
    if (this.#order !== order) {
      this.#byLetter.clear();
      this.bytes = 0;
    }
    this.#order = order;
    const known = this.#byLetter.get(first);
    if (known !== undefined) return known;
    const count = among.length;
    const ends = new Uint32Array(count);
    let length = 0;
    for (let place = 0; place < count; place += 1) {
      length += strings.lengthAt(among[place] ?? 0);
      ends[place] = length;
      if (isPauseDue(1)) yield;
    }
    const bytes = new Uint8Array(length);
    const ordered = { sets: new Uint32Array(count), counts: new Uint8Array(count), ends, bytes };
    for (let place = 0; place < count; place += 1) {
      const id = among[place] ?? 0;
      const string = strings.at(id);
      bytes.set(string, (ends[place] ?? 0) - string.length);
      ordered.sets[place] = sets[id] ?? 0;
      ordered.counts[place] = lettersIn(string);
      if (isPauseDue(stringUnits)) yield;
    }
    this.#byLetter.set(first, ordered);
    for (const column of Object.values(ordered)) this.bytes += column.byteLength;
    return ordered;
  }
}

/** Of work, to take a string over. */
const stringUnits = 32;

/** Code points; no word has more than a byte tells. */
function lettersIn(string: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < string.length; i += 1) if (((string[i] ?? 0) & 0xc0) !== 0x80) count += 1;
  return count;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Tells which strings are a few typos away from a word: most are ruled out by their sets and numbers of letters. */
export class NearLetters {
  readonly #set: number;
  readonly #count: number;
  readonly #typosMax: number;
  readonly #matcher: TypoMatcher;
  readonly #letters = new Uint8Array(4 * tokenCharactersMax);
  /** Strings so far whose letters were compared. */
  compared = 0;

  constructor(word: string, typosMax: number) {
    this.#set = letterSet(word);
    this.#count = lettersOf(word).length;
    this.#typosMax = typosMax;
    this.#matcher = new TypoMatcher(word, typosMax);
  }

  isNear({ sets, counts, ends, bytes }: OrderedLetters, place: number): boolean {
    if (hasMoreBits((sets[place] ?? 0) ^ this.#set, 2 * this.#typosMax)) return false;
    const count = counts[place] ?? 0;
    if (Math.abs(count - this.#count) > this.#typosMax) return false;
    this.compared += 1;
    const start = place === 0 ? 0 : (ends[place - 1] ?? 0);
    const end = ends[place] ?? 0;
    if (end - start > count) {
      const letters = lettersOf(decoder.decode(bytes.subarray(start, end)));
      return this.#matcher.distanceTo(letters, count) <= this.#typosMax;
    }
    // Without a view of them, which would take longer than to compare them.
    for (let i = 0; i < count; i += 1) this.#letters[i] = bytes[start + i] ?? 0;
    return this.#matcher.distanceTo(this.#letters, count) <= this.#typosMax;
  }
}
