import { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import { within } from '#server/within.ts';
import { modelPrefixes } from '#shared/embedding.ts';
import { limits } from '#shared/limits.ts';
import { BatchedDocuments } from '../batched-documents.ts';
import { cutWords, wordsOf } from '../embedded-words.ts';
import type { EmbeddingTask } from '../embedder.ts';
import type { EmbeddedRow, EmbeddingService, ServiceStates, ServiceUse } from '../embedding-service.ts';
import { RememberedQueries } from '../remembered-queries.ts';
import { digestOf } from './model-digest.ts';
import { ModelError } from './model-error.ts';
import { modelFault } from './model-json.ts';
import type { OnnxTimes } from './onnx-thread.ts';
import type { ModelDirectory } from './read-model-directory.ts';
import { SteadyThread } from './steady-thread.ts';

interface OnnxServiceOptions {
  model: ModelDirectory;
  packagesDir: string;
  log: Log;
  /** How long a query waits for its vector; absent: three seconds. */
  queryWaitMs?: number;
  times?: OnnxTimes;
  /** How long the thread of documents is kept that has nothing to do; absent: a minute. */
  keepMs?: number;
  now?: () => number;
}

interface Known {
  digest: string;
  dimension: number;
}

/** The longest text takes a large model half a minute where its thread has a core; it may have a tenth of one. */
const timesDefault: OnnxTimes = { startMsMax: 300_000, stepMsMax: 300_000 };
const queryWaitMsDefault = 3_000;
const keepMsDefault = 60_000;
const queriesWaitingMax = 64;
/** A query whose thread ended is asked for once more. */
const queryTriesMax = 2;
const retrySecondsMin = 5;
/** No model has a reason to fail at this for what it is. */
const simplest = 'a';

/**
 * Vectors by a sentence-transformer in a directory, in two threads with a copy of it each: one for queries, and one for documents, which makes way for
 * all others and is there only while there are some. A text at which its thread ends twice has no vector; the others go on.
 */
export class OnnxService implements EmbeddingService {
  readonly id: string;
  readonly #options: OnnxServiceOptions;
  readonly #dimension: number;
  readonly #threads: Record<ServiceUse, SteadyThread>;
  readonly #documents: BatchedDocuments;
  readonly #queries = new RememberedQueries(({ text }) => this.#askFor(text));

  private constructor(
    options: OnnxServiceOptions,
    threads: Record<ServiceUse, SteadyThread>,
    { digest, dimension }: Known,
  ) {
    this.id = `${modelPrefixes.onnx}${tidy(options.model.name)}@${digest}`;
    this.#options = options;
    this.#dimension = dimension;
    this.#threads = threads;
    this.#documents = new BatchedDocuments({
      batchesMax: 1,
      unavailable: (cause) => this.#unavailable('documents', cause),
      embed: ({ texts, signal }) => {
        const { document } = options.model.prompts;
        return this.#rowsOf(
          texts.map((text) => document + wordsOf(text)),
          signal,
        );
      },
    });
  }

  /** Starts the thread of queries. @throws SettingsError in a sentence why the model cannot be run, or gives other vectors than its directory says */
  static async open(options: OnnxServiceOptions): Promise<OnnxService> {
    const { model, packagesDir, log } = options;
    const { files, name: _, prompts: __, dimension: said, ...source } = model;
    const data = { ...source, packagesDir, modelFile: files.model };
    const parts = {
      log,
      times: options.times ?? timesDefault,
      now: options.now ?? (() => performance.now()),
    };
    const threads: Record<ServiceUse, SteadyThread> = {
      queries: new SteadyThread({ ...parts, use: 'queries', keepMs: null, data: { ...data, isNice: false } }),
      documents: new SteadyThread({
        ...parts,
        use: 'documents',
        keepMs: options.keepMs ?? keepMsDefault,
        data: { ...data, isNice: true },
      }),
    };
    try {
      const digest = await digestOf(model);
      const dimension = await threads.queries.start().catch((error: Error) => {
        throw modelFault(files.model, `cannot be run: ${error.message}`);
      });
      if (said !== null && said !== dimension)
        throw modelFault(files.model, `gives ${dimension} components, and its directory says ${said}`);
      if (dimension > limits.dimensionMax)
        throw modelFault(
          files.model,
          `gives ${dimension} components, and collections have ${limits.dimensionMax} at most`,
        );
      return new OnnxService(options, threads, { digest, dimension });
    } catch (error) {
      await threads.queries.stop();
      throw error;
    }
  }

  /** Components of its vectors. */
  get dimension(): number {
    return this.#dimension;
  }

  fits(dimension: number): boolean {
    return dimension === this.#dimension;
  }

  async embedDocuments(task: EmbeddingTask, signal?: AbortSignal): Promise<Float32Array> {
    signal?.throwIfAborted();
    this.#assertFits(task.dimension);
    return await this.#documents.embed(task, signal);
  }

  async embedQuery(text: string, dimension: number, owner = ''): Promise<Float32Array> {
    this.#assertFits(dimension);
    const late = () => new ModelError('it does not answer in time');
    try {
      const waitMs = this.#options.queryWaitMs ?? queryWaitMsDefault;
      return await within(this.#queries.embed({ text, dimension, owner }), waitMs, late);
    } catch (error) {
      throw this.#unavailable('queries', error);
    }
  }

  state(): ServiceStates {
    const { queries, documents } = this.#threads;
    return { queries: queries.state, documents: documents.state, dimensions: new Map() };
  }

  waiting(): number {
    return this.#documents.waiting;
  }

  async stop(): Promise<void> {
    this.#documents.stop();
    await Promise.all([this.#threads.queries.stop(), this.#threads.documents.stop()]);
  }

  async #askFor(text: string): Promise<Float32Array> {
    const { queries } = this.#threads;
    if (queries.waiting >= queriesWaitingMax) throw new ModelError('too many queries wait for it');
    const words = this.#options.model.prompts.query + cutWords(text);
    for (let tries = 1; ; tries += 1) {
      try {
        const [row] = (await queries.embed([words])).map((vector) => this.#rowOf(vector));
        if (row instanceof Float32Array) return row;
        throw new ModelError('it gives the query no vector', { cause: row });
      } catch (error) {
        const isToTry = error instanceof ModelError && error.isOfTexts && tries < queryTriesMax;
        if (!isToTry) throw error;
      }
    }
  }

  /** Texts at which a thread ended are embedded one by one. @throws ModelError it is not the texts' fault; the signal's reason */
  async #rowsOf(texts: string[], signal: AbortSignal): Promise<EmbeddedRow[]> {
    const { documents } = this.#threads;
    try {
      return (await documents.embed(texts)).map((vector) => this.#rowOf(vector));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelError) || !error.isOfTexts) throw error;
    }
    const rows: EmbeddedRow[] = [];
    for (const text of texts) {
      rows.push(await this.#rowAlone(text));
      signal.throwIfAborted();
    }
    return rows;
  }

  async #rowAlone(text: string): Promise<EmbeddedRow> {
    const { documents } = this.#threads;
    try {
      const [vector] = await documents.embed([text]);
      return this.#rowOf(vector);
    } catch (error) {
      if (!(error instanceof ModelError) || !error.isOfTexts) throw error;
      // Where this has no vector either, it is not the text's fault.
      await documents.embed([simplest]);
      return error.message;
    }
  }

  #rowOf(vector: Float32Array | undefined): EmbeddedRow {
    if (vector === undefined || vector.length === 0) return new Float32Array(this.#dimension);
    if (vector.length !== this.#dimension)
      return `its vector has ${vector.length} components in place of ${this.#dimension}`;
    return vector.every(Number.isFinite) ? vector : 'a component of its vector is not a finite number';
  }

  #assertFits(dimension: number): void {
    if (this.fits(dimension)) return;
    throw new AppError(
      'UNPROCESSABLE',
      `The model "${this.#options.model.name}" gives ${this.#dimension} dimensions, and this collection has ${dimension}`,
    );
  }

  #unavailable(use: ServiceUse, cause: unknown): AppError {
    if (cause instanceof AppError) return cause;
    const isKnown = cause instanceof ModelError;
    const seconds = Math.ceil((isKnown ? cause.restMs : 0) / 1_000);
    return new AppError(
      'UNAVAILABLE',
      `The embedding model is not available for ${use}${isKnown ? `: ${cause.message}` : ''}`,
      { cause, retryAfterSeconds: Math.max(retrySecondsMin, seconds) },
    );
  }
}

/** Part of an id that people read. */
const tidy = (name: string): string => name.replaceAll(/[^\p{L}\p{N}.+-]/gu, '_').slice(0, 100);
