import type { DocumentModel } from '../models/collection-models.ts';
import type { Batch } from './batch.ts';
import type { DocumentRow } from './statements.ts';

/**
 * A batch's documents as rows; texts whose vector is not known are embedded, or wait for the service that will do it.
 * @param known settles once the batch knows which of them are stored as they are; absent: it knows. They are embedded meanwhile, and of what turns out
 * to be stored nothing is waited for.
 * @throws AppError UNAVAILABLE, the signal's reason, what `known` throws
 */
export async function embedBatch(
  { embedder }: DocumentModel,
  batch: Batch,
  signal: AbortSignal | undefined,
  known?: Promise<void>,
): Promise<DocumentRow[]> {
  if (embedder === null) {
    await known;
    return [...batch.drafts.values()].map((draft) => batch.row(draft, 'later'));
  }
  const open = [...batch.drafts.values()].filter((draft) => draft.text !== null);
  const { dimension, for: requester } = batch.collection;
  const texts = open.flatMap((draft) => draft.text?.passages ?? []);
  const embedding = embedder.embedDocuments({ texts, dimension, for: requester }, signal);
  // Nobody may come to wait for it.
  embedding.catch(() => undefined);
  await known;
  const drafts = [...batch.drafts.values()];
  const vectors = drafts.some((draft) => draft.text !== null) ? await embedding : new Float32Array(0);
  const vectorsOf = new Map<string, Float32Array>();
  let from = 0;
  for (const { document, text } of open) {
    const to = from + (text?.passages.length ?? 0) * dimension;
    vectorsOf.set(document.id, vectors.subarray(from, to));
    from = to;
  }
  return drafts.map((draft) => batch.row(draft, vectorsOf.get(draft.document.id) ?? null));
}
