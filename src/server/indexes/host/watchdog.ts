const ticks = 10;

/**
 * Tells when nothing has come back for a time. That time is counted in ticks of this thread, so that a process that was stopped, or a
 * thread that was busy itself, does not take its own absence for somebody else's.
 */
export class Watchdog {
  readonly #tickMs: number;
  readonly #isExpecting: () => boolean;
  readonly #onStalled: () => void;
  #timer: NodeJS.Timeout | null = null;
  #ticked = 0;

  constructor({
    stallMs,
    isExpecting,
    onStalled,
  }: { stallMs: number; isExpecting: () => boolean; onStalled: () => void }) {
    this.#tickMs = stallMs / ticks;
    this.#isExpecting = isExpecting;
    this.#onStalled = onStalled;
  }

  start(): void {
    this.#ticked = 0;
    this.#timer ??= setInterval(() => this.#tick(), this.#tickMs).unref();
  }

  stop(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
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
