import { queryWords } from '#server/engine/search-index.ts';
import type { Steps } from '#server/engine/steps.ts';
import type { Override } from '#shared/overrides.ts';
import { compareIds } from '../id-order.ts';
import { PhraseMap } from './phrase-map.ts';
import { inOrder, type RuleChange } from './rule-change.ts';

/** Another index, of which some overrides do not count. */
interface Below {
  index: OverrideIndex;
  gone: ReadonlySet<string>;
}

/** Rules that are cut into words without a pause. */
const rulesAtOnce = 16;

/** The overrides of a collection by the words of their rules, folded as the engine folds, not stemmed. */
export class OverrideIndex {
  readonly #exact = new Map<string, Override[]>();
  readonly #contains = new PhraseMap<Override>();
  readonly #below: Below | null;

  private constructor(below: Below | null) {
    this.#below = below;
  }

  /** In the order in which they are asked, which is that of their ids. */
  static *of(overrides: Override[]): Steps<OverrideIndex> {
    return yield* new OverrideIndex(null).#with(overrides);
  }

  /** The same with a few changes, of which alone it costs. */
  *with({ put, remove }: RuleChange<Override>): Steps<OverrideIndex> {
    const gone = new Set([...remove, ...put.map(({ id }) => id)]);
    return yield* new OverrideIndex({ index: this, gone }).#with(inOrder(put));
  }

  *#with(overrides: Override[]): Steps<OverrideIndex> {
    for (const [place, override] of overrides.entries()) {
      if (override.active) this.#add(override);
      if (place % rulesAtOnce === rulesAtOnce - 1) yield;
    }
    return this;
  }

  #add(override: Override): void {
    const { query, match } = override.rule;
    const words = queryWords(query);
    if (match === 'contains') this.#contains.add(words, override);
    else {
      const key = words.join(' ');
      const known = this.#exact.get(key);
      if (known === undefined) this.#exact.set(key, [override]);
      else known.push(override);
    }
  }

  /** The first that matches a query as typed and acts at that moment. A query for all documents has no words. */
  find(text: string, now: Date): Override | null {
    return this.#isEmpty ? null : this.#first(queryWords(text), (override) => isWithin(override, now));
  }

  get #isEmpty(): boolean {
    const isEmptyBelow = this.#below === null || this.#below.index.#isEmpty;
    return isEmptyBelow && this.#exact.size === 0 && this.#contains.isEmpty;
  }

  #first(words: readonly string[], acts: (override: Override) => boolean): Override | null {
    let first: Override | null = null;
    const offer = (found: Override | null | undefined) => {
      if (found && (first === null || compareIds(found.id, first.id) < 0)) first = found;
      return first;
    };
    if (this.#below) {
      const { index, gone } = this.#below;
      first = index.#first(words, (override) => !gone.has(override.id) && acts(override));
    }
    first = offer(this.#exact.get(words.join(' '))?.find(acts));
    for (const { values } of this.#contains.in(words)) first = offer(values.find(acts));
    return first;
  }
}

function isWithin({ from, until }: Override, now: Date): boolean {
  const time = now.getTime();
  return (!from || Date.parse(from) <= time) && (!until || time < Date.parse(until));
}
