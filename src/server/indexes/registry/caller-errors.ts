import { FilterFaultError } from '#server/engine/search-index.ts';
import { AppError } from '#server/errors.ts';
import { faults } from '../search/query.ts';

export function notSearchable(cause: unknown): never {
  throw new AppError('UNAVAILABLE', 'The change is stored, but cannot be searched yet; try again', {
    cause,
    retryAfterSeconds: 2,
  });
}

/** A filter is checked where the index is; what is wrong with it is the caller's 400. */
export function callersFault(error: unknown): unknown {
  return error instanceof FilterFaultError ? faults('filter_by', error.diagnostics) : error;
}
