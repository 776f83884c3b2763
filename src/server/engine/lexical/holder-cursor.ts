import { type HolderList, noHolders } from './holder-list.ts';
import { blockPostings } from './postings.ts';

/** Behind all ordinals: there is no document any more. */
export const noMore = 0x7fffffff;

/** Walks the holders of a word from ordinal to ordinal, reading the blocks that hold one. */
export class HolderCursor {
  #list: HolderList = noHolders;
  #ordinals: Int32Array = noHolders.ordinals;
  #block = -1;
  /** Of the block it is in, and the last ordinal there. */
  #end = 0;
  #last = -1;
  /** Where it stands in the list. */
  place = 0;
  /** Of the document it stands at. */
  ordinal = -1;

  /** Before the first document. */
  open(list: HolderList): this {
    this.#list = list;
    this.#ordinals = list.ordinals;
    this.#block = -1;
    this.#end = 0;
    this.#last = -1;
    this.place = 0;
    this.ordinal = -1;
    return this;
  }

  /** Goes to the first document that is not before `ordinal`, if it is not there or behind it already. */
  advance(ordinal: number): void {
    if (this.ordinal >= ordinal) return;
    if (this.#last < ordinal && !this.#enter(ordinal)) {
      this.ordinal = noMore;
      return;
    }
    this.#gallop(ordinal);
    this.ordinal = this.#ordinals[this.place] ?? noMore;
  }

  /** Weighted, of the document it stands at. */
  get frequency(): number {
    return this.#list.frequencyAt(this.place);
  }

  /** How the document holds the word: `held`. */
  get ways(): number {
    return this.#list.waysAt(this.place);
  }

  /** To the first of the block that is not before `ordinal`; there is one. Most are near: double the stride, then halve. */
  #gallop(ordinal: number): void {
    const ordinals = this.#ordinals;
    const end = this.#end;
    let low = this.place;
    let stride = 1;
    while (low + stride < end && (ordinals[low + stride - 1] ?? 0) < ordinal) {
      low += stride;
      stride <<= 1;
    }
    let high = low + stride - 1;
    if (high >= end) high = end - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ordinals[middle] ?? 0) < ordinal) low = middle + 1;
      else high = middle;
    }
    this.place = low;
  }

  #enter(ordinal: number): boolean {
    const list = this.#list;
    const block = list.seek(this.#block + 1, ordinal);
    if (block >= list.blocks) return false;
    list.read(block);
    this.#block = block;
    this.place = block * blockPostings;
    this.#end = Math.min(this.place + blockPostings, list.length);
    this.#last = this.#ordinals[this.#end - 1] ?? 0;
    return true;
  }
}
