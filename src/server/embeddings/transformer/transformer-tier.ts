import { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import { SharedMap } from '#server/memory/shared-map.ts';
import { within } from '#server/within.ts';
import type { TransformerState } from '#shared/embedding.ts';
import type { EmbeddingText } from '../embedder.ts';
import { LateError } from '../late-error.ts';
import type { StaticTable } from '../static-table.ts';
import { loadTransformerModel, type TransformerModel } from './transformer-model.ts';
import { TransformerThread } from './transformer-thread.ts';
import type { TransformerTask } from './transformer-worker.ts';

interface TierOptions {
  directory: string;
  table: StaticTable;
  log: Log;
  isOff: boolean;
  /** How long a query waits for its vector; absent: a second. */
  queryWaitMs?: number | undefined;
  /** How long a query may take that its thread was given; absent: two seconds, or as long as queries wait. */
  queryMsMax?: number | undefined;
  /** How long one passage of a document may take, the start of its thread with it; absent: two minutes. */
  documentMsMax?: number | undefined;
  /** How long it stays in memory after its last use; absent: ten minutes. */
  keepMs?: number | undefined;
  /** Milliseconds that only grow. */
  now?: (() => number) | undefined;
}

interface AskedQuery {
  text: string;
  dimension: number;
  isRotated?: boolean;
  /** The account that searches: it remembers its queries alone. */
  owner?: string;
}

/** Of queries, each some five milliseconds of a thread: beyond them the table answers. */
const queriesWaitingMax = 64;
/** Of all that wait: a quarter of a second of the thread, so that nobody waits long behind whoever asks much. */
const queryCharactersWaitingMax = 2_048;
/** The transformer reads no more of one, about. */
const queryCharactersRead = 1_024;
const queryWaitMsDefault = 1_000;
/** Some hundred times what all take that may wait before it: its thread hangs. */
const queryMsMaxDefault = 2_000;
/** It is waited for in so many waits, so that a pause of the whole process is one of them at most. */
const queryWaits = 4;
const keepMsDefault = 600_000;
const rememberedBytesMax = 4 * 1024 * 1024;
const vectorBytes = 200;
/** Some thousand times what a text takes that is as long as the transformer reads: its thread has no processor, or hangs. */
const documentMsMaxDefault = 120_000;
/** A thread that ends again and again is not started for ever; an hour later it is tried again. */
const failuresMax = 3;
const failureMs = 3_600_000;

/**
 * The transformer in threads of its own over one copy of its numbers: one for queries, and one for documents, which makes way for all others.
 * Nothing is read or started before it is needed. While it is not there, queries are null: whoever asks makes them by the table.
 */
export class TransformerTier {
  readonly #options: TierOptions;
  readonly #queryWaitMs: number;
  readonly #remembered = new SharedMap<Float32Array>({
    entriesMax: Number.POSITIVE_INFINITY,
    sizeMax: rememberedBytesMax,
  });
  #model: TransformerModel | null = null;
  #loading: Promise<TransformerModel> | null = null;
  #queries: TransformerThread | null = null;
  #documents: TransformerThread | null = null;
  /** Of queries that their thread has not answered, be they waited for or not. */
  #queryCharacters = 0;
  /** When it failed of late. */
  #failures: number[] = [];
  #isStopped = false;
  #unused: NodeJS.Timeout | undefined;

  constructor(options: TierOptions) {
    this.#options = options;
    this.#queryWaitMs = options.queryWaitMs ?? queryWaitMsDefault;
  }

  get state(): TransformerState {
    if (this.#options.isOff) return 'off';
    if (this.#recentFailures().length >= failuresMax) return 'failed';
    if (this.#model) return 'ready';
    return this.#loading ? 'loading' : 'resting';
  }

  /** Null: by the table. The first queries begin what has to be loaded and started, and do not wait for it. */
  async embedQuery({
    text,
    dimension,
    isRotated = false,
    owner = '',
  }: AskedQuery): Promise<Float32Array | null> {
    if (!this.#isUsable) return null;
    this.#keep();
    const key = `${owner} ${dimension} ${isRotated} ${text}`;
    const known = this.#remembered.get(key);
    if (known) return known;
    const thread = this.#queryThread();
    if (!thread?.isReady || thread.waiting >= queriesWaitingMax) return null;
    const characters = Math.min(text.length, queryCharactersRead);
    if (this.#queryCharacters > 0 && this.#queryCharacters + characters > queryCharactersWaitingMax)
      return null;
    try {
      const late = () => new Error('The transformer is late');
      const vector = await within(
        this.#counted(characters, this.#queryInTime(thread, { text, dimension, isRotated })),
        this.#queryWaitMs,
        late,
      );
      const size = vectorBytes + vector.byteLength + 2 * key.length;
      this.#remembered.set(key, vector, { owner, size });
      return vector;
    } catch (error) {
      this.#options.log.warn('a query was embedded by the table', { error });
      return null;
    }
  }

  async #counted(characters: number, vector: Promise<Float32Array>): Promise<Float32Array> {
    this.#queryCharacters += characters;
    try {
      return await vector;
    } finally {
      this.#queryCharacters -= characters;
    }
  }

  /** A thread that takes too long for a query is replaced, also where its caller waits no more; what else waits for it is made by the table. */
  async #queryInTime(thread: TransformerThread, query: Omit<TransformerTask, 'id'>): Promise<Float32Array> {
    const ms = this.#options.queryMsMax ?? Math.max(queryMsMaxDefault, this.#queryWaitMs);
    const error = new LateError(`The transformer took more than ${ms / 1_000} s for a query`);
    const vector = thread.embed(query);
    for (let waits = 1; waits < queryWaits; waits += 1)
      if (await isSettledWithin(vector, ms / queryWaits)) return await vector;
    try {
      return await within(vector, ms / queryWaits, () => error);
    } catch (thrown) {
      if (thrown === error && this.#queries === thread) {
        this.#queries = null;
        this.#failed(error);
        await thread.stop();
      }
      throw thrown;
    }
  }

  /** @throws AppError UNAVAILABLE (it is off, or has failed), LateError */
  async embedDocument(text: EmbeddingText, dimension: number, isRotated = false): Promise<Float32Array> {
    if (!this.#isUsable) throw unavailable();
    this.#keep();
    try {
      this.#documents = this.#alive(this.#documents, await this.#load(), 1);
      if (this.#documents) return await this.#inTime(this.#documents, { text, dimension, isRotated });
    } catch (error) {
      throw error instanceof LateError ? error : unavailable(error);
    }
    throw unavailable();
  }

  /** A thread that takes too long for a passage ends, whatever it does. */
  async #inTime(thread: TransformerThread, passage: Omit<TransformerTask, 'id'>): Promise<Float32Array> {
    const ms = this.#options.documentMsMax ?? documentMsMaxDefault;
    const late = () => new LateError(`The transformer took more than ${ms / 1_000} s for a passage`);
    try {
      return await within(thread.embed(passage), ms, late);
    } catch (error) {
      if (error instanceof LateError) {
        if (this.#documents === thread) this.#documents = null;
        this.#failed(error);
        await thread.stop();
      }
      throw error;
    }
  }

  /** Ends the thread of documents until there are some again, unless somebody else has it at work. */
  async rest(): Promise<void> {
    const thread = this.#documents;
    if (thread && thread.waiting > 0) return;
    this.#documents = null;
    await thread?.stop();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#unused);
    await Promise.all([this.#queries?.stop(), this.#documents?.stop()]);
  }

  #keep(): void {
    clearTimeout(this.#unused);
    const keepMs = this.#options.keepMs ?? keepMsDefault;
    this.#unused = setTimeout(() => this.#forget(), keepMs).unref();
  }

  /** Gives its memory back, unless a thread is at work. */
  #forget(): void {
    const threads = [this.#queries, this.#documents].filter((thread) => thread !== null);
    if (threads.some((thread) => thread.waiting > 0) || (this.#loading && !this.#model)) {
      this.#keep();
      return;
    }
    this.#model = this.#loading = this.#queries = this.#documents = null;
    for (const thread of threads) {
      thread.stop().catch((error: unknown) => this.#options.log.warn('a thread did not end', { error }));
    }
  }

  get #isUsable(): boolean {
    return !this.#isStopped && this.state !== 'off' && this.state !== 'failed';
  }

  #now(): number {
    return (this.#options.now ?? (() => performance.now()))();
  }

  #recentFailures(): number[] {
    const since = this.#now() - failureMs;
    return this.#failures.filter((at) => at > since);
  }

  #load(): Promise<TransformerModel> {
    this.#loading ??= loadTransformerModel(this.#options.directory, 2).then(
      (model) => {
        this.#model = model;
        return model;
      },
      (error: unknown) => {
        this.#loading = null;
        this.#failed(error);
        throw error;
      },
    );
    return this.#loading;
  }

  /** Null: there is none yet, or none any more. */
  #queryThread(): TransformerThread | null {
    // A failure is logged where it happens.
    if (this.#model) this.#queries = this.#alive(this.#queries, this.#model, 0);
    else
      this.#load().then(
        () => this.#queryThread(),
        () => undefined,
      );
    return this.#queries;
  }

  /** Null: those before it have ended too often. */
  #alive(thread: TransformerThread | null, model: TransformerModel, place: 0 | 1): TransformerThread | null {
    if (thread && !thread.failure) return thread;
    if (thread) this.#failed(thread.failure);
    const scratch = model.scratches[place];
    if (!this.#isUsable || !scratch) return null;
    return new TransformerThread({ table: this.#options.table, model, scratch, isNice: place === 1 });
  }

  #failed(error: unknown): void {
    if (this.#isStopped) return;
    const failures = [...this.#recentFailures(), this.#now()];
    this.#failures = failures;
    const isLast = failures.length >= failuresMax;
    this.#options.log.error(
      isLast
        ? 'the transformer is given up for an hour; all is embedded by the table'
        : 'the transformer failed',
      { error },
    );
  }
}

async function isSettledWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const over = new Error('not yet');
  try {
    await within(promise, ms, () => over);
    return true;
  } catch (error) {
    return error !== over;
  }
}

function unavailable(cause?: unknown): AppError {
  return new AppError('UNAVAILABLE', 'The transformer is not available', { cause });
}
