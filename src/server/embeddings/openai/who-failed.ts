import { type Ask, CircuitBreaker } from '../circuit-breaker.ts';
import type { ServiceLook } from '../embedding-service.ts';
import { OwnBreakers } from '../own-breakers.ts';
import { ProviderError } from './provider-error.ts';

interface Parts {
  now: () => number;
  /** Told when it begins to fail, or fails in another way, and when it answers again. */
  onTurn: (failure: ProviderError | null) => void;
  /** Told when it is not asked for an account's texts for a while. */
  onOwnRest: (owner: string, failure: ProviderError) => void;
}

/** A request under way, and whose it is. */
export interface Asked {
  ask: Ask;
  own: Ask;
  owner: string;
}

const ownRest = 'it fails at what this account asks for, and is not asked for it for a while';

/** Counts how requests went, for all and for each account by itself. Whoever has begun one tells how it went, once. */
export class WhoFailed {
  readonly #parts: Parts;
  readonly #breaker: CircuitBreaker;
  readonly #own: OwnBreakers;
  #failure: ProviderError | null = null;
  /** It has failed whatever it was asked for, and answered nothing since. */
  #isDown = false;
  /** Whom it told to come later, since it answered somebody. */
  #hurried: string | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#breaker = new CircuitBreaker(parts.now);
    this.#own = new OwnBreakers(parts.now);
  }

  get state(): ServiceLook {
    const state = this.#breaker.isOpen ? 'paused' : this.#failure === null ? 'working' : 'failing';
    return { state, reason: this.#failure?.told ?? null };
  }

  /** How long it is not asked. */
  get restMs(): number {
    return this.#breaker.restMs;
  }

  /** Whether a further failure is its own, too: nobody has to find out. */
  isKnownDown({ ask }: Asked): boolean {
    return this.#isDown && !ask.isTrial;
  }

  /** @throws ProviderError it is not asked */
  begin(owner: string): Asked {
    const own = this.#own.ask(owner);
    if (!own) throw new ProviderError('paused', ownRest, { retryAfterMs: this.#own.restMs(owner) });
    const ask = this.#breaker.ask();
    if (ask) return { ask, own, owner };
    this.#own.left(owner, own);
    const message = this.#failure?.message ?? 'it does not answer';
    throw new ProviderError('paused', message, { retryAfterMs: this.restMs });
  }

  succeeded({ owner }: Asked): void {
    this.#own.succeeded(owner);
    this.#answered();
  }

  /** Nothing is known of how it went. */
  left({ ask, own, owner }: Asked): void {
    this.#own.left(owner, own);
    this.#breaker.left(ask);
  }

  /** What is known without asking for more. */
  failed(error: ProviderError, asked: Asked): void {
    // Whose fault a refusal is the probe tells.
    if (error.kind === 'text') this.left(asked);
    else if (error.kind === 'dimension') this.ofDimension(asked);
    else if (error.kind === 'busy' || error.retryAfterMs !== null) this.#toldToComeLater(error, asked);
    else {
      this.#own.left(asked.owner, asked.own);
      this.#failedForAll(error, asked.ask);
    }
  }

  /** It answers others: what this account asked for is the reason. `isOwn`: it counts for the account. */
  ofTexts(error: ProviderError, asked: Asked, isOwn: boolean): void {
    if (isOwn) this.#failedForOne(error, asked);
    else this.#own.left(asked.owner, asked.own);
    this.#answered();
  }

  /** What one collection asks for is no fault that others have to wait for. */
  ofDimension({ own, owner }: Asked): void {
    this.#own.left(owner, own);
    this.#answered();
  }

  /** It fails whatever it is asked for. `isOne`: of those who found out together, one. */
  isDown(
    error: ProviderError,
    { ask, own, owner }: Asked,
    { isOne, restMs }: { isOne: boolean; restMs: number },
  ): void {
    this.#own.left(owner, own);
    this.#isDown = true;
    if (isOne || ask.isTrial) this.#failedForAll(error, ask, restMs);
    else this.#breaker.left(ask);
  }

  #toldToComeLater(error: ProviderError, asked: Asked): void {
    const { ask, owner } = asked;
    const restMs = error.retryAfterMs ?? 0;
    this.#failedForOne(error, asked, restMs);
    this.#hurried ??= owner;
    if (this.#hurried !== owner || ask.isTrial) this.#failedForAll(error, ask, restMs);
    else {
      this.#breaker.left(ask);
      this.#tell(error);
    }
  }

  #failedForOne(error: ProviderError, { own, owner }: Asked, restMs = 0): void {
    if (this.#own.failed(owner, own, restMs)) this.#parts.onOwnRest(owner, error);
  }

  #failedForAll(error: ProviderError, ask: Ask, restMs = 0): void {
    this.#breaker.failed(ask, restMs);
    this.#tell(error);
  }

  #tell(error: ProviderError): void {
    const before = this.#failure;
    this.#failure = error;
    if (before?.told !== error.told) this.#parts.onTurn(error);
  }

  #answered(): void {
    this.#breaker.succeeded();
    this.#isDown = false;
    this.#hurried = null;
    if (this.#failure === null) return;
    this.#failure = null;
    this.#parts.onTurn(null);
  }
}
