/**
 * Inverted lists: for each term the documents that hold it, in ordinal order, each with its form (`posting-forms.ts`: in which fields and how
 * often). 128 postings are sealed as a block (`posting-blocks.ts`) when the next one comes, those behind the last block are bytes: the
 * differences of ordinals and the forms as numbers of seven bits a byte. A term with one posting, as most have, takes no more than its
 * record. Beside each block stand its last ordinal, the largest frequency and the shortest length in it: what it can add to a score.
 *
 * Append is O(1) and a block now and then; a list is read block by block, from any block. Postings of dead documents stay until a compaction;
 * `documentsOf` counts the living only. Limits: 16,777,216 ordinals, 4,096 fields.
 */

import { fillSteps } from '../memory/fill-steps.ts';
import type { SectionReader, SectionWriter } from '../memory/sections.ts';
import { roomSteps, withRoom } from '../memory/with-room.ts';
import { type Steps, stepUnits } from '../steps.ts';
import { packedCount } from './bit-packing.ts';
import { PostingBlocks, type SealedBlock } from './posting-blocks.ts';
import { PostingForms } from './posting-forms.ts';
import { PostingTails } from './posting-tails.ts';

export const ordinalsMax = 1 << 24;
/** Postings of a block; the last one of a list may have fewer. */
export const blockPostings = packedCount;
const NONE = -1;
/** Words of a block in its list's table: last ordinal, address, packing, bounds. */
const entryWords = 4;
const lengthBits = 20;
const lengthMask = (1 << lengthBits) - 1;
const frequencyMax = (1 << (32 - lengthBits)) - 1;

/** What bounds are made of. */
interface Lengths {
  /** Words of a document. */
  of(ordinal: number, weights: null): number;
}

export class Postings {
  /** By term. */
  #listOf = new Int32Array(64).fill(NONE);
  // By list.
  #length = new Uint32Array(64);
  #documents = new Uint32Array(64);
  #last = new Int32Array(64);
  /** Of the bytes behind the last block; where there is one posting alone: its form. */
  #address = new Uint32Array(64);
  /** Bytes there. */
  #bytes = new Uint16Array(64);
  /** Its place among the tables; −1: it has no blocks. */
  #tableOf = new Int32Array(64).fill(NONE);
  #lists = 0;
  #tables: Uint32Array[] = [];
  #tableBytes = 0;
  #tails = new PostingTails();
  #blocks = new PostingBlocks();
  #forms = new PostingForms();
  readonly #lengths: Lengths;
  readonly #ordinals = new Int32Array(blockPostings);
  readonly #numbers = new Int32Array(blockPostings);

  /** `lengths`: of the documents, whose own are known when the next one is added. */
  constructor(lengths: Lengths) {
    this.#lengths = lengths;
  }

  get forms(): PostingForms {
    return this.#forms;
  }

  get memoryBytes(): number {
    const each = this.#columns().reduce((sum, column) => sum + column.byteLength, 0);
    const scratch = this.#ordinals.byteLength + this.#numbers.byteLength;
    const parts = this.#tails.memoryBytes + this.#blocks.memoryBytes + this.#forms.memoryBytes;
    return each + scratch + parts + this.#listOf.byteLength + this.#tableBytes;
  }

  hasRoom(count: number): boolean {
    return this.#lists + count <= this.#length.length;
  }

  /** Makes room for so many more lists, so that adding postings does not make large arrays grow. */
  *reserve(count: number): Steps<void> {
    const lists = this.#lists + count;
    this.#length = yield* roomSteps(this.#length, lists);
    this.#documents = yield* roomSteps(this.#documents, lists);
    this.#last = yield* roomSteps(this.#last, lists);
    this.#address = yield* roomSteps(this.#address, lists);
    this.#bytes = yield* roomSteps(this.#bytes, lists);
    this.#tableOf = yield* roomSteps(this.#tableOf, lists, NONE);
  }

  /** Ordinals must come in ascending order, each once a term. */
  add(term: number, ordinal: number, form: number): void {
    const list = this.#listFor(term);
    const length = this.#length[list] ?? 0;
    if (length === 0) {
      this.#address[list] = form;
    } else {
      if (length === 1) this.#startTail(list);
      else if (tailOf(length) === blockPostings) this.#seal(list);
      this.#append(list, ordinal - (this.#last[list] ?? 0), form);
    }
    this.#last[list] = ordinal;
    this.#length[list] = length + 1;
    this.#documents[list] = (this.#documents[list] ?? 0) + 1;
  }

  /** A document with the term has died. */
  forget(term: number): void {
    const list = this.listOf(term);
    if (list !== NONE) this.#documents[list] = (this.#documents[list] ?? 0) - 1;
  }

  /** The list of a term, −1: none. */
  listOf(term: number): number {
    return term < this.#listOf.length ? (this.#listOf[term] ?? NONE) : NONE;
  }

  /** Living documents that hold the term of a list. */
  documentsOf(list: number): number {
    return this.#documents[list] ?? 0;
  }

  /** Postings of a list, dead ones too. */
  lengthOf(list: number): number {
    return this.#length[list] ?? 0;
  }

  /** The last ordinal of a list. */
  lastOf(list: number): number {
    return this.#last[list] ?? NONE;
  }

  blocksOf(list: number): number {
    return sealedOf(this.#length[list] ?? 0) + 1;
  }

  /** The last ordinal of a block. */
  lastIn(list: number, block: number): number {
    if (block < 0) return NONE;
    if (block >= sealedOf(this.#length[list] ?? 0)) return this.#last[list] ?? NONE;
    return this.#tableAt(list)[entryWords * block] ?? 0;
  }

  /** No posting of a block has a larger sum of frequencies. Infinity: the block is not sealed. */
  frequencyBound(list: number, block: number): number {
    if (block >= sealedOf(this.#length[list] ?? 0)) return Number.POSITIVE_INFINITY;
    const bound = (this.#tableAt(list)[entryWords * block + 3] ?? 0) >>> lengthBits;
    return bound === frequencyMax ? Number.POSITIVE_INFINITY : bound;
  }

  /** No document of a block has fewer words. */
  lengthBound(list: number, block: number): number {
    if (block >= sealedOf(this.#length[list] ?? 0)) return 0;
    return (this.#tableAt(list)[entryWords * block + 3] ?? 0) & lengthMask;
  }

  /** The ordinals of a block, ascending, dead ones too, to `from` on; answers how many they are. */
  readOrdinals(list: number, block: number, into: Int32Array, from = 0): number {
    const sealed = sealedOf(this.#length[list] ?? 0);
    const target = from === 0 ? into : into.subarray(from, from + blockPostings);
    if (block >= sealed) return this.#readTail(list, target, this.#numbers);
    this.#blocks.readOrdinals(this.#blockAt(list, block), this.lastIn(list, block - 1), target);
    return blockPostings;
  }

  /** The form at a place of a block that is sealed: all but a list's last one are. */
  formAt(list: number, block: number, place: number): number {
    return this.#blocks.formAt(this.#blockAt(list, block), place);
  }

  /** The forms of a block, in the order of its ordinals. */
  readForms(list: number, block: number, into: Int32Array): void {
    if (block >= sealedOf(this.#length[list] ?? 0)) this.#readTail(list, this.#ordinals, into);
    else this.#blocks.readForms(this.#blockAt(list, block), into);
  }

  /** The first block whose last ordinal is not before `ordinal`, from `block` on; `blocksOf` if there is none. */
  seek(list: number, block: number, ordinal: number): number {
    const sealed = sealedOf(this.#length[list] ?? 0);
    if (ordinal > this.lastOf(list)) return sealed + 1;
    if (block >= sealed) return block;
    const table = this.#tableAt(list);
    // Most are near: double the stride, then halve.
    let low = block;
    let stride = 1;
    while (low + stride <= sealed && (table[entryWords * (low + stride - 1)] ?? 0) < ordinal) {
      low += stride;
      stride *= 2;
    }
    let high = Math.min(low + stride - 1, sealed);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((table[entryWords * middle] ?? 0) < ordinal) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The postings of documents with new ordinals (−1: it has none); forms that none of them has are gone. Others may come between two steps. */
  *compacted(terms: Int32Array, ordinals: Int32Array, lengths: Lengths): Steps<Postings> {
    const result = new Postings(lengths);
    let lists = 0;
    for (let list = 0; list < this.#lists; list += 1) {
      if (this.documentsOf(list) > 0) lists += 1;
      if ((list + 1) % stepUnits === 0) yield;
    }
    yield* result.reserve(lists);
    const formOf = yield* fillSteps(new Int32Array(this.#forms.count), NONE);
    const read = { ordinals: new Int32Array(blockPostings), forms: new Int32Array(blockPostings) };
    let units = 0;
    for (const [term, moved] of terms.entries()) {
      units += 1;
      const list = moved === NONE ? NONE : this.listOf(term);
      const blocks = list === NONE ? 0 : this.blocksOf(list);
      for (let block = 0; block < blocks; block += 1) {
        const count = this.readOrdinals(list, block, read.ordinals);
        this.readForms(list, block, read.forms);
        for (let i = 0; i < count; i += 1) {
          const former = read.ordinals[i] ?? 0;
          const ordinal = former < ordinals.length ? (ordinals[former] ?? NONE) : NONE;
          if (ordinal === NONE) continue;
          const form = read.forms[i] ?? 0;
          if (formOf[form] === NONE) formOf[form] = result.#formAs(form, this.#forms);
          result.add(moved, ordinal, formOf[form] ?? 0);
        }
        units += 4 * count;
        if (units < stepUnits) continue;
        units = 0;
        yield;
      }
      if (units < stepUnits) continue;
      units = 0;
      yield;
    }
    return result;
  }

  #formAs(form: number, others: PostingForms): number {
    const start = others.start(form);
    const parts = Uint32Array.from({ length: others.end(form) - start }, (_, i) => others.partAt(start + i));
    return this.#forms.numberOf(parts, parts.length);
  }

  *encode(writer: SectionWriter): Steps<void> {
    writer.array(this.#listOf);
    for (const column of this.#columns()) writer.array(column.subarray(0, this.#lists));
    writer.number(this.#tables.length);
    writer.array(yield* this.#joinedTables());
    this.#tails.encode(writer);
    this.#blocks.encode(writer);
    this.#forms.encode(writer);
  }

  static *decode(reader: SectionReader, lengths: Lengths): Steps<Postings> {
    const postings = new Postings(lengths);
    postings.#listOf = yield* reader.int32();
    postings.#length = yield* reader.uint32();
    postings.#documents = yield* reader.uint32();
    postings.#last = yield* reader.int32();
    postings.#address = yield* reader.uint32();
    postings.#bytes = yield* reader.uint16();
    postings.#tableOf = yield* reader.int32();
    postings.#lists = postings.#length.length;
    postings.#tables = Array.from({ length: yield* reader.number() }, () => empty);
    yield* postings.#splitTables(yield* reader.uint32());
    postings.#tails = yield* PostingTails.decode(reader);
    postings.#blocks = yield* PostingBlocks.decode(reader);
    postings.#forms = yield* PostingForms.decode(reader);
    return postings;
  }

  /** The tables' entries that are used, one list after the other. */
  *#joinedTables(): Steps<Uint32Array> {
    let words = 0;
    for (let list = 0; list < this.#lists; list += 1) {
      words += entryWords * sealedOf(this.#length[list] ?? 0);
      if ((list + 1) % stepUnits === 0) yield;
    }
    const joined = new Uint32Array(words);
    let at = 0;
    for (let list = 0; list < this.#lists; list += 1) {
      const own = entryWords * sealedOf(this.#length[list] ?? 0);
      if (own > 0) joined.set(this.#tableAt(list).subarray(0, own), at);
      at += own;
      if ((list + 1) % stepUnits === 0) yield;
    }
    return joined;
  }

  *#splitTables(joined: Uint32Array): Steps<void> {
    let at = 0;
    for (let list = 0; list < this.#lists; list += 1) {
      if ((list + 1) % stepUnits === 0) yield;
      const words = entryWords * sealedOf(this.#length[list] ?? 0);
      if (words === 0) continue;
      this.#tables[this.#tableOf[list] ?? 0] = joined.slice(at, at + words);
      at += words;
    }
    if (at !== joined.length) throw new RangeError('the blocks of lists are not those there are');
    this.#tableBytes = joined.byteLength;
  }

  #columns() {
    return [this.#length, this.#documents, this.#last, this.#address, this.#bytes, this.#tableOf];
  }

  #tableAt(list: number): Uint32Array {
    return this.#tables[this.#tableOf[list] ?? 0] ?? empty;
  }

  #blockAt(list: number, block: number): SealedBlock {
    const table = this.#tableAt(list);
    const at = entryWords * block;
    return { address: table[at + 1] ?? 0, packing: table[at + 2] ?? 0 };
  }

  #listFor(term: number): number {
    const known = this.listOf(term);
    if (known !== NONE) return known;
    const list = this.#lists;
    this.#lists += 1;
    this.#listOf = withRoom(this.#listOf, term + 1, NONE);
    this.#length = withRoom(this.#length, this.#lists);
    this.#documents = withRoom(this.#documents, this.#lists);
    this.#last = withRoom(this.#last, this.#lists);
    this.#address = withRoom(this.#address, this.#lists);
    this.#bytes = withRoom(this.#bytes, this.#lists);
    this.#tableOf = withRoom(this.#tableOf, this.#lists, NONE);
    this.#listOf[term] = list;
    return list;
  }

  /** The one posting of a list becomes bytes. */
  #startTail(list: number): void {
    this.#append(list, (this.#last[list] ?? 0) - NONE, this.#address[list] ?? 0);
  }

  #append(list: number, gap: number, form: number): void {
    const tails = this.#tails;
    tails.append(this.#address[list] ?? 0, this.#bytes[list] ?? 0, { gap, form });
    this.#address[list] = tails.address;
    this.#bytes[list] = tails.bytes;
  }

  /** The postings behind the last block, 128 of them, become one. */
  #seal(list: number): void {
    const ordinals = this.#ordinals;
    const numbers = this.#numbers;
    const block = sealedOf(this.#length[list] ?? 0);
    this.#readTail(list, ordinals, numbers);
    const { address, packing } = this.#blocks.seal(ordinals, numbers, this.lastIn(list, block - 1));
    let frequency = 0;
    let length = lengthMask;
    for (let i = 0; i < blockPostings; i += 1) {
      frequency = Math.max(frequency, this.#forms.total(numbers[i] ?? 0));
      length = Math.min(length, this.#lengths.of(ordinals[i] ?? 0, null));
    }
    const bounds = ((Math.min(frequency, frequencyMax) << lengthBits) | length) >>> 0;
    const table = this.#tableWithRoom(list, block + 1);
    table.set([this.#last[list] ?? 0, address, packing, bounds], entryWords * block);
    this.#tails.giveBack(this.#address[list] ?? 0, this.#bytes[list] ?? 0);
    this.#bytes[list] = 0;
  }

  #tableWithRoom(list: number, blocks: number): Uint32Array {
    let place = this.#tableOf[list] ?? NONE;
    if (place === NONE) {
      place = this.#tables.push(empty) - 1;
      this.#tableOf[list] = place;
    }
    const table = this.#tables[place] ?? empty;
    const grown = withRoom(table, entryWords * blocks);
    this.#tableBytes += grown.byteLength - table.byteLength;
    this.#tables[place] = grown;
    return grown;
  }

  #readTail(list: number, ordinals: Int32Array, forms: Int32Array): number {
    const length = this.#length[list] ?? 0;
    if (length === 1) {
      ordinals[0] = this.#last[list] ?? 0;
      forms[0] = this.#address[list] ?? 0;
      return 1;
    }
    const count = tailOf(length);
    const before = this.lastIn(list, sealedOf(length) - 1);
    this.#tails.read(this.#address[list] ?? 0, before, { count, ordinals, forms });
    return count;
  }
}

const empty = new Uint32Array(0);
/** Sealed blocks of a list with so many postings. */
function sealedOf(length: number): number {
  return length === 0 ? 0 : (length - 1) >>> 7;
}

/** Its postings behind them. */
function tailOf(length: number): number {
  return length - sealedOf(length) * blockPostings;
}
