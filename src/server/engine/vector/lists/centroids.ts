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
    new Uint32Array(this.#memory.buffer, mask, count / 32).fill(0xffff_ffff);
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

  /** The nearest one to a row's codes, of as many components as there are, padded. */
  nearest(codes: Int8Array): number {
    const query = this.#query;
    for (let i = 0; i < query.length; i += 1) query[i] = codes[i] ?? 0;
    const scores = (this.#scored() >>> 2) + 1;
    const singles = this.#singles;
    let best = 0;
    let most = Number.NEGATIVE_INFINITY;
    for (let centroid = 0; centroid < this.count; centroid += 1) {
      const score = singles[scores + 2 * centroid] ?? 0;
      if (score <= most) continue;
      most = score;
      best = centroid;
    }
    return best;
  }

  /** How near each is to a query's codes: more is nearer. */
  scores(codes: Int16Array): Float32Array {
    this.#query.set(codes);
    const at = (this.#scored() >>> 2) + 1;
    const scores = new Float32Array(this.count);
    for (let centroid = 0; centroid < this.count; centroid += 1)
      scores[centroid] = this.#singles[at + 2 * centroid] ?? 0;
    return scores;
  }

  /** @returns where pairs of centroid and score lie */
  #scored(): number {
    const { mask, codes, scales, out } = this.#at;
    const maskEnd = mask + this.count / 8;
    const least = Number.NEGATIVE_INFINITY;
    this.#memory.kernels.scanBytes(codes, mask, maskEnd, 0, scales, 1, 0, 0, least, out, 0);
    return out;
  }

  encode(writer: SectionWriter): void {
    writer.number(this.count);
    writer.bytes(this.#stored());
  }

  /** @throws RangeError */
  static *decode(reader: SectionReader, shape: CodeShape): Steps<Centroids> {
    const centroids = new Centroids(shape, reader.number());
    yield* reader.bytesInto(centroids.#stored());
    return centroids;
  }

  #stored(): Uint8Array {
    const { codes, out } = this.#at;
    return new Uint8Array(this.#memory.buffer, codes, out - codes);
  }
}
