import { queryWords } from '#server/engine/search-index.ts';
import type { Steps } from '#server/engine/steps.ts';
import type { Override } from '#shared/overrides.ts';
import { PhraseMap } from './phrase-map.ts';

/** An override with its place among all. */
interface Placed {
  override: Override;
  place: number;
}

/** Rules that are cut into words without a pause. */
const rulesAtOnce = 16;

/** The overrides of a collection by the words of their rules, folded as the engine folds, not stemmed. */
export class OverrideIndex {
  readonly #exact = new Map<string, Placed[]>();
  readonly #contains = new PhraseMap<Placed>();

  /** In the order in which they are asked. */
  static *of(overrides: Override[]): Steps<OverrideIndex> {
    const index = new OverrideIndex();
    for (const [place, override] of overrides.entries()) {
      if (override.active) index.#add({ override, place });
      if (place % rulesAtOnce === rulesAtOnce - 1) yield;
    }
    return index;
  }

  #add(placed: Placed): void {
    const { query, match } = placed.override.rule;
    const words = queryWords(query);
    if (match === 'contains') this.#contains.add(words, placed);
    else {
      const key = words.join(' ');
      const known = this.#exact.get(key);
      if (known === undefined) this.#exact.set(key, [placed]);
      else known.push(placed);
    }
  }

  /** The first that matches a query as typed and acts at that moment. A query for all documents has no words. */
  find(text: string, now: Date): Override | null {
    if (this.#exact.size === 0 && this.#contains.isEmpty) return null;
    const words = queryWords(text);
    let first: Placed | null = null;
    const offer = (found: readonly Placed[]) => {
      const acting = found.find(({ override }) => isWithin(override, now));
      if (acting && (first === null || acting.place < first.place)) first = acting;
      return first;
    };
    first = offer(this.#exact.get(words.join(' ')) ?? []);
    for (const { values } of this.#contains.in(words)) first = offer(values);
    return first?.override ?? null;
  }
}

function isWithin({ from, until }: Override, now: Date): boolean {
  const time = now.getTime();
  return (!from || Date.parse(from) <= time) && (!until || time < Date.parse(until));
}
