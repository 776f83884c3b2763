import type { ByteShares, Held } from '#server/admission/byte-shares.ts';
import { AppError } from '#server/errors.ts';
import { QuotaError } from '#server/quotas/quota-error.ts';
import type { ImportResult } from '#shared/documents.ts';
import type { Upload, WritableCollection } from '../indexes.ts';
import { toCallerError } from '../registry/caller-errors.ts';
import type { RowOutcome } from './batch.ts';
import type { ByteBudget } from './byte-budget.ts';
import { type ImportBatch, importBatches } from './import-batches.ts';
import { Rehearsal, type RehearsalParts, TooMuchToRememberError } from './rehearsal.ts';
import { resultOf } from './row-result.ts';

interface DryRunParts extends Omit<RehearsalParts, 'remembered'> {
  /** Of all imports together. */
  budget: ByteBudget;
  /** What all dry runs remember. */
  memory: ByteShares;
}

/**
 * What an import of these rows would answer now, batch by batch like the import itself; nothing is embedded and nothing is written. A row
 * without an id has none to report: the import makes one.
 * @throws TooMuchToRememberError, the signal's reason
 */
export async function* dryRun(
  { budget, memory, ...parts }: DryRunParts,
  collection: WritableCollection,
  { action, rows, assertAllowed }: Omit<Upload, 'opened'>,
  signal?: AbortSignal,
): AsyncGenerator<ImportResult> {
  const held = memory.hold(collection.for.tenant);
  try {
    const rehearsal = new Rehearsal({ ...parts, remembered: whole(held) }, collection, action);
    const batches = importBatches({ collection, budget }, rows, signal);
    yield* tell(rehearsal, batches, { assertAllowed, signal });
  } finally {
    held.release();
  }
}

/** No row after one that could not be remembered can be told. */
function whole(held: Held): Pick<Held, 'raiseTo'> {
  return {
    raiseTo(bytes) {
      try {
        held.raiseTo(bytes);
      } catch (cause) {
        throw new TooMuchToRememberError(
          'UNAVAILABLE',
          'Dry runs remember as much as they may; send fewer rows, or try again in a moment',
          { cause, retryAfterSeconds: 5 },
        );
      }
    },
  };
}

async function* tell(
  rehearsal: Rehearsal,
  batches: AsyncIterable<ImportBatch>,
  { assertAllowed, signal }: { assertAllowed: Upload['assertAllowed']; signal: AbortSignal | undefined },
): AsyncGenerator<ImportResult> {
  let stop: AppError | null = null;
  for await (const { rows: batch, grant } of batches) {
    const parsed = batch.flatMap((row) => ('parsed' in row ? [row.parsed] : []));
    let outcomes: RowOutcome[];
    try {
      await assertAllowed?.();
      if (stop) throw stop;
      outcomes = await rehearsal.outcomesOf(parsed, signal);
    } catch (cause) {
      signal?.throwIfAborted();
      const error = toCallerError(cause);
      if (!(error instanceof AppError) || error instanceof TooMuchToRememberError) throw error;
      // As in the import: no row of the batch goes in, and behind a quota that is used up none at all.
      if (error instanceof QuotaError) stop = error;
      outcomes = parsed.map(({ document }) => ({ id: document.id, error }));
    } finally {
      grant.release();
    }
    let next = 0;
    for (const row of batch) {
      const result = resultOf(row, 'fault' in row ? null : (outcomes[next++] ?? null));
      yield 'isIdMade' in row && row.isIdMade ? { ...result, id: null } : result;
    }
  }
}
