import type { Requester } from '#server/admission/requester.ts';
import type { Embedder } from '#server/embeddings/embedder.ts';
import type { IndexedDocument, SearchQuery } from '#server/engine/types.ts';
import type { SearchHit } from '#shared/search.ts';
import type { EngineHost } from './host/engine-host.ts';
import { IndexLostError } from './host/index-lost-error.ts';
import { packBatch } from './host/packed-batch.ts';
import { toCallerError } from './registry/caller-errors.ts';

export interface BuiltInDocument {
  id: string;
  /** What its vector is made of. */
  embedded: { title: string; text: string };
  /** What its words are, and what is shown of it. */
  source: object;
}

export interface BuiltInIndexParts {
  embedder: Embedder;
  host: EngineHost;
  /** No collection of the record has it: 0 or less. */
  id: number;
  /** Whose turns its calls wait for; all who ask are one tenant. */
  asked: Pick<Requester, 'tenant' | 'weight'>;
  read(): Promise<BuiltInDocument[]>;
}

export const builtInDimension = 384;
const hitsBytesMax = 1024 * 1024;
const utf8 = new TextDecoder();

/** Documents that come with the product, in an index of their own at the engine's threads, with no row in the record. */
export class BuiltInIndex {
  readonly #parts: BuiltInIndexParts;
  #building: Promise<void> | null = null;

  constructor(parts: BuiltInIndexParts) {
    this.#parts = parts;
  }

  /**
   * The hits of a search, the best first.
   * @throws AppError UNAVAILABLE (the engine is busy with others)
   */
  async search<Source extends object>(
    query: SearchQuery,
    { caller, signal }: { caller: string; signal?: AbortSignal | undefined },
  ): Promise<SearchHit<Source>[]> {
    const { id, host, asked } = this.#parts;
    const index = { id, for: { ...asked, caller } };
    const request = { call: 'search', query, shown: {}, bytesMax: hitsBytesMax } as const;
    const ask = async () => {
      await this.#built();
      return await host.call(index, request, signal);
    };
    try {
      const found = await ask().catch((error: unknown) => {
        if (!(error instanceof IndexLostError)) throw error;
        // Its thread has ended.
        this.#building = null;
        return ask();
      });
      return JSON.parse(utf8.decode(found.hits)) as SearchHit<Source>[];
    } catch (error) {
      throw toCallerError(error);
    }
  }

  /** Built at the first question; a build that failed is tried again by the next one. */
  #built(): Promise<void> {
    this.#building ??= this.#build().catch((error: unknown) => {
      this.#building = null;
      throw error;
    });
    return this.#building;
  }

  async #build(): Promise<void> {
    const { id, host, embedder, asked, read } = this.#parts;
    const requester = { ...asked, caller: '' };
    const documents = await read();
    const texts = documents.map(({ embedded }) => embedded);
    const vectors = await embedder.embedDocuments({ texts, dimension: builtInDimension, for: requester });
    const puts = documents.map(
      (document, row): IndexedDocument => ({
        id: document.id,
        source: JSON.stringify(document.source),
        vectors: vectors.slice(row * builtInDimension, (row + 1) * builtInDimension),
        spans: new Int32Array([-1, 0, 0]),
      }),
    );
    const index = { id, for: requester };
    const settings = { dimension: builtInDimension, metric: 'cosine' as const, fields: [] };
    await host.call(index, { call: 'open', settings, snapshot: null });
    await host.call(index, { call: 'apply', batch: packBatch({ version: 1, puts, deletes: [] }) });
  }
}

type Asked = Pick<
  SearchQuery,
  'text' | 'fields' | 'limit' | 'k' | 'alpha' | 'highlightFields' | 'ranking'
> & {
  mode?: SearchQuery['mode'];
  /** Of the words; all zero where the model knows none of them. */
  vector: Float32Array;
};

/** A search by words and meaning whose scores are explained, with everything else as it is when nobody asks for it. */
export function builtInQuery({ vector, ...asked }: Asked): SearchQuery {
  return {
    mode: 'hybrid',
    vectorTrust: null,
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
    prefix: true,
    typosMax: 2,
    wordBreaks: 'fallback',
    dropTokensThreshold: 1,
    match: 'auto',
    stopWords: null,
    synonyms: [],
    isExact: false,
    metric: null,
    distanceThreshold: null,
    fusion: 'weighted',
    excludeIds: [],
    pins: [],
    isExplained: true,
    ...asked,
  };
}
