import type { Diagnostic } from '#server/engine/types.ts';
import { AppError } from '#server/errors.ts';

/** A parser's diagnostics as the caller's 400. */
export function diagnosticsError(path: string, diagnostics: Diagnostic[]): AppError {
  const [first] = diagnostics;
  const place = first ? `${first.message} at position ${first.position}` : 'is not understood';
  return new AppError('BAD_REQUEST', `${path}: ${place}`, {
    details: diagnostics.map(({ message, position }) => ({ path, message, position })),
  });
}
