/**
 * Whose indexes leave so that another one fits: those of the account that has most, the ones used longest ago first. What the asking account would
 * have counts as its own, so that one that opens many loses its own. An account that would have more than another takes from it only what
 * has rested for a while. So nobody who has no more than an even share loses what is in use there, and whoever asks for no more comes to it once
 * those who have more have left; what is being opened cannot.
 */

/**
 * idle: it may leave at once. busy: only once its calls have ended; new ones wait then for its return. fixed: it is being opened, or was opened
 * just now.
 */
export type Standing = 'idle' | 'busy' | 'fixed';

/** What one index holds. */
export interface Holding {
  readonly collectionId: number;
  readonly tenant: string;
  bytes: number;
  lastUsed: number;
  isLeaving: boolean;
}

/** What the indexes of one account hold together. */
export interface AccountHoldings {
  bytes: number;
  /** Of those, what is about to leave. */
  leavingBytes: number;
  /** What it has been promised beyond that. */
  promisedBytes: number;
  /** Least recently used first. */
  holdings: Set<Holding>;
}

interface Want {
  holding: Holding;
  /** What it would hold more, beyond what was promised. */
  moreBytes: number;
  /** What has to leave for it. */
  missingBytes: number;
  /** Whether those in use may be asked to leave too. */
  mayDrain: boolean;
}

interface Circumstances {
  now: number;
  standingOf: (collectionId: number) => Standing;
  /** Chosen at once; when they have left, it is asked again. */
  leaversMax?: number;
}

export interface Leaver {
  holding: Holding;
  isDrained: boolean;
}

/** Unused for so long, an index makes room for whoever wants it. */
export const restMs = 10_000;
/** `isEnough`: all that is missing may leave, be it chosen now or later. */
export function whoLeaves(
  accounts: ReadonlyMap<string, AccountHoldings>,
  want: Want,
  { now, standingOf, leaversMax = 64 }: Circumstances,
): { leavers: Leaver[]; isEnough: boolean } {
  const leavers: Leaver[] = [];
  let missing = want.missingBytes;
  const chosen = new Set<Holding>();
  const shares = sharesOf(accounts, want);
  // Once its own that are in use have left, an account may have less than others whose idle ones it could not have before.
  for (const standing of want.mayDrain ? (['idle', 'busy', 'idle'] as const) : (['idle'] as const)) {
    const choice = new Choice(shares, want.holding, {
      restedBefore: now - restMs,
      mayBe: (holding) =>
        !holding.isLeaving &&
        !chosen.has(holding) &&
        holding !== want.holding &&
        standingOf(holding.collectionId) === standing,
    });
    while (missing > 0 && leavers.length < leaversMax) {
      const holding = choice.next();
      if (holding === null) break;
      missing -= holding.bytes;
      chosen.add(holding);
      leavers.push({ holding, isDrained: standing === 'busy' });
    }
    if (missing <= 0 || leavers.length < leaversMax) continue;
    for (const holding of choice.rest()) {
      missing -= holding.bytes;
      chosen.add(holding);
    }
  }
  return { leavers, isEnough: missing <= 0 };
}

/** What an account would be left with. */
interface Share {
  tenant: string;
  bytes: number;
  holdings: Set<Holding>;
}

function sharesOf(
  accounts: ReadonlyMap<string, AccountHoldings>,
  { holding: { tenant: asking }, moreBytes }: Want,
): Share[] {
  return Array.from(accounts, ([tenant, { bytes, leavingBytes, promisedBytes, holdings }]) => {
    const more = tenant === asking ? moreBytes : 0;
    return { tenant, bytes: bytes - leavingBytes + promisedBytes + more, holdings };
  });
}

interface Candidates {
  share: Share;
  rest: Iterator<Holding>;
  /** The one used longest ago of those that are left; null: it has to be looked for. */
  head: Holding | null;
}

interface Rules {
  mayBe: (holding: Holding) => boolean;
  /** Others that have been used since then may only leave from an account that has more than the asking one. */
  restedBefore: number;
}

/** One after the other, each from the account that has most then. */
class Choice {
  readonly #rules: Rules;
  readonly #own: Share | undefined;
  readonly #asking: string;
  /** The largest share first. */
  #sorted: Candidates[];

  constructor(shares: Share[], { tenant }: Holding, rules: Rules) {
    this.#rules = rules;
    this.#asking = tenant;
    this.#own = shares.find((share) => share.tenant === tenant);
    this.#sorted = shares
      .toSorted((a, b) => b.bytes - a.bytes)
      .map((share) => ({ share, rest: share.holdings.values(), head: null }));
  }

  next(): Holding | null {
    for (const [place, candidates] of this.#sorted.entries()) {
      const holding = this.#nextOf(candidates);
      if (holding === null) continue;
      this.#sink(place, candidates);
      return holding;
    }
    return null;
  }

  /** All that may leave after those: their order does not matter, but that the asking account's own come before all others. */
  *rest(): Generator<Holding> {
    const own = this.#sorted.filter(({ share }) => share === this.#own);
    for (const candidates of [...own, ...this.#sorted]) {
      for (let head = this.#nextOf(candidates); head !== null; head = this.#nextOf(candidates)) yield head;
    }
  }

  /** Null: none of its may leave now. */
  #nextOf(candidates: Candidates): Holding | null {
    candidates.head ??= this.#headOf(candidates);
    const { head, share } = candidates;
    if (head === null || !this.#mayLeave(head, share)) return null;
    share.bytes -= head.bytes;
    candidates.head = null;
    return head;
  }

  #mayLeave({ lastUsed }: Holding, { tenant, bytes }: Share): boolean {
    if (tenant === this.#asking || bytes > (this.#own?.bytes ?? 0)) return true;
    return lastUsed <= this.#rules.restedBefore;
  }

  #headOf({ rest }: Candidates): Holding | null {
    for (let step = rest.next(); !step.done; step = rest.next()) {
      if (this.#rules.mayBe(step.value)) return step.value;
    }
    return null;
  }

  /** To its place among those that have less. */
  #sink(from: number, candidates: Candidates): void {
    let place = from;
    for (; ; place += 1) {
      const below = this.#sorted[place + 1];
      if (!below || below.share.bytes <= candidates.share.bytes) break;
      this.#sorted[place] = below;
    }
    this.#sorted[place] = candidates;
  }
}
