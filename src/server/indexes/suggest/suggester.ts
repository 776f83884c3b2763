import { loopTurns } from '#server/admission/loop-turns.ts';
import { fold, tokenize, typedWords } from '#server/engine/search-index.ts';
import type { Log } from '#server/log.ts';
import { limits } from '#shared/limits.ts';
import type { Suggestion, Suggestions } from '#shared/suggestions.ts';
import type { CollectionHandle } from '../indexes.ts';
import type { Reader } from '../search/merged-members.ts';
import { titlesLike } from './document-titles.ts';
import { highlighted, type Match, TypedText } from './match-completion.ts';
import { matchingCompletions } from './matching-completions.ts';
import type { Completion, PopularQueries } from './popular-queries.ts';
import { TopValues } from './top-values.ts';

interface SuggesterParts {
  registry: Reader;
  popular: Pick<PopularQueries, 'of'>;
  log: Log;
  /** Milliseconds that only grow. */
  now: () => number;
}

interface Asked {
  q: string;
  limit: number;
}

interface Typed {
  typed: TypedText;
  signal: AbortSignal | undefined;
}

interface Completions {
  completions: Completion[];
  typed: TypedText;
  source: Suggestion['source'];
}

/** Of what is typed; more words complete nothing. */
const readCharactersMax = limits.countedQueryCharactersMax;
const wordsMax = 10;

/** Completes what is typed: by what others have searched for and found, then by titles and words of the documents. */
export class Suggester {
  readonly #registry: Reader;
  readonly #popular: Pick<PopularQueries, 'of'>;
  readonly #values: TopValues;

  constructor({ registry, popular, log, now }: SuggesterParts) {
    this.#registry = registry;
    this.#popular = popular;
    this.#values = new TopValues({ registry, log, now });
  }

  async suggest(
    collection: CollectionHandle,
    { q, limit }: Asked,
    signal?: AbortSignal,
  ): Promise<Suggestions> {
    const startedAt = performance.now();
    const text = q.slice(0, readCharactersMax);
    const words = typedWords(text);
    const list = new SuggestionList(limit);
    const queries = await this.#popular.of(collection);
    if (words.length === 0) await this.#addPopular(list, collection, queries);
    else if (words.length <= wordsMax) {
      const typed = new TypedText(words);
      await this.#addMatching(list, collection, { completions: queries, typed, source: 'queries' });
      if (!list.isFull) await this.#addTitles(list, collection, { text, typed, signal });
      if (!list.isFull) await this.#addTerms(list, collection, { text, typed, signal });
    }
    const tookMs = Math.round((performance.now() - startedAt) * 1_000) / 1_000;
    return { q, suggestions: list.suggestions, search_time_ms: tookMs };
  }

  /** Forgets what was read of a collection. */
  drop(collectionId: number): void {
    this.#values.drop(collectionId);
  }

  async #addPopular(
    list: SuggestionList,
    collection: CollectionHandle,
    queries: Completion[],
  ): Promise<void> {
    for (const { text } of queries) list.add(text, [], 'queries');
    if (list.isFull) return;
    for (const value of await this.#values.of(collection)) list.add(value, [], 'values');
  }

  async #addMatching(
    list: SuggestionList,
    { for: requester }: CollectionHandle,
    { completions, typed, source }: Completions,
  ): Promise<void> {
    const looking = { enough: list.limit, turn: () => loopTurns.next(requester) };
    for (const { text, typed: parts } of await matchingCompletions(completions, typed, looking))
      list.add(text, parts, source);
  }

  async #addTitles(
    list: SuggestionList,
    collection: CollectionHandle,
    { text, typed, signal }: Typed & { text: string },
  ): Promise<void> {
    const { limit } = list;
    const titles = await titlesLike(this.#registry, collection, { text, limit, signal });
    const completions = titles.map((title) => ({ text: title, words: tokenize(title) }));
    await this.#addMatching(list, collection, { completions, typed, source: 'titles' });
  }

  /** Where one word is typed: nothing says that several stand in one document. */
  async #addTerms(
    list: SuggestionList,
    collection: CollectionHandle,
    { text, typed, signal }: Typed & { text: string },
  ): Promise<void> {
    const [first] = tokenize(text);
    if (first === undefined || typed.words.length > 1) return;
    // The index folds it: its language may keep other letters apart.
    const prefix = text.slice(first.start, first.end);
    // All words of a letter are compared for typos, which is spared where something else is suggested.
    const typosMax = list.suggestions.length === 0 ? 2 : 0;
    const request = { call: 'completeWords', prefix, typosMax, limit: list.limit } as const;
    const found = await this.#registry.read(collection, request, signal);
    const terms = found.map(({ word }) => ({ text: word, words: tokenize(word) }));
    await this.#addMatching(list, collection, { completions: terms, typed, source: 'terms' });
  }
}

/** Each text once, whatever its case and source. */
class SuggestionList {
  readonly limit: number;
  readonly suggestions: Suggestion[] = [];
  readonly #folded = new Set<string>();

  constructor(limit: number) {
    this.limit = limit;
  }

  get isFull(): boolean {
    return this.suggestions.length >= this.limit;
  }

  add(query: string, typed: Match['typed'], source: Suggestion['source']): void {
    const folded = fold(query).trim();
    if (this.isFull || this.#folded.has(folded)) return;
    this.#folded.add(folded);
    this.suggestions.push({ query, highlighted: highlighted(query, typed), source });
  }
}
