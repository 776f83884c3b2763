import type { Sql } from 'postgres';
import type { EmbeddingService } from '#server/embeddings/embedding-service.ts';
import type { IndexedDocument } from '#server/engine/types.ts';
import type { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import { limits } from '#shared/limits.ts';
import type { WritableCollection } from '../../indexes.ts';
import { readDocuments, readSizes, type StoredRow } from '../../registry/rows.ts';
import { embedRows } from '../../upgrade/embed-rows.ts';
import { refusedModel } from '../../write/without-vector.ts';

/** Whose caller gave the vector. */
const ownModel = 'custom';
const rowsAtOnce = 32;
const readAtOnce = 500;

/** The rows of these documents that exist, the first ones that come to `limits.comparedBytesMax`. @throws the record's error, the signal's reason */
export async function readCompared(
  sql: Sql,
  collectionId: number,
  { ids, signal }: { ids: readonly string[]; signal: AbortSignal },
): Promise<StoredRow[]> {
  const rows: StoredRow[] = [];
  let bytes = 0;
  for (let from = 0; from < ids.length; from += readAtOnce) {
    signal.throwIfAborted();
    const some = ids.slice(from, from + readAtOnce);
    const sizes = await readSizes(sql, collectionId, some);
    const fitting = some.filter((id) => {
      bytes += sizes.get(id) ?? 0;
      return bytes <= limits.comparedBytesMax;
    });
    rows.push(...(await readDocuments(sql, collectionId, fitting)).values());
    if (bytes > limits.comparedBytesMax) break;
  }
  return rows;
}

interface Parts {
  model: Pick<EmbeddingService, 'id' | 'embedDocuments'>;
  log: Log;
}

interface Embedded {
  documents: IndexedDocument[];
  /** To so many the model gives no vector, and says why in the log. */
  refused: number;
}

/** The same documents with vectors of another model; vectors that callers gave stay. @param tell hears how many are done @throws what the model throws, the signal's reason */
export async function embedCompared(
  { model, log }: Parts,
  collection: WritableCollection,
  { rows, signal, tell }: { rows: readonly StoredRow[]; signal: AbortSignal; tell: (done: number) => void },
): Promise<Embedded> {
  const documents: IndexedDocument[] = [];
  let refused = 0;
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const some = rows.slice(from, from + rowsAtOnce);
    const found = some.filter(({ modelId }) => modelId !== ownModel);
    const embedded = await embedRows({ model, log }, collection, { found, signal });
    refused += embedded.filter(({ modelId }) => modelId === refusedModel).length;
    documents.push(...some.filter(({ modelId }) => modelId === ownModel), ...embedded);
    tell(documents.length);
  }
  return { documents: documents.map(toIndexed), refused };
}

/** Only what the engine takes. */
export function toIndexed({ id, source, vectors, spans }: IndexedDocument): IndexedDocument {
  return { id, source, vectors, spans };
}

/** What a model takes longer for than anybody is to wait. @throws AppError UNPROCESSABLE in place of the reason of its own signal */
export async function inTime<Result>(
  signal: AbortSignal,
  { msMax, tooLong }: { msMax: number; tooLong: () => AppError },
  task: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(tooLong()), msMax);
  try {
    return await task(AbortSignal.any([signal, late.signal]));
  } finally {
    clearTimeout(timer);
  }
}
