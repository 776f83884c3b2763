import { RecentMap } from '#server/memory/recent-map.ts';
import {
  type Budget,
  RateLimit,
  type RateLimited,
  type RateLimitOptions,
  slackMs,
  tooMany,
} from './rate-limit.ts';
import type { Rejection } from './rejection.ts';

/** What a server asks those for who count for all of them. */
export interface WantedLease {
  name: string;
  /** How long one token takes to fill up again. */
  eachMs: number;
  burst: number;
  /** Fewer are of no use. */
  count: number;
}

export interface GrantedLease {
  /** As many as are this server's to spend; 0: there are not as many as it needs. */
  tokens: number;
  /** From now on, until the budget were whole again if nobody took any more. */
  owedMs: number;
}

/** Null: it cannot be told just now. Does not reject. */
export type TakeLease = (wanted: WantedLease) => Promise<GrantedLease | null>;

/** A budget that is used up is asked for so often, however fast it fills up. */
const askAgainMs = 250;
/** A server counts by itself for so long, when it could not be told. */
const aloneMs = 1_000;
const namesMax = 50_000;

interface Lease {
  tokens: number;
  size: number;
  /** When its last token would have been filled up again. */
  endsAt: number;
}

interface Leases {
  /** The first to end first. */
  all: Lease[];
  /** So many are not there before that. */
  none: { count: number; until: number };
  aloneUntil: number;
  asked: Promise<void> | null;
}

/**
 * So many a minute of each name over several servers: a server spends tokens that it has leased, as sites do in the escrow method (O'Neil, "The Escrow
 * Transactional Method", 1986), of the one number of a name by which the generic cell rate algorithm counts. A lease is a piece of that algorithm's time line, and its
 * tokens lapse as their time passes, which is when the budget fills up by as many: so what all servers hold and what is left are never more than a burst, and no
 * interval has more requests than with one server, but for one. What a server does not spend comes back the same way, also that of one that dies. What it was told and what it took
 * is in `#known`: a budget that is known to be used up is asked for again when there should be more.
 */
export class LeasedRateLimit implements RateLimited {
  readonly #options: RateLimitOptions;
  readonly #takeLease: TakeLease;
  readonly #now: () => number;
  readonly #known: RateLimit;
  readonly #leases = new RecentMap<Leases>({ entriesMax: namesMax });

  constructor(options: RateLimitOptions, takeLease: TakeLease, now: () => number = () => performance.now()) {
    this.#options = options;
    this.#takeLease = takeLease;
    this.#now = now;
    this.#known = new RateLimit(options, now);
  }

  get burst(): number {
    return this.#known.burst;
  }

  /** Without a claim before, as while nobody can be asked, it counts here alone. */
  take(name: string, count = 1): void {
    this.#known.take(name, count);
    const leases = this.#leases.peek(name);
    if (!leases) return;
    let left = this.#costOf(count);
    for (const lease of leases.all) {
      const valid = this.#validOf(lease);
      const spent = Math.min(valid, left);
      lease.tokens = valid - spent;
      left -= spent;
    }
    const last = leases.all.at(-1);
    leases.all = leases.all.filter((lease) => lease.tokens > 0 || lease === last);
    this.#leases.set(name, leases);
  }

  giveBack(name: string, count = 1): void {
    this.#known.giveBack(name, count);
    const lease = this.#leases.peek(name)?.all.at(-1);
    if (lease) lease.tokens = Math.min(lease.size, lease.tokens + count);
  }

  findRejection(name: string, count = 1): Rejection | null {
    const rejection = this.#known.findRejection(name, count);
    if (rejection !== null) return rejection;
    const leases = this.#leases.peek(name);
    const cost = this.#costOf(count);
    if (!leases || this.#held(leases) >= cost || cost < leases.none.count) return null;
    const waitMs = leases.none.until - this.#now();
    return waitMs > 0 ? tooMany(this.#options.what, waitMs) : null;
  }

  budgetOf(name: string): Budget {
    const rejection = this.findRejection(name);
    if (rejection !== null) return { remaining: 0, moreInSeconds: rejection.retryAfterSeconds };
    return this.#known.budgetOf(name);
  }

  claim(name: string, count = 1): Promise<void> | null {
    const leases = this.#leases.peek(name) ?? newLeases();
    const cost = this.#costOf(count);
    if (this.#held(leases) >= cost || this.#now() < leases.aloneUntil) return null;
    this.#leases.set(name, leases);
    leases.asked ??= this.#ask(name, leases, cost).finally(() => {
      leases.asked = null;
    });
    return leases.asked;
  }

  async #ask(name: string, leases: Leases, count: number): Promise<void> {
    const { burst } = this.#options;
    const granted = await this.#takeLease({ name, eachMs: this.#eachMs, burst, count });
    const now = this.#now();
    if (granted === null) {
      leases.aloneUntil = now + aloneMs;
      return;
    }
    const { tokens, owedMs } = granted;
    const isUsedUp = burst - owedMs / this.#eachMs < 1;
    if (isUsedUp || tokens === 0) leases.none = { count: isUsedUp ? 1 : count, until: now + askAgainMs };
    if (tokens > 0) {
      leases.all = leases.all.filter((lease) => this.#validOf(lease) > 0);
      leases.all.push({ tokens, size: tokens, endsAt: now + owedMs });
    }
    this.#known.learn(name, now + owedMs - this.#held(leases) * this.#eachMs);
  }

  get #eachMs(): number {
    return 60_000 / this.#options.perMinute;
  }

  #costOf(count: number): number {
    return Math.min(count, this.#options.burst);
  }

  #held({ all }: Leases): number {
    return all.reduce((sum, lease) => sum + this.#validOf(lease), 0);
  }

  /** Those whose time has not passed. */
  #validOf({ tokens, endsAt }: Lease): number {
    const left = Math.ceil((endsAt - this.#now() - slackMs) / this.#eachMs);
    return Math.max(0, Math.min(tokens, left));
  }
}

function newLeases(): Leases {
  return { all: [], none: { count: 0, until: 0 }, aloneUntil: 0, asked: null };
}
