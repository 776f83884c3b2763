import { formatNumber } from '#client/lib/format.ts';

/** What rows that went in came to, where some bore the same id. */
export interface Repeats {
  documents: number;
  /** Ids that came more than once. */
  ids: number;
  /** How often the only one of them came; null: there are several, or none. */
  times: number | null;
}

/** Counts by id. A row without one is a document of its own. */
export class RepeatCounter {
  readonly #times = new Map<string, number>();

  add(id: string | null): void {
    if (id !== null) this.#times.set(id, (this.#times.get(id) ?? 0) + 1);
  }

  /** Of so many rows that went in. */
  of(succeeded: number): Repeats {
    const more = [...this.#times.values()].filter((times) => times > 1);
    return {
      documents: succeeded - more.reduce((rows, times) => rows + times - 1, 0),
      ids: more.length,
      times: more.length === 1 ? (more[0] ?? null) : null,
    };
  }
}

/** "1 id came twice, and its last row counts"; null: none did. `came`: "comes", where nothing is written. */
export function repeatWords({ ids, times }: Repeats, came: 'came' | 'comes'): string | null {
  if (ids === 0) return null;
  if (times === null)
    return `${formatNumber(ids)} ids ${came === 'comes' ? 'come' : came} more than once, and of each the last row counts`;
  return `1 id ${came} ${times === 2 ? 'twice' : `${formatNumber(times)} times`}, and its last row counts`;
}
