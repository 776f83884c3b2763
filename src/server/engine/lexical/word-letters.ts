import { tokenCharactersMax } from '../text/word-rules.ts';
import type { TermDictionary } from './term-dictionary.ts';
import { lettersOf } from './typos.ts';

/** The letters of a dictionary's words, one word after the other. Those of most are their bytes; a text for each took several times as long. */
export class WordLetters {
  readonly #dictionary: TermDictionary;
  /** UTF-8 has at most three bytes for each unit of a text. */
  readonly #bytes = new Uint8Array(3 * tokenCharactersMax);
  /** Code points, of which the first `count` are those of the word that was read last. */
  letters: ArrayLike<number> = this.#bytes;
  count = 0;

  constructor(dictionary: TermDictionary) {
    this.#dictionary = dictionary;
  }

  read(id: number): void {
    const length = this.#dictionary.copyBytes(this.#bytes, id);
    this.letters = isAscii(this.#bytes, length) ? this.#bytes : lettersOf(this.#dictionary.textOf(id));
    this.count = this.letters === this.#bytes ? length : this.letters.length;
  }
}

function isAscii(bytes: Uint8Array, length: number): boolean {
  for (let i = 0; i < length; i += 1) if ((bytes[i] ?? 0) > 0x7f) return false;
  return true;
}
