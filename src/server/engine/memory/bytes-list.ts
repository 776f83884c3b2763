/**
 * An append-only list of byte strings in chunks, so that growing never copies what is there. Element `i` lies between `#ends[i − 1]`
 * and `#ends[i]`; one that crosses a chunk border is put together when read. Append and read cost their length.
 */
import type { Steps } from '../steps.ts';
import { compareBytes } from './bytes.ts';
import type { SectionReader, SectionWriter } from './sections.ts';
import { withRoom } from './with-room.ts';

const CHUNK_BYTES = 1 << 18;
/** Bytes that a number holds exactly. */
const BEGINNING = 6;

export class BytesList {
  #chunks: Uint8Array[] = [];
  #ends = new Float64Array(8);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  get memoryBytes(): number {
    return this.#ends.byteLength + this.#chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  }

  push(bytes: Uint8Array): number {
    const start = this.#startOf(this.#count);
    let written = 0;
    while (written < bytes.length) {
      const address = start + written;
      const offset = address % CHUNK_BYTES;
      const part = Math.min(bytes.length - written, CHUNK_BYTES - offset);
      this.#chunkFor(address, offset + part).set(bytes.subarray(written, written + part), offset);
      written += part;
    }
    this.#ends = withRoom(this.#ends, this.#count + 1);
    this.#ends[this.#count] = start + bytes.length;
    this.#count += 1;
    return this.#count - 1;
  }

  /** A view while the element lies in one chunk: read it before the next `push`. */
  at(index: number): Uint8Array {
    const start = this.#startOf(index);
    const end = this.#ends[index] ?? start;
    const first = Math.floor(start / CHUNK_BYTES);
    const offset = start - first * CHUNK_BYTES;
    const chunk = this.#chunks[first] ?? new Uint8Array(0);
    if (end <= (first + 1) * CHUNK_BYTES) return chunk.subarray(offset, offset + end - start);
    return this.#gather(start, end);
  }

  /** Copies an element to the beginning of `target`, which has room for it; answers its length. Without a view for each. */
  copyTo(target: Uint8Array, index: number): number {
    const start = this.#startOf(index);
    const length = (this.#ends[index] ?? start) - start;
    const first = Math.floor(start / CHUNK_BYTES);
    const offset = start - first * CHUNK_BYTES;
    const chunk = this.#chunks[first];
    if (offset + length > CHUNK_BYTES || chunk === undefined) target.set(this.at(index));
    else for (let i = 0; i < length; i += 1) target[i] = chunk[offset + i] ?? 0;
    return length;
  }

  /** Whether an element is these bytes, without a view of it. */
  isAt(index: number, bytes: Uint8Array): boolean {
    const start = this.#startOf(index);
    if ((this.#ends[index] ?? start) - start !== bytes.length) return false;
    const first = Math.floor(start / CHUNK_BYTES);
    const offset = start - first * CHUNK_BYTES;
    const chunk = this.#chunks[first];
    if (offset + bytes.length > CHUNK_BYTES || chunk === undefined)
      return compareBytes(this.at(index), bytes) === 0;
    for (let i = 0; i < bytes.length; i += 1) if (chunk[offset + i] !== bytes[i]) return false;
    return true;
  }

  /** The order of two elements, as `compareBytes` has it of `at`, without a view of each. */
  compare(a: number, b: number): number {
    const startA = this.#startOf(a);
    const startB = this.#startOf(b);
    const endA = this.#ends[a] ?? startA;
    const endB = this.#ends[b] ?? startB;
    const indexA = Math.floor(startA / CHUNK_BYTES);
    const indexB = Math.floor(startB / CHUNK_BYTES);
    const chunkA = this.#chunks[indexA];
    const chunkB = this.#chunks[indexB];
    const isWhole = endA <= (indexA + 1) * CHUNK_BYTES && endB <= (indexB + 1) * CHUNK_BYTES;
    if (!isWhole || chunkA === undefined || chunkB === undefined) return compareBytes(this.at(a), this.at(b));
    const offsetA = startA - indexA * CHUNK_BYTES;
    const offsetB = startB - indexB * CHUNK_BYTES;
    const shared = Math.min(endA - startA, endB - startB);
    for (let i = 0; i < shared; i += 1) {
      const difference = (chunkA[offsetA + i] ?? 0) - (chunkB[offsetB + i] ?? 0);
      if (difference !== 0) return difference;
    }
    return endA - startA - (endB - startB);
  }

  /** The first six bytes as a number that keeps their order. */
  beginningAt(index: number): number {
    const start = this.#startOf(index);
    const length = (this.#ends[index] ?? start) - start;
    const first = Math.floor(start / CHUNK_BYTES);
    const offset = start - first * CHUNK_BYTES;
    const isWhole = offset + Math.min(length, BEGINNING) <= CHUNK_BYTES;
    const bytes = isWhole ? this.#chunks[first] : this.at(index);
    const from = isWhole ? offset : 0;
    let beginning = 0;
    for (let i = 0; i < BEGINNING; i += 1)
      beginning = beginning * 256 + (i < length ? (bytes?.[from + i] ?? 0) : 0);
    return beginning;
  }

  lengthAt(index: number): number {
    return (this.#ends[index] ?? 0) - this.#startOf(index);
  }

  encode(writer: SectionWriter): void {
    writer.array(this.#ends.subarray(0, this.#count));
    const total = this.#startOf(this.#count);
    writer.run(
      this.#chunks.map((chunk, i) => chunk.subarray(0, Math.min(CHUNK_BYTES, total - i * CHUNK_BYTES))),
    );
  }

  static *decode(reader: SectionReader): Steps<BytesList> {
    const list = new BytesList();
    list.#ends = yield* reader.float64();
    list.#count = list.#ends.length;
    const chunks = yield* reader.number();
    for (let i = 0; i < chunks; i += 1) {
      list.#chunks.push(yield* reader.bytes());
      yield;
    }
    return list;
  }

  #startOf(index: number): number {
    return index === 0 ? 0 : (this.#ends[index - 1] ?? 0);
  }

  /** The last chunk starts small, so that a collection of ten documents is small too. */
  #chunkFor(address: number, length: number): Uint8Array {
    const index = Math.floor(address / CHUNK_BYTES);
    const chunk = this.#chunks[index] ?? new Uint8Array(0);
    if (chunk.length >= length) return chunk;
    const grown = new Uint8Array(Math.min(CHUNK_BYTES, Math.max(length, chunk.length * 2, 1024)));
    grown.set(chunk);
    this.#chunks[index] = grown;
    return grown;
  }

  #gather(start: number, end: number): Uint8Array {
    const bytes = new Uint8Array(end - start);
    for (let address = start; address < end; ) {
      const index = Math.floor(address / CHUNK_BYTES);
      const offset = address - index * CHUNK_BYTES;
      const part = Math.min(CHUNK_BYTES - offset, end - address);
      bytes.set((this.#chunks[index] ?? bytes).subarray(offset, offset + part), address - start);
      address += part;
    }
    return bytes;
  }
}
