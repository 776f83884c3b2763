import type { Steps } from '../steps.ts';
import type { FoundDocument } from '../types.ts';
import type { IndexParts } from './search-parts.ts';

export interface DocumentsAsked {
  ids: string[];
  /** Without: theirs are empty. */
  withVectors: boolean;
  bytesMax?: number;
}

/** In the order of `ids`, null where there is none: the first ones that have `bytesMax` bytes together, at least one. */
export function* findDocuments(
  { documents, vectors }: Pick<IndexParts, 'documents' | 'vectors'>,
  { ids, withVectors, bytesMax = Number.POSITIVE_INFINITY }: DocumentsAsked,
): Steps<(FoundDocument | null)[]> {
  const ordinals: (number | undefined)[] = [];
  let bytes = 0;
  for (const id of ids) {
    const ordinal = documents.ordinalOf(id);
    bytes += ordinal === undefined ? 0 : documents.sourceBytesOf(ordinal);
    if (bytes > bytesMax && ordinals.length > 0) break;
    ordinals.push(ordinal);
  }
  const found = ordinals.filter((ordinal) => ordinal !== undefined);
  const sources = (yield* documents.copySources(found)).values();
  return ordinals.map((ordinal, i) => {
    if (ordinal === undefined) return null;
    return {
      id: ids[i] ?? '',
      source: sources.next().value ?? new Uint8Array(0),
      vectors: withVectors ? vectors.vectorsOf(ordinal) : new Float32Array(0),
      spans: withVectors ? vectors.spansOf(ordinal) : new Int32Array(0),
    };
  });
}
