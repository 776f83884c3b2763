/** Values by phrases, to be found wherever a phrase stands in a text: a text costs its words times those of the longest phrase with its first. */
export class PhraseMap<Value> {
  readonly #values = new Map<string, Value[]>();
  /** By first word: the words of the longest. */
  readonly #longest = new Map<string, number>();

  get isEmpty(): boolean {
    return this.#values.size === 0;
  }

  /** A phrase without words is found nowhere. */
  add(words: string[], value: Value): void {
    const [first] = words;
    if (first === undefined) return;
    this.#longest.set(first, Math.max(this.#longest.get(first) ?? 0, words.length));
    const key = words.join(' ');
    const known = this.#values.get(key);
    if (known === undefined) this.#values.set(key, [value]);
    else known.push(value);
  }

  /** The values of each phrase that stands in the text, once, in the order in which they were added; and the words that it covers first. */
  *in(words: string[]): Generator<{ values: readonly Value[]; start: number; end: number }, void, void> {
    const found = new Set<string>();
    for (const [start, first] of words.entries()) {
      const last = Math.min(words.length, start + (this.#longest.get(first) ?? 0));
      let phrase = first;
      for (let end = start + 1; end <= last; end += 1) {
        if (end > start + 1) phrase += ` ${words[end - 1]}`;
        const values = this.#values.get(phrase);
        if (values === undefined || found.has(phrase)) continue;
        found.add(phrase);
        yield { values, start, end };
      }
    }
  }
}
