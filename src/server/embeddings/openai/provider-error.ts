/** `busy`: later. `down`: it does not answer as it should. `paused`: it was not asked. `text`: it refuses what it was given. `setup`: an operator has to act. */
type FailureKind = 'busy' | 'down' | 'paused' | 'text' | 'setup';

/** What went wrong at an embedding service, in words that name neither its address nor its key. */
export class ProviderError extends Error {
  readonly kind: FailureKind;
  /** When to come again, where that is known. */
  readonly retryAfterMs: number | null;

  constructor(
    kind: FailureKind,
    message: string,
    options: { retryAfterMs?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs ?? null;
  }
}
