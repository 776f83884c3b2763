import { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import { resolveBySystem } from '#server/outbound/find-addresses.ts';
import { modelPrefixes } from '#shared/embedding.ts';
import { BatchedDocuments } from '../batched-documents.ts';
import { cutWords, wordsOf } from '../embedded-words.ts';
import type { EmbeddingTask } from '../embedder.ts';
import type { EmbeddingService, ServiceStates, ServiceUse } from '../embedding-service.ts';
import { OwnersAtOnce } from '../owners-at-once.ts';
import { type OwnedQuery, RememberedQueries } from '../remembered-queries.ts';
import { DoubtedDimensions } from './doubted-dimensions.ts';
import { OpenAiClient, type OpenAiOptions } from './openai-client.ts';
import { ProviderError } from './provider-error.ts';
import { SimplestText } from './simplest-text.ts';
import { SteadyClient } from './steady-client.ts';

interface OpenAiServiceOptions extends Omit<OpenAiOptions, 'resolve'> {
  log: Log;
  resolve?: OpenAiOptions['resolve'];
  now?: () => number;
  random?: () => number;
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

const requestsMax = 4;
const documentTriesMax = 4;
/** For all tries of a request, in timeouts of one. */
const documentTimes = 3;
/** Somebody waits for it. */
const queryTriesMax = 2;
const queryMsMax = 3_000;
const queriesAtOnceMax = 128;
const retrySecondsMin = 5;

/**
 * Vectors by an endpoint that speaks OpenAI's embeddings. Documents go in batches, of which four are under way at once, and tenants take turns;
 * queries wait for none of them, and those of late are remembered.
 */
export class OpenAiService implements EmbeddingService {
  readonly id: string;
  readonly #options: OpenAiServiceOptions;
  readonly #client: OpenAiClient;
  /** Each has a breaker of its own: a service may be too slow for who waits for a query and fast enough for documents. */
  readonly #steady: Record<ServiceUse, SteadyClient>;
  readonly #documents: BatchedDocuments;
  readonly #queries = new RememberedQueries((query) => this.#askFor(query));
  readonly #queriesAtOnce = new OwnersAtOnce(queriesAtOnceMax);
  readonly #stopping = new AbortController();
  readonly #doubts: DoubtedDimensions;
  readonly #simplest: SimplestText;

  constructor(options: OpenAiServiceOptions) {
    this.id = `${modelPrefixes.openai}${options.model}`;
    this.#options = options;
    this.#doubts = new DoubtedDimensions(options.log);
    this.#client = new OpenAiClient({ ...options, resolve: options.resolve ?? resolveBySystem });
    this.#simplest = new SimplestText({ client: this.#client, stopping: this.#stopping.signal });
    this.#steady = { queries: this.#steadyFor('queries'), documents: this.#steadyFor('documents') };
    this.#documents = new BatchedDocuments({
      batchesMax: requestsMax,
      unavailable: (cause) => this.#unavailable('documents', cause),
      embed: ({ texts, dimension, owner, signal }) => {
        const totalMs = documentTimes * options.timeoutMs;
        const patience = { triesMax: documentTriesMax, totalMs, signal, owner, mayPart: true };
        return this.#steady.documents.embed(texts.map(wordsOf), dimension, patience);
      },
    });
  }

  fits(dimension: number): boolean {
    const { dimensions } = this.#options;
    return dimensions === null || dimension === dimensions;
  }

  async embedDocuments(task: EmbeddingTask, signal?: AbortSignal): Promise<Float32Array> {
    signal?.throwIfAborted();
    this.#assertFits(task.dimension);
    return await this.#documents.embed(task, signal);
  }

  async embedQuery(text: string, dimension: number, owner = ''): Promise<Float32Array> {
    this.#assertFits(dimension);
    try {
      return await this.#queries.embed({ text, dimension, owner });
    } catch (error) {
      throw this.#unavailable('queries', error);
    }
  }

  state(): ServiceStates {
    const { queries, documents } = this.#steady;
    return { queries: queries.state, documents: documents.state, dimensions: this.#doubts.reasons };
  }

  waiting(): number {
    return this.#documents.waiting;
  }

  async stop(): Promise<void> {
    this.#stopping.abort(this.#unavailable('queries', null));
    this.#documents.stop();
    this.#client.close();
  }

  #steadyFor(use: ServiceUse): SteadyClient {
    const { log, now, random, wait } = this.#options;
    return new SteadyClient({
      client: this.#client,
      doubts: this.#doubts,
      simplest: this.#simplest,
      stopping: this.#stopping.signal,
      now: now ?? (() => performance.now()),
      random: random ?? Math.random,
      onTurn(failure) {
        if (failure === null) log.info('the embedding service answers again', { for: use });
        else {
          const { told: reason, advice } = failure;
          log.warn('the embedding service fails', { for: use, reason, ...(advice && { advice }) });
        }
      },
      onOwnRest(owner, { told: reason }) {
        log.warn('the embedding service fails at what an account asks for', { for: use, owner, reason });
      },
      ...(wait && { wait }),
    });
  }

  async #askFor(query: OwnedQuery): Promise<Float32Array> {
    const { owner } = query;
    if (!this.#queriesAtOnce.begin(owner)) throw new ProviderError('busy', 'it has too much to do');
    try {
      return await this.#vectorFor(query);
    } finally {
      this.#queriesAtOnce.end(owner);
    }
  }

  async #vectorFor({ text, dimension, owner }: OwnedQuery): Promise<Float32Array> {
    const totalMs = Math.min(queryMsMax, this.#options.timeoutMs);
    const patience = { triesMax: queryTriesMax, totalMs, signal: this.#stopping.signal, owner };
    const [row] = await this.#steady.queries.embed([cutWords(text)], dimension, patience);
    if (row instanceof Float32Array) return row;
    // Its own words are for the log alone.
    this.#options.log.warn('the embedding service gives a query no vector', { reason: row });
    throw new ProviderError('text', 'it gives the query no vector');
  }

  #assertFits(dimension: number): void {
    if (this.fits(dimension)) return;
    const { model, dimensions } = this.#options;
    throw new AppError(
      'UNPROCESSABLE',
      `The model "${model}" gives ${dimensions} dimensions, and this collection has ${dimension}`,
    );
  }

  #unavailable(use: ServiceUse, cause: unknown): AppError {
    if (cause instanceof AppError) return cause;
    const isKnown = cause instanceof ProviderError;
    const { restMs } = this.#steady[use];
    const seconds = Math.ceil(Math.max(restMs, (isKnown && cause.retryAfterMs) || 0) / 1_000);
    return new AppError(
      'UNAVAILABLE',
      `The embedding service is not available${isKnown ? `: ${cause.message}` : ''}`,
      { cause, retryAfterSeconds: Math.max(retrySecondsMin, seconds) },
    );
  }
}
