import type { ImportFault, ImportResult } from '#shared/documents.ts';
import { limits } from '#shared/limits.ts';

/** Rows that failed by the cause: the same code, and a message that differs in numbers and quoted texts alone. */
export class FaultKinds {
  readonly #kinds = new Map<string, ImportFault>();

  add({ success, code = '', error = '', index, retry_after }: ImportResult): void {
    if (success) return;
    const message = error.slice(0, messageCharactersMax);
    const pattern = patternOf(message);
    const kind = this.#kindOf({ code, message, pattern });
    if (kind.message !== message && kind.message !== others) kind.message = pattern;
    kind.count += 1;
    if (retry_after !== undefined) kind.retry_after = Math.max(kind.retry_after ?? 0, retry_after);
    if (kind.rows.length < limits.importFaultRowsMax) kind.rows.push(index);
  }

  /** The most frequent first, of equals the earlier one. */
  list(): ImportFault[] {
    return [...this.#kinds.values()].sort((a, b) => b.count - a.count);
  }

  /** Its message is that of its rows while they all have the same. */
  #kindOf({ code, message, pattern }: { code: string; message: string; pattern: string }): ImportFault {
    const name = `${code} ${pattern}`;
    const known = this.#kinds.get(name);
    if (known) return known;
    // The last place is for all others.
    if (this.#kinds.size >= limits.importFaultsMax - 1 && pattern !== others)
      return this.#kindOf({ code: 'OTHER', message: others, pattern: others });
    const kind: ImportFault = { code, message, count: 0, rows: [] };
    this.#kinds.set(name, kind);
    return kind;
  }
}

const others = 'Other faults';
const messageCharactersMax = 500;

function patternOf(message: string): string {
  return message.replaceAll(/"[^"]*"/g, '"…"').replaceAll(/\d+/g, 'N');
}
