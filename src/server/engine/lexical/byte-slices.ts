/**
 * Slices of bytes of 4 to 2,048 in powers of two, for what grows a little now and then: a slice that has become too small is given back and
 * used again. They lie in chunks, so that growing copies no more than a slice. A free slice holds the address of the next one of its size.
 */
import type { SectionReader, SectionWriter } from '../memory/sections.ts';
import type { Steps } from '../steps.ts';

const chunkBits = 16;
const chunkBytes = 1 << chunkBits;
const offsetMask = chunkBytes - 1;
/** Sizes: 4 bytes times a power of two. */
const sizes = 10;
const NONE = 0xffffffff;

export class ByteSlices {
  #chunks: Uint8Array<ArrayBuffer>[] = [];
  #used = 0;
  /** By size: the first free slice. */
  #free = new Uint32Array(sizes).fill(NONE);

  get memoryBytes(): number {
    return this.#chunks.reduce((sum, chunk) => sum + chunk.length, this.#free.byteLength);
  }

  /** The size, as a power of two times 4, that so many bytes need. */
  static sizeFor(bytes: number): number {
    return bytes <= 4 ? 0 : 30 - Math.clz32(bytes - 1);
  }

  /** The chunk that an address lies in; the slice is whole in it. */
  chunkOf(address: number): Uint8Array {
    return this.#chunks[address >>> chunkBits] ?? empty;
  }

  offsetOf(address: number): number {
    return address & offsetMask;
  }

  /** The address of a slice; what is in it is anything. */
  take(size: number): number {
    const free = this.#free[size] ?? NONE;
    if (free !== NONE) {
      this.#free[size] = this.#readAddress(free);
      return free;
    }
    const bytes = 4 << size;
    // A slice never crosses the end of a chunk.
    if ((this.#used & offsetMask) + bytes > chunkBytes) this.#used = (this.#used | offsetMask) + 1;
    const address = this.#used;
    this.#used += bytes;
    this.#ensure(address >>> chunkBits, (address & offsetMask) + bytes);
    return address;
  }

  giveBack(address: number, size: number): void {
    this.#writeAddress(address, this.#free[size] ?? NONE);
    this.#free[size] = address;
  }

  encode(writer: SectionWriter): void {
    writer.number(this.#used);
    writer.array(this.#free);
    writer.run(this.#chunks);
  }

  static *decode(reader: SectionReader): Steps<ByteSlices> {
    const slices = new ByteSlices();
    slices.#used = yield* reader.number();
    slices.#free = yield* reader.uint32();
    const chunks = yield* reader.number();
    for (let i = 0; i < chunks; i += 1) {
      slices.#chunks.push(yield* reader.bytes());
      yield;
    }
    return slices;
  }

  /** The last chunk starts small, so that a collection of ten documents is small too. */
  #ensure(index: number, length: number): void {
    const chunk = this.#chunks[index] ?? empty;
    if (chunk.length >= length) return;
    const grown = new Uint8Array(Math.min(chunkBytes, Math.max(length, chunk.length * 2, 1024)));
    grown.set(chunk);
    this.#chunks[index] = grown;
  }

  #readAddress(at: number): number {
    const chunk = this.chunkOf(at);
    const from = this.offsetOf(at);
    let address = 0;
    for (let i = 3; i >= 0; i -= 1) address = address * 256 + (chunk[from + i] ?? 0);
    return address;
  }

  #writeAddress(at: number, address: number): void {
    const chunk = this.chunkOf(at);
    const from = this.offsetOf(at);
    for (let i = 0; i < 4; i += 1) chunk[from + i] = (address >>> (8 * i)) & 255;
  }
}

const empty = new Uint8Array(0);
