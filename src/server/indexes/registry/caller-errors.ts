import { toRecordError } from '#server/db/record-error.ts';
import { FilterFaultError, TooDearError } from '#server/engine/search-index.ts';
import { AppError } from '#server/errors.ts';
import { IndexLostError } from '../host/index-lost-error.ts';
import { diagnosticsError } from '../search/diagnostics-error.ts';

/** What went wrong with the record or in the engine, in the caller's terms. */
export function toCallerError(error: unknown): unknown {
  if (error instanceof FilterFaultError) return diagnosticsError('filter_by', error.diagnostics);
  if (error instanceof TooDearError) return tooDear(error);
  if (error instanceof IndexLostError) {
    return new AppError('UNAVAILABLE', 'The index of this collection was lost; try again', {
      cause: error,
      retryAfterSeconds: 1,
    });
  }
  return toRecordError(error) ?? error;
}

const boundedParameters = { filter: 'filter_by', facets: 'facet_by' } as const;

function tooDear({ part }: TooDearError): AppError {
  const path = boundedParameters[part];
  const message = 'takes more work than one request may; ask for less of it, or of fewer documents';
  return new AppError('UNPROCESSABLE', `${path}: ${message}`, { details: [{ path, message }] });
}

export function notSearchable(cause: unknown): never {
  throw new AppError('UNAVAILABLE', 'The change is stored, but cannot be searched yet; try again', {
    cause,
    retryAfterSeconds: 2,
  });
}
