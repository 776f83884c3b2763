/**
 * Sealed blocks of 128 postings: the ordinals as differences and the numbers of their forms, packed in as many bits as the block needs. A
 * few rare forms do not make a block wider: they stand behind it, each with its place. Blocks are never changed. Source of the exceptions:
 * M. Zukowski et al., "Super-Scalar RAM-CPU Cache Compression", ICDE 2006.
 */
import type { SectionReader, SectionWriter } from '../memory/sections.ts';
import type { Steps } from '../steps.ts';
import { bitsOf, pack, packedCount, packedWords, unpack, unpackAscending, unpackOne } from './bit-packing.ts';

const chunkBits = 16;
const chunkWords = 1 << chunkBits;
const offsetMask = chunkWords - 1;
/** Of an exception: its form in the upper bits, its place in the lower seven. */
const placeBits = 7;

/** Where a block lies, and how it is packed. */
export interface SealedBlock {
  address: number;
  packing: number;
}

export class PostingBlocks {
  #chunks: Uint32Array<ArrayBuffer>[] = [];
  #used = 0;
  readonly #gaps = new Int32Array(packedCount);

  get memoryBytes(): number {
    return this.#chunks.reduce((sum, chunk) => sum + chunk.byteLength, this.#gaps.byteLength);
  }

  /** `before`: the ordinal in front of the first one, −1 for none. */
  seal(ordinals: Int32Array, forms: Int32Array, before: number): SealedBlock {
    const gaps = this.#gaps;
    let last = before;
    let widest = 0;
    for (let i = 0; i < packedCount; i += 1) {
      const ordinal = ordinals[i] ?? 0;
      gaps[i] = ordinal - last - 1;
      widest |= gaps[i] ?? 0;
      last = ordinal;
    }
    const gapBits = bitsOf(widest);
    const { formBits, exceptions } = cheapest(forms);
    const formsAt = packedWords(gapBits);
    const exceptionsAt = formsAt + packedWords(formBits);
    const address = this.#take(exceptionsAt + exceptions);
    const chunk = this.#chunkOf(address);
    const at = address & offsetMask;
    pack(gaps, gapBits, chunk, at);
    pack(forms, formBits, chunk, at + formsAt);
    let place = at + exceptionsAt;
    for (let i = 0; i < packedCount; i += 1) {
      const form = forms[i] ?? 0;
      if (bitsOf(form) <= formBits) continue;
      chunk[place] = ((form << placeBits) | i) >>> 0;
      place += 1;
    }
    return { address, packing: gapBits | (formBits << 5) | (exceptions << 10) };
  }

  readOrdinals({ address, packing }: SealedBlock, before: number, into: Int32Array): void {
    const where = { at: address & offsetMask, bits: packing & 31, before };
    unpackAscending(this.#chunkOf(address), where, into);
  }

  /** One of them. */
  formAt({ address, packing }: SealedBlock, place: number): number {
    const chunk = this.#chunkOf(address);
    const formBits = (packing >>> 5) & 31;
    const at = (address & offsetMask) + packedWords(packing & 31);
    const exceptions = packing >>> 10;
    const from = at + packedWords(formBits);
    for (let i = 0; i < exceptions; i += 1) {
      const exception = chunk[from + i] ?? 0;
      if ((exception & (packedCount - 1)) === place) return exception >>> placeBits;
    }
    return unpackOne(chunk, at, formBits, place);
  }

  readForms({ address, packing }: SealedBlock, into: Int32Array): void {
    const chunk = this.#chunkOf(address);
    const formBits = (packing >>> 5) & 31;
    const at = (address & offsetMask) + packedWords(packing & 31);
    unpack(chunk, at, formBits, into);
    const exceptions = packing >>> 10;
    const from = at + packedWords(formBits);
    for (let i = 0; i < exceptions; i += 1) {
      const exception = chunk[from + i] ?? 0;
      into[exception & (packedCount - 1)] = exception >>> placeBits;
    }
  }

  encode(writer: SectionWriter): void {
    writer.number(this.#used);
    writer.run(this.#chunks);
  }

  static *decode(reader: SectionReader): Steps<PostingBlocks> {
    const blocks = new PostingBlocks();
    blocks.#used = yield* reader.number();
    const chunks = yield* reader.number();
    for (let i = 0; i < chunks; i += 1) {
      blocks.#chunks.push(yield* reader.uint32());
      yield;
    }
    return blocks;
  }

  #chunkOf(address: number): Uint32Array {
    return this.#chunks[address >>> chunkBits] ?? empty;
  }

  /** A block never crosses the end of a chunk. */
  #take(words: number): number {
    if ((this.#used & offsetMask) + words > chunkWords) this.#used = (this.#used | offsetMask) + 1;
    const address = this.#used;
    this.#used += words;
    const index = address >>> chunkBits;
    const chunk = this.#chunks[index] ?? empty;
    const end = (address & offsetMask) + words;
    if (chunk.length < end) {
      const grown = new Uint32Array(Math.min(chunkWords, Math.max(end, chunk.length * 2, 1024)));
      grown.set(chunk);
      this.#chunks[index] = grown;
    }
    return address;
  }
}

const empty = new Uint32Array(0);
/** By bits: forms that need so many. */
const counts = new Int32Array(33);

/** The bits with which forms and exceptions take the fewest words. */
function cheapest(forms: Int32Array): { formBits: number; exceptions: number } {
  counts.fill(0);
  let widest = 0;
  for (let i = 0; i < packedCount; i += 1) {
    const bits = bitsOf(forms[i] ?? 0);
    counts[bits] = (counts[bits] ?? 0) + 1;
    if (bits > widest) widest = bits;
  }
  let best = { formBits: widest, exceptions: 0 };
  let exceptions = 0;
  for (let bits = widest; bits > 0; bits -= 1) {
    exceptions += counts[bits] ?? 0;
    const words = packedWords(bits - 1) + exceptions;
    if (words < packedWords(best.formBits) + best.exceptions) best = { formBits: bits - 1, exceptions };
  }
  return best;
}
