/**
 * Lists of rows, each with its document's ordinal and a copy of its bits, so that a scan of a list reads what lies together. A list is a chain of parts
 * of a fixed size; a row that leaves it is replaced by the last one. In one memory: a query, a mask of ordinals, what a scan writes, parts.
 */
import type { Bitset } from '../../bits/bitset.ts';
import { withRoom } from '../../memory/with-room.ts';
import { type CodeShape, partRows } from '../kernels/code-shape.ts';
import { type KernelMemory, kernelMemory } from '../kernels/load-kernels.ts';
import type { LowestRows } from '../row-selection.ts';

const NONE = -1;
const growth = 1 << 22;
const bytesMost = 2 ** 31;

export class RowLists {
  /** As many have a place in the mask. */
  readonly #ordinalsMax: number;
  readonly #shape: CodeShape;
  readonly #memory: KernelMemory;
  readonly #head: { query: number; passed: number; mask: number; out: number; end: number };
  readonly #partBytes: number;
  /** By list: its parts, and its rows. */
  readonly #parts: number[][];
  readonly #sizes: Int32Array;
  readonly #freeParts: number[] = [];
  #partCount = 0;
  /** By row: its list. */
  #listOf = new Int32Array(8).fill(NONE);
  /** What the head has. */
  #asked: object | null = null;
  #maskLength = 0;

  constructor(shape: CodeShape, { lists, ordinalsMax }: { lists: number; ordinalsMax: number }) {
    this.#ordinalsMax = Math.ceil(ordinalsMax / 128) * 128;
    this.#shape = shape;
    const mask = shape.bitStride + 16;
    const out = mask + this.#ordinalsMax / 8;
    this.#head = { query: 0, passed: shape.bitStride, mask, out, end: out + (partRows + 2) * 8 };
    this.#partBytes = partRows * (8 + shape.bitStride);
    this.#parts = Array.from({ length: lists }, () => []);
    this.#sizes = new Int32Array(lists);
    this.#memory = kernelMemory(shape, { bytes: this.#head.end, most: bytesMost });
  }

  get memoryBytes(): number {
    return (
      this.#memory.buffer.byteLength + this.#listOf.byteLength + this.#sizes.byteLength + this.#partCount * 8
    );
  }

  /** By row, −1: it is in none. */
  get listOf(): Int32Array {
    return this.#listOf;
  }

  sizeOf(list: number): number {
    return this.#sizes[list] ?? 0;
  }

  /** A row that is in no list. @returns false: there is no room for it */
  add(list: number, { row, owner, bits }: { row: number; owner: number; bits: Uint32Array }): boolean {
    const size = this.sizeOf(list);
    const parts = this.#parts[list] ?? [];
    if (owner >= this.#ordinalsMax || (size === parts.length * partRows && !this.#addPart(parts)))
      return false;
    const { words } = this.#memory;
    const { id, bits: at } = this.#placeOf(parts, size);
    words[id] = row;
    words[id + partRows] = owner;
    words.set(bits, at);
    this.#sizes[list] = size + 1;
    this.#listOf = withRoom(this.#listOf, row + 1, NONE);
    this.#listOf[row] = list;
    return true;
  }

  /** Without effect where it is in none. */
  remove(row: number): void {
    const list = row < this.#listOf.length ? (this.#listOf[row] ?? NONE) : NONE;
    if (list === NONE) return;
    this.#listOf[row] = NONE;
    const parts = this.#parts[list] ?? [];
    const last = this.#placeOf(parts, this.sizeOf(list) - 1);
    const { words } = this.#memory;
    const own = this.#find(parts, row);
    words[own.id] = words[last.id] ?? 0;
    words[own.id + partRows] = words[last.id + partRows] ?? 0;
    words.copyWithin(own.bits, last.bits, last.bits + this.#shape.bitStride / 4);
    this.#sizes[list] = this.sizeOf(list) - 1;
    if (this.sizeOf(list) % partRows === 0) this.#freeParts.push(parts.pop() ?? 0);
  }

  #find(parts: number[], row: number): { id: number; bits: number } {
    const { words } = this.#memory;
    for (let i = 0; i < parts.length; i += 1) {
      const { id } = this.#placeOf(parts, i * partRows);
      const place = words.subarray(id, id + partRows).indexOf(row);
      // Behind the last row of a list there may be an old one.
      if (place >= 0) return this.#placeOf(parts, i * partRows + place);
    }
    throw new RangeError(`row ${row} is not in its list`);
  }

  /** Words of memory. */
  #placeOf(parts: number[], place: number): { id: number; bits: number } {
    const within = place % partRows;
    const part = this.#addressOf(parts[Math.floor(place / partRows)] ?? 0) >>> 2;
    return { id: part + within, bits: part + 2 * partRows + within * (this.#shape.bitStride >>> 2) };
  }

  #addressOf(part: number): number {
    return this.#head.end + part * this.#partBytes;
  }

  #addPart(parts: number[]): boolean {
    const part = this.#freeParts.pop() ?? this.#partCount;
    const end = this.#addressOf(part + 1);
    if (
      end > this.#memory.buffer.byteLength &&
      !this.#memory.growTo(end + growth) &&
      !this.#memory.growTo(end)
    )
      return false;
    if (part === this.#partCount) this.#partCount += 1;
    parts.push(part);
    return true;
  }

  /** Before scans: of the query's bits among rows of documents that pass. Without effect where these are there. */
  ask(asked: { query: { bits: Uint8Array }; passes: Bitset }): void {
    if (this.#asked === asked) return;
    this.#asked = asked;
    const { buffer, words } = this.#memory;
    new Uint8Array(buffer, this.#head.query, this.#shape.bitStride).set(asked.query.bits);
    const mask = this.#head.mask >>> 2;
    const passing = asked.passes.words.subarray(0, this.#ordinalsMax / 32);
    words.set(passing, mask);
    words.fill(0, mask + passing.length, mask + this.#maskLength);
    this.#maskLength = passing.length;
  }

  /** What a list has of near rows that pass. @returns how many pass */
  scan(list: number, near: LowestRows): number {
    const { kernels, words } = this.#memory;
    const { query, passed, mask, out } = this.#head;
    let left = this.sizeOf(list);
    let count = 0;
    for (const part of this.#parts[list] ?? []) {
      const at = this.#addressOf(part);
      const rows = Math.min(left, partRows);
      left -= rows;
      const end = kernels.scanList(at, at + rows * 4, mask, query, near.most, out, passed);
      count += words[passed >>> 2] ?? 0;
      if (end > out) near.takePairs(words, { from: out >>> 2, to: end >>> 2 });
    }
    return count;
  }
}
