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
}
