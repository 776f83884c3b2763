/** Another map, of which some values do not count. Its values of a phrase are in the order of `compare`. */
interface Below<Value> {
  map: PhraseMap<Value>;
  isGone: (value: Value) => boolean;
  compare: (a: Value, b: Value) => number;
}

const none: readonly never[] = [];

/** Values by phrases, to be found wherever a phrase stands in a text: a text costs its words times those of the longest phrase with its first. */
export class PhraseMap<Value> {
  readonly #values = new Map<string, Value[]>();
  /** By first word: the words of the longest. */
  readonly #longest = new Map<string, number>();
  readonly #below: Below<Value> | null;

  /** `below`: it has the values of that one too, in its order, and nothing of it is copied. */
  constructor(below: Below<Value> | null = null) {
    this.#below = below;
  }

  get isEmpty(): boolean {
    return this.#values.size === 0 && (this.#below?.map.isEmpty ?? true);
  }

  /** A phrase without words is found nowhere. */
  add(words: readonly string[], value: Value): void {
    const [first] = words;
    if (first === undefined) return;
    this.#longest.set(first, Math.max(this.#longest.get(first) ?? 0, words.length));
    const key = words.join(' ');
    const known = this.#values.get(key);
    if (known === undefined) this.#values.set(key, [value]);
    else known.push(value);
  }

  /** The values of each phrase that stands in the text, once, in the order in which they were added; and the words that it covers first. */
  *in(
    words: readonly string[],
  ): Generator<{ values: readonly Value[]; start: number; end: number }, void, void> {
    const found = new Set<string>();
    for (const [start, first] of words.entries()) {
      const last = Math.min(words.length, start + this.#longestFrom(first));
      let phrase = first;
      for (let end = start + 1; end <= last; end += 1) {
        if (end > start + 1) phrase += ` ${words[end - 1]}`;
        if (found.has(phrase)) continue;
        const values = this.#valuesOf(phrase);
        if (values.length === 0) continue;
        found.add(phrase);
        yield { values, start, end };
      }
    }
  }

  #longestFrom(first: string): number {
    const below = this.#below === null ? 0 : this.#below.map.#longestFrom(first);
    return Math.max(this.#longest.get(first) ?? 0, below);
  }

  #valuesOf(phrase: string): readonly Value[] {
    const own = this.#values.get(phrase) ?? none;
    if (this.#below === null) return own;
    const { map, isGone, compare } = this.#below;
    const all = map.#valuesOf(phrase).filter((value) => !isGone(value));
    for (const value of own) insert(all, value, compare);
    return all;
  }
}

/** Behind those that are equal. */
function insert<Value>(sorted: Value[], value: Value, compare: Below<Value>['compare']): void {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(sorted[middle] as Value, value) > 0) high = middle;
    else low = middle + 1;
  }
  sorted.splice(low, 0, value);
}
