import { withRoom } from '../../memory/growable.ts';
import { fold, hashText } from '../../text/fold.ts';

/**
 * A string field's distinct values, numbered. Spellings that differ in case are found together, through a hash table over the folded form.
 *
 * Prose is not kept beside the document that holds it: of a text longer than `shortCharactersMax` units only the first `headCharactersMax`
 * are here, enough to sort by and to show in a facet (with an ellipsis). Texts with the same beginning share a code; whether one of them equals or
 * contains something, only the document itself can tell.
 */
export class Dictionary {
  static readonly shortCharactersMax = 256;
  static readonly headCharactersMax = 64;

  readonly #texts: string[] = [];
  /** Code + 1; 0 is free. At most two thirds full. */
  #slots = new Int32Array(16);
  #hashes = new Uint32Array(8);
  #isLong = new Uint8Array(8);
  #longCount = 0;
  #textBytes = 0;
  #ranks = new Uint32Array(0);

  get size(): number {
    return this.#texts.length;
  }
  /** Codes of long texts. */
  get longCount(): number {
    return this.#longCount;
  }
  /** Texts at one or two bytes a unit, a reference to each, and the tables beside them. */
  get memoryBytes(): number {
    const tables = [this.#slots, this.#hashes, this.#isLong, this.#ranks];
    const bytes = tables.reduce((sum, table) => sum + table.byteLength, 0);
    return bytes + this.#textBytes + this.#texts.length * 8;
  }

  /** The whole text, or the beginning of a long one. */
  textOf(code: number): string {
    return this.#texts[code] ?? '';
  }

  isLong(code: number): boolean {
    return this.#isLong[code] === 1;
  }

  /** What people see of a value: a long text ends in an ellipsis. */
  labelOf(code: number): string {
    return this.isLong(code) ? `${this.textOf(code)}…` : this.textOf(code);
  }

  /**
   * Each code's place in the order of folded texts; texts that fold alike share one, a long text counts by its beginning. Made
   * when first asked for after a change: O(n log n), kept for the next time.
   */
  ranks(): Uint32Array {
    if (this.#ranks.length === this.#texts.length) return this.#ranks;
    const folded = this.#texts.map(fold);
    const rankOf = new Map([...new Set(folded)].sort().map((text, rank) => [text, rank]));
    this.#ranks = Uint32Array.from(folded, (text) => rankOf.get(text) ?? 0);
    return this.#ranks;
  }

  /** The code of a text, new or known. */
  intern(text: string): number {
    const isLong = text.length > Dictionary.shortCharactersMax;
    return this.internPart(isLong ? headOf(text) : text, isLong);
  }

  /** The code of a whole text, or of the beginning of a long one. */
  internPart(text: string, isLong: boolean): number {
    const hash = hashText(fold(text));
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const code = (this.#slots[slot] ?? 0) - 1;
      if (code < 0) return this.#append(text, { isLong, hash, slot });
      if (this.#hashes[code] === hash && this.#texts[code] === text && this.isLong(code) === isLong)
        return code;
    }
  }

  /** Calls `visit` with the code of every short text that folds to `folded`. */
  eachFolded(folded: string, visit: (code: number) => void): void {
    const hash = hashText(folded);
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const code = (this.#slots[slot] ?? 0) - 1;
      if (code < 0) return;
      if (this.#hashes[code] === hash && !this.isLong(code) && fold(this.textOf(code)) === folded)
        visit(code);
    }
  }

  #append(text: string, { isLong, hash, slot }: { isLong: boolean; hash: number; slot: number }): number {
    const code = this.#texts.length;
    this.#texts.push(text);
    this.#textBytes += textBytes(text);
    this.#hashes = withRoom(this.#hashes, code + 1);
    this.#hashes[code] = hash;
    this.#isLong = withRoom(this.#isLong, code + 1);
    this.#isLong[code] = isLong ? 1 : 0;
    if (isLong) this.#longCount += 1;
    this.#slots[slot] = code + 1;
    if ((code + 2) * 3 > this.#slots.length * 2) this.#grow();
    return code;
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 2);
    const mask = slots.length - 1;
    for (let code = 0; code < this.#texts.length; code += 1) {
      let slot = (this.#hashes[code] ?? 0) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = code + 1;
    }
    this.#slots = slots;
  }
}

/** A copy: a slice would keep the whole text alive. Not cut inside a surrogate pair. */
function headOf(text: string): string {
  const units = new Uint16Array(Dictionary.headCharactersMax);
  for (let i = 0; i < units.length; i += 1) units[i] = text.charCodeAt(i);
  const last = units.at(-1) ?? 0;
  const whole = last >= 0xd800 && last <= 0xdbff ? units.subarray(0, -1) : units;
  return Reflect.apply(String.fromCharCode, null, whole);
}

const twoByteUnit = /[\u0100-\uffff]/;

/** What the runtime keeps of a text: one byte a unit while all are Latin-1, else two, and a header. */
function textBytes(text: string): number {
  return 16 + (twoByteUnit.test(text) ? text.length * 2 : text.length);
}
