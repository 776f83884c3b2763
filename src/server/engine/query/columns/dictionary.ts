import { mergeOrder } from '../../bits/merge-order.ts';
import { sortSteps } from '../../bits/sort-steps.ts';
import { hashText } from '../../memory/hash.ts';
import { HashSlots } from '../../memory/hash-slots.ts';
import type { SectionReader, SectionWriter } from '../../memory/sections.ts';
import { withRoom } from '../../memory/with-room.ts';
import { type Steps, stepUnits } from '../../steps.ts';
import { fold, isAscii } from '../../text/fold.ts';

const LONG = 1;
const ASCII = 2;

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
  /** By code: whether its text is long, and whether it is ASCII. */
  #marks = new Uint8Array(8);
  #longCount = 0;
  #textBytes = 0;
  /** By code; of the codes that were there when it was made. */
  #ranks = new Uint32Array(0);
  /** The same codes by their ranks. */
  #inOrder = new Int32Array(0);

  get size(): number {
    return this.#texts.length;
  }
  /** Codes of long texts. */
  get longCount(): number {
    return this.#longCount;
  }
  /** Texts at one or two bytes a unit, a reference to each, and the tables beside them. */
  get memoryBytes(): number {
    const order = this.#ranks.byteLength + this.#inOrder.byteLength;
    const tables = this.#slots.memoryBytes + this.#marks.byteLength + order;
    return tables + this.#textBytes + this.#texts.length * 8;
  }

  /** The whole text, or the beginning of a long one. */
  textOf(code: number): string {
    return this.#texts[code] ?? '';
  }

  isLong(code: number): boolean {
    return ((this.#marks[code] ?? 0) & LONG) !== 0;
  }

  /** Whether a text is: found out once, since it takes longer than to look for a word in it. */
  isAscii(code: number): boolean {
    return ((this.#marks[code] ?? 0) & ASCII) !== 0;
  }

  /** What people see of a value: a long text ends in an ellipsis. */
  labelOf(code: number): string {
    return this.isLong(code) ? `${this.textOf(code)}…` : this.textOf(code);
  }

  /**
   * Each code's place in the order of folded texts; texts that fold alike share one, a long text counts by its beginning. Kept; texts that are
   * new since it was asked for last are taken into the order then: a pass over all codes, and some comparisons for each of the new.
   */
  *ranks(): Steps<Uint32Array> {
    if (this.#ranks.length === this.size) return this.#ranks;
    const known = this.#ranks.length;
    const folded: string[] = [];
    const added = new Int32Array(this.size - known);
    for (let i = 0; i < added.length; i += 1) {
      added[i] = known + i;
      folded.push(fold(this.textOf(known + i)));
      if ((i + 1) % foldedAtOnce === 0) yield;
    }
    const foldedOf = (code: number) => folded[code - known] ?? fold(this.textOf(code));
    const order = (a: number, b: number) => compareUnits(foldedOf(a), foldedOf(b));
    yield* sortSteps(added, order);
    const inOrder = yield* mergeOrder(this.#inOrder, added, order);
    const isSame = (a: number, b: number) =>
      a < known && b < known ? this.#ranks[a] === this.#ranks[b] : order(a, b) === 0;
    this.#ranks = yield* ranksIn(inOrder, isSame);
    this.#inOrder = inOrder;
    return this.#ranks;
  }

  /** Where a folded text stands among the ranks: its own, or half a rank behind the one before it. */
  *rankOf(folded: string): Steps<number> {
    const ranks = yield* this.ranks();
    const inOrder = this.#inOrder;
    let low = 0;
    let high = inOrder.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareUnits(this.foldedOf(inOrder[middle] ?? 0), folded) < 0) low = middle + 1;
      else high = middle;
    }
    if (low < inOrder.length && this.foldedOf(inOrder[low] ?? 0) === folded)
      return ranks[inOrder[low] ?? 0] ?? 0;
    return low === 0 ? -0.5 : (ranks[inOrder[low - 1] ?? 0] ?? 0) + 0.5;
  }

  /** The text that is compared where texts are sorted. */
  foldedOf(code: number): string {
    return fold(this.textOf(code));
  }

  hasRoom(count: number): boolean {
    return this.#slots.hasRoom(this.size + count, count);
  }

  /** Makes room for so many more texts. */
  reserve(count: number): Steps<void> {
    return this.#slots.reserve(this.size + count, count);
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
    this.#append(text, (isLong ? LONG : 0) | (isAscii(text) ? ASCII : 0));
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

  *encode(writer: SectionWriter): Steps<void> {
    yield* writer.texts(this.#texts);
    writer.array(this.#marks.subarray(0, this.size));
    const hashes = new Uint32Array(this.size);
    for (let code = 0; code < hashes.length; code += 1) hashes[code] = this.#slots.hashOf(code);
    writer.array(hashes);
  }

  static *decode(reader: SectionReader): Steps<Dictionary> {
    const dictionary = new Dictionary();
    const texts = yield* reader.texts();
    const marks = yield* reader.bytes();
    const hashes = yield* reader.uint32();
    yield* dictionary.reserve(texts.length);
    for (const [code, text] of texts.entries()) {
      dictionary.#slots.add(code, hashes[code] ?? 0);
      dictionary.#append(text, marks[code] ?? 0);
      if ((code + 1) % stepUnits === 0) yield;
    }
    return dictionary;
  }

  #append(text: string, marks: number): void {
    const code = this.#texts.length;
    this.#texts.push(text);
    this.#textBytes += textBytes(text);
    this.#marks = withRoom(this.#marks, code + 1);
    this.#marks[code] = marks;
    if (this.isLong(code)) this.#longCount += 1;
  }
}

/** Texts folded without a pause. */
const foldedAtOnce = 512;

function* ranksIn(
  inOrder: Int32Array,
  isSame: (a: number, b: number) => boolean,
): Steps<Uint32Array<ArrayBuffer>> {
  const ranks = new Uint32Array(inOrder.length);
  let rank = 0;
  for (let place = 0; place < inOrder.length; place += 1) {
    const code = inOrder[place] ?? 0;
    if (place > 0 && !isSame(inOrder[place - 1] ?? 0, code)) rank += 1;
    ranks[code] = rank;
    if ((place + 1) % foldedAtOnce === 0) yield;
  }
  return ranks;
}

/** By code unit, the same in every locale. */
function compareUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
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
