import { fold } from './fold.ts';

/**
 * A string field's distinct values, numbered. Short values are found by their folded form in one lookup (spellings that differ in case
 * share a chain), long texts are kept once per use and never looked up: they hardly ever repeat and a hash over them would be waste.
 */
export class Dictionary {
  static readonly shortCharactersMax = 256;

  readonly #texts: string[] = [];
  /** Folded short value → its first code; `#next` goes on to other spellings, −1 ends. */
  readonly #firstByFold = new Map<string, number>();
  #next = new Int32Array(8);
  readonly #longCodes: number[] = [];
  #textBytes = 0;
  #ranks = new Uint32Array(0);

  get size(): number {
    return this.#texts.length;
  }
  get texts(): readonly string[] {
    return this.#texts;
  }
  /** Texts at one or two bytes a unit, and what the tables take beside them. */
  get memoryBytes(): number {
    return this.#textBytes + this.#next.byteLength + this.#ranks.byteLength + this.#texts.length * 32;
  }

  textOf(code: number): string {
    return this.#texts[code] ?? '';
  }

  /**
   * Each code's place in the order of folded texts; texts that fold alike share one. Of a long text only the beginning counts. Made
   * when first asked for after a change: O(n log n), kept for the next time.
   */
  ranks(): Uint32Array {
    if (this.#ranks.length === this.#texts.length) return this.#ranks;
    const folded = this.#texts.map((text) => fold(text.slice(0, Dictionary.shortCharactersMax)));
    const rankOf = new Map([...new Set(folded)].sort().map((text, rank) => [text, rank]));
    this.#ranks = Uint32Array.from(folded, (text) => rankOf.get(text) ?? 0);
    return this.#ranks;
  }

  /** The code of a text, new or known. */
  intern(text: string): number {
    if (text.length > Dictionary.shortCharactersMax) {
      const code = this.#append(text);
      this.#longCodes.push(code);
      return code;
    }
    const folded = fold(text);
    const first = this.#firstByFold.get(folded) ?? -1;
    for (let code = first; code >= 0; code = this.#next[code] ?? -1) {
      if (this.#texts[code] === text) return code;
    }
    const code = this.#append(text);
    this.#next[code] = first;
    this.#firstByFold.set(folded, code);
    if (folded !== text) this.#textBytes += textBytes(folded);
    return code;
  }

  /** Calls `visit` with the code of every text that folds to `folded`. */
  eachFolded(folded: string, visit: (code: number) => void): void {
    let code = this.#firstByFold.get(folded) ?? -1;
    for (; code >= 0; code = this.#next[code] ?? -1) visit(code);
    // Composition shortens a text at most to a quarter, so a short folded text cannot be a long one's.
    if (folded.length * 4 <= Dictionary.shortCharactersMax) return;
    for (const long of this.#longCodes) if (fold(this.textOf(long)) === folded) visit(long);
  }

  #append(text: string): number {
    const code = this.#texts.length;
    this.#texts.push(text);
    this.#textBytes += textBytes(text);
    if (code === this.#next.length) {
      const next = new Int32Array(code + (code >>> 1) + 8);
      next.set(this.#next);
      this.#next = next;
    }
    this.#next[code] = -1;
    return code;
  }
}

const twoByteUnit = /[\u0100-\uffff]/;

/** What the runtime keeps of a text: one byte a unit while all are Latin-1, else two, and a header. */
function textBytes(text: string): number {
  return 16 + (twoByteUnit.test(text) ? text.length * 2 : text.length);
}
