/**
 * The last postings of each list, fewer than a block, as bytes: the differences of ordinals and the numbers of forms, each in seven bits a byte,
 * the lowest first. A tail is told by where it lies and how many bytes it has; whoever appends to it keeps both.
 */
import type { SectionReader, SectionWriter } from '../memory/sections.ts';
import type { Steps } from '../steps.ts';
import { ByteSlices } from './byte-slices.ts';

/** Of the longest posting: an ordinal has 24 bits, a form 25. */
const postingBytesMax = 8;

export class PostingTails {
  #slices = new ByteSlices();
  readonly #posting = new Uint8Array(postingBytesMax);
  /** Where the tail lies that was appended to last, and its bytes. */
  address = 0;
  bytes = 0;

  get memoryBytes(): number {
    return this.#slices.memoryBytes;
  }

  /** To the tail at `address`, which has so many bytes; none: a new one. Where it lies then is in `address` and `bytes`. */
  append(address: number, bytes: number, posting: { gap: number; form: number }): void {
    const slices = this.#slices;
    const { gap, form } = posting;
    const added = putNumber(this.#posting, putNumber(this.#posting, 0, gap), form);
    const end = bytes + added;
    this.address = address;
    this.bytes = end;
    if (bytes === 0 || ByteSlices.sizeFor(bytes) !== ByteSlices.sizeFor(end)) {
      this.address = slices.take(ByteSlices.sizeFor(end));
      if (bytes > 0) this.#move(address, bytes);
    }
    const chunk = slices.chunkOf(this.address);
    const at = slices.offsetOf(this.address) + bytes;
    for (let i = 0; i < added; i += 1) chunk[at + i] = this.#posting[i] ?? 0;
  }

  /** Its postings lie elsewhere now. */
  giveBack(address: number, bytes: number): void {
    this.#slices.giveBack(address, ByteSlices.sizeFor(bytes));
  }

  /** `before`: the ordinal in front of the first posting. */
  read(
    address: number,
    before: number,
    into: { count: number; ordinals: Int32Array; forms: Int32Array },
  ): void {
    const { count, ordinals, forms } = into;
    const chunk = this.#slices.chunkOf(address);
    let at = this.#slices.offsetOf(address);
    let ordinal = before;
    for (let i = 0; i < 2 * count; i += 1) {
      let byte = chunk[at] ?? 0;
      let number = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        at += 1;
        byte = chunk[at] ?? 0;
        number |= (byte & 127) << shift;
      }
      at += 1;
      if ((i & 1) === 1) {
        forms[i >>> 1] = number;
      } else {
        ordinal += number;
        ordinals[i >>> 1] = ordinal;
      }
    }
  }

  encode(writer: SectionWriter): void {
    this.#slices.encode(writer);
  }

  static *decode(reader: SectionReader): Steps<PostingTails> {
    const tails = new PostingTails();
    tails.#slices = yield* ByteSlices.decode(reader);
    return tails;
  }

  #move(from: number, bytes: number): void {
    const slices = this.#slices;
    const start = slices.offsetOf(from);
    const moved = slices.chunkOf(from).subarray(start, start + bytes);
    slices.chunkOf(this.address).set(moved, slices.offsetOf(this.address));
    this.giveBack(from, bytes);
  }
}

/** Answers where the next number goes. */
function putNumber(bytes: Uint8Array, at: number, number: number): number {
  let place = at;
  let rest = number;
  for (; rest > 127; rest >>>= 7) {
    bytes[place] = (rest & 127) | 128;
    place += 1;
  }
  bytes[place] = rest;
  return place + 1;
}
