import { AppError } from '#server/errors.ts';

/** What this engine does not do yet is said, never answered otherwise. `what` begins a sentence. */
export function notBuilt(what: string, path?: string): AppError {
  const message = `${what} is not available with SEARCH_ENGINE=opensearch`;
  return new AppError('UNPROCESSABLE', message, path === undefined ? {} : { details: [{ path, message }] });
}
