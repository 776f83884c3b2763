import { AddressRateLimit } from '#server/admission/address-rate-limit.ts';
import { RateLimit } from '#server/admission/rate-limit.ts';
import { type Rejection, rejectionError } from '#server/admission/rejection.ts';
import type { Embedder } from '#server/embeddings/embedder.ts';
import type { SearchQuery } from '#server/engine/types.ts';
import type { AppError } from '#server/errors.ts';
import {
  type BuiltInDocument,
  BuiltInIndex,
  builtInDimension,
  builtInQuery,
} from '#server/indexes/built-in-index.ts';
import type { EngineHost } from '#server/indexes/host/engine-host.ts';
import { toRanking } from '#server/indexes/search/to-ranking.ts';
import { RecentMap } from '#server/memory/recent-map.ts';
import type { DemoAnswer, DemoComparison, DemoHit, DemoPlace } from '#shared/demo.ts';
import type { SearchHit, SearchMode } from '#shared/search.ts';
import { type Product, products } from './products.ts';

/** The landing page's search: the catalogue in an index of its own, at the engine's threads, with no row in the record. */
export interface ProductDemo {
  /**
   * The two best products for a query of at most 256 characters; fewer or none where they do not fit, none for an empty one.
   * @throws AppError TOO_MANY_REQUESTS (of this address), UNAVAILABLE (the engine is busy with others)
   */
  search(query: string, asked: Visit): Promise<DemoAnswer>;
  /**
   * The first products for a query by its words, by its meaning, and by both, with `alpha` (0 to 1, in twentieths) as the weight of
   * meaning. It is charged as one search.
   * @throws AppError as `search` does
   */
  compare(asked: { query: string; alpha: number }, visit: Visit): Promise<DemoComparison>;
  /** Why so many searches of one request would be refused; null: they would not. */
  findRejection(address: string, calls: number): Rejection | null;
}

interface Visit {
  address: string;
  /** Of the request, which may be a batch of so many calls. They are charged together by the first of them, and are refused together. */
  request?: { signal: AbortSignal; calls: number };
}

export interface ProductDemoParts {
  embedder: Embedder;
  host: EngineHost;
  searchesPerMinute: number;
  /** Milliseconds that only grow. */
  now?: () => number;
}

/** No collection of the record has this id. */
const id = 0;
const hitsMax = 2;
const placesMax = 5;
/** Visitors describe things more than they name them. */
const usualAlpha = 0.8;
/**
 * From this similarity on a product is about what was asked. Of 46 questions that the shop answers 44 have a product above it, of 28
 * that it cannot answer 3: a laptop, a water bottle and a passport, beside which something akin is on sale.
 */
const similarityMin = 0.25;
/** Enough where the product holds a third of the words, too. */
const similarityBesideWordsMin = 0.12;
const wordsHeldMin = 1 / 3;
/** Shorter words say little. */
const wordCharactersMin = 3;
/** Anybody may ask, so the same question is answered from memory and the memory is bounded. */
const cachedAnswersMax = 500;
/** All who ask are one tenant, which has less than those who have an account. */
const visitors = { tenant: 'demo', weight: 1 / 4 };

export function createProductDemo(parts: ProductDemoParts): ProductDemo {
  const { embedder, host, searchesPerMinute } = parts;
  const answers = new RecentMap<DemoAnswer>({ entriesMax: cachedAnswersMax });
  const comparisons = new RecentMap<DemoComparison>({ entriesMax: cachedAnswersMax });
  // A visitor who types asks with each letter.
  const burst = Math.ceil(searchesPerMinute / 2);
  const what = 'searches of the catalogue';
  const rate = new AddressRateLimit(
    { perMinute: searchesPerMinute, burst, what },
    (each) => new RateLimit(each, parts.now),
  );
  const charged = new WeakMap<AbortSignal, { refused: AppError | null }>();
  const catalogue = new BuiltInIndex({
    embedder,
    host,
    id,
    asked: visitors,
    read: async () => products.map(toDocument),
  });

  function ask(query: SearchQuery, { address, request: visit }: Visit): Promise<SearchHit<Product>[]> {
    return catalogue.search<Product>(query, { caller: address, signal: visit?.signal });
  }

  /** All calls of a request at once. @returns why they are refused */
  function charge(address: string, calls: number): AppError | null {
    const rejection = rate.findRejection(address, calls);
    if (rejection) return rejectionError(rejection);
    rate.take(address, calls);
    return null;
  }

  function assertCharged({ address, request }: Visit): void {
    const known = request && charged.get(request.signal);
    const refused = known ? known.refused : charge(address, request?.calls ?? 1);
    if (request && !known) charged.set(request.signal, { refused });
    if (refused) throw refused;
  }

  return {
    findRejection: (address, calls) => rate.findRejection(address, calls),
    search: async (query, visit) => {
      const text = plain(query);
      if (text === '') return { hits: [], search_time_ms: 0 };
      assertCharged(visit);
      const known = answers.get(text);
      if (known) return known;

      const startedAt = performance.now();
      const vector = await embedder.embedQuery(text, builtInDimension);
      const hits = await ask(queryFor(text, vector, { limit: hitsMax }), visit);
      const answer: DemoAnswer = {
        hits: hits.filter(fits).map(toDemoHit),
        search_time_ms: performance.now() - startedAt,
      };
      answers.set(text, answer);
      return answer;
    },
    compare: async (asked, visit) => {
      const text = plain(asked.query);
      const alpha = Math.round(asked.alpha * 20) / 20;
      if (text === '') return { columns: { keyword: [], hybrid: [], vector: [] }, search_time_ms: 0 };
      assertCharged(visit);
      const key = `${alpha} ${text}`;
      const known = comparisons.get(key);
      if (known) return known;

      const startedAt = performance.now();
      const vector = await embedder.embedQuery(text, builtInDimension);
      // By both ways all products are ranked, which tells of each whether it fits.
      const [keyword, all, nearest] = await Promise.all([
        ask(queryFor(text, vector, { mode: 'keyword', limit: placesMax }), visit),
        ask(queryFor(text, vector, { alpha, limit: products.length }), visit),
        ask(queryFor(text, vector, { mode: 'vector', limit: placesMax }), visit),
      ]);
      const fitting = new Set(all.filter(fits).map(({ id }) => id));
      const places = (hits: SearchHit<Product>[]) =>
        hits.slice(0, placesMax).map((hit) => toPlace(hit, fitting));
      const comparison: DemoComparison = {
        columns: { keyword: places(keyword), hybrid: places(all), vector: places(nearest) },
        search_time_ms: performance.now() - startedAt,
      };
      comparisons.set(key, comparison);
      return comparison;
    },
  };
}

/** However it is written, it is the same question. */
function plain(query: string): string {
  return query.trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

function toDocument(product: Product): BuiltInDocument {
  const { id, name, description, category, tags } = product;
  return {
    id,
    embedded: { title: name, text: [description, category, ...tags].join('. ') },
    source: product,
  };
}

interface Way {
  mode?: SearchMode;
  alpha?: number;
  limit: number;
}

function queryFor(text: string, vector: Float32Array, way: Way): SearchQuery {
  return builtInQuery({
    mode: way.mode ?? 'hybrid',
    text,
    vector,
    fields: [
      { name: 'name', weight: 3 },
      { name: 'tags', weight: 2 },
      { name: 'category', weight: 2 },
      { name: 'description', weight: 1 },
      { name: 'brand', weight: 1 },
    ],
    limit: way.limit,
    k: products.length,
    alpha: way.alpha ?? usualAlpha,
    highlightFields: ['name', 'description'],
    ranking: toRanking(),
  });
}

/** Whether a product answers the question. Its score does not tell: the best of those that do not fit has the greatest, too. */
function fits({ explain }: SearchHit<Product>): boolean {
  const similarity = explain?.vector?.similarity ?? 0;
  if (similarity >= similarityMin) return true;
  const tellingOf = (words: string[]) => words.filter((word) => word.length >= wordCharactersMin).length;
  const held = tellingOf(explain?.keyword?.words.map(({ word }) => word) ?? []);
  const asked = held + tellingOf(explain?.keyword?.missing ?? []);
  return held > 0 && held / asked >= wordsHeldMin && similarity >= similarityBesideWordsMin;
}

function toDemoHit({ document, score, highlights, explain }: SearchHit<Product>): DemoHit {
  const { id, name, description, category, brand, price, rating } = document;
  const parts = { words: explain?.parts.keyword ?? 0, meaning: explain?.parts.vector ?? 0 };
  return { id, name, description, category, brand, price, rating, score, parts, highlights };
}

function toPlace({ document: { id, name } }: SearchHit<Product>, fitting: Set<string>): DemoPlace {
  return { id, name, fits: fitting.has(id) };
}
