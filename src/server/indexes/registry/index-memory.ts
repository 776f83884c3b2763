import { FairQueue } from '#server/admission/fair-queue.ts';
import { pathOf, type Requester } from '#server/admission/requester.ts';
import { MemoryAsk } from './memory-ask.ts';
import { IndexTooLargeError, NoMemoryLeftError } from './memory-errors.ts';
import type { Deadline, MemoryHold } from './memory-hold.ts';
import { type AccountHoldings, type Holding, type Standing, whoLeaves } from './who-leaves.ts';

export interface IndexMemoryOptions {
  bytesMax: number;
  /** Milliseconds that only grow. */
  now: () => number;
  standingOf: (collectionId: number) => Standing;
  /** Ends when the index has given back what it held, or stays because it was asked again. Drained ones do not stay. */
  evict: (collectionId: number, isDrained: boolean) => Promise<void>;
}

/** After so long it is asked again whether one that is no longer used may leave. */
const soonMs = 20;
/** Of all there is, what may be reserved by a guess. Nobody can take it back before the opening has ended. */
const guessedShare = 4 / 5;

/**
 * The bytes that indexes hold together: reserved before they are read, never beyond the bound. Openings wait for room, accounts in turn; the first
 * one for which enough is free or may leave has it kept, and those that cannot be served now are passed over. An index that is open may
 * grow by what is being written; more is not written to it before others have left.
 */
export class IndexMemory {
  readonly #options: IndexMemoryOptions;
  readonly #accounts = new Map<string, AccountHoldings>();
  /** For these there is no room. */
  readonly #waiting: FairQueue<MemoryAsk>;
  /** Room is being made for these. */
  readonly #promised = new Set<MemoryAsk>();
  /** Those that hold something already. */
  readonly #begun = new Set<MemoryAsk>();
  #held = 0;
  #kept = 0;
  #leaving = 0;
  #isServingSoon = false;

  constructor(options: IndexMemoryOptions) {
    this.#options = options;
    const placeOf = ({ requester }: MemoryAsk) => ({ path: pathOf(requester), weight: 1 });
    this.#waiting = new FairQueue(placeOf, options.bytesMax);
  }

  get heldBytes(): number {
    return this.#held;
  }

  /** Somebody waits for room, or more is held than may be. */
  get isShort(): boolean {
    return this.#waiting.size > 0 || this.#promised.size > 0 || this.#held > this.#options.bytesMax;
  }

  /** At first it holds nothing. */
  hold(collection: { id: number; for: Requester }): MemoryHold {
    const { id: collectionId, for: requester } = collection;
    const { tenant } = requester;
    const { bytesMax, now } = this.#options;
    const holding: Holding = { collectionId, tenant, bytes: 0, lastUsed: now(), isLeaving: false };
    const account = this.#accountOf(tenant);
    account.holdings.add(holding);
    const isThere = () => account.holdings.has(holding);
    return {
      get lastUsed() {
        return holding.lastUsed;
      },
      touch: () => {
        holding.lastUsed = now();
        // The order of the set is that of their last use.
        if (account.holdings.delete(holding)) account.holdings.add(holding);
      },
      rest: () => this.#serveSoon(),
      raiseTo: async ({ about, atLeast }, deadline) => {
        if (atLeast > bytesMax) throw new IndexTooLargeError(Math.max(about, atLeast), bytesMax);
        // One that may just fit is tried.
        const bytes = Math.min(about, Math.max(atLeast, Math.floor(bytesMax * guessedShare)));
        if (bytes <= holding.bytes && !this.#hasTooMuch(account)) return this.#makeRoomFor(holding, true);
        await this.#ask(holding, { requester, bytes, deadline });
      },
      set: (bytes) => {
        if (!isThere()) return;
        const isLess = bytes < holding.bytes;
        this.#change(holding, bytes);
        if (isLess) this.serve();
        this.#makeRoomFor(holding, false);
      },
      release: () => {
        this.#change(holding, 0);
        account.holdings.delete(holding);
        this.#forgetEmpty(tenant, account);
        this.serve();
      },
    };
  }

  /** Whoever can be served now is; also called from time to time, since what has rested may leave. */
  serve(): void {
    for (const ask of this.#promised) this.#advance(ask);
    const fits = this.#fitting();
    for (;;) {
      const ask = this.#waiting.takeNextThat(fits);
      if (ask === null) return;
      this.#promise(ask);
      this.#advance(ask);
    }
  }

  /** Not at the end of each search. */
  #serveSoon(): void {
    if (this.#waiting.size === 0 || this.#isServingSoon) return;
    this.#isServingSoon = true;
    setTimeout(() => {
      this.#isServingSoon = false;
      this.serve();
    }, soonMs);
  }

  #ask(
    holding: Holding,
    { requester, bytes, deadline }: { requester: Requester; bytes: number; deadline: Deadline },
  ): Promise<void> {
    const moreBytes = Math.max(0, bytes - holding.bytes);
    const { signal } = deadline;
    const ask = new MemoryAsk({ holding, requester, moreBytes, deadline }, this.#options.now, {
      late: (one) => this.#giveUpFor(one),
      gone: (one, reason) => this.#giveUp(one, reason),
    });
    this.#waiting.add(ask);
    if (holding.bytes > 0) this.#begun.add(ask);
    if (signal?.aborted) this.#giveUp(ask, signal.reason);
    else this.serve();
    return ask.ended;
  }

  #giveUp(ask: MemoryAsk, reason: unknown): void {
    this.#withdraw(ask);
    this.#begun.delete(ask);
    ask.refuse(reason);
    this.serve();
  }

  /**
   * There was no room for one in time. Of openings that have begun and wait for each other, that of the account with most gives up, and the others
   * wait anew: for what it had.
   */
  #giveUpFor(late: MemoryAsk): void {
    const isOpening = ({ holding }: MemoryAsk) => this.#options.standingOf(holding.collectionId) === 'fixed';
    const stuck = this.#begun.has(late) && isOpening(late) ? [...this.#begun].filter(isOpening) : [];
    const bytesOf = ({ holding }: MemoryAsk) => this.#accounts.get(holding.tenant)?.bytes ?? 0;
    const worst = stuck.reduce((most, ask) => (bytesOf(ask) > bytesOf(most) ? ask : most), late);
    for (const ask of stuck) if (ask !== worst) ask.renew();
    this.#giveUp(worst, new NoMemoryLeftError());
  }

  get #free(): number {
    return this.#options.bytesMax - this.#held - this.#kept;
  }

  /** Whether room can be made; what fits for none of an account's smaller ones is not tried for a larger. */
  #fitting(): (ask: MemoryAsk) => boolean {
    const unfit = new Map<string, number>();
    return (ask) => {
      const { tenant } = ask.holding;
      if (ask.moreBytes >= (unfit.get(tenant) ?? Number.POSITIVE_INFINITY)) return false;
      const fits = this.#missing(ask) <= 0 || this.#leaversFor(ask, ask.moreBytes).isEnough;
      if (!fits) unfit.set(tenant, ask.moreBytes);
      return fits;
    };
  }

  #missing({ moreBytes, keptBytes }: MemoryAsk): number {
    return moreBytes - keptBytes - this.#free;
  }

  #leaversFor(ask: MemoryAsk, moreBytes: number) {
    return whoLeaves(
      this.#accounts,
      { holding: ask.holding, moreBytes, missingBytes: this.#missing(ask), mayDrain: true },
      { now: this.#options.now(), standingOf: this.#options.standingOf },
    );
  }

  #promise(ask: MemoryAsk): void {
    this.#promised.add(ask);
    this.#accountOf(ask.holding.tenant).promisedBytes += ask.moreBytes;
  }

  /** Takes what is free, and lets others leave for what is missing. */
  #advance(ask: MemoryAsk): void {
    if (this.#missing(ask) <= 0) {
      this.#withdraw(ask);
      this.#change(ask.holding, ask.holding.bytes + ask.moreBytes);
      this.#waiting.charge(ask, ask.moreBytes);
      this.#begun.delete(ask);
      ask.grant();
      return;
    }
    const kept = Math.max(0, Math.min(this.#free, ask.moreBytes - ask.keptBytes));
    ask.keptBytes += kept;
    this.#kept += kept;
    if (ask.leaving > 0) return;
    const { leavers, isEnough } = this.#leaversFor(ask, 0);
    if (!isEnough) {
      // Those that were to leave were asked again.
      this.#withdraw(ask);
      this.#waiting.add(ask);
      return;
    }
    for (const { holding, isDrained } of leavers) this.#letLeave(holding, isDrained, ask);
  }

  /** It waits no more, or not here. */
  #withdraw(ask: MemoryAsk): void {
    this.#waiting.remove(ask);
    if (!this.#promised.delete(ask)) return;
    this.#kept -= ask.keptBytes;
    ask.keptBytes = 0;
    const { tenant } = ask.holding;
    const account = this.#accountOf(tenant);
    account.promisedBytes -= ask.moreBytes;
    this.#forgetEmpty(tenant, account);
  }

  /** More is held than all may have, and what the larger accounts have beyond this one would not make up for it. */
  #hasTooMuch({ bytes }: AccountHoldings): boolean {
    const tooMuch = this.#held - this.#options.bytesMax;
    if (tooMuch <= 0) return false;
    let others = 0;
    for (const other of this.#accounts.values()) others += Math.max(0, other.bytes - bytes);
    return others < tooMuch;
  }

  /** Where more is held than all may have: others leave, as many as may. */
  #makeRoomFor(holding: Holding, mayDrain: boolean): void {
    const missingBytes = -this.#free - this.#leaving;
    if (missingBytes <= 0) return;
    const { leavers } = whoLeaves(
      this.#accounts,
      { holding, moreBytes: 0, missingBytes, mayDrain },
      { now: this.#options.now(), standingOf: this.#options.standingOf },
    );
    for (const each of leavers) {
      // Its own that are in use are not what is too much.
      if (each.isDrained && each.holding.tenant === holding.tenant) continue;
      this.#letLeave(each.holding, each.isDrained, null);
    }
  }

  #letLeave(holding: Holding, isDrained: boolean, ask: MemoryAsk | null): void {
    this.#noteLeaving(holding, true);
    if (ask) ask.leaving += 1;
    const ended = () => {
      if (ask) ask.leaving -= 1;
      this.#noteLeaving(holding, false);
      this.serve();
    };
    this.#options.evict(holding.collectionId, isDrained).then(ended, ended);
  }

  #noteLeaving(holding: Holding, isLeaving: boolean): void {
    holding.isLeaving = isLeaving;
    // It has left: nobody need know its account any more.
    if (holding.bytes === 0) return;
    const bytes = isLeaving ? holding.bytes : -holding.bytes;
    this.#leaving += bytes;
    this.#accountOf(holding.tenant).leavingBytes += bytes;
  }

  #change(holding: Holding, bytes: number): void {
    const more = bytes - holding.bytes;
    const account = this.#accountOf(holding.tenant);
    holding.bytes = bytes;
    this.#held += more;
    account.bytes += more;
    if (!holding.isLeaving) return;
    this.#leaving += more;
    account.leavingBytes += more;
  }

  #accountOf(tenant: string): AccountHoldings {
    const known = this.#accounts.get(tenant);
    if (known) return known;
    const account = { bytes: 0, leavingBytes: 0, promisedBytes: 0, holdings: new Set<Holding>() };
    this.#accounts.set(tenant, account);
    return account;
  }

  #forgetEmpty(tenant: string, { holdings, promisedBytes }: AccountHoldings): void {
    if (holdings.size === 0 && promisedBytes === 0) this.#accounts.delete(tenant);
  }
}
