import type { Sql } from 'postgres';
import type { WriteBatch } from '#server/engine/types.ts';
import { AppError } from '#server/errors.ts';
import { jsonTextInSteps } from '#server/wire/json-in-steps.ts';
import { limits } from '#shared/limits.ts';
import type { WritableCollection } from '../indexes.ts';
import type { CollectionModels, DocumentModel } from '../models/collection-models.ts';
import { passageLimitsOf } from '../passages/passage-limits.ts';
import { passagesAtMost } from '../passages/passages-of.ts';
import { readDocuments, readSizes } from '../registry/rows.ts';
import { Batch } from './batch.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { ParsedDocument } from './document.ts';
import { embedBatch } from './embed-batch.ts';
import { OutdatedError } from './outdated.ts';
import { type DocumentRow, encodeRows, putDocuments, toPuts } from './statements.ts';
import { eachInTurns, stepsInTurns } from './steps-in-turns.ts';

/** Documents that are read and written at once. */
const pageRowsMax = 128;
const pageBytesMax = 2 * 1024 * 1024;

interface MergeParts {
  sql: Sql;
  models: Pick<CollectionModels, 'forDocuments'>;
  /** Of what is merged into, by all together. */
  budget: ByteBudget;
  documentLimits: string | null;
}

export interface MergeOfMany {
  /** Of documents that are there. */
  ids: string[];
  /** Of the collection, before they were looked for. */
  version: number;
  change: ParsedDocument;
  signal: AbortSignal | undefined;
}

/**
 * Merges one change into many documents, in their collection's turn and in one transaction: into the first of them that may be held
 * together, one at least. All is read, merged and embedded before the transaction begins, which so is short.
 * @throws AppError naming the document that cannot be changed so; UNPROCESSABLE (a quota); OutdatedError when another server has changed or deleted
 * one of them since they were looked for, or the collection's model: nothing is changed
 */
export async function mergeInto(
  parts: MergeParts,
  collection: WritableCollection,
  { ids, version, change, signal }: MergeOfMany,
): Promise<{ changed: number; batches: WriteBatch[] }> {
  const { sql, models, budget, documentLimits } = parts;
  const sizes = await mergedSizes(sql, collection, { ids, change });
  const set = fitting(ids, sizes, { rowsMax: ids.length, bytesMax: limits.mergedAtOnceBytesMax });
  const bytes = set.reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0);
  const grant = await budget.take(collection.for, 2 * bytes, signal);
  try {
    const model = await models.forDocuments(collection.id);
    const pages: MergedPage[] = [];
    for (let from = 0; from < set.length; ) {
      const page = fitting(set.slice(from), sizes, { rowsMax: pageRowsMax, bytesMax: pageBytesMax });
      pages.push(await mergedPage(sql, { collection, model }, { ids: page, version, change, signal }));
      from += page.length;
    }
    signal?.throwIfAborted();
    const batches: WriteBatch[] = [];
    await sql.begin(async (tx) => {
      for (const { documents, rows } of pages) {
        const encoded = await stepsInTurns(collection.for, encodeRows(rows));
        const written = await putDocuments(tx, collection.id, encoded, {
          documents,
          model: model.recorded,
          keepExisting: false,
          documentLimits,
        });
        batches.push({ version: written.version, puts: toPuts(rows), deletes: [] });
      }
    });
    return { changed: set.length, batches };
  } finally {
    grant.release();
  }
}

/** What each comes to at most: what is stored of it, or a first vector, with all of the change. */
async function mergedSizes(
  sql: Sql,
  { id, for: requester, dimension, metadata }: WritableCollection,
  { ids, change: { document, embedding } }: Pick<MergeOfMany, 'ids' | 'change'>,
): Promise<Map<string, number>> {
  const stored = await readSizes(sql, id, ids);
  const text = await stepsInTurns(requester, jsonTextInSteps(document));
  const changeBytes = Buffer.byteLength(text) + (embedding?.byteLength ?? 0);
  // A text that grows has more passages.
  const more = passagesAtMost(text.length, passageLimitsOf(metadata)) * 4 * dimension;
  return new Map(
    ids.map((each) => [each, Math.max(stored.get(each) ?? 0, 4 * dimension) + changeBytes + more]),
  );
}

/** The first ids whose documents have no more rows and bytes, at least one. */
function fitting(
  ids: string[],
  sizes: Map<string, number>,
  { rowsMax, bytesMax }: { rowsMax: number; bytesMax: number },
): string[] {
  let bytes = 0;
  let count = 0;
  for (const id of ids) {
    bytes += sizes.get(id) ?? 0;
    if (count > 0 && (count >= rowsMax || bytes > bytesMax)) break;
    count += 1;
  }
  return ids.slice(0, count);
}

interface MergedPage {
  rows: DocumentRow[];
  /** What they were built on. */
  documents: ReturnType<Batch['documents']>;
}

async function mergedPage(
  sql: Sql,
  { collection, model }: { collection: WritableCollection; model: DocumentModel },
  { ids, version, change: { document, embedding }, signal }: MergeOfMany,
): Promise<MergedPage> {
  const batch = new Batch(collection, model.id, 'update');
  const stored = await readDocuments(sql, collection.id, ids);
  // Whether they would be found now is not known.
  if (!ids.every((id) => (stored.get(id)?.writtenVersion ?? Number.POSITIVE_INFINITY) <= version))
    throw new OutdatedError(model.recorded);
  await eachInTurns(collection.for, ids, (id) =>
    batch.addMerged({ document: { ...document, id }, embedding }, stored),
  );
  const { fault } = batch;
  if (fault) {
    const { code, message, details } = fault.error;
    throw new AppError(code, `The document "${fault.id}" cannot be changed so: ${message}`, {
      ...(details && { details }),
    });
  }
  return { rows: await embedBatch(model, batch, signal), documents: batch.documents() };
}
