import { type ErrorCode, type ErrorDetail, errorTable } from '#shared/errors.ts';

/** Whom a denial is about where nobody is signed in: a key or an account by its id, an account that nobody has by a keyed hash. */
export interface Subject {
  kind: 'user' | 'key' | 'nobody';
  id: number | null;
  name?: string;
  workspaceId: number | null;
  /** Of an account that was not looked up: the audit finds it when it is written. In no log. */
  emailKey?: string;
}

/**
 * The one error of the server: a code from the shared table, a sentence for the caller, what was wrong where, and the cause for the log.
 * `retryAfterSeconds` becomes the `Retry-After` header of 429 and 503, `allow` the `Allow` header of 405.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetail[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly allow: readonly string[] | undefined;
  /** Private, so that whoever writes an error out does not tell who it was. */
  #subject: Subject | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      details?: ErrorDetail[];
      cause?: unknown;
      retryAfterSeconds?: number;
      allow?: readonly string[];
      subject?: Subject;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds ?? (code === 'UNAVAILABLE' ? 5 : undefined);
    this.allow = options.allow;
    this.#subject = options.subject;
  }

  get status(): number {
    return errorTable[this.code].status;
  }

  /** For the log and the audit, never for the answer; set by whoever knows. */
  get subject(): Subject | undefined {
    return this.#subject;
  }

  set subject(subject: Subject | undefined) {
    this.#subject = subject;
  }
}

/** 400 for one field. */
export function badRequest(path: string, message: string, position?: number): AppError {
  return new AppError('BAD_REQUEST', `${path}: ${message}`, {
    details: [position === undefined ? { path, message } : { path, message, position }],
  });
}

/** The same words for a thing that is not there and for one that is somebody else's. */
export function notFound(noun: string): AppError {
  return new AppError('NOT_FOUND', `${noun} not found`);
}

const causesMax = 5;

/** An error and what caused it, the outermost first: a library wraps what the driver throws. */
export function* causesOf(error: unknown): Generator<Error> {
  let current = error;
  for (let depth = 0; current instanceof Error && depth < causesMax; depth += 1) {
    yield current;
    current = current.cause;
  }
}

/** The system lets this process, or anybody, open no further file: it passes. */
export function isOutOfFiles(error: unknown): boolean {
  return [...causesOf(error)].some(
    (cause) => 'code' in cause && /^(EMFILE|ENFILE)$/.test(String(cause.code)),
  );
}
