import { isPauseDue, type Steps } from '../steps.ts';
import { blockPostings, type Postings } from './postings.ts';

/** Of work, to come to a block. */
const blockUnits = 64;

/** Walks a list from ordinal to ordinal, reading the blocks on the way that hold one; forms are read where they are asked for. */
export class PostingCursor {
  readonly #postings: Postings;
  #list = -1;
  #block = -1;
  #count = 0;
  #place = 0;
  #hasForms = false;
  readonly #ordinals = new Int32Array(blockPostings);
  readonly #forms = new Int32Array(blockPostings);

  constructor(postings: Postings) {
    this.#postings = postings;
  }

  /** Before the first posting of a list; −1: a list without any. */
  open(list: number): this {
    this.#list = list;
    this.#block = -1;
    this.#count = 0;
    this.#place = 0;
    return this;
  }

  /** Goes to the first posting that is not before `ordinal`, which must not be before the last one asked for; false: there is none. */
  advance(ordinal: number): boolean {
    if (this.#list < 0) return false;
    if (this.#count === 0 || (this.#ordinals[this.#count - 1] ?? 0) < ordinal) {
      const block = this.#postings.seek(this.#list, this.#block + 1, ordinal);
      if (block >= this.#postings.blocksOf(this.#list)) {
        this.#list = -1;
        return false;
      }
      this.#read(block);
    }
    this.#place = firstFrom(this.#ordinals, { from: this.#place, end: this.#count, ordinal });
    return true;
  }

  get ordinal(): number {
    return this.#ordinals[this.#place] ?? 0;
  }

  get form(): number {
    if (!this.#hasForms) this.#postings.readForms(this.#list, this.#block, this.#forms);
    this.#hasForms = true;
    return this.#forms[this.#place] ?? 0;
  }

  #read(block: number): void {
    this.#count = this.#postings.readOrdinals(this.#list, block, this.#ordinals);
    this.#block = block;
    this.#place = 0;
    this.#hasForms = false;
  }
}

/** The place of the first one that is not before `ordinal`; there is one. Most are near: double the stride, then halve. */
function firstFrom(
  ordinals: Int32Array,
  { from, end, ordinal }: { from: number; end: number; ordinal: number },
): number {
  let low = from;
  let stride = 1;
  while (low + stride < end && (ordinals[low + stride - 1] ?? 0) < ordinal) {
    low += stride;
    stride *= 2;
  }
  let high = Math.min(low + stride - 1, end - 1);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ordinals[middle] ?? 0) < ordinal) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Block by block, the ordinals and forms of a list; the arrays are those of the block before. */
export interface PostingBlock {
  count: number;
  ordinals: Int32Array;
  forms: Int32Array;
}

/** Visits the blocks of a list in order, dead postings too; `visit` must be done with a block when it returns. */
export function* visitBlocks(
  postings: Postings,
  list: number,
  visit: (block: PostingBlock) => void,
): Steps<void> {
  if (list < 0) return;
  const block: PostingBlock = {
    count: 0,
    ordinals: new Int32Array(blockPostings),
    forms: new Int32Array(blockPostings),
  };
  const blocks = postings.blocksOf(list);
  for (let i = 0; i < blocks; i += 1) {
    block.count = postings.readOrdinals(list, i, block.ordinals);
    postings.readForms(list, i, block.forms);
    visit(block);
    if (isPauseDue(partsOf(postings, block) + block.count * 2 + blockUnits)) yield;
  }
}

/** Of all its forms. */
function partsOf({ forms: all }: Postings, { count, forms }: PostingBlock): number {
  let parts = 0;
  for (let i = 0; i < count; i += 1) parts += all.end(forms[i] ?? 0) - all.start(forms[i] ?? 0);
  return parts;
}
