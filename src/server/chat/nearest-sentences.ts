import { loopTurns } from '#server/admission/loop-turns.ts';
import type { Embedder } from '#server/embeddings/embedder.ts';
import type { CollectionHandle, Indexes } from '#server/indexes/indexes.ts';
import { parseInTurns } from '#server/wire/parse-in-turns.ts';
import type { StoredDocument } from '#shared/documents.ts';
import { limits } from '#shared/limits.ts';
import type { NearestSentence } from '#shared/nearest-sentences.ts';
import { passagesOf } from './passages.ts';

/** The spaces of higher dimensions add letters to the model's own. */
const dimension = 384;
/** Of one document; of longer ones those count that hold words of the query. */
const sentencesMax = 40;
/** Embedded without a pause: some thirty microseconds each. */
const embeddedAtOnce = 32;

interface Parts {
  indexes: Pick<Indexes, 'recorded'>;
  embedder: Pick<Embedder, 'embedQuery'>;
}

export interface SentencesAsked {
  collection: CollectionHandle;
  query: string;
  ids: string[];
}

export interface SentencesListening {
  signal: AbortSignal;
  /** Hears the bytes of documents that are in memory until it is answered. What it throws ends the work. */
  hold: (bytes: number) => void;
}

/** Of each document that has sentences, the one whose meaning is nearest to the query. @throws what the record throws; the signal's reason */
export async function nearestSentences(
  { indexes, embedder }: Parts,
  { collection, query, ids }: SentencesAsked,
  { signal, hold }: SentencesListening,
): Promise<NearestSentence[]> {
  const turn = () => loopTurns.next(collection.for);
  const words = new Set(
    query
      .toLowerCase()
      .match(/[\p{L}\p{N}]{3,}/gu)
      ?.slice(0, sentencesMax),
  );
  const documents = await indexes.recorded(collection, ids, limits.chatSourceBytesMax);
  hold(documents.reduce((sum, { source }) => sum + Buffer.byteLength(source), 0));
  const meaning = await embedder.embedQuery(query, dimension);
  const nearest: NearestSentence[] = [];
  let embedded = 0;
  for (const { id, source } of documents) {
    const document = (await parseInTurns(source, turn)) as StoredDocument;
    let best: NearestSentence | null = null;
    for (const { kind, text, spans } of await passagesOf(document, { words, sentencesMax }, turn)) {
      const [span] = spans;
      if (kind !== 'sentence' || !span) continue;
      embedded += 1;
      if (embedded % embeddedAtOnce === 0) await turn();
      signal.throwIfAborted();
      const similarity = dot(meaning, await embedder.embedQuery(text, dimension));
      if (similarity > (best?.similarity ?? Number.NEGATIVE_INFINITY))
        best = { id, field: span.field, text, similarity };
    }
    if (best) nearest.push(best);
  }
  return nearest;
}

/** Of vectors of length 1: their cosine. */
function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
