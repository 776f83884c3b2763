import { addressGroup, addressNetwork } from '#server/admission/address.ts';
import { AppError } from '#server/errors.ts';
import type { MonotonicClock } from './throttle.ts';
import { WaitingLine } from './waiting-line.ts';

/**
 * For whom work is done that anybody can ask for: for an account, when a device, a session or a link of it has been shown, otherwise for an
 * address.
 */
export type Whose = { account: string } | { address: string };

export interface TurnQueueOptions {
  /** So many at once. */
  parallel: number;
  /** So many strangers wait at most, and as many who are known. */
  waitingMax: number;
  /** What those hear who find no place. */
  refusal: string;
}

interface Waiting {
  whose: Whose;
  start: () => void;
  refuse: (error: AppError) => void;
}

/**
 * Runs at most `parallel` tasks at once and lets a bounded number wait. Each password hash costs megabytes and milliseconds, each letter a
 * connection, so a flood must not pile them up; nor may it shut out others. Who is known has places and every second turn apart from
 * strangers; accounts share the former and networks, then addresses, the latter: see `WaitingLine`.
 */
export class TurnQueue {
  readonly #options: TurnQueueOptions;
  readonly #known: WaitingLine<Waiting>;
  readonly #strangers: WaitingLine<Waiting>;
  #running = 0;
  #lastLine: WaitingLine<Waiting> | null = null;

  constructor(options: TurnQueueOptions, clock: MonotonicClock) {
    this.#options = options;
    this.#known = new WaitingLine(options.waitingMax, clock);
    this.#strangers = new WaitingLine(options.waitingMax, clock);
  }

  /** @throws AppError TOO_MANY_REQUESTS when there is no place for it, and what `task` throws */
  async run<T>(whose: Whose, task: () => Promise<T>): Promise<T> {
    if (this.#running < this.#options.parallel) {
      this.#running += 1;
      this.#lineOf(whose).countTurn(namesOf(whose));
    } else {
      // The one who finishes hands its place over, so `#running` stays as it is.
      await new Promise<void>((start, refuse) => this.#wait({ whose, start, refuse }));
    }
    try {
      return await task();
    } finally {
      const following = this.#next();
      if (following) following.start();
      else this.#running -= 1;
    }
  }

  #lineOf(whose: Whose): WaitingLine<Waiting> {
    return 'account' in whose ? this.#known : this.#strangers;
  }

  #wait(waiting: Waiting): void {
    const left = this.#lineOf(waiting.whose).join(namesOf(waiting.whose), waiting);
    left?.refuse(new AppError('TOO_MANY_REQUESTS', this.#options.refusal, { retryAfterSeconds: 1 }));
  }

  #next(): Waiting | null {
    const isKnownsTurn = this.#lastLine !== this.#known;
    const [first, second] = isKnownsTurn ? [this.#known, this.#strangers] : [this.#strangers, this.#known];
    this.#lastLine = first.size > 0 ? first : second;
    return this.#lastLine.next();
  }
}

/** The widest first. */
function namesOf(whose: Whose): string[] {
  if ('account' in whose) return [whose.account];
  const [network, group] = [addressNetwork(whose.address), addressGroup(whose.address)];
  return network === group ? [group] : [network, group];
}
