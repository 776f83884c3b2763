import { loopTurns } from '#server/admission/loop-turns.ts';
import { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import { QuotaError } from '#server/quotas/quota-error.ts';
import type { ImportResult } from '#shared/documents.ts';
import { errorTable } from '#shared/errors.ts';
import type { RunningImport } from '../imports/running-import.ts';
import type { Upload, WritableCollection } from '../indexes.ts';
import { overloadOf } from '../registry/overload.ts';
import type { RowOutcome } from './batch.ts';
import type { ByteBudget } from './byte-budget.ts';
import type { ParsedDocument } from './document.ts';
import { type ImportBatch, importBatches, type UploadedRow } from './import-batches.ts';
import { type Ingest, merges } from './ingest.ts';
import { resultOf } from './row-result.ts';

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

/** Results as they come, and why no further row goes in, if anything stops it. */
export interface ImportState {
  stop: AppError | null;
  /** The log has it. */
  isStopTold: boolean;
  /** Settles when nothing of it is at work any more. */
  settled: Promise<void>;
}

interface Following {
  state: ImportState;
  signal?: AbortSignal | undefined;
}

type NewRows = Pick<Upload, 'action' | 'assertAllowed'> & {
  rows: AsyncIterable<UploadedRow>;
  running: RunningImport | null;
};

/**
 * An upload of any size: read, embedded and written batch by batch, the next one embedded while the last is written. Rows are read only
 * as fast as they are written, and all imports together hold no more than their budget. Once a quota is used up, or a batch has waited in vain
 * for memory, or two in a row for their turn, no further row goes in: each batch behind would wait as long. Of one with a key none does behind a batch that failed
 * as a whole, so that what is done is always a beginning of it.
 * @throws the signal's reason
 */
export async function* importRows(
  target: ImportTarget,
  { action, rows, assertAllowed, running }: NewRows,
  { state, signal }: Following,
): AsyncGenerator<ImportResult> {
  const { ingest, collection } = target;
  const inFlight: Promise<ImportResult[]>[] = [];
  let begun: Promise<unknown> = Promise.resolve();
  const assertGoesOn = async () => {
    if (state.stop) throw state.stop;
    await assertAllowed?.();
    if (state.stop) throw state.stop;
  };
  let lateInARow = 0;
  const noteFailure = (error: unknown): void => {
    const overload = overloadOf(error);
    if (overload === 'time') lateInARow += 1;
    // One that is late may be so by chance, on a busy machine.
    const isOverloaded = overload === 'memory' || lateInARow > 1;
    const isFinal = error instanceof QuotaError || running?.hasKey === true || isOverloaded;
    if (isFinal) state.stop ??= toFailure(error);
  };
  const noteAndFail = (error: unknown): never => {
    noteFailure(error);
    throw error;
  };
  const idOf = (row: number) => running?.idOf(row) ?? null;
  for await (const batch of importBatches({ ...target, idOf }, rows, signal)) {
    let isBegun = false;
    try {
      while (inFlight.length >= batchesInFlightMax) yield* (await inFlight.shift()) ?? [];
      isBegun = true;
    } finally {
      if (!isBegun) batch.grant.release();
    }
    const parsed = batch.rows.flatMap((row) => ('parsed' in row ? [row.parsed] : []));
    const mark = running?.hasKey ? running.markerOf(batch) : undefined;
    const prepared = (async () => {
      await assertGoesOn();
      await loopTurns.next(collection.for);
      return ingest.prepare(collection, { action, parsed, isBulk: true, signal, mark });
    })().catch(noteAndFail);
    const before = begun;
    const written = (async () => {
      const [ready] = await Promise.all([prepared, before]);
      signal?.throwIfAborted();
      if (state.stop) throw state.stop;
      // Asked once more in its turn, for which it may have waited long.
      const commit = async () => {
        await assertGoesOn();
        await loopTurns.next(collection.for);
        return ready.commit();
      };
      // In its turn, so that the next batch finds it noted; and where it never has one.
      const outcomes = ingest.write({ collection, commit }, { onFailed: noteFailure }).catch(noteAndFail);
      // A merge may take several turns, between which no other batch of this upload may come.
      if (merges(action)) await outcomes.catch(() => undefined);
      void outcomes.then(
        () => (lateInARow = 0),
        () => undefined,
      );
      return { outcomes };
    })();
    // The next batch follows once this one has its turn, or never gets one.
    begun = Promise.allSettled([before, written]).then(() => undefined);
    const results = resultsOf(target, { ...batch, parsed, written }, { state, signal }).finally(
      batch.grant.release,
    );
    // An import that is given up leaves its last batches to end by themselves.
    state.settled = Promise.allSettled([state.settled, results]).then(() => undefined);
    inFlight.push(results);
  }
  for (const results of inFlight) yield* await results;
}

function toFailure(error: unknown): AppError {
  return error instanceof AppError
    ? error
    : new AppError('INTERNAL', 'Something went wrong on our side', { cause: error });
}

/** A batch that cannot be written at all is each of its rows' failure: what came before it is in and was reported so. */
async function resultsOf(
  target: ImportTarget,
  { rows, parsed, written }: WrittenBatch,
  { state, signal }: Following,
): Promise<ImportResult[]> {
  let outcomes: RowOutcome[];
  try {
    outcomes = await (await written).outcomes;
  } catch (cause) {
    signal?.throwIfAborted();
    const error = toFailure(cause);
    tellFailure(target, { error, cause, rows: parsed.length }, state);
    outcomes = parsed.map(({ document }) => ({ id: document.id, error }));
  }
  let next = 0;
  return rows.map((row) => resultOf(row, 'fault' in row ? null : (outcomes[next++] ?? null)));
}

/** Of what stops an import one line is enough, and of a load without a stack: nothing is amiss here. */
function tellFailure(
  { log, collection: { id: collectionId } }: ImportTarget,
  { error, cause, rows }: { error: AppError; cause: unknown; rows: number },
  state: ImportState,
): void {
  const isLoad = overloadOf(cause) !== null;
  if (isLoad || cause === state.stop) {
    if (state.isStopTold) return;
    state.isStopTold = true;
  }
  const { level } = errorTable[error.code];
  if (isLoad) log[level]('rows of an import were refused for load', { collectionId, reason: error.message });
  else log[level]('an import batch failed', { collectionId, rows, error: cause });
}
