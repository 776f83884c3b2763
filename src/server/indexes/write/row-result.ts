import type { AppError } from '#server/errors.ts';
import type { ImportResult } from '#shared/documents.ts';
import type { RowOutcome } from './batch.ts';
import type { BatchRow } from './import-batches.ts';

/** Where nothing better is known of what is away. */
const retrySeconds = 30;

/** What is told of a row; `outcome`: of its document, null where it is none. */
export function resultOf(row: BatchRow, outcome: RowOutcome | null): ImportResult {
  if ('fault' in row) return failure(row, row.id, row.fault);
  if (outcome === null) throw new Error('an import batch lost a row');
  if ('error' in outcome) return failure(row, outcome.id, outcome.error);
  return { ...placeOf(row), id: outcome.id, success: true };
}

function failure(row: BatchRow, id: string | null, error: AppError): ImportResult {
  const seconds = error.retryAfterSeconds ?? (error.code === 'UNAVAILABLE' ? retrySeconds : undefined);
  const later = seconds !== undefined && { retry_after: Math.ceil(seconds) };
  return { ...placeOf(row), id, success: false, code: error.code, error: error.message, ...later };
}

function placeOf({ index, line }: BatchRow): Pick<ImportResult, 'index' | 'line'> {
  return line === undefined ? { index } : { index, line };
}
