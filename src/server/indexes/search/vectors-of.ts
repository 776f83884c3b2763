import { AppError, notFound } from '#server/errors.ts';
import type { CollectionHandle } from '../indexes.ts';
import type { Reader } from './merged-members.ts';

/** All vectors of a document, row by row. @throws AppError NOT_FOUND, UNPROCESSABLE (it has none) */
export async function vectorsOf(
  registry: Reader,
  collection: CollectionHandle,
  { id, signal }: { id: string; signal: AbortSignal | undefined },
): Promise<Float32Array> {
  const asked = { call: 'documents' as const, ids: [id], withVectors: true };
  const [document] = await registry.read(collection, asked, signal);
  if (!document) throw notFound('Document');
  if (document.vectors.length === 0)
    throw new AppError(
      'UNPROCESSABLE',
      'This document has no vector: there is no text in it to embed, or it is not embedded yet',
    );
  return document.vectors;
}
