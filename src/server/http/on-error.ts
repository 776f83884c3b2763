import { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import { toAppError } from '#server/to-app-error.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { errorTable } from '#shared/errors.ts';

/** A body of a million faults helps nobody. */
const detailsMax = 100;

/** The one shape of errors over HTTP. What a 5xx was about stays inside: its caller gets the request id to ask with. */
export function errorResponse(error: AppError, requestId: string): Response {
  const body: ErrorBody = { message: error.message, code: error.code, requestId };
  if (error.details && error.details.length > 0) body.details = error.details.slice(0, detailsMax);
  const headers: Record<string, string> = {};
  if (error.retryAfterSeconds !== undefined)
    headers['Retry-After'] = String(Math.ceil(error.retryAfterSeconds));
  else if (error.code === 'UNAVAILABLE') headers['Retry-After'] = '5';
  if (error.code === 'UNAUTHORIZED') headers['WWW-Authenticate'] = 'Bearer';
  return Response.json(body, { status: error.status, headers });
}

/** Anything thrown, as an AppError. Those that procedures throw have been logged there; what was not foreseen is logged here. */
export function toEdgeError(error: unknown, log: Log): AppError {
  if (error instanceof AppError) return error;
  const appError = toAppError(error);
  const { level } = errorTable[appError.code];
  if (level !== 'info') log[level]('request failed', { error });
  return appError;
}
