/**
 * What words begin with that share a term with some: most words of a text are ruled out by their first letters and their length. A stem is not
 * longer than the word, and shares with it all letters but its own last two. Beginnings that share a number do no harm: what may match is looked up.
 */
import type { Steps } from '../steps.ts';
import { stepUnits } from '../steps.ts';
import type { TermDictionary } from './term-dictionary.ts';

/** Letters at the end of a stem that its words may have otherwise. */
const changedMax = 2;
const BEGINNINGS = 1 << 12;
const NEVER = 255;
const ASCII = 1 << 7;

export class WordBeginnings {
  /** By the first three letters of a word: how many it must have. */
  readonly lettersMin = new Uint8Array(BEGINNINGS).fill(NEVER);
  /** By an ASCII character: 1 where words that begin so may match, or those behind it: the number of `v2`. */
  readonly firsts = new Uint8Array(ASCII);

  admitAll(): void {
    this.lettersMin.fill(0);
    this.firsts.fill(1);
  }

  *admit(dictionary: TermDictionary, terms: Iterable<number>): Steps<void> {
    let units = 0;
    for (const term of terms) {
      units += this.#admitOne(dictionary.bytesOf(term));
      if (units < stepUnits) continue;
      units = 0;
      yield;
    }
  }

  admitThoseOf({ lettersMin, firsts }: WordBeginnings): void {
    for (let i = 0; i < BEGINNINGS; i += 1)
      if ((lettersMin[i] ?? 0) < (this.lettersMin[i] ?? 0)) this.lettersMin[i] = lettersMin[i] ?? 0;
    for (let i = 0; i < ASCII; i += 1) this.firsts[i] = (this.firsts[i] ?? 0) | (firsts[i] ?? 0);
  }

  /** Whether a word of ASCII letters and digits in either case may match; its bytes stand at `start`. */
  mayMatch(bytes: Uint8Array, start: number, length: number): boolean {
    // A word of one or two letters can only be as long as its term, which leaves all letters open.
    const second = length > 1 ? (bytes[start + 1] ?? 0) : 0;
    const third = length > 2 ? (bytes[start + 2] ?? 0) : 0;
    const beginning = beginningOf(bytes[start] ?? 0, second, third);
    return length >= (this.lettersMin[beginning] ?? NEVER);
  }

  /** Letters of the word that the term does not tell may be any. Answers how many beginnings that are. */
  #admitOne(term: Uint8Array): number {
    const known = term.length - changedMax;
    const first = term[0] ?? 0;
    this.#admitFirst(first);
    const seconds = known >= 2 ? [term[1] ?? 0] : fiveBits;
    const thirds = known >= 3 ? [term[2] ?? 0] : fiveBits;
    for (const second of seconds) {
      for (const third of thirds) {
        const beginning = beginningOf(first, second, third);
        if (term.length < (this.lettersMin[beginning] ?? NEVER)) this.lettersMin[beginning] = term.length;
      }
    }
    return seconds.length * thirds.length;
  }

  #admitFirst(letter: number): void {
    const character = String.fromCharCode(letter);
    const isDigit = /\d/.test(character);
    for (const each of isDigit ? [character, 'v', 'V'] : [character, character.toUpperCase()])
      if (each.charCodeAt(0) < ASCII) this.firsts[each.charCodeAt(0)] = 1;
  }
}

/** A letter that may be any. */
const fiveBits = Array.from({ length: 32 }, (_, bits) => bits);

/** Five bits of each letter, the same in both cases, folded to twelve. */
function beginningOf(first: number, second: number, third: number): number {
  const bits = ((first & 31) << 10) | ((second & 31) << 5) | (third & 31);
  return (bits ^ (bits >>> 3)) & (BEGINNINGS - 1);
}
