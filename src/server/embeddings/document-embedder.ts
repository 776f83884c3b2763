import { Worker } from 'node:worker_threads';
import { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import type { EmbeddingTask } from './embedder.ts';
import { EmbeddingQueue, isBulk, type JobSlice } from './embedding-queue.ts';
import type { EmbeddedSlice, EmbeddingSlice } from './embedding-worker.ts';
import type { StaticTable } from './static-table.ts';

/** Slices the thread has at hand: one in work, one waiting, so that it never idles while this thread is busy. */
const slicesInFlightMax = 2;
const triesMax = 2;
/** A write's caller waits for it; an import goes on for hours. */
const waitMsMax = 5_000;
const bulkTimes = 12;

interface Job {
  task: EmbeddingTask;
  vectors: Float32Array;
  next: number;
  rowsDone: number;
  /** Answered, or given up: what is still in work for it is dropped. */
  isOver: boolean;
  timer: NodeJS.Timeout | undefined;
  resolve: (vectors: Float32Array) => void;
  reject: (reason: unknown) => void;
}

interface Slice extends JobSlice<Job> {
  id: number;
  tries: number;
}

/**
 * Embeds documents in a thread of its own. A thread that dies is started again and its slices are tried once more, then their jobs fail as
 * UNAVAILABLE. So does a job when too many wait, and one that had no turn for as long as it may wait.
 */
export class DocumentEmbedder {
  readonly #table: StaticTable;
  readonly #log: Log;
  readonly #waitMsMax: number;
  readonly #queue = new EmbeddingQueue<Job>();
  readonly #inFlight = new Map<number, Slice>();
  #worker: Worker | null = null;
  #lastId = 0;
  #isStopped = false;

  constructor(table: StaticTable, log: Log, limits: { waitMsMax?: number } = {}) {
    this.#table = table;
    this.#log = log;
    this.#waitMsMax = limits.waitMsMax ?? waitMsMax;
  }

  /** Tasks that are not in work, or not all of them. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** @returns texts × dimension, row-major. @throws AppError UNAVAILABLE, the signal's reason */
  embed(task: EmbeddingTask, signal?: AbortSignal): Promise<Float32Array> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (task.texts.length === 0) return Promise.resolve(new Float32Array(0));
    if (this.#isStopped) return Promise.reject(unavailable());
    return new Promise((resolve, reject) => {
      const abort = () => this.#fail(job, signal?.reason);
      const settled = () => {
        job.isOver = true;
        clearTimeout(job.timer);
        signal?.removeEventListener('abort', abort);
      };
      const job: Job = {
        task,
        vectors: new Float32Array(task.texts.length * task.dimension),
        next: 0,
        rowsDone: 0,
        isOver: false,
        timer: undefined,
        resolve: (vectors) => {
          settled();
          resolve(vectors);
        },
        reject: (reason) => {
          settled();
          reject(reason);
        },
      };
      if (!this.#queue.add(job)) {
        reject(unavailable());
        return;
      }
      signal?.addEventListener('abort', abort, { once: true });
      this.#awaitTurn(job);
      this.#fill();
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const inFlight = [...this.#inFlight.values()].map((slice) => slice.job);
    for (const job of new Set([...this.#queue.takeAll(), ...inFlight])) job.reject(unavailable());
    await this.#worker?.terminate();
  }

  #awaitTurn(job: Job): void {
    clearTimeout(job.timer);
    const waitMs = this.#waitMsMax * (isBulk(job.task) ? bulkTimes : 1);
    job.timer = setTimeout(() => this.#fail(job, unavailable()), waitMs).unref();
  }

  #fill(): void {
    while (this.#inFlight.size < slicesInFlightMax) {
      const slice = this.#queue.takeSlice();
      if (!slice) return;
      const { job } = slice;
      if (job.next < job.task.texts.length) this.#awaitTurn(job);
      else clearTimeout(job.timer);
      this.#send({ ...slice, id: ++this.#lastId, tries: 1 });
    }
  }

  #send(slice: Slice): void {
    const { id, texts, job } = slice;
    this.#inFlight.set(id, slice);
    this.#worker ??= this.#start();
    const { dimension, isRotated = false } = job.task;
    this.#worker.postMessage({ id, texts, dimension, isRotated } satisfies EmbeddingSlice);
  }

  #start(): Worker {
    // Node cannot start a .ts worker: run from source, the built one is used.
    const file = import.meta.url.endsWith('.ts')
      ? '../../../dist/server/embedding-worker.js'
      : './embedding-worker.js';
    const worker = new Worker(new URL(file, import.meta.url), { workerData: this.#table });
    worker.on('message', (answer: EmbeddedSlice) => this.#receive(answer));
    worker.on('error', (error) => this.#log.error('embedding thread failed', { error }));
    worker.on('exit', (code) => this.#restart(worker, code));
    worker.unref();
    return worker;
  }

  #receive(answer: EmbeddedSlice): void {
    const slice = this.#inFlight.get(answer.id);
    this.#inFlight.delete(answer.id);
    if (slice && !slice.job.isOver) {
      if ('error' in answer) {
        this.#log.error('embedding failed', { error: answer.error });
        this.#fail(slice.job, unavailable());
      } else complete(slice, answer.vectors);
    }
    this.#fill();
  }

  #restart(worker: Worker, code: number): void {
    if (this.#worker === worker) this.#worker = null;
    if (this.#isStopped) return;
    this.#log.error('embedding thread ended and is started again', { code });
    const slices = [...this.#inFlight.values()];
    this.#inFlight.clear();
    for (const slice of slices) {
      if (slice.job.isOver) continue;
      if (slice.tries < triesMax) this.#send({ ...slice, tries: slice.tries + 1 });
      else this.#fail(slice.job, unavailable());
    }
    this.#fill();
  }

  #fail(job: Job, reason: unknown): void {
    this.#queue.remove(job);
    job.reject(reason);
  }
}

function complete({ job, start, texts }: Slice, vectors: Float32Array): void {
  job.vectors.set(vectors, start * job.task.dimension);
  job.rowsDone += texts.length;
  if (job.rowsDone === job.task.texts.length) job.resolve(job.vectors);
}

function unavailable(): AppError {
  return new AppError('UNAVAILABLE', 'Embedding is not possible right now', { retryAfterSeconds: 1 });
}
