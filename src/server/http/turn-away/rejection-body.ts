import { TRPC_ERROR_CODES_BY_KEY } from '@trpc/server/rpc';
import type { Rejection } from '#server/admission/rejection.ts';
import { type ErrorBody, errorTable } from '#shared/errors.ts';
import type { Asked } from './asked-of.ts';

/** The body of a rejection, as REST or tRPC tells it. @param asked null: for no procedure, as REST tells it */
export function rejectionBody(asked: Asked | null, rejection: Rejection, requestId: string): string {
  const { code, message } = rejection;
  const calls = asked?.calls ?? null;
  if (calls === null) return JSON.stringify({ message, code, requestId } satisfies ErrorBody);
  const errors = calls.names.map((path) => trpcError(path, rejection, requestId));
  return JSON.stringify(calls.isBatch ? errors : errors[0]);
}

function trpcError(path: string, { code, message, retryAfterSeconds }: Rejection, requestId: string): object {
  const { status: httpStatus, trpc } = errorTable[code];
  const data = { code: trpc, httpStatus, path, appCode: code, requestId, retryAfterSeconds };
  return { error: { message, code: TRPC_ERROR_CODES_BY_KEY[trpc], data } };
}
