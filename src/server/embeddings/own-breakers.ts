import { RecentMap } from '#server/memory/recent-map.ts';
import { type Ask, CircuitBreaker } from './circuit-breaker.ts';

/** Of accounts at whose requests a service has failed of late. */
const ownersMax = 1_000;

/**
 * A breaker for each account at whose requests a service fails, is late or is hurried, though it answers others: what they ask for may be the reason. After
 * five of them in a row it is not asked for that account for a while, as it would be for nobody if it were down.
 */
export class OwnBreakers {
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

  /** How long it is not asked for this account, in milliseconds. */
  restMs(owner: string): number {
    return this.#breakers.peek(owner)?.restMs ?? 0;
  }

  succeeded(owner: string): void {
    this.#breakers.delete(owner);
  }

  /** `restMs`: as long at least, if it rests. @returns whether it begins to */
  failed(owner: string, ask: Ask, restMs = 0): boolean {
    const breaker = this.#breakers.get(owner) ?? new CircuitBreaker(this.#now);
    const didRest = breaker.isOpen;
    breaker.failed(ask, restMs);
    this.#breakers.set(owner, breaker);
    return !didRest && breaker.isOpen;
  }

  /** It does not tell whose fault it was. */
  left(owner: string, ask: Ask): void {
    this.#breakers.peek(owner)?.left(ask);
  }
}
