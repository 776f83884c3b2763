import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { SnapshotPiece } from '#server/engine/snapshot.ts';
import type { PieceOfSnapshot } from '../host/gathered-snapshots.ts';

/**
 * A snapshot's manifest, the file that says what the snapshot is:
 *
 *   "VECTORA\n" · format u32 · header length u32 · SHA-256 of the header · header
 *
 * Little-endian. The header is JSON: whose snapshot it is, its pieces, and the chunks that their bytes, one piece after the other, lie in.
 * Every byte is either compared or under a digest, so a manifest that is cut or changed by a single bit is refused, and so is a chunk,
 * whose name is its digest.
 */
const magic = Buffer.from('VECTORA\n');
const format = 4;
const digestBytes = 32;
const preambleBytes = magic.length + 8 + digestBytes;
/** Of a snapshot of some 400 GB. */
const headerBytesMax = 16 * 1024 * 1024;

/**
 * What grows at its end is written from its last chunk on, so a chunk is the least that is written for each growing array, of which an index
 * has some forty; and each is a file that is flushed by itself. With 2 MB a million papers have 1,200 files, and forty changed ends 80 MB.
 */
export const chunkBytes = 2 * 1024 * 1024;
/** A larger piece begins with a chunk of its own. Small ones share a chunk, so that a small collection has one file. */
const ownChunkBytesMin = 256 * 1024;

export interface Manifest {
  /** Names the one collection that may open it. */
  owner: string;
  pieces: SnapshotPiece[];
  chunks: Chunk[];
}

export interface Chunk {
  /** SHA-256 of its bytes, in hexadecimal digits. */
  name: string;
  length: number;
}

/** Content that is not used, with the reason; what the file system throws is none. */
export class RefusedFileError extends Error {}

/** Written by a version before this one: nobody will use it again. */
export class FormerFormatError extends RefusedFileError {}

/** How long the chunks are that pieces of these lengths are cut into. */
export function* chunkLengths(pieceLengths: Iterable<number>): Generator<number, void, void> {
  let length = 0;
  for (const pieceLength of pieceLengths) {
    if (pieceLength >= ownChunkBytesMin && length > 0) {
      yield length;
      length = 0;
    }
    length += pieceLength;
    for (; length >= chunkBytes; length -= chunkBytes) yield chunkBytes;
  }
  if (length > 0) yield length;
}

/** Where the bytes of each chunk lie in the pieces. @throws RefusedFileError they are not as long as the chunks */
export function* chunkParts(
  pieces: Iterable<SnapshotPiece>,
  lengths: Iterable<number>,
): Generator<PieceOfSnapshot[], void, void> {
  const rest = Array.from(pieces, ({ name, length }) => ({ name, from: 0, length })).reverse();
  for (const length of lengths) {
    const parts: PieceOfSnapshot[] = [];
    for (let left = length; left > 0; ) {
      const piece = rest.pop();
      if (piece === undefined) throw new RefusedFileError('it has more chunks than pieces');
      const { name, from } = piece;
      const taken = Math.min(left, piece.length);
      if (taken > 0) parts.push({ name, from, length: taken });
      if (taken < piece.length) rest.push({ name, from: from + taken, length: piece.length - taken });
      left -= taken;
    }
    yield parts;
  }
  if (rest.some((piece) => piece.length > 0)) throw new RefusedFileError('it has more pieces than chunks');
}

export function encodeManifest(manifest: Manifest): Buffer {
  const header = Buffer.from(JSON.stringify(manifest));
  const preamble = Buffer.alloc(preambleBytes);
  magic.copy(preamble);
  preamble.writeUInt32LE(format, magic.length);
  preamble.writeUInt32LE(header.length, magic.length + 4);
  digestOf(header).copy(preamble, magic.length + 8);
  return Buffer.concat([preamble, header]);
}

/** @throws RefusedFileError, and whatever the file system throws */
export async function readManifest(file: FileHandle, owner: string): Promise<Manifest> {
  const { size } = await file.stat();
  const preamble = await read(file, 0, Math.min(size, preambleBytes));
  if (preamble.length < preambleBytes) throw new RefusedFileError('it ends within its first bytes');
  if (!preamble.subarray(0, magic.length).equals(magic)) throw new RefusedFileError('it is not a snapshot');
  const found = preamble.readUInt32LE(magic.length);
  if (found < format) throw new FormerFormatError(`format ${found} is unknown`);
  if (found > format) throw new RefusedFileError(`format ${found} is unknown`);
  const length = preamble.readUInt32LE(magic.length + 4);
  if (length > headerBytesMax) throw new RefusedFileError('its header is damaged');
  if (preambleBytes + length !== size)
    throw new RefusedFileError(
      preambleBytes + length > size ? 'it ends early' : 'there is more than it says',
    );
  const header = await read(file, preambleBytes, length);
  if (!digestOf(header).equals(preamble.subarray(magic.length + 8)))
    throw new RefusedFileError('its header is damaged');
  const manifest: Manifest = JSON.parse(header.toString());
  if (manifest.owner !== owner) throw new RefusedFileError('it belongs to another collection');
  return manifest;
}

/** Fewer bytes where the file ends. */
async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

function digestOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
