/** How fast an import goes, by what was seen of it within the last seconds. */
const windowMs = 10_000;

export class RateMeter {
  readonly #seen: { atMs: number; rows: number }[] = [];

  /** A count that does not grow is told only when time has passed, so that one moment told twice counts once. */
  note(rows: number, atMs: number): void {
    const last = this.#seen.at(-1);
    if (last && (atMs <= last.atMs || rows < last.rows)) return;
    this.#seen.push({ atMs, rows });
    while (this.#seen.length > 2 && atMs - (this.#seen[0]?.atMs ?? atMs) > windowMs) this.#seen.shift();
  }

  /** Rows a second; null: not known yet. */
  get rate(): number | null {
    const first = this.#seen[0];
    const last = this.#seen.at(-1);
    if (!first || !last || last.atMs - first.atMs < 500) return null;
    return ((last.rows - first.rows) * 1_000) / (last.atMs - first.atMs);
  }
}

/** Whole seconds; null: not known. */
export function secondsLeft(rows: number, rowsTotal: number | null, rate: number | null): number | null {
  if (rowsTotal === null || rate === null || rate <= 0) return null;
  return Math.max(1, Math.ceil((rowsTotal - rows) / rate));
}

/** "8 s left", "3 min left" */
export function timeLeft(seconds: number): string {
  if (seconds < 90) return `${seconds} s left`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min left`;
  return `${Math.round(seconds / 3_600)} h left`;
}
