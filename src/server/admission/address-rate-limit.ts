import { groupsPerNetwork, networkOfGroup } from './address.ts';
import type { Budget, RateLimited, RateLimitOptions } from './rate-limit.ts';
import { type Rejection, rejectionError } from './rejection.ts';

/** A rate of address groups: who has many of them in one network has no more together than a few. */
export class AddressRateLimit implements RateLimited {
  readonly #groups: RateLimited;
  readonly #networks: RateLimited;

  /** @param limit makes each of both */
  constructor(options: RateLimitOptions, limit: (each: RateLimitOptions) => RateLimited) {
    const { perMinute, burst } = options;
    const ofNetwork = { perMinute: perMinute * groupsPerNetwork, burst: burst * groupsPerNetwork };
    this.#groups = limit(options);
    this.#networks = limit({ ...options, ...ofNetwork });
  }

  get burst(): number {
    return this.#groups.burst;
  }

  take(name: string, count = 1): void {
    const rejection = this.findRejection(name, count);
    if (rejection) throw rejectionError(rejection);
    this.#groups.take(name, count);
    const network = networkOfGroup(name);
    if (network !== null) this.#networks.take(network, count);
  }

  giveBack(name: string, count = 1): void {
    this.#groups.giveBack(name, count);
    const network = networkOfGroup(name);
    if (network !== null) this.#networks.giveBack(network, count);
  }

  findRejection(name: string, count = 1): Rejection | null {
    const network = networkOfGroup(name);
    const ofNetwork = network === null ? null : this.#networks.findRejection(network, count);
    return ofNetwork ?? this.#groups.findRejection(name, count);
  }

  claim(name: string, count = 1): Promise<void> | null {
    const network = networkOfGroup(name);
    const ofNetwork = network === null ? null : this.#networks.claim(network, count);
    return ofNetwork ?? this.#groups.claim(name, count);
  }

  /** The smaller of both. */
  budgetOf(name: string): Budget {
    const network = networkOfGroup(name);
    const own = this.#groups.budgetOf(name);
    const ofNetwork = network === null ? own : this.#networks.budgetOf(network);
    return ofNetwork.remaining < own.remaining ? ofNetwork : own;
  }
}
