/**
 * The directions that lists of rows lie around, as bytes of a rotated vector, and which of them a row or a query is nearest to. Lengths count for
 * nothing: a list holds what lies in one direction, as bits do. In one memory: a query, a mask of all, codes, scales, what a scan writes.
 */
import type { SectionReader, SectionWriter } from '../../memory/sections.ts';
import type { Steps } from '../../steps.ts';
import type { CodeShape } from '../kernels/code-shape.ts';
import { type KernelMemory, kernelMemory } from '../kernels/load-kernels.ts';

export class Centroids {
  /** A multiple of 32. */
  readonly count: number;
  readonly #shape: CodeShape;
  readonly #memory: KernelMemory;
  readonly #at: { mask: number; codes: number; scales: number; out: number };
  readonly #query: Int16Array;
  readonly #singles: Float32Array;
  readonly #words: Uint32Array;

  constructor(shape: CodeShape, count: number) {
    this.count = count;
    this.#shape = shape;
    const mask = 2 * shape.byteStride;
    const codes = mask + Math.ceil(count / 128) * 16;
    const scales = codes + count * shape.byteStride;
    const out = scales + count * 8;
    this.#at = { mask, codes, scales, out };
    const bytes = out + (count + 1) * 8;
    this.#memory = kernelMemory(shape, { bytes, most: bytes });
    this.#query = new Int16Array(this.#memory.buffer, 0, shape.byteStride);
    this.#singles = this.#memory.singles;
    this.#words = this.#memory.words;
  }

  get memoryBytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** One of them: any length of the given direction, rotated. */
  set(centroid: number, direction: Float64Array): void {
    let [largest, squares] = [0, 0];
    for (let i = 0; i < direction.length; i += 1) {
      const value = direction[i] ?? 0;
      largest = Math.max(largest, Math.abs(value));
      squares += value * value;
    }
    const { byteStride, dimension } = this.#shape;
    const codes = new Int8Array(this.#memory.buffer, this.#at.codes + centroid * byteStride, dimension);
    const share = largest > 0 ? 127 / largest : 0;
    for (let i = 0; i < dimension; i += 1) codes[i] = Math.round((direction[i] ?? 0) * share);
    const scale = (this.#at.scales >>> 2) + 2 * centroid;
    this.#singles[scale] = squares > 0 ? largest / 127 / Math.sqrt(squares) : 0;
    this.#singles[scale + 1] = 1;
  }

  /** Of those that are looked among. */
  nearest(codes: Int16Array, among: Uint32Array): number {
    this.#query.set(codes);
    const { mask, out } = this.#at;
    this.#words.set(among, mask >>> 2);
    const end = this.#scan();
    let best = 0;
    let most = Number.NEGATIVE_INFINITY;
    for (let at = out >>> 2; at < end >>> 2; at += 2) {
      const score = this.#singles[at + 1] ?? 0;
      if (score <= most) continue;
      most = score;
      best = this.#words[at] ?? 0;
    }
    return best;
  }

  /** How near those are to a query's codes that are looked among: more is nearer. */
  scores(codes: Int16Array, among: Uint32Array): Float32Array {
    this.#query.set(codes);
    this.#words.set(among, this.#at.mask >>> 2);
    const start = this.#at.out >>> 2;
    const scores = new Float32Array((this.#scan() - this.#at.out) >>> 3);
    for (let i = 0; i < scores.length; i += 1) scores[i] = this.#singles[start + 2 * i + 1] ?? 0;
    return scores;
  }

  /** Of those in the mask. @returns the end of pairs of centroid and score */
  #scan(): number {
    const { mask, codes, scales, out } = this.#at;
    const maskEnd = mask + this.count / 8;
    const least = Number.NEGATIVE_INFINITY;
    return this.#memory.kernels.scanBytes(codes, mask, maskEnd, 0, scales, 1, 0, 0, least, out, 0);
  }

  encode(writer: SectionWriter): void {
    writer.bytes(this.#stored());
  }

  /** Of as many. @throws RangeError */
  *decode(reader: SectionReader): Steps<void> {
    yield* reader.bytesInto(this.#stored());
  }

  #stored(): Uint8Array {
    const { codes, out } = this.#at;
    return new Uint8Array(this.#memory.buffer, codes, out - codes);
  }
}
