/**
 * How fast work was completed at best of late, while there was any. Completions are counted over pieces of `pieceMs` in which something was
 * at work; the best of the last `piecesKept` counts, as BBR takes the best delivery rate (Cardwell and others, "BBR: Congestion-Based
 * Congestion Control", 2016). The rate of the moment would not do: it falls when less is let in and when this thread is busy with other things.
 */
export class BestRate {
  /** Completions a millisecond, of one piece each. */
  readonly #pieces: number[] = [];
  #best: number | null = null;
  #completed = 0;
  #busyMs = 0;
  /** Null: nothing is at work. */
  #busySince: number | null = null;

  /** Null: not known yet. */
  get perMs(): number | null {
    return this.#best;
  }

  begin(now: number): void {
    this.#busySince ??= now;
  }

  /** One is no longer at work, though not completed. @param isLast nothing else is */
  pause(now: number, isLast: boolean): void {
    this.#busyMs += now - (this.#busySince ?? now);
    this.#busySince = isLast ? null : now;
  }

  /** @param isLast nothing else is at work */
  complete(now: number, isLast: boolean): void {
    this.#completed += 1;
    this.pause(now, isLast);
    if (this.#busyMs < pieceMs) return;
    this.#pieces.push(this.#completed / this.#busyMs);
    if (this.#pieces.length > piecesKept) this.#pieces.shift();
    this.#best = Math.max(...this.#pieces);
    this.#completed = 0;
    this.#busyMs = 0;
  }
}

const pieceMs = 200;
const piecesKept = 15;
