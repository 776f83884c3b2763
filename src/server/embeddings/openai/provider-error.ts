/** `busy`: later. `down`: it does not answer as it should. `paused`: it was not asked. `text`: it refuses what it was given. `dimension`: it does not give so many. `setup`: an operator has to act. */
type FailureKind = 'busy' | 'down' | 'paused' | 'text' | 'dimension' | 'setup';

interface Around {
  retryAfterMs?: number | null;
  advice?: string;
  said?: string;
  cause?: unknown;
}

/** What went wrong at a service for embeddings or re-ranking, in words for whoever searches: they name neither its address, its key nor a setting. */
export class ProviderError extends Error {
  readonly kind: FailureKind;
  /** When to come again, where that is known. */
  readonly retryAfterMs: number | null;
  /** For the operator, in the log alone. */
  readonly advice: string | null;
  /** The service's own words, for the log and for health; empty: none. */
  readonly said: string;

  constructor(kind: FailureKind, message: string, { retryAfterMs, advice, said, cause }: Around = {}) {
    super(message, { cause });
    this.kind = kind;
    this.retryAfterMs = retryAfterMs ?? null;
    this.advice = advice ?? null;
    this.said = said ?? '';
  }

  get told(): string {
    return this.said === '' ? this.message : `${this.message}: ${this.said}`;
  }
}
