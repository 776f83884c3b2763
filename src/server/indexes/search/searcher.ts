import type { Embedder, Tier } from '#server/embeddings/embedder.ts';
import type { FiguresAsked, JudgedFigures, SearchQuery } from '#server/engine/types.ts';
import { AppError } from '#server/errors.ts';
import { limits } from '#shared/limits.ts';
import type { SearchMode } from '#shared/search.ts';
import { type GivenParameters, searchDefaults } from '#shared/search-parameters.ts';
import type { EngineReply } from '../host/engine-calls.ts';
import type { CollectionHandle, Search, SimilarSearch } from '../indexes.ts';
import { notAtWork } from '../models/not-at-work.ts';
import { embedderOf, type SharedEmbedder } from '../models/query-embedder.ts';
import { applyRules, wantsUnderstanding } from '../rules/apply-rules.ts';
import { asOfRules } from '../rules/as-of-rules.ts';
import type { RuleBook } from '../rules/rule-book.ts';
import type { Rules } from '../rules/rules.ts';
import type { Vocabularies } from '../understand/vocabularies.ts';
import { withinBytes } from './answer-bytes.ts';
import { nextCursor } from './cursor.ts';
import type { Reader } from './merged-members.ts';
import type { Page } from './page-of.ts';
import { facetsOf, plainQuery, toSearchQuery } from './query.ts';
import { assertRerankable, type Reranker, rerankedPage } from './rerank/reranked-page.ts';
import { listAnswer, type ShownAnswer, type ShownList, searchAnswer } from './search-answer.ts';
import { SearchTimes } from './search-times.ts';
import { type ShownFields, shownFields } from './shown-document.ts';
import { vectorsOf } from './vectors-of.ts';

export interface SearcherParts {
  registry: Reader;
  rules: Pick<RuleBook, 'of'>;
  vocabularies: Pick<Vocabularies, 'of'>;
  /** When an override acts. */
  clock: () => Date;
  embedder: SharedEmbedder<Pick<Embedder, 'embedQuery' | 'knowsWord'>>;
  /** By what a collection's queries are embedded. */
  tierOf: (collectionId: number) => Tier | Promise<Tier>;
  answerBytesMax: number;
  /** Absent: no search can ask for it. */
  reranker?: Reranker | null;
}

/** Searches: parameters in, the caller's answer out. */
export class Searcher {
  readonly #registry: Reader;
  readonly #rules: Pick<RuleBook, 'of'>;
  readonly #vocabularies: Pick<Vocabularies, 'of'>;
  readonly #clock: () => Date;
  readonly #embedder: SearcherParts['embedder'];
  readonly #tierOf: SearcherParts['tierOf'];
  readonly #answerBytesMax: number;
  readonly #reranker: Reranker | null;

  constructor(parts: SearcherParts) {
    this.#rules = parts.rules;
    this.#vocabularies = parts.vocabularies;
    this.#clock = parts.clock;
    this.#registry = parts.registry;
    this.#embedder = parts.embedder;
    this.#tierOf = parts.tierOf;
    this.#answerBytesMax = parts.answerBytesMax;
    this.#reranker = parts.reranker ?? null;
  }

  async search(collection: CollectionHandle, search: Search, signal?: AbortSignal): Promise<ShownAnswer> {
    const times = new SearchTimes();
    const rules = await this.#rules.of(collection);
    return this.searchBy(collection, search, { rules, now: this.#clock(), times }, signal);
  }

  /** By rules that need not be the collection's, at a moment that need not be now. */
  async searchBy(
    collection: CollectionHandle,
    search: Search,
    { rules, now, times = new SearchTimes() }: { rules: Rules; now: Date; times?: SearchTimes },
    signal?: AbortSignal,
  ): Promise<ShownAnswer> {
    const { mode, answerBytesMax } = search;
    // With what is no parameter, which nobody asks a parameter for: a copy without it would be the third of each search.
    const given: GivenParameters = search;
    const vocabulary = wantsUnderstanding(rules, given) ? await this.#vocabularies.of(collection) : null;
    const applied = applyRules(rules, { mode, given, now, vocabulary });
    const { parameters, acting } = applied;
    const parts = {
      collection,
      embedder: timedBy(times, embedderOf(this.#embedder, collection.for.tenant), signal),
      tierOf: () => this.#tierOf(collection.id),
      vectorsOf: (id: string) => vectorsOf(this.#registry, collection, { id, signal }),
    };
    const { query, page, withoutMeaning } = await toSearchQuery(parts, mode, applied);
    const bytesMax = answerBytesMax ?? this.#answerBytesMax;
    const ask = (asked: SearchQuery, most: number) =>
      withinBytes(
        { bytesMax: most, countParameter: 'per_page' },
        times.ofEngine(() => this.#ask(collection, { query: asked, parameters, bytesMax: most }, signal)),
      ).catch((error: unknown) => {
        throw asOfRules(error, { rules, given, acting });
      });
    const isOrdered = acting.override?.sort_by !== undefined;
    const reranker = parameters.rerank && !isOrdered ? assertRerankable(this.#reranker, parameters) : null;
    const { answer, reason } = reranker
      ? await rerankedPage(
          { query, page },
          { ...this.#rerankBy(reranker, collection, signal), ask, bytesMax },
        )
      : {
          answer: await ask(query, bytesMax),
          reason: parameters.rerank ? 'an override orders these hits' : null,
        };
    return searchAnswer(answer, query, {
      parameters,
      acting,
      withoutMeaning,
      withoutReranking: reason,
      knowsWord: this.#embedder.knowsWord,
      page,
      nextCursor: nextCursor(collection, query, answer.next),
      times,
    });
  }

  /** What a model of relevance is fitted to: figures of hits of a query, searched for as anybody would. @throws AppError also UNAVAILABLE where a hybrid search goes on by words alone */
  async judgedFigures(
    collection: CollectionHandle,
    { mode, query: text, ...asked }: { mode: SearchMode; query: string } & FiguresAsked,
    signal?: AbortSignal,
  ): Promise<JudgedFigures[]> {
    const rules = await this.#rules.of(collection);
    // Ten neighbours of each query are too few to learn from. What the settings leave out is learnt from too.
    const given = { query: text, min_relevance: 0, ...(mode === 'vector' && { k: limits.calibrationHits }) };
    const applied = applyRules(rules, { mode, given, now: this.#clock() });
    const tierOf = () => this.#tierOf(collection.id);
    const own = embedderOf(this.#embedder, collection.for.tenant);
    const embedder = timedBy(new SearchTimes(), own, signal);
    const parts = { collection, embedder, tierOf };
    const { query, withoutMeaning } = await toSearchQuery(parts, mode, applied);
    if (withoutMeaning !== undefined) throw new AppError('UNAVAILABLE', withoutMeaning);
    return this.#registry.read(collection, { call: 'judgedFigures', query, ...asked }, signal);
  }

  async similar(
    collection: CollectionHandle,
    { id, answerBytesMax, ...parameters }: SimilarSearch,
    signal?: AbortSignal,
  ): Promise<ShownList> {
    const times = new SearchTimes();
    const vector = await vectorsOf(this.#registry, collection, { id, signal });
    const k = parameters.k ?? 10;
    const page: Page = { page: 1, perPage: k, offset: 0 };
    const query = plainQuery(parameters.filter_by, {
      mode: 'vector',
      text: '',
      vector,
      isExact: parameters.exact ?? searchDefaults.exact,
      distanceThreshold: parameters.distance_threshold ?? null,
      facets: facetsOf(parameters.facet_by),
      facetValuesMax: parameters.max_facet_values ?? searchDefaults.max_facet_values,
      limit: k,
      k,
      excludeIds: [id],
      isExplained: parameters.explain ?? false,
    });
    const limit = { bytesMax: answerBytesMax ?? this.#answerBytesMax, countParameter: 'k' };
    const answer = await withinBytes(
      limit,
      times.ofEngine(() => this.#ask(collection, { query, parameters, bytesMax: limit.bytesMax }, signal)),
    );
    return listAnswer(answer, query, { parameters, page, times });
  }

  #rerankBy(reranker: Reranker, collection: CollectionHandle, signal: AbortSignal | undefined) {
    const documents = (ids: string[]) =>
      this.#registry.read(
        collection,
        { call: 'documents', ids, withVectors: false, bytesMax: limits.rerankBytesMax },
        signal,
      );
    return { reranker, owner: collection.for.tenant, documents, signal };
  }

  #ask(
    collection: CollectionHandle,
    { parameters, ...asked }: { query: SearchQuery; parameters: ShownFields; bytesMax: number },
    signal: AbortSignal | undefined,
  ): Promise<EngineReply<'search'>> {
    return this.#registry.read(
      collection,
      { call: 'search', ...asked, shown: shownFields(parameters) },
      signal,
    );
  }
}

function timedBy(
  times: SearchTimes,
  embedder: Pick<Embedder, 'embedQuery' | 'knowsWord'>,
  signal: AbortSignal | undefined,
): Pick<Embedder, 'embedQuery' | 'knowsWord'> {
  return {
    knowsWord: embedder.knowsWord,
    embedQuery: (text, dimension, tier) =>
      times.of('embedding', () =>
        notAtWork({ tier, signal }, () => embedder.embedQuery(text, dimension, tier)),
      ),
  };
}
