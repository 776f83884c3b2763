import type { Embedder } from '#server/embeddings/embedder.ts';
import type { Batch } from './batch.ts';
import type { DocumentRow } from './statements.ts';

/** A batch's documents as rows; texts whose vector is not known are embedded. @throws AppError UNAVAILABLE, the signal's reason */
export async function embedBatch(
  embedder: Embedder,
  batch: Batch,
  signal: AbortSignal | undefined,
): Promise<DocumentRow[]> {
  const drafts = [...batch.drafts.values()];
  const open = drafts.filter((draft) => draft.text !== null);
  const { dimension, for: requester } = batch.collection;
  const texts = open.flatMap((draft) => draft.text ?? []);
  const vectors = await embedder.embedDocuments({ texts, dimension, for: requester }, signal);
  const rowOf = new Map(
    open.map((draft, row) => [draft, vectors.subarray(row * dimension, (row + 1) * dimension)]),
  );
  return drafts.map((draft) => batch.row(draft, rowOf.get(draft) ?? null));
}
