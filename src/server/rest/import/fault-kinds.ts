import type { ImportFault, ImportResult } from '#shared/documents.ts';
import { limits } from '#shared/limits.ts';

/** Rows that failed by the cause: the same code, and a message that differs in numbers and quoted texts alone. */
export class FaultKinds {
  readonly #kinds = new Map<string, ImportFault>();

  add({ success, code = '', error = '', index }: ImportResult): void {
    if (success) return;
    const kind = this.#kindOf(code, patternOf(error));
    kind.count += 1;
    if (kind.rows.length < limits.importFaultRowsMax) kind.rows.push(index);
  }

  /** The most frequent first, of equals the earlier one. */
  list(): ImportFault[] {
    return [...this.#kinds.values()].sort((a, b) => b.count - a.count);
  }

  #kindOf(code: string, message: string): ImportFault {
    const name = `${code} ${message}`;
    const known = this.#kinds.get(name);
    if (known) return known;
    // The last place is for all others.
    if (this.#kinds.size >= limits.importFaultsMax - 1 && message !== others)
      return this.#kindOf('OTHER', others);
    const kind: ImportFault = { code, message, count: 0, rows: [] };
    this.#kinds.set(name, kind);
    return kind;
  }
}

const others = 'Other faults';
const messageCharactersMax = 500;

function patternOf(message: string): string {
  return message
    .slice(0, messageCharactersMax)
    .replaceAll(/"[^"]*"/g, '"…"')
    .replaceAll(/\d+/g, 'N');
}
