import { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import { toAppError } from '#server/to-app-error.ts';
import { errorTable } from '#shared/errors.ts';

/** Anything thrown, as an AppError. Procedures have logged theirs; what was not foreseen is logged here. */
export function toEdgeError(error: unknown, log: Log): AppError {
  if (error instanceof AppError) return error;
  const appError = toAppError(error);
  const { level } = errorTable[appError.code];
  if (level !== 'info') log[level]('request failed', { error });
  return appError;
}
