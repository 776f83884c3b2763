import type { Embedder } from '#server/embeddings/embedder.ts';
import { SearchIndex } from '#server/engine/search-index.ts';
import type { IndexedDocument, SearchQuery } from '#server/engine/types.ts';
import type { DemoAnswer, DemoHit } from '#shared/demo.ts';
import { type Product, products } from './products.ts';

/** The landing page's search: the catalogue in an index of its own, in memory, with no row in the record. */
export interface ProductDemo {
  /** The two best products for a query of at most 256 characters; none for an empty one. */
  search(query: string): Promise<DemoAnswer>;
}

const dimension = 384;
const hitsMax = 2;
/** Anybody may ask, so the same question is answered from memory and the memory is bounded. */
const cachedAnswersMax = 500;
const utf8 = new TextDecoder();

export function createProductDemo({ embedder }: { embedder: Embedder }): ProductDemo {
  const answers = new Map<string, DemoAnswer>();
  let building: Promise<SearchIndex> | null = null;

  /** Built at the first question; a build that failed is tried again by the next one. */
  const index = () => {
    building ??= buildIndex(embedder).catch((error: unknown) => {
      building = null;
      throw error;
    });
    return building;
  };

  return {
    search: async (query) => {
      const text = query.trim().replaceAll(/\s+/g, ' ').toLowerCase();
      if (text === '') return { hits: [], search_time_ms: 0 };
      const known = answers.get(text);
      if (known) return known;

      const catalogue = await index();
      const startedAt = performance.now();
      const vector = await embedder.embedQuery(text, dimension);
      const found = catalogue.search(queryFor(text, vector));
      const answer: DemoAnswer = {
        hits: found.hits.map(({ source, score, highlights }) => ({
          ...cardOf(JSON.parse(utf8.decode(source)) as Product),
          score,
          highlights: highlights.map(({ field, snippet, matchedTokens }) => ({
            field,
            snippet,
            matched_tokens: matchedTokens,
          })),
        })),
        search_time_ms: performance.now() - startedAt,
      };
      remember(answers, text, answer);
      return answer;
    },
  };
}

async function buildIndex(embedder: Embedder): Promise<SearchIndex> {
  const index = SearchIndex.create({ dimension, metric: 'cosine', fields: [] });
  const vectors = await embedder.embedDocuments(
    products.map(({ name, description, category, tags }) => ({
      title: name,
      text: [description, category, ...tags].join('. '),
    })),
    dimension,
  );
  const puts = products.map(
    (product, row): IndexedDocument => ({
      id: product.id,
      source: JSON.stringify(product),
      vectors: vectors.slice(row * dimension, (row + 1) * dimension),
      spans: new Int32Array([-1, 0, 0]),
    }),
  );
  index.apply({ version: 1, puts, deletes: [] });
  return index;
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
    sort: [],
    facets: [],
    facetQuery: null,
    facetValuesMax: 0,
    offset: 0,
    limit: hitsMax,
    prefix: true,
    typosMax: 2,
    dropTokensThreshold: 1,
    match: 'auto',
    k: products.length,
    metric: null,
    distanceThreshold: null,
    // Visitors describe things more than they name them.
    alpha: 0.8,
    fusion: 'weighted',
    highlightFields: ['name', 'description'],
    excludeIds: [],
  };
}

function cardOf({
  id,
  name,
  description,
  category,
  brand,
  price,
  rating,
}: Product): Omit<DemoHit, 'score' | 'highlights'> {
  return { id, name, description, category, brand, price, rating };
}

/** Oldest first out: a Map keeps the order of insertion. */
function remember(answers: Map<string, DemoAnswer>, text: string, answer: DemoAnswer): void {
  const [oldest] = answers.keys();
  if (answers.size >= cachedAnswersMax && oldest !== undefined) answers.delete(oldest);
  answers.set(text, answer);
}
