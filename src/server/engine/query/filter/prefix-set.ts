/** Many prefixes at once: one lookup for each length that occurs, not one comparison a prefix. */
export class PrefixSet {
  readonly #byLength = new Map<number, Set<string>>();

  constructor(prefixes: string[]) {
    for (const prefix of prefixes) {
      const sameLength = this.#byLength.get(prefix.length);
      if (sameLength === undefined) this.#byLength.set(prefix.length, new Set([prefix]));
      else sameLength.add(prefix);
    }
  }

  /** Whether the text begins with any of them. */
  isBegun(text: string): boolean {
    for (const [length, prefixes] of this.#byLength) {
      if (length <= text.length && prefixes.has(text.slice(0, length))) return true;
    }
    return false;
  }

  /** Adds those that the text begins with. */
  addBegun(text: string, into: Set<string>): void {
    for (const [length, prefixes] of this.#byLength) {
      const beginning = length <= text.length ? text.slice(0, length) : null;
      if (beginning !== null && prefixes.has(beginning)) into.add(beginning);
    }
  }
}
