/**
 * The one table of error codes: what each is over HTTP, over tRPC, and how loudly it is logged.
 * REST, tRPC, the log and the console all read it, so that they cannot disagree.
 */
export const errorTable = {
  BAD_REQUEST: { status: 400, trpc: 'BAD_REQUEST', level: 'info' },
  UNAUTHORIZED: { status: 401, trpc: 'UNAUTHORIZED', level: 'info' },
  FORBIDDEN: { status: 403, trpc: 'FORBIDDEN', level: 'info' },
  NOT_FOUND: { status: 404, trpc: 'NOT_FOUND', level: 'info' },
  METHOD_NOT_ALLOWED: { status: 405, trpc: 'METHOD_NOT_SUPPORTED', level: 'info' },
  CONFLICT: { status: 409, trpc: 'CONFLICT', level: 'info' },
  PRECONDITION_FAILED: { status: 412, trpc: 'PRECONDITION_FAILED', level: 'info' },
  PAYLOAD_TOO_LARGE: { status: 413, trpc: 'PAYLOAD_TOO_LARGE', level: 'info' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, trpc: 'UNSUPPORTED_MEDIA_TYPE', level: 'info' },
  UNPROCESSABLE: { status: 422, trpc: 'UNPROCESSABLE_CONTENT', level: 'info' },
  TOO_MANY_REQUESTS: { status: 429, trpc: 'TOO_MANY_REQUESTS', level: 'info' },
  INTERNAL: { status: 500, trpc: 'INTERNAL_SERVER_ERROR', level: 'error' },
  UNAVAILABLE: { status: 503, trpc: 'SERVICE_UNAVAILABLE', level: 'warn' },
} as const;

export type ErrorCode = keyof typeof errorTable;

/** What was wrong, and where: `path` is the dotted field, `position` the 0-based character within it. */
export interface ErrorDetail {
  path: string;
  message: string;
  position?: number;
}

/** Body of every error answer over REST; tRPC carries the same fields in `error.data`. */
export interface ErrorBody {
  message: string;
  code: ErrorCode;
  requestId: string;
  details?: ErrorDetail[];
}
