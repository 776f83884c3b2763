import type { AppError } from '#server/errors.ts';
import type { ErrorBody } from '#shared/errors.ts';
import { limits } from '#shared/limits.ts';
import { toJsonBytes } from './json-text.ts';

/** An answer as data. The edge adds the headers that every answer carries and makes a `Response` of it. */
export interface Answer {
  status: number;
  /** Each name once, in its usual spelling. */
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
}

export function jsonAnswer(value: unknown, status = 200): Answer {
  return { status, headers: { 'Content-Type': 'application/json' }, body: toJsonBytes(value ?? null) };
}

/** The one shape of errors over HTTP. The cause of a 5xx stays inside; its caller gets the request id to ask with. */
export function errorAnswer(error: AppError, requestId: string): Answer {
  const body: ErrorBody = { message: error.message, code: error.code, requestId };
  if (error.details && error.details.length > 0)
    body.details = error.details.slice(0, limits.errorDetailsMax);
  const answer = jsonAnswer(body, error.status);
  if (error.retryAfterSeconds !== undefined) {
    answer.headers['Retry-After'] = retryAfter(error.retryAfterSeconds);
  }
  if (error.allow !== undefined) answer.headers['Allow'] = error.allow.join(', ');
  if (error.code === 'UNAUTHORIZED') answer.headers['WWW-Authenticate'] = 'Bearer';
  return answer;
}

/** The value of `Retry-After`: whole seconds. */
export function retryAfter(seconds: number): string {
  return String(Math.ceil(seconds));
}
