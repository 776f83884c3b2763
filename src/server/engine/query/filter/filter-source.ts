import type { Bitset } from '../../bits/bitset.ts';

/** What a filter needs to know of documents beside their columns. */
export interface FilterSource {
  ordinalOf(id: string): number | undefined;
  idOf(ordinal: number): string;
  /** A text's words, folded but not stemmed: the words of an ASCII text are runs of its lower-cased characters. */
  wordsOf(text: string): string[];
  /** The texts of a document's field, as they are stored. */
  textsOf(ordinal: number, path: string): string[];
  /**
   * Documents whose field may hold every one of these words, the last as a beginning where `isPrefix`, from an inverted index; too many is
   * no harm, each is read again. Null or absent: every value of the field is read, which is slow where they are many and long.
   */
  withWords?(path: string, words: string[], isPrefix: boolean): Bitset | null;
}
