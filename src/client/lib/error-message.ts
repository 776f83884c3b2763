import { TRPCClientError } from '@trpc/client';
import type { ErrorDetail } from '#shared/errors.ts';
import { isRecord, parseJson } from './json.ts';
import { RestError } from './rest-error.ts';

/** What is said about a failure; only `message` is there when the server said nothing itself. */
export interface Failure {
  message: string;
  code?: string;
  requestId?: string;
  details: ErrorDetail[];
  retryAfterSeconds?: number;
}

/** Any error as something to show. `fallback` stands in where the error has no words. */
export function failureOf(error: unknown, fallback = 'Something went wrong'): Failure {
  if (error instanceof TRPCClientError) {
    if (isRecord(error.data)) return serverFailure(error.message || fallback, error.data);
    if (error.cause) return failureOf(error.cause, fallback);
  }
  if (error instanceof RestError) return restFailure(error);
  return { message: withoutAnswer(error) ?? (messageOf(error) || fallback), details: [] };
}

function serverFailure(message: string, data: Record<string, unknown>): Failure {
  const { appCode, requestId, details, retryAfterSeconds } = data;
  return {
    message,
    details: Array.isArray(details) ? (details as ErrorDetail[]) : [],
    ...(typeof appCode === 'string' ? { code: appCode } : {}),
    ...(typeof requestId === 'string' ? { requestId } : {}),
    ...(typeof retryAfterSeconds === 'number' ? { retryAfterSeconds } : {}),
  };
}

function restFailure({ message, status, body }: RestError): Failure {
  const said = parseJson(body);
  if (isRecord(said) && typeof said['message'] === 'string') {
    return serverFailure(`${status}: ${said['message']}`, { ...said, appCode: said['code'] });
  }
  // Not the server's words, but those of something before it.
  return {
    message: status >= 500 ? `The server cannot be reached (${status}). Try again.` : message,
    details: [],
  };
}

/** `fetch` rejects with a TypeError when no answer comes or the rest of one is lost. Anything else is a fault of the console. */
function withoutAnswer(error: unknown): string | null {
  return error instanceof TypeError
    ? 'The server cannot be reached. Check your connection and try again.'
    : null;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : '';
}

/** The sentence alone. */
export function errorMessage(error: unknown, fallback?: string): string {
  return failureOf(error, fallback).message;
}

/** The server does not know (any more) who is asking. */
export function isUnauthorized(error: unknown): boolean {
  return failureOf(error).code === 'UNAUTHORIZED';
}

/** It does not exist, or is somebody else's. */
export function isNotFound(error: unknown): boolean {
  return failureOf(error).code === 'NOT_FOUND';
}

/** No answer came, or a proxy's in its place. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof RestError) return error.status >= 502 && error.status <= 504;
  if (error instanceof TRPCClientError) return !isRecord(error.data) && isUnreachable(error.cause);
  return error instanceof TypeError;
}
