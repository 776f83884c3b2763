import type { Need } from './memory-hold.ts';
import type { CollectionState, StoredRow } from './rows.ts';
import { chunksAtOnce } from './snapshot-chunks.ts';
import { chunkBytes } from './snapshot-format.ts';

/**
 * What indexes will take, from what is known before they are read. Measured by `scripts/measure-index-size.mjs`: an index that was opened has 1.00 to
 * 1.34 times the bytes of its file, 1.6 with forty fields; one that is built, beside its vectors, 3 to 4 times those of its documents' texts, up
 * to 12 where hardly a word comes twice or there is hardly any text.
 */

/** Of an index that has hardly any documents: 13 KB that it tells of, and some 34 KB around it. */
const smallestBytes = 65_536;
const indexPerFileByte = 1.25;
const indexPerSourceByte = 4;
/** A vector has codes beside it, and its table room for more of them. */
const indexPerVectorByte = 1.4;
/** Beside its texts and its vectors. */
const documentBytes = 100;

/** An index may be written to while it has at most 3/4 of all, because arrays grow by half and a rebuild may come to a third more. */
const growth = 4 / 3;

/** What an open index holds that tells of so many bytes. */
export function heldBytes(indexBytes: number): number {
  return Math.max(smallestBytes, indexBytes);
}

/** What an index may come to with a few more documents, and when it is built again from the record. */
export function atMostGrown(indexBytes: number): number {
  return Math.ceil(indexBytes * growth);
}

/** While it is opened, a few chunks of the file are there beside the index. */
export function needOfSnapshot(fileBytes: number): Need {
  const indexBytes = heldBytes(fileBytes * indexPerFileByte);
  return { about: Math.ceil(indexBytes + heldChunkBytes(fileBytes)), atLeast: Math.floor(fileBytes * 0.9) };
}

/** What is held of a snapshot of so many bytes while it is written or read. */
export function heldChunkBytes(fileBytes: number): number {
  return Math.min(fileBytes, chunksAtOnce * chunkBytes);
}

/** Built from the record, without its vectors: how many there are is known only as they are read. */
export function needOfRecord(state: CollectionState): Need {
  const about = state.documentBytes * indexPerSourceByte + state.documentCount * documentBytes;
  return { about: Math.ceil(heldBytes(about)), atLeast: state.documentBytes };
}

/** With a few more documents. */
export function needOfRows(indexBytes: number, rows: StoredRow[]): Need {
  const about = rows.reduce(
    (sum, { source, vectors }) => sum + source.length + Math.ceil(vectors.byteLength * indexPerVectorByte),
    indexBytes,
  );
  return { about, atLeast: indexBytes };
}
