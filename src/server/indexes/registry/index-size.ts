import type { Need } from './memory-hold.ts';
import type { CollectionState, StoredRow } from './rows.ts';

/**
 * What indexes will take, from what is known before they are read. Measured by `scripts/measure-index-size.mjs`: an index that was opened has 1.00 to
 * 1.34 times the bytes of its file, 1.6 with forty fields; one that is built, beside its vectors, 3 to 4 times those of its documents' texts, up
 * to 12 where hardly a word comes twice or there is hardly any text.
 */

/** Of an index that has hardly any documents. */
const smallestBytes = 65_536;
const indexPerFileByte = 1.25;
const indexPerSourceByte = 4;
/** Beside its texts and its vector. */
const documentBytes = 100;

/** What is left of all there is for the arrays that the next write makes anew, and for those that grow otherwise when an index is built again. */
const growth = 4 / 3;

/** What an index may come to with a few more documents, and when it is built again from the record. */
export function atMostGrown(indexBytes: number): number {
  return Math.ceil(indexBytes * growth);
}

/** While it is opened, the file's bytes are there beside the index. */
export function needOfSnapshot(fileBytes: number): Need {
  const indexBytes = Math.max(smallestBytes, fileBytes * indexPerFileByte);
  return { about: Math.ceil(fileBytes + indexBytes), atLeast: Math.floor(fileBytes * 0.9) };
}

/** Built from the record, with a vector for each document. */
export function needOfRecord(state: CollectionState, dimension: number): Need {
  const vectorBytes = dimension * Float32Array.BYTES_PER_ELEMENT;
  const about =
    state.documentBytes * indexPerSourceByte + state.documentCount * (vectorBytes + documentBytes);
  return { about: Math.ceil(Math.max(smallestBytes, about)), atLeast: state.documentBytes };
}

/** With a few more documents. */
export function needOfRows(indexBytes: number, rows: StoredRow[]): Need {
  const about = rows.reduce(
    (sum, { source, vectors }) => sum + source.length + vectors.byteLength,
    indexBytes,
  );
  return { about, atLeast: indexBytes };
}
