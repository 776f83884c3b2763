/**
 * Inverted lists: for each (term, field) the documents that hold the term there, in ordinal order. A posting is one 32-bit word: ordinal in
 * the upper 24 bits, term frequency (at most 255) in the lower 8. The first posting of a list lives in the list's own record, since
 * most terms have no second; the others in slices of a shared pool that double from 4 to 1,024 words, the last word of a slice being the address
 * of the next. Lists of one term are chained, so that the fields of a term are found without a search; the one of a field is found in the first
 * few of the chain or, behind them, by its hash: a document of a thousand fields that share their words would walk all chains to the end.
 * Append is O(1); reading copies whole slices. Postings of dead documents stay until a compaction; `documents` counts the living only.
 * Limits: 16,777,216 ordinals, 4,096 fields.
 */

import { HashSlots } from '../memory/hash-slots.ts';
import type { SectionReader, SectionWriter } from '../memory/sections.ts';
import { roomSteps, withRoom } from '../memory/with-room.ts';
import { type Steps, stepUnits } from '../steps.ts';

export const ordinalsMax = 1 << 24;
const frequencyMax = 255;
const NONE = -1;
const FIRST_SLICE = 4;
const LAST_SLICE = 1024;
/** Words of a pool whose growth takes more than a millisecond. */
const largePool = 1 << 21;
/** Lists of a chain that are looked at one by one. */
const walkedMax = 8;

export const ordinalOf = (posting: number): number => posting >>> 8;
export const frequencyOf = (posting: number): number => posting & frequencyMax;

export class Postings {
  /** By term: its first list. */
  #listOf = new Int32Array(64).fill(NONE);
  // By list.
  #field = new Uint16Array(64);
  #next = new Int32Array(64);
  #documents = new Uint32Array(64);
  #length = new Uint32Array(64);
  #first = new Uint32Array(64);
  #slice = new Uint32Array(64);
  #tail = new Uint32Array(64);
  /** Words left before the link in the last slice. */
  #room = new Uint16Array(64);
  #lists = 0;
  /** Lists behind the first `walkedMax` of their chain. */
  #farLists = new HashSlots();
  #pool = new Uint32Array(1024);
  #poolUsed = 0;
  #scratch = new Uint32Array(1024);

  get memoryBytes(): number {
    const each = this.#columns().reduce((sum, column) => sum + column.byteLength, 0);
    const shared = this.#listOf.byteLength + this.#pool.byteLength + this.#scratch.byteLength;
    return each + shared + this.#farLists.memoryBytes;
  }

  hasRoom(count: number): boolean {
    return (
      this.#lists + count <= this.#field.length &&
      this.#pool.length < largePool &&
      this.#farLists.used < stepUnits
    );
  }

  /** Makes room for so many more postings, each in a list of its own, so that adding them does not make large arrays grow. */
  *reserve(count: number): Steps<void> {
    const lists = this.#lists + count;
    if (lists > this.#field.length) {
      this.#field = yield* roomSteps(this.#field, lists);
      this.#next = yield* roomSteps(this.#next, lists);
      this.#documents = yield* roomSteps(this.#documents, lists);
      this.#length = yield* roomSteps(this.#length, lists);
      this.#first = yield* roomSteps(this.#first, lists);
      this.#slice = yield* roomSteps(this.#slice, lists);
      this.#tail = yield* roomSteps(this.#tail, lists);
      this.#room = yield* roomSteps(this.#room, lists);
    }
    // Small ones need not have so much room that is seldom used.
    if (this.#farLists.used >= stepUnits) yield* this.#farLists.reserve(lists, count);
    if (this.#pool.length >= largePool)
      this.#pool = yield* roomSteps(this.#pool, this.#poolUsed + count * LAST_SLICE);
  }

  /** Ordinals must come in ascending order. */
  add(term: number, field: number, posting: number): void {
    const list = this.#listFor(term, field);
    const length = this.#length[list] ?? 0;
    if (length === 0) this.#first[list] = posting;
    else this.#append(list, length, posting);
    this.#length[list] = length + 1;
    this.#documents[list] = (this.#documents[list] ?? 0) + 1;
  }

  /** A document of the list has died. */
  forget(term: number, field: number): void {
    const list = this.#find(term, field);
    if (list !== NONE) this.#documents[list] = (this.#documents[list] ?? 0) - 1;
  }

  /** Whether any living document holds the term. */
  isLive(term: number): boolean {
    for (let list = this.listOf(term); list !== NONE; list = this.nextList(list)) {
      if ((this.#documents[list] ?? 0) > 0) return true;
    }
    return false;
  }

  /** The first list of a term, −1: none. */
  listOf(term: number): number {
    return term < this.#listOf.length ? (this.#listOf[term] ?? NONE) : NONE;
  }

  nextList(list: number): number {
    return this.#next[list] ?? NONE;
  }

  fieldOf(list: number): number {
    return this.#field[list] ?? 0;
  }

  /** Postings of a list, dead ones too. */
  lengthOf(list: number): number {
    return this.#length[list] ?? 0;
  }

  /** All postings of a list, dead ones too, ascending. A view that the next call overwrites. */
  read(list: number): Uint32Array {
    const length = this.#length[list] ?? 0;
    if (this.#scratch.length < length) this.#scratch = new Uint32Array(length * 2);
    const postings = this.#scratch.subarray(0, length);
    postings[0] = this.#first[list] ?? 0;
    let slice = this.#slice[list] ?? 0;
    let words = FIRST_SLICE;
    for (let done = 1; done < length; words = Math.min(words * 2, LAST_SLICE)) {
      const part = Math.min(words - 1, length - done);
      postings.set(this.#pool.subarray(slice, slice + part), done);
      done += part;
      slice = this.#pool[slice + words - 1] ?? 0;
    }
    return postings;
  }

  /**
   * Marks in `held` which of the given ordinals (ascending) a list has. Slices that end before the next one are passed over: about the
   * slices and a binary search an ordinal, where `read` copies the list.
   */
  markHeld(list: number, ordinals: Int32Array, held: Uint8Array): void {
    const pool = this.#pool;
    const length = this.#length[list] ?? 0;
    const first = ordinalOf(this.#first[list] ?? 0);
    let slice = this.#slice[list] ?? 0;
    let words = FIRST_SLICE;
    let done = 1;
    let part = Math.min(words - 1, length - done);
    for (let i = 0; i < ordinals.length; i += 1) {
      const ordinal = ordinals[i] ?? 0;
      if (ordinal <= first) {
        if (ordinal === first) held[i] = 1;
        continue;
      }
      while (done < length && ordinalOf(pool[slice + part - 1] ?? 0) < ordinal) {
        done += part;
        slice = pool[slice + words - 1] ?? 0;
        words = Math.min(words * 2, LAST_SLICE);
        part = Math.min(words - 1, length - done);
      }
      if (done >= length) return;
      if (holds(pool, slice, slice + part, ordinal)) held[i] = 1;
    }
  }

  /** The living postings under new numbers. */
  *compacted(terms: Int32Array, ordinals: Int32Array): Steps<Postings> {
    const result = yield* this.#withRoomForLiving();
    let units = 0;
    for (const [term, moved] of terms.entries()) {
      units += 1;
      for (let list = moved === NONE ? NONE : this.listOf(term); list !== NONE; list = this.nextList(list)) {
        for (const posting of this.read(list)) {
          const ordinal = ordinals[ordinalOf(posting)] ?? NONE;
          if (ordinal !== NONE)
            result.add(moved, this.fieldOf(list), makePosting(ordinal, frequencyOf(posting)));
          units += 1;
          if (units < stepUnits) continue;
          units = 0;
          yield;
        }
      }
      if (units < stepUnits) continue;
      units = 0;
      yield;
    }
    return result;
  }

  /** Empty, with the room that the living postings take. */
  *#withRoomForLiving(): Steps<Postings> {
    const result = new Postings();
    let lists = 0;
    let words = 0;
    for (let list = 0; list < this.#lists; list += 1) {
      const documents = this.#documents[list] ?? 0;
      if (documents > 0) lists += 1;
      words += wordsInSlices(documents);
      if ((list + 1) % stepUnits === 0) yield;
    }
    result.#makeRoom(lists);
    result.#pool = withRoom(result.#pool, words);
    return result;
  }

  encode(writer: SectionWriter): void {
    writer.array(this.#listOf);
    for (const column of this.#columns()) writer.array(column.subarray(0, this.#lists));
    writer.array(this.#pool.subarray(0, this.#poolUsed));
  }

  static *decode(reader: SectionReader): Steps<Postings> {
    const postings = new Postings();
    postings.#listOf = yield* reader.int32();
    postings.#field = yield* reader.uint16();
    postings.#next = yield* reader.int32();
    postings.#documents = yield* reader.uint32();
    postings.#length = yield* reader.uint32();
    postings.#first = yield* reader.uint32();
    postings.#slice = yield* reader.uint32();
    postings.#tail = yield* reader.uint32();
    postings.#room = yield* reader.uint16();
    postings.#lists = postings.#field.length;
    postings.#pool = yield* reader.uint32();
    postings.#poolUsed = postings.#pool.length;
    yield* postings.#findFarLists();
    return postings;
  }

  *#findFarLists(): Steps<void> {
    let units = 0;
    for (const [term, first] of this.#listOf.entries()) {
      let place = 0;
      for (let list = first; list !== NONE; list = this.nextList(list)) {
        place += 1;
        if (place > walkedMax) this.#addFar(term, list);
      }
      units += 1 + place;
      if (units < stepUnits) continue;
      units = 0;
      yield;
    }
  }

  #columns() {
    return [
      this.#field,
      this.#next,
      this.#documents,
      this.#length,
      this.#first,
      this.#slice,
      this.#tail,
      this.#room,
    ];
  }

  #find(term: number, field: number): number {
    let list = this.listOf(term);
    for (let walked = 0; list !== NONE; walked += 1) {
      if (walked === walkedMax) return this.#findFar(term, field);
      if (this.fieldOf(list) === field) return list;
      list = this.nextList(list);
    }
    return NONE;
  }

  /** Lists with one hash and one field have one term. */
  #findFar(term: number, field: number): number {
    const far = this.#farLists;
    const hash = hashOfList(term, field);
    for (let slot = far.first(hash); ; slot = far.next(slot)) {
      const list = far.elementAt(slot);
      if (list < 0) return NONE;
      if (far.hashOf(list) === hash && this.fieldOf(list) === field) return list;
    }
  }

  #addFar(term: number, list: number): void {
    this.#farLists.add(list, hashOfList(term, this.fieldOf(list)));
  }

  #listFor(term: number, field: number): number {
    const known = this.#find(term, field);
    if (known !== NONE) return known;
    const list = this.#lists;
    this.#lists += 1;
    this.#makeRoom(this.#lists);
    this.#listOf = withRoom(this.#listOf, term + 1, NONE);
    this.#field[list] = field;
    this.#next[list] = this.listOf(term);
    this.#listOf[term] = list;
    const pushedBack = this.#listAfter(list, walkedMax);
    if (pushedBack !== NONE) this.#addFar(term, pushedBack);
    return list;
  }

  /** The list so many places behind one in its chain. */
  #listAfter(list: number, places: number): number {
    let after = list;
    for (let i = 0; i < places && after !== NONE; i += 1) after = this.nextList(after);
    return after;
  }

  #makeRoom(lists: number): void {
    this.#field = withRoom(this.#field, lists);
    this.#next = withRoom(this.#next, lists);
    this.#documents = withRoom(this.#documents, lists);
    this.#length = withRoom(this.#length, lists);
    this.#first = withRoom(this.#first, lists);
    this.#slice = withRoom(this.#slice, lists);
    this.#tail = withRoom(this.#tail, lists);
    this.#room = withRoom(this.#room, lists);
  }

  #append(list: number, length: number, posting: number): void {
    if ((this.#room[list] ?? 0) === 0) this.#addSlice(list, length);
    const tail = this.#tail[list] ?? 0;
    this.#pool[tail] = posting;
    this.#tail[list] = tail + 1;
    this.#room[list] = (this.#room[list] ?? 0) - 1;
  }

  #addSlice(list: number, length: number): void {
    let words = FIRST_SLICE;
    for (let held = 1; held < length; words = Math.min(words * 2, LAST_SLICE)) held += words - 1;
    const slice = this.#poolUsed;
    this.#poolUsed += words;
    this.#pool = withRoom(this.#pool, this.#poolUsed);
    // A full slice's tail stands on its link.
    if (length === 1) this.#slice[list] = slice;
    else this.#pool[this.#tail[list] ?? 0] = slice;
    this.#tail[list] = slice;
    this.#room[list] = words - 1;
  }
}

/** Words of the pool that a list of so many postings has. */
function wordsInSlices(postings: number): number {
  let all = 0;
  for (let held = 1, words = FIRST_SLICE; held < postings; words = Math.min(words * 2, LAST_SLICE)) {
    held += words - 1;
    all += words;
  }
  return all;
}

/** Different for different terms of one field: each step can be undone. */
function hashOfList(term: number, field: number): number {
  const mixed = Math.imul(term ^ Math.imul(field, 0x9e3779b1), 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** Whether an ordinal stands among the postings from `low` to `high`, which ascend. */
function holds(postings: Uint32Array, low: number, high: number, ordinal: number): boolean {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (ordinalOf(postings[middle] ?? 0) < ordinal) from = middle + 1;
    else to = middle;
  }
  return from < high && ordinalOf(postings[from] ?? 0) === ordinal;
}

export function makePosting(ordinal: number, frequency: number): number {
  return ((ordinal << 8) | Math.min(frequency, frequencyMax)) >>> 0;
}
