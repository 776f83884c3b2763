/**
 * Postings are by term; a mark beside each frequency says which of the term's words stands in the field. The words of a term are numbered as they come. A field that holds
 * one of them, as most do, has its number; one that holds several has a bit for each, and one for all that came late. So most postings have one of few forms. Numbers
 * stay when an index is compacted: what is left out is in no document any more.
 */
import type { SectionReader, SectionWriter } from '../memory/sections.ts';
import { withRoom } from '../memory/with-room.ts';
import { type Steps, stepUnits } from '../steps.ts';

/** Beside each frequency of a form. 0: unknown, as in snapshots that were made before there were marks. */
export const marksBits = 12;
export const marksCount = 1 << marksBits;
/** With it the others are bits, without it they are a number. */
export const severalMark = marksCount >>> 1;
/** Of what stands beside the words of a text (`text/other-words.ts`). */
export const otherMark = 1;
/** Words have the numbers from here on; all that come late have the last one. */
const wordMark = 2;
const lastMark = 255;
/** The last bit is that of all words from this number on. */
const lateMark = wordMark + marksBits - 3;

export class WordMarks {
  /** By word; 0: the string is none. */
  #marks = new Uint8Array(64);
  /** By term: the number of its last word, 0: it has none. */
  #last = new Uint8Array(64);

  get memoryBytes(): number {
    return this.#marks.byteLength + this.#last.byteLength;
  }

  of(word: number): number {
    return this.#marks[word] ?? 0;
  }

  /** Of a new word. */
  add(word: number, term: number): void {
    const before = term < this.#last.length ? (this.#last[term] ?? 0) : 0;
    this.#set(word, term, before === 0 ? wordMark : Math.min(before + 1, lastMark));
  }

  #set(word: number, term: number, mark: number): void {
    this.#marks = withRoom(this.#marks, word + 1);
    this.#last = withRoom(this.#last, term + 1);
    this.#marks[word] = mark;
    this.#last[term] = Math.max(mark, this.#last[term] ?? 0);
  }

  /** `renumbered`: the new number of each string, −1: it is left out; `termOf`: by new number, −1: it is no word. */
  *compacted(renumbered: Int32Array, termOf: (word: number) => number): Steps<WordMarks> {
    const marks = new WordMarks();
    for (let word = 0; word < renumbered.length; word += 1) {
      if ((word + 1) % stepUnits === 0) yield;
      const moved = renumbered[word] ?? -1;
      const term = moved < 0 ? -1 : termOf(moved);
      if (term >= 0) marks.#set(moved, term, this.of(word));
    }
    return marks;
  }

  /** `words`: strings that there are. */
  encode(writer: SectionWriter, words: number): void {
    writer.array(this.#marks.slice(0, words));
  }

  /** Where a snapshot has none they are given anew: nothing is marked in it. */
  *decode(reader: SectionReader, words: number, termOf: (word: number) => number): Steps<void> {
    const marks = reader.isAtEnd ? null : yield* reader.bytes();
    for (let word = 0; word < words; word += 1) {
      if ((word + 1) % stepUnits === 0) yield;
      const term = termOf(word);
      if (term < 0) continue;
      if (marks === null) this.add(word, term);
      else this.#set(word, term, marks[word] ?? 0);
    }
  }
}

/** Of a field that holds what both say. */
export const withMark = (marks: number, mark: number): number =>
  marks === mark ? marks : severalMark | bitsOf(marks) | bitsOf(mark);

/** A bit for each word, as where there are several. */
export function bitsOf(marks: number): number {
  if ((marks & severalMark) !== 0) return marks & (severalMark - 1);
  return 1 << (Math.min(marks, lateMark) - otherMark);
}
