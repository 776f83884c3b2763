import { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import { RecentMap } from '#server/memory/recent-map.ts';
import { resolveBySystem } from '#server/outbound/find-addresses.ts';
import type { EmbeddingTask, EmbeddingText } from '../embedder.ts';
import { EmbeddingQueue, type JobSlice } from '../embedding-queue.ts';
import {
  type EmbeddingService,
  type ServiceStates,
  type ServiceUse,
  servicePrefix,
} from '../embedding-service.ts';
import { TextsRefusedError } from '../texts-refused-error.ts';
import { DoubtedDimensions } from './doubted-dimensions.ts';
import { OpenAiClient, type OpenAiOptions } from './openai-client.ts';
import { ProviderError } from './provider-error.ts';
import { SteadyClient } from './steady-client.ts';

interface OpenAiServiceOptions extends Omit<OpenAiOptions, 'resolve'> {
  log: Log;
  resolve?: OpenAiOptions['resolve'];
  now?: () => number;
  random?: () => number;
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

interface Job {
  task: EmbeddingTask;
  vectors: Float32Array;
  faults: Map<number, string>;
  next: number;
  rowsDone: number;
  isOver: boolean;
  signal: AbortSignal;
  resolve: (vectors: Float32Array) => void;
  reject: (reason: unknown) => void;
}

const requestsMax = 4;
const documentTriesMax = 4;
/** For all tries of a request, in timeouts of one. */
const documentTimes = 3;
/** Somebody waits for it. */
const queryTriesMax = 2;
const queryMsMax = 3_000;
/** Services read some 8,000 tokens of a text. */
const charactersMax = 24_000;
const rememberedBytesMax = 16 * 1024 * 1024;
const entryBytes = 200;
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
  readonly #queue = new EmbeddingQueue<Job>();
  readonly #remembered = new RecentMap<Float32Array>({
    entriesMax: Number.POSITIVE_INFINITY,
    sizeMax: rememberedBytesMax,
  });
  /** Queries under way: who asks the same waits for the same answer. */
  readonly #asked = new Map<string, Promise<Float32Array>>();
  readonly #stopping = new AbortController();
  readonly #doubts: DoubtedDimensions;
  #running = 0;

  constructor(options: OpenAiServiceOptions) {
    this.id = `${servicePrefix}${options.model}`;
    this.#options = options;
    this.#doubts = new DoubtedDimensions(options.log);
    this.#client = new OpenAiClient({ ...options, resolve: options.resolve ?? resolveBySystem });
    this.#steady = { queries: this.#steadyFor('queries'), documents: this.#steadyFor('documents') };
  }

  fits(dimension: number): boolean {
    const { dimensions } = this.#options;
    return dimensions === null || dimension === dimensions;
  }

  async embedDocuments(task: EmbeddingTask, signal?: AbortSignal): Promise<Float32Array> {
    signal?.throwIfAborted();
    this.#assertFits(task.dimension);
    if (task.texts.length === 0) return new Float32Array(0);
    return await new Promise((resolve, reject) => {
      const abort = () => this.#fail(job, signal?.reason);
      const settled = () => {
        job.isOver = true;
        signal?.removeEventListener('abort', abort);
      };
      const stopping = this.#stopping.signal;
      const job: Job = {
        task,
        vectors: new Float32Array(task.texts.length * task.dimension),
        faults: new Map(),
        next: 0,
        rowsDone: 0,
        isOver: false,
        signal: signal ? AbortSignal.any([signal, stopping]) : stopping,
        resolve: (vectors) => {
          settled();
          resolve(vectors);
        },
        reject: (reason) => {
          settled();
          reject(reason);
        },
      };
      if (stopping.aborted || !this.#queue.add(job)) {
        reject(this.#unavailable('documents', null));
        return;
      }
      signal?.addEventListener('abort', abort, { once: true });
      this.#fill();
    });
  }

  async embedQuery(text: string, dimension: number): Promise<Float32Array> {
    this.#assertFits(dimension);
    const key = `${dimension} ${text}`;
    const known = this.#remembered.get(key);
    if (known) return known;
    let asking = this.#asked.get(key);
    if (!asking) {
      asking = this.#askFor(text, dimension).finally(() => this.#asked.delete(key));
      this.#asked.set(key, asking);
    }
    try {
      const vector = await asking;
      this.#remembered.set(key, vector, entryBytes + vector.byteLength + 2 * text.length);
      return vector;
    } catch (error) {
      throw this.#unavailable('queries', error);
    }
  }

  state(): ServiceStates {
    const { queries, documents } = this.#steady;
    return { queries: queries.state, documents: documents.state, dimensions: this.#doubts.reasons };
  }

  waiting(): number {
    return this.#queue.size;
  }

  async stop(): Promise<void> {
    const stopped = this.#unavailable('documents', null);
    this.#stopping.abort(stopped);
    for (const job of this.#queue.takeAll()) job.reject(stopped);
    this.#client.close();
  }

  #steadyFor(use: ServiceUse): SteadyClient {
    const { log, now, random, wait } = this.#options;
    return new SteadyClient({
      client: this.#client,
      doubts: this.#doubts,
      now: now ?? (() => performance.now()),
      random: random ?? Math.random,
      onTurn(failure) {
        if (failure === null) log.info('the embedding service answers again', { for: use });
        else {
          const { told: reason, advice } = failure;
          log.warn('the embedding service fails', { for: use, reason, ...(advice && { advice }) });
        }
      },
      ...(wait && { wait }),
    });
  }

  async #askFor(text: string, dimension: number): Promise<Float32Array> {
    const totalMs = Math.min(queryMsMax, this.#options.timeoutMs);
    const patience = { triesMax: queryTriesMax, totalMs, signal: this.#stopping.signal };
    const [row] = await this.#steady.queries.embed([cut(text)], dimension, patience);
    if (row instanceof Float32Array) return row;
    // Its own words are for the log alone.
    this.#options.log.warn('the embedding service gives a query no vector', { reason: row });
    throw new ProviderError('text', 'it gives the query no vector');
  }

  #fill(): void {
    while (this.#running < requestsMax) {
      const slice = this.#queue.takeSlice();
      if (!slice) return;
      this.#running += 1;
      this.#embedSlice(slice)
        .catch((error: unknown) => {
          this.#fail(slice.job, this.#unavailable('documents', error));
        })
        .finally(() => {
          this.#running -= 1;
          this.#fill();
        });
    }
  }

  async #embedSlice({ job, start, texts }: JobSlice<Job>): Promise<void> {
    if (job.isOver) return;
    const { dimension } = job.task;
    const totalMs = documentTimes * this.#options.timeoutMs;
    const patience = { triesMax: documentTriesMax, totalMs, signal: job.signal };
    const rows = await this.#steady.documents.embed(texts.map(wordsOf), dimension, patience);
    for (const [i, row] of rows.entries()) {
      if (typeof row === 'string') job.faults.set(start + i, row);
      else job.vectors.set(row, (start + i) * dimension);
    }
    job.rowsDone += texts.length;
    if (job.rowsDone < job.task.texts.length) return;
    if (job.faults.size === 0) job.resolve(job.vectors);
    else job.reject(new TextsRefusedError(job.vectors, job.faults));
  }

  #fail(job: Job, reason: unknown): void {
    this.#queue.remove(job);
    job.reject(reason);
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

function wordsOf({ title, text }: EmbeddingText): string {
  return cut([title, text].filter((part) => part.trim() !== '').join('\n\n'));
}

/** Half of a character at its end would be refused. */
const cut = (text: string): string => text.slice(0, charactersMax).toWellFormed();
