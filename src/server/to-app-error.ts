import { TRPCError } from '@trpc/server';
import { ZodError } from 'zod';
import { type ErrorCode, type ErrorDetail, errorTable } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import { toRecordError } from './db/record-error.ts';
import { AppError, isOutOfFiles } from './errors.ts';
import { issueMessage } from './issue-message.ts';

export const unknownField = 'is not a known field';

/** Every failure as the one error: what is thrown anywhere leaves through here, over REST and over tRPC. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof TRPCError) {
    if (error.cause instanceof AppError) return error.cause;
    if (error.cause instanceof ZodError && error.code === 'BAD_REQUEST') return invalidInput(error.cause);
    const trpcCode = error.code === 'PARSE_ERROR' ? 'BAD_REQUEST' : error.code;
    const code = (Object.keys(errorTable) as ErrorCode[]).find((key) => errorTable[key].trpc === trpcCode);
    if (code && code !== 'INTERNAL')
      return new AppError(code, error.message, { cause: error.cause ?? error });
  }
  if (isOutOfFiles(error)) {
    return new AppError('UNAVAILABLE', 'This server has too many files open at the moment; try again', {
      cause: error,
    });
  }
  return (
    toRecordError(error) ?? new AppError('INTERNAL', 'Something went wrong on our side', { cause: error })
  );
}

function invalidInput(error: ZodError): AppError {
  const details: ErrorDetail[] = error.issues
    .slice(0, limits.errorDetailsMax)
    .flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys
            .slice(0, limits.errorDetailsMax)
            .map((key) => ({ path: [...issue.path, key].join('.'), message: unknownField }))
        : [{ path: issue.path.join('.'), message: issueMessage(issue) }],
    );
  const first = details[0];
  const message = first ? (first.path ? `${first.path}: ${first.message}` : first.message) : 'Invalid input';
  return new AppError('BAD_REQUEST', message, { details, cause: error });
}
