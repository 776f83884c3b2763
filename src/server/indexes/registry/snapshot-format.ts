import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { Snapshot } from '#server/engine/types.ts';

/**
 * A snapshot as a file:
 *
 *   "VECTORA\n" · format u32 · header length u32 · header CRC-32 u32 · header · pieces one after the other
 *
 * Little-endian. The header is JSON: whose snapshot it is, and the name, length and CRC-32 of each piece. Every byte is either compared
 * or under a checksum, so a file that is cut or changed by a single bit is refused. Read and written in slices: a piece may be larger
 * than one call of the file system takes, and a checksum over all of it would hold the thread.
 */
const magic = Buffer.from('VECTORA\n');
const format = 3;
const preambleBytes = magic.length + 12;
const headerBytesMax = 65_536;
const sliceBytes = 1024 * 1024;

interface Header {
  owner: string;
  pieces: { name: string; length: number; crc: number }[];
}

/** `owner` names the one collection that may open it. */
export async function writeSnapshot(file: FileHandle, owner: string, snapshot: Snapshot): Promise<void> {
  const header: Header = { owner, pieces: [] };
  for (const [name, bytes] of snapshot) {
    let crc = 0;
    for (const slice of slicesOf(bytes)) {
      crc = crc32(slice, crc);
      await nextTurn();
    }
    header.pieces.push({ name, length: bytes.length, crc });
  }
  const headerBytes = Buffer.from(JSON.stringify(header));
  const preamble = Buffer.alloc(preambleBytes);
  magic.copy(preamble);
  preamble.writeUInt32LE(format, magic.length);
  preamble.writeUInt32LE(headerBytes.length, magic.length + 4);
  preamble.writeUInt32LE(crc32(headerBytes), magic.length + 8);
  for (const bytes of [preamble, headerBytes, ...snapshot.values()]) {
    for (const slice of slicesOf(bytes)) await writeWhole(file, slice);
  }
}

/** Of all its pieces. @throws Error saying why it is not used, and whatever the file system throws */
export async function readSnapshotBytes(file: FileHandle, owner: string): Promise<number> {
  const { header } = await readWholeHeader(file, owner);
  return header.pieces.reduce((sum, { length }) => sum + length, 0);
}

/** @throws Error saying why it is not used, and whatever the file system throws */
export async function readSnapshot(file: FileHandle, owner: string): Promise<Snapshot> {
  const { header, end } = await readWholeHeader(file, owner);
  const snapshot: Snapshot = new Map();
  let position = end;
  for (const { name, length, crc } of header.pieces) {
    const bytes = new Uint8Array(length);
    if ((await readWhole(file, bytes, position)) !== crc) throw new Error(`${name} is damaged`);
    snapshot.set(name, bytes);
    position += length;
  }
  return snapshot;
}

/** No damaged, foreign or cut file is read as a whole. */
async function readWholeHeader(file: FileHandle, owner: string): Promise<{ header: Header; end: number }> {
  const { size } = await file.stat();
  const { header, end } = await readHeader(file, size);
  if (header.owner !== owner) throw new Error('it belongs to another collection');
  const total = header.pieces.reduce((sum, { length }) => sum + length, end);
  if (total !== size) throw new Error(total > size ? 'it ends early' : 'there is more than it says');
  return { header, end };
}

async function readHeader(file: FileHandle, size: number): Promise<{ header: Header; end: number }> {
  if (size < preambleBytes) throw new Error('it ends within its first bytes');
  const preamble = Buffer.alloc(preambleBytes);
  await readWhole(file, preamble, 0);
  if (!preamble.subarray(0, magic.length).equals(magic)) throw new Error('it is not a snapshot');
  const found = preamble.readUInt32LE(magic.length);
  if (found !== format) throw new Error(`format ${found} is unknown`);
  const length = preamble.readUInt32LE(magic.length + 4);
  const end = preambleBytes + length;
  const headerBytes = Buffer.alloc(Math.min(length, headerBytesMax));
  const isDamaged =
    end > size ||
    length > headerBytesMax ||
    (await readWhole(file, headerBytes, preambleBytes)) !== preamble.readUInt32LE(magic.length + 8);
  if (isDamaged) throw new Error('its header is damaged');
  const header: Header = JSON.parse(headerBytes.toString());
  return { header, end };
}

function* slicesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += sliceBytes) {
    yield bytes.subarray(start, start + sliceBytes);
  }
}

async function writeWhole(file: FileHandle, bytes: Uint8Array): Promise<void> {
  let written = 0;
  while (written < bytes.length) written += (await file.write(bytes, written)).bytesWritten;
}

/** Fills the bytes from a position of the file. @returns their CRC-32 */
async function readWhole(file: FileHandle, bytes: Uint8Array, position: number): Promise<number> {
  let crc = 0;
  let filled = 0;
  while (filled < bytes.length) {
    const length = Math.min(sliceBytes, bytes.length - filled);
    const { bytesRead } = await file.read(bytes, filled, length, position + filled);
    if (bytesRead === 0) throw new Error('it ends early');
    crc = crc32(bytes.subarray(filled, filled + bytesRead), crc);
    filled += bytesRead;
  }
  return crc;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
