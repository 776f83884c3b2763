import { hashText } from '../../memory/hash.ts';
import { HashSlots } from '../../memory/hash-slots.ts';
import type { SectionReader, SectionWriter } from '../../memory/sections.ts';
import { withRoom } from '../../memory/with-room.ts';
import { fold } from '../../text/fold.ts';

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
  /** Codes by the hash of the folded text. */
  readonly #slots = new HashSlots();
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
    const tables = this.#slots.memoryBytes + this.#isLong.byteLength + this.#ranks.byteLength;
    return tables + this.#textBytes + this.#texts.length * 8;
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
    const slots = this.#slots;
    const hash = hashText(fold(text));
    let slot = slots.first(hash);
    for (; ; slot = slots.next(slot)) {
      const code = slots.elementAt(slot);
      if (code < 0) break;
      if (slots.hashOf(code) === hash && this.#texts[code] === text && this.isLong(code) === isLong)
        return code;
    }
    const code = this.#texts.length;
    slots.put(slot, code, hash);
    this.#append(text, isLong);
    return code;
  }

  /** Calls `visit` with the code of every short text that folds to `folded`. */
  eachFolded(folded: string, visit: (code: number) => void): void {
    const slots = this.#slots;
    const hash = hashText(folded);
    for (let slot = slots.first(hash); ; slot = slots.next(slot)) {
      const code = slots.elementAt(slot);
      if (code < 0) return;
      if (slots.hashOf(code) === hash && !this.isLong(code) && fold(this.textOf(code)) === folded)
        visit(code);
    }
  }

  encode(writer: SectionWriter): void {
    writer.texts(this.#texts);
    writer.array(this.#isLong.subarray(0, this.size));
    writer.array(Uint32Array.from(this.#texts, (_, code) => this.#slots.hashOf(code)));
  }

  static decode(reader: SectionReader): Dictionary {
    const dictionary = new Dictionary();
    const texts = reader.texts();
    const isLong = reader.bytes();
    const hashes = reader.uint32();
    texts.forEach((text, code) => {
      dictionary.#slots.add(code, hashes[code] ?? 0);
      dictionary.#append(text, isLong[code] === 1);
    });
    return dictionary;
  }

  #append(text: string, isLong: boolean): void {
    const code = this.#texts.length;
    this.#texts.push(text);
    this.#textBytes += textBytes(text);
    this.#isLong = withRoom(this.#isLong, code + 1);
    this.#isLong[code] = isLong ? 1 : 0;
    if (isLong) this.#longCount += 1;
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
