import type { AskSearches } from './multi-search.ts';
import { countsIn } from './named-counts.ts';
import { anyOf, type Query } from './query.ts';

interface Counts {
  /** Of the index. */
  total: number;
  counts: Record<string, number>;
}

/** How many documents hold words, for one search: what is asked again as more is asked of its words, is asked of the cluster once. */
export class WordCounts {
  readonly #ask: AskSearches;
  readonly #documents: number;
  readonly #known = new Map<string, Promise<Counts>>();

  /** `documents`: how many the index has. */
  constructor(ask: AskSearches, documents: number) {
    this.#ask = ask;
    this.#documents = documents;
  }

  /** `own…` and `one…` count no documents that none of the others does. */
  of(filters: Record<string, Query>): Promise<Counts> {
    const name = JSON.stringify(filters);
    const counts = this.#known.get(name) ?? this.#count(filters);
    this.#known.set(name, counts);
    return counts;
  }

  async #count(filters: Record<string, Query>): Promise<Counts> {
    const aggs = { counts: { filters: { filters } } };
    // Documents that none of them matches need not be looked at; what is typed is held by what stands for it, and so is what is one typo away.
    const wider = Object.entries(filters).filter(([name]) => !/^(own|one)/.test(name));
    const query = anyOf(wider.map(([, filter]) => filter));
    const [reply] = await this.#ask([{ size: 0, query, aggs }]);
    const counts = countsIn(reply?.aggregations?.['counts']);
    // Written since the record was asked how many there are: a word in more documents than that would weigh less than nothing.
    return { total: Math.max(this.#documents, ...Object.values(counts)), counts };
  }
}
