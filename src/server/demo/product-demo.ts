import { AddressRateLimit } from '#server/admission/address-rate-limit.ts';
import { type Rejection, rejectionError } from '#server/admission/rejection.ts';
import type { Embedder } from '#server/embeddings/embedder.ts';
import type { IndexedDocument, SearchQuery } from '#server/engine/types.ts';
import type { AppError } from '#server/errors.ts';
import type { EngineHost } from '#server/indexes/host/engine-host.ts';
import { IndexLostError } from '#server/indexes/host/index-lost-error.ts';
import { packBatch } from '#server/indexes/host/packed-batch.ts';
import { toCallerError } from '#server/indexes/registry/caller-errors.ts';
import { toRanking } from '#server/indexes/search/to-ranking.ts';
import { RecentMap } from '#server/memory/recent-map.ts';
import type { DemoAnswer, DemoHit } from '#shared/demo.ts';
import type { SearchHit } from '#shared/search.ts';
import { type Product, products } from './products.ts';

/** The landing page's search: the catalogue in an index of its own, at the engine's threads, with no row in the record. */
export interface ProductDemo {
  /**
   * The two best products for a query of at most 256 characters; fewer or none where they do not fit, none for an empty one.
   * @throws AppError TOO_MANY_REQUESTS (of this address), UNAVAILABLE (the engine is busy with others)
   */
  search(query: string, asked: Visit): Promise<DemoAnswer>;
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
const dimension = 384;
const hitsMax = 2;
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
const hitsBytesMax = 1024 * 1024;
/** Anybody may ask, so the same question is answered from memory and the memory is bounded. */
const cachedAnswersMax = 500;
const utf8 = new TextDecoder();
/** All who ask are one tenant, which has less than those who have an account. */
const visitors = { tenant: 'demo', weight: 1 / 4 };

export function createProductDemo(parts: ProductDemoParts): ProductDemo {
  const { embedder, host, searchesPerMinute } = parts;
  const answers = new RecentMap<DemoAnswer>({ entriesMax: cachedAnswersMax });
  // A visitor who types asks with each letter.
  const burst = Math.ceil(searchesPerMinute / 2);
  const what = 'searches of the catalogue';
  const rate = new AddressRateLimit({ perMinute: searchesPerMinute, burst, what }, parts.now);
  const charged = new WeakMap<AbortSignal, { refused: AppError | null }>();
  let building: Promise<void> | null = null;

  /** Built at the first question; a build that failed is tried again by the next one. */
  const built = () => {
    building ??= buildIndex(embedder, host).catch((error: unknown) => {
      building = null;
      throw error;
    });
    return building;
  };

  async function ask(query: SearchQuery, address: string, signal: AbortSignal | undefined) {
    const catalogue = { id, for: { ...visitors, caller: address } };
    const request = { call: 'search', query, shown: {}, bytesMax: hitsBytesMax } as const;
    await built();
    try {
      return await host.call(catalogue, request, signal);
    } catch (error) {
      // Its thread has ended.
      if (!(error instanceof IndexLostError)) throw error;
      building = null;
      await built();
      return await host.call(catalogue, request, signal);
    }
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
      const text = query.trim().replaceAll(/\s+/g, ' ').toLowerCase();
      if (text === '') return { hits: [], search_time_ms: 0 };
      assertCharged(visit);
      const known = answers.get(text);
      if (known) return known;

      const startedAt = performance.now();
      const vector = await embedder.embedQuery(text, dimension);
      const asking = ask(queryFor(text, vector), visit.address, visit.request?.signal);
      const found = await asking.catch((error: unknown) => {
        throw toCallerError(error);
      });
      const hits = JSON.parse(utf8.decode(found.hits)) as SearchHit<Product>[];
      const answer: DemoAnswer = {
        hits: hits.filter(fits).map(toDemoHit),
        search_time_ms: performance.now() - startedAt,
      };
      answers.set(text, answer);
      return answer;
    },
  };
}

async function buildIndex(embedder: Embedder, host: EngineHost): Promise<void> {
  const requester = { ...visitors, caller: '' };
  const texts = products.map(({ name, description, category, tags }) => ({
    title: name,
    text: [description, category, ...tags].join('. '),
  }));
  const vectors = await embedder.embedDocuments({ texts, dimension, for: requester });
  const puts = products.map(
    (product, row): IndexedDocument => ({
      id: product.id,
      source: JSON.stringify(product),
      vectors: vectors.slice(row * dimension, (row + 1) * dimension),
      spans: new Int32Array([-1, 0, 0]),
    }),
  );
  const catalogue = { id, for: requester };
  const settings = { dimension, metric: 'cosine', fields: [] } as const;
  await host.call(catalogue, { call: 'open', settings: { ...settings, fields: [] }, snapshot: null });
  await host.call(catalogue, { call: 'apply', batch: packBatch({ version: 1, puts, deletes: [] }) });
}

function queryFor(text: string, vector: Float32Array): SearchQuery {
  return {
    mode: 'hybrid',
    text,
    fields: [
      { name: 'name', weight: 3 },
      { name: 'tags', weight: 2 },
      { name: 'category', weight: 2 },
      { name: 'description', weight: 1 },
      { name: 'brand', weight: 1 },
    ],
    vector: vector.some((component) => component !== 0) ? vector : null,
    filter: null,
    ruleFilter: null,
    sort: [],
    facets: [],
    facetQuery: null,
    facetValuesMax: 0,
    areFacetsDisjunctive: false,
    group: null,
    walk: null,
    offset: 0,
    limit: hitsMax,
    prefix: true,
    typosMax: 2,
    dropTokensThreshold: 1,
    match: 'auto',
    stopWords: null,
    synonyms: [],
    k: products.length,
    metric: null,
    distanceThreshold: null,
    // Visitors describe things more than they name them.
    alpha: 0.8,
    fusion: 'weighted',
    highlightFields: ['name', 'description'],
    excludeIds: [],
    pins: [],
    isExplained: true,
    ranking: toRanking(),
  };
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
