import { type Ask, CircuitBreaker } from '#server/embeddings/circuit-breaker.ts';
import { RecentMap } from '#server/memory/recent-map.ts';

/** Of accounts whose searches were not answered in time of late. */
const ownersMax = 1_000;

/**
 * Whose searches a service does not answer in time, though it answers: their documents may be what takes it so long. After five of them in a row it is
 * not asked for that account, as it would be for nobody if it were down.
 */
export class SlowOwners {
  readonly #now: () => number;
  readonly #breakers = new RecentMap<CircuitBreaker>({ entriesMax: ownersMax });

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Null: it is not asked for this account for a while. Whoever has an ask tells how it went. */
  ask(owner: string): Ask | null {
    const breaker = this.#breakers.get(owner);
    return breaker ? breaker.ask() : { isTrial: false };
  }

  answered(owner: string): void {
    this.#breakers.delete(owner);
  }

  late(owner: string, ask: Ask): void {
    const breaker = this.#breakers.get(owner) ?? new CircuitBreaker(this.#now);
    breaker.failed(ask);
    this.#breakers.set(owner, breaker);
  }

  /** It does not tell how fast it is. */
  left(owner: string, ask: Ask): void {
    this.#breakers.peek(owner)?.left(ask);
  }
}
