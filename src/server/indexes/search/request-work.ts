import { loopTurns } from '#server/admission/loop-turns.ts';
import type { Requester } from '#server/admission/requester.ts';
import type { Steps } from '#server/engine/steps.ts';
import { usedBy } from '../host/call-budget.ts';
import { SearchTimeoutError } from '../host/call-errors.ts';
import { toCallerError } from '../registry/caller-errors.ts';

/** What comes after as much work has a turn of its own. */
const longMs = 2;

export interface WorkLimits {
  for: Requester;
  signal: AbortSignal | undefined;
  /** What a request may compute, here and in the engine; absent: any time. */
  budgetMs?: number | undefined;
}

/**
 * What a request has to do on the main thread, bit by bit: others have their turns in between. It counts into what the request may compute, by
 * the clock, and ends between two bits when its caller has gone or has computed that long.
 */
export class RequestWork {
  readonly #limits: WorkLimits;
  readonly #used: { ms: number };
  #sinceTurnMs = 0;

  constructor(limits: WorkLimits) {
    this.#limits = limits;
    this.#used = usedBy(limits.signal);
  }

  /**
   * What the bit waits for is not counted.
   * @throws the signal's reason, AppError UNPROCESSABLE (it computes too long), what the bit throws
   */
  async run<Result>(bit: () => Result | Promise<Result>): Promise<Result> {
    if (this.#sinceTurnMs > longMs) await this.#turn();
    const since = performance.now();
    try {
      return bit();
    } finally {
      const ms = performance.now() - since;
      this.#sinceTurnMs += ms;
      this.#used.ms += ms;
    }
  }

  /** The same with all steps. */
  async runSteps<Result>(steps: Steps<Result>): Promise<Result> {
    for (;;) {
      const step = await this.run(() => steps.next());
      if (step.done) return step.value;
    }
  }

  async #turn(): Promise<void> {
    const { for: requester, signal, budgetMs = Number.POSITIVE_INFINITY } = this.#limits;
    await loopTurns.next(requester);
    this.#sinceTurnMs = 0;
    signal?.throwIfAborted();
    if (this.#used.ms > budgetMs) throw toCallerError(new SearchTimeoutError(null, budgetMs));
  }
}
