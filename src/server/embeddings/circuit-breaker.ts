const failuresMax = 5;
const restMsMin = 5_000;
const restMsMax = 120_000;

/** A request that may be sent. Of a rest that it tries to end there is one. */
export interface Ask {
  isTrial: boolean;
}

/**
 * Whether a service is asked at all (Nygard, Release It!): after five failures in a row it rests, twice as long after each trial that fails, and
 * then one request alone tries it.
 */
export class CircuitBreaker {
  readonly #now: () => number;
  #failures = 0;
  #restMs = restMsMin;
  #restsUntil = 0;
  #trial: Ask | null = null;

  constructor(now: () => number) {
    this.#now = now;
  }

  get isOpen(): boolean {
    return this.#failures >= failuresMax;
  }

  /** How long until it may be tried; 0: now. */
  get restMs(): number {
    return this.isOpen ? Math.max(0, this.#restsUntil - this.#now()) : 0;
  }

  /** Null: it rests, or is being tried. Whoever has an ask tells how it went, once. */
  ask(): Ask | null {
    if (!this.isOpen) return { isTrial: false };
    if (this.restMs > 0 || this.#trial) return null;
    this.#trial = { isTrial: true };
    return this.#trial;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#restMs = restMsMin;
    this.#trial = null;
  }

  /** `restMs`: as long at least, if it opens. What was under way when it opened says nothing new. */
  failed(ask: Ask, restMs = 0): void {
    if (this.isOpen && ask !== this.#trial) return;
    this.left(ask);
    this.#failures += 1;
    if (!this.isOpen) return;
    this.#restsUntil = this.#now() + Math.max(this.#restMs, restMs);
    this.#restMs = Math.min(restMsMax, this.#restMs * 2);
  }

  /** Nothing is known of how it went: its caller has gone. */
  left(ask: Ask): void {
    if (ask === this.#trial) this.#trial = null;
  }
}
