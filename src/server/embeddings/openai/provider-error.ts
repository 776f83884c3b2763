/** `busy`: later. `down`: it does not answer as it should. `paused`: it was not asked. `text`: it refuses what it was given. `dimension`: it does not give so many. `setup`: an operator has to act. */
type FailureKind = 'busy' | 'down' | 'paused' | 'text' | 'dimension' | 'setup';

interface Around {
  retryAfterMs?: number | null;
  advice?: string;
  cause?: unknown;
}

/** What went wrong at an embedding service, in words for whoever searches: they name neither its address, its key nor a setting. */
export class ProviderError extends Error {
  readonly kind: FailureKind;
  /** When to come again, where that is known. */
  readonly retryAfterMs: number | null;
  /** For the operator, in the log alone. */
  readonly advice: string | null;

  constructor(kind: FailureKind, message: string, { retryAfterMs, advice, cause }: Around = {}) {
    super(message, { cause });
    this.kind = kind;
    this.retryAfterMs = retryAfterMs ?? null;
    this.advice = advice ?? null;
  }
}
