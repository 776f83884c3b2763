export interface StallLimits {
  /** How long a peer may do nothing. */
  stallMs: number;
  /** What it has to read or send on average while it is waited for; 0: any byte will do. */
  bytesPerSecond: number;
}

/**
 * Whether a peer that is waited for keeps to a minimum rate. It has `stallMs`; waiting uses them up, each byte gives back what it may take, and
 * there is never more than at first. So who does nothing is too slow after `stallMs`, who does little soon afterwards, and who keeps to the rate
 * never is. Apache's mod_reqtimeout counts so (`MinRate`), but lets peers save up.
 */
export class MinimumRate {
  readonly #limits: StallLimits;
  #leftMs: number;

  constructor(limits: StallLimits) {
    this.#limits = limits;
    this.#leftMs = limits.stallMs;
  }

  /** Not above zero: it is too slow. */
  get leftMs(): number {
    return this.#leftMs;
  }

  noteWait(ms: number): void {
    this.#leftMs -= ms;
  }

  noteBytes(bytes: number): void {
    if (bytes === 0) return;
    const { stallMs, bytesPerSecond } = this.#limits;
    const givenMs = bytesPerSecond === 0 ? Number.POSITIVE_INFINITY : (bytes * 1_000) / bytesPerSecond;
    this.#leftMs = Math.min(stallMs, this.#leftMs + givenMs);
  }
}
