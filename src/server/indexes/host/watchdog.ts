const ticks = 10;

/** Calls back again and again. @returns what stops it */
export type Ticker = (tick: () => void, everyMs: number) => () => void;

const byTimer: Ticker = (tick, everyMs) => {
  const timer = setInterval(tick, everyMs).unref();
  return () => clearInterval(timer);
};

/**
 * Tells when nothing has come back for a time. That time is counted in ticks of this thread, so that a process that was stopped, or a
 * thread that was busy itself, does not take its own absence for somebody else's.
 */
export class Watchdog {
  readonly #tickMs: number;
  readonly #isExpecting: () => boolean;
  readonly #onStalled: () => void;
  readonly #ticker: Ticker;
  #stopTicking: (() => void) | null = null;
  #ticked = 0;

  constructor({
    stallMs,
    isExpecting,
    onStalled,
    ticker = byTimer,
  }: { stallMs: number; isExpecting: () => boolean; onStalled: () => void; ticker?: Ticker | undefined }) {
    this.#tickMs = stallMs / ticks;
    this.#isExpecting = isExpecting;
    this.#onStalled = onStalled;
    this.#ticker = ticker;
  }

  start(): void {
    this.#ticked = 0;
    this.#stopTicking ??= this.#ticker(() => this.#tick(), this.#tickMs);
  }

  stop(): void {
    this.#stopTicking?.();
    this.#stopTicking = null;
  }

  /** Something has come back. */
  reset(): void {
    this.#ticked = 0;
  }

  #tick(): void {
    this.#ticked = this.#isExpecting() ? this.#ticked + 1 : 0;
    // The first tick may have come right behind what is waited for.
    if (this.#ticked > ticks) this.#onStalled();
  }
}
