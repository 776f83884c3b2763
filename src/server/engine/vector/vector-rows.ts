/**
 * Rows of vectors and their codes, by number, in blocks of memory that the kernels read. A table of few rows has no codes. Of others each row
 * has, in its own rotation: a bit for each component, its sign; a byte for each, as a share of the largest; that share's scale, and the
 * vector's length. The vector itself stays as it was given.
 *
 * A block is a head (the query in all its forms, a mask, what a scan writes) and groups of rows: all bits of a group, all bytes, all scales,
 * all vectors. So a scan reads what lies together, and a memory grows at its end, where it stays as it is.
 */
import type { SectionReader, SectionWriter } from '../memory/sections.ts';
import { isPauseDue, type Steps } from '../steps.ts';
import { type CodeShape, codeShapeOf, groupRows } from './kernels/code-shape.ts';
import { fixedMemory, type KernelMemory, kernelMemory } from './kernels/load-kernels.ts';
import { Rotation } from './rotation.ts';

/** Row numbers within a block have 16 bits where scans write them. */
const blockRowsMax = 1 << 16;
const blockBytesMax = 2 ** 31;
/** A memory grows by a quarter, within these bounds: each time all of it is counted anew as memory that garbage collection is due for. */
const growthLeast = 1 << 16;
const growthMost = 1 << 24;
/** Units of work to code a component. */
const codeUnits = 8;

export interface RowBlock {
  memory: KernelMemory;
  /** Its first row. */
  first: number;
  /** The query that its head has. */
  query: object | null;
}

/** Where the parts of a block's head lie, in bytes. */
export interface HeadLayout {
  floatQuery: number;
  byteQuery: number;
  bitQuery: number;
  mask: number;
  out: number;
  end: number;
}

export class VectorRows {
  readonly shape: CodeShape;
  readonly head: HeadLayout;
  readonly groupBytes: number;
  blocks: RowBlock[] = [];
  readonly #rotation: Rotation;
  readonly #rotated: Float64Array;
  #hasCodes = false;
  #rowsPerBlock = 0;

  constructor(dimension: number, seed: number) {
    this.shape = codeShapeOf(dimension);
    const { bitStride, byteStride, floatStride } = this.shape;
    this.groupBytes = groupRows * (bitStride + byteStride + 8 + floatStride);
    const most = Math.max(1, Math.floor(blockBytesMax / this.groupBytes));
    this.#rowsPerBlock = Math.min(blockRowsMax, most * groupRows);
    const byteQuery = 2 * floatStride;
    const bitQuery = byteQuery + 2 * byteStride;
    const mask = bitQuery + bitStride;
    const out = mask + this.#rowsPerBlock / 8;
    this.head = { floatQuery: 0, byteQuery, bitQuery, mask, out, end: out + groupRows * 8 + 16 };
    this.#rotation = new Rotation(dimension, seed);
    this.#rotated = new Float64Array(dimension);
  }

  get hasCodes(): boolean {
    return this.#hasCodes;
  }

  get rowsPerBlock(): number {
    return this.#rowsPerBlock;
  }

  get memoryBytes(): number {
    return this.blocks.reduce((sum, { memory }) => sum + memory.buffer.byteLength, 0);
  }

  blockOf(row: number): RowBlock | undefined {
    return this.blocks[Math.floor(row / this.#rowsPerBlock)];
  }

  /** Of a row, in its block. */
  floatsAt(row: number): number {
    if (!this.#hasCodes) return 2 * this.shape.floatStride + row * this.shape.floatStride;
    const { bitStride, byteStride, floatStride } = this.shape;
    return this.#groupAt(row) + groupRows * (bitStride + byteStride + 8) + (row % groupRows) * floatStride;
  }

  bytesAt(row: number): number {
    const { bitStride, byteStride } = this.shape;
    return this.#groupAt(row) + groupRows * bitStride + (row % groupRows) * byteStride;
  }

  /** The row's scale and length. */
  scalesAt(row: number): number {
    const { bitStride, byteStride } = this.shape;
    return this.#groupAt(row) + groupRows * (bitStride + byteStride) + (row % groupRows) * 8;
  }

  bitsAt(row: number): number {
    return this.#groupAt(row) + (row % groupRows) * this.shape.bitStride;
  }

  #groupAt(row: number): number {
    return this.head.end + Math.floor((row % this.#rowsPerBlock) / groupRows) * this.groupBytes;
  }

  /** The vector itself, to be read before anything is written. */
  view(row: number): Float32Array {
    const buffer = this.blockOf(row)?.memory.buffer ?? new ArrayBuffer(0);
    return new Float32Array(buffer, this.floatsAt(row), this.shape.dimension);
  }

  /** Whether a row may be written without `reserve`. */
  hasRoom(row: number): boolean {
    if (!this.#hasCodes && row >= groupRows) return false;
    const block = this.blockOf(row);
    return (
      block !== undefined && this.floatsAt(row) + this.shape.floatStride <= block.memory.buffer.byteLength
    );
  }

  /** Room for so many rows; `used` of them have vectors now. @throws RangeError where there is no memory */
  *reserve(rows: number, used: number): Steps<void> {
    if (!this.#hasCodes && rows > groupRows) yield* this.#code(used);
    if (this.#hasCodes) this.#growTo(rows);
    else this.#growSmall(rows);
  }

  /** There must be room for it. */
  write(row: number, vector: Float32Array): void {
    this.view(row).set(vector);
    if (this.#hasCodes) this.#writeCodes(row, vector);
  }

  /** A row of another table of the same kind; there must be room for it. */
  copy(row: number, from: VectorRows, source: number): void {
    const view = from.view(source);
    if (!this.#hasCodes || !from.#hasCodes) {
      this.write(row, view);
      return;
    }
    this.view(row).set(view);
    const { bitStride, byteStride } = this.shape;
    const parts = [
      [this.bitsAt(row), from.bitsAt(source), bitStride],
      [this.bytesAt(row), from.bytesAt(source), byteStride],
      [this.scalesAt(row), from.scalesAt(source), 8],
    ] as const;
    const target = this.blockOf(row)?.memory.buffer;
    const origin = from.blockOf(source)?.memory.buffer;
    if (target === undefined || origin === undefined) return;
    for (const [to, at, length] of parts)
      new Uint8Array(target, to, length).set(new Uint8Array(origin, at, length));
  }

  /** A row's bits and its bytes, to be read before anything is written. */
  codesOf(row: number): { bits: Uint32Array; bytes: Int8Array } {
    const { buffer } = this.blockOf(row)?.memory ?? {};
    const { bitStride, byteStride } = this.shape;
    return {
      bits: new Uint32Array(buffer ?? new ArrayBuffer(bitStride), this.bitsAt(row), bitStride >>> 2),
      bytes: new Int8Array(buffer ?? new ArrayBuffer(byteStride), this.bytesAt(row), byteStride),
    };
  }

  /** What its bytes are multiplied by, and how long it is. */
  lengthsOf(row: number): { scale: number; length: number } {
    const { singles } = this.blockOf(row)?.memory ?? {};
    const at = this.scalesAt(row) >>> 2;
    return { scale: singles?.[at] ?? 0, length: singles?.[at + 1] ?? 1 };
  }

  /** A vector, or a query, as its codes are made from it: until it is asked again. */
  rotated(vector: Float32Array): Float64Array {
    this.#rotated.set(vector);
    this.#rotation.rotate(this.#rotated);
    return this.#rotated;
  }

  #writeCodes(row: number, vector: Float32Array): void {
    const { memory } = this.blockOf(row) ?? {};
    if (memory === undefined) return;
    const { bitStride, dimension } = this.shape;
    const rotated = this.rotated(vector);
    writeSigns(rotated, new Uint8Array(memory.buffer, this.bitsAt(row), bitStride));
    let largest = 0;
    let squares = 0;
    for (let i = 0; i < dimension; i += 1) {
      const value = rotated[i] ?? 0;
      largest = Math.max(largest, Math.abs(value));
      squares += value * value;
    }
    const share = largest > 0 ? 127 / largest : 0;
    const bytes = new Int8Array(memory.buffer, this.bytesAt(row), dimension);
    for (let i = 0; i < dimension; i += 1) bytes[i] = Math.round((rotated[i] ?? 0) * share);
    const scale = this.scalesAt(row) / 4;
    const length = Math.sqrt(squares);
    // Not 0, which products are divided by; its square is. The scale grows along, or a short vector would seem to have another direction.
    const told = Math.max(length, 1e-30);
    memory.singles[scale] = length > 0 ? (largest / 127) * (told / length) : 0;
    memory.singles[scale + 1] = told;
  }

  #growSmall(rows: number): void {
    const [block] = this.blocks;
    if (block?.memory.growTo(this.floatsAt(rows))) return;
    const most = Math.min(groupRows, Math.max(rows, Math.ceil(rows * 1.5), 4));
    const memory = fixedMemory(this.shape, this.floatsAt(most));
    if (block !== undefined) new Uint8Array(memory.buffer).set(new Uint8Array(block.memory.buffer));
    this.blocks = [{ memory, first: 0, query: null }];
  }

  #growTo(rows: number): void {
    for (let last = this.blocks.at(-1); ; last = this.#newBlock()) {
      const end = last === undefined ? 0 : last.first + this.#rowsPerBlock;
      if (last !== undefined) this.#growBlock(last, Math.min(rows, end));
      if (rows <= end) return;
    }
  }

  #growBlock({ memory }: RowBlock, rows: number): void {
    const needed = this.floatsAt(rows - 1) + this.shape.floatStride;
    if (needed <= memory.buffer.byteLength) return;
    const most = this.head.end + (this.#rowsPerBlock / groupRows) * this.groupBytes;
    const held = memory.buffer.byteLength;
    const growth = Math.min(growthMost, Math.max(growthLeast, held >>> 2));
    const wanted = Math.min(most, Math.max(needed, held + growth));
    if (!memory.growTo(wanted) && !memory.growTo(needed))
      throw new RangeError(`there is no memory for ${rows} vectors`);
  }

  #newBlock(): RowBlock {
    const first = this.blocks.length * this.#rowsPerBlock;
    const most = this.head.end + (this.#rowsPerBlock / groupRows) * this.groupBytes;
    let memory = kernelMemory(this.shape, { bytes: this.head.end, most });
    if (!memory.canGrow) {
      // What cannot grow has all its rows at once: as few as there may be.
      if (first === 0) this.#rowsPerBlock = groupRows;
      memory = fixedMemory(this.shape, this.head.end + (this.#rowsPerBlock / groupRows) * this.groupBytes);
    }
    const block: RowBlock = { memory, first, query: null };
    this.blocks.push(block);
    return block;
  }

  /** Of a table that has become larger: the rows it has. */
  *#code(rows: number): Steps<void> {
    const small = this.blocks[0]?.memory.buffer;
    const { floatStride, dimension } = this.shape;
    this.blocks = [];
    this.#hasCodes = true;
    this.#growTo(Math.max(1, rows));
    if (small === undefined) return;
    for (let row = 0; row < rows; row += 1) {
      this.write(row, new Float32Array(small, (2 + row) * floatStride, dimension));
      if (isPauseDue(dimension * codeUnits)) yield;
    }
  }

  encode(writer: SectionWriter, rows: number): void {
    writer.number(Number(this.#hasCodes));
    writer.number(this.#rowsPerBlock);
    for (const block of this.blocks) {
      const { from, to } = this.#used(block, rows);
      writer.array(new Uint8Array(block.memory.buffer, from, to - from));
    }
  }

  /** @throws RangeError */
  *decode(reader: SectionReader, rows: number): Steps<void> {
    this.#hasCodes = (yield* reader.number()) === 1;
    const rowsPerBlock = yield* reader.number();
    if (rows === 0) return;
    if (this.#hasCodes) this.#growTo(rows);
    else this.#growSmall(rows);
    if (rowsPerBlock !== this.#rowsPerBlock) throw new RangeError('blocks of another size');
    for (const block of this.blocks) {
      const { from, to } = this.#used(block, rows);
      yield* reader.bytesInto(new Uint8Array(block.memory.buffer, from, to - from));
    }
  }

  /** Bytes of a block that rows lie in. */
  #used({ first }: RowBlock, rows: number): { from: number; to: number } {
    const last = Math.min(rows, first + this.#rowsPerBlock) - 1;
    const from = this.#hasCodes ? this.head.end : this.floatsAt(0);
    return { from, to: last < first ? from : this.floatsAt(last) + this.shape.floatStride };
  }
}

/** A bit for each component that is negative. */
export function writeSigns(values: Float64Array, bits: Uint8Array): void {
  bits.fill(0);
  for (let i = 0; i < values.length; i += 1)
    if ((values[i] ?? 0) < 0) bits[i >>> 3] = (bits[i >>> 3] ?? 0) | (1 << (i & 7));
}
