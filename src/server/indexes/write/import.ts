import { loopTurns } from '#server/admission/loop-turns.ts';
import { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import { QuotaError } from '#server/quotas/quota-error.ts';
import type { ImportResult } from '#shared/documents.ts';
import { errorTable } from '#shared/errors.ts';
import type { Upload, WritableCollection } from '../indexes.ts';
import type { RowOutcome } from './batch.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { ParsedDocument } from './document.ts';
import { type ImportBatch, importBatches } from './import-batches.ts';
import { type Ingest, merges } from './ingest.ts';

/** One batch is embedded, one written, one applied, one waits. */
const batchesInFlightMax = 4;

interface ImportTarget {
  ingest: Ingest;
  log: Log;
  /** Of all imports together. */
  budget: ByteBudget;
  collection: WritableCollection;
}

interface WrittenBatch extends Pick<ImportBatch, 'rows'> {
  parsed: ParsedDocument[];
  /** Settles when its turn has come; its outcomes come with the commit. */
  written: Promise<{ outcomes: Promise<RowOutcome[]> }>;
}

/**
 * An upload of any size: read, embedded and written batch by batch, the next one embedded while the last is written. Rows are read only
 * as fast as they are written, and all imports together hold no more than their budget. Once a quota is used up, no further row goes in.
 * @throws the signal's reason
 */
export async function* importRows(
  target: ImportTarget,
  { action, rows, assertAllowed }: Upload,
  signal?: AbortSignal,
): AsyncGenerator<ImportResult> {
  const { ingest, collection } = target;
  const inFlight: Promise<ImportResult[]>[] = [];
  let begun: Promise<unknown> = Promise.resolve();
  let stop: QuotaError | null = null;
  const assertGoesOn = async () => {
    await assertAllowed?.();
    if (stop) throw stop;
  };
  for await (const batch of importBatches(target, rows, signal)) {
    let isBegun = false;
    try {
      while (inFlight.length >= batchesInFlightMax) yield* (await inFlight.shift()) ?? [];
      isBegun = true;
    } finally {
      if (!isBegun) batch.grant.release();
    }
    const parsed = batch.rows.flatMap((row) => ('parsed' in row ? [row.parsed] : []));
    const prepared = (async () => {
      await assertGoesOn();
      await loopTurns.next(collection.for);
      return ingest.prepare(collection, { action, parsed, isBulk: true, signal });
    })();
    const before = begun;
    const written = (async () => {
      const [ready] = await Promise.all([prepared, before]);
      signal?.throwIfAborted();
      // Asked once more in its turn, for which it may have waited long.
      const commit = async () => {
        await assertGoesOn();
        await loopTurns.next(collection.for);
        return ready.commit().catch((error: unknown) => {
          if (error instanceof QuotaError) stop ??= error;
          throw error;
        });
      };
      const outcomes = ingest.write({ collection, commit });
      // A merge may take several turns, between which no other batch of this upload may come.
      if (merges(action)) await outcomes.catch(() => undefined);
      return { outcomes };
    })();
    // The next batch follows once this one has its turn, or never gets one.
    begun = Promise.allSettled([before, written]).then(() => undefined);
    const results = resultsOf(target, { ...batch, parsed, written }, signal).finally(batch.grant.release);
    // An import that is given up leaves its last batches to end by themselves.
    results.catch(() => undefined);
    inFlight.push(results);
  }
  for (const results of inFlight) yield* await results;
}

/** A batch that cannot be written at all is each of its rows' failure: what came before it is in and was reported so. */
async function resultsOf(
  { log, collection }: ImportTarget,
  { rows, parsed, written }: WrittenBatch,
  signal: AbortSignal | undefined,
): Promise<ImportResult[]> {
  let outcomes: RowOutcome[];
  try {
    outcomes = await (await written).outcomes;
  } catch (cause) {
    signal?.throwIfAborted();
    const error =
      cause instanceof AppError
        ? cause
        : new AppError('INTERNAL', 'Something went wrong on our side', { cause });
    const { level } = errorTable[error.code];
    log[level]('an import batch failed', { collectionId: collection.id, rows: parsed.length, error: cause });
    outcomes = parsed.map(({ document }) => ({ id: document.id, error }));
  }
  let next = 0;
  return rows.map((row) => {
    if ('fault' in row) return failure(row.index, row.id, row.fault);
    const outcome = outcomes[next++];
    if (!outcome) throw new Error('an import batch lost a row');
    return 'error' in outcome
      ? failure(row.index, outcome.id, outcome.error)
      : { index: row.index, id: outcome.id, success: true };
  });
}

function failure(index: number, id: string | null, error: AppError): ImportResult {
  return { index, id, success: false, code: error.code, error: error.message };
}
