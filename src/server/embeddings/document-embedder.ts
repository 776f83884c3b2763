import { Worker } from 'node:worker_threads';
import { AppError } from '#server/errors.ts';
import type { Log } from '#server/log.ts';
import type { EmbeddingText } from './embedder.ts';
import type { EmbeddedSlice, EmbeddingSlice } from './embedding-worker.ts';
import type { StaticTable } from './static-table.ts';

/** Texts sent to the thread at once: some ten milliseconds of work, so that a small write is not held up by a large import. */
const sliceTexts = 32;
/** Slices the thread has at hand: one in work, one waiting, so that it never idles while this thread is busy. */
const slicesInFlightMax = 2;
const jobsMax = 256;
const triesMax = 2;

interface Job {
  texts: EmbeddingText[];
  dimension: number;
  vectors: Float32Array;
  next: number;
  rowsDone: number;
  resolve: (vectors: Float32Array) => void;
  reject: (reason: unknown) => void;
}

interface Slice {
  job: Job;
  start: number;
  message: EmbeddingSlice;
  tries: number;
}

/**
 * Embeds documents in a thread of its own. Jobs take turns slice by slice; a thread that dies is started again and its slices are tried
 * once more, then their jobs fail as UNAVAILABLE. The queue is bounded: beyond it a job is refused, never kept.
 */
export class DocumentEmbedder {
  readonly #table: StaticTable;
  readonly #log: Log;
  readonly #jobs: Job[] = [];
  readonly #inFlight = new Map<number, Slice>();
  #worker: Worker | null = null;
  #lastId = 0;
  #isStopped = false;

  constructor(table: StaticTable, log: Log) {
    this.#table = table;
    this.#log = log;
  }

  /** @returns texts × dimension, row-major. @throws AppError UNAVAILABLE, the signal's reason */
  embed(texts: EmbeddingText[], dimension: number, signal?: AbortSignal): Promise<Float32Array> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (texts.length === 0) return Promise.resolve(new Float32Array(0));
    if (this.#isStopped || this.#jobs.length >= jobsMax) return Promise.reject(unavailable());
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#forget(job);
        reject(signal?.reason);
      };
      const settled = () => signal?.removeEventListener('abort', abort);
      const job: Job = {
        texts,
        dimension,
        vectors: new Float32Array(texts.length * dimension),
        next: 0,
        rowsDone: 0,
        resolve: (vectors) => {
          settled();
          resolve(vectors);
        },
        reject: (reason) => {
          settled();
          reject(reason);
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#jobs.push(job);
      this.#fill();
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const open = new Set([...this.#jobs, ...[...this.#inFlight.values()].map((slice) => slice.job)]);
    for (const job of open) this.#fail(job, unavailable());
    await this.#worker?.terminate();
  }

  #fill(): void {
    while (this.#inFlight.size < slicesInFlightMax) {
      const job = this.#jobs.shift();
      if (!job) return;
      const start = job.next;
      const texts = job.texts.slice(start, start + sliceTexts);
      job.next += texts.length;
      // To the back of the queue: jobs take turns.
      if (job.next < job.texts.length) this.#jobs.push(job);
      const message = { id: ++this.#lastId, texts, dimension: job.dimension };
      this.#send({ job, start, message, tries: 1 });
    }
  }

  #send(slice: Slice): void {
    this.#inFlight.set(slice.message.id, slice);
    this.#worker ??= this.#start();
    this.#worker.postMessage(slice.message);
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
    if (slice) {
      if ('error' in answer) {
        this.#log.error('embedding failed', { error: answer.error });
        this.#fail(slice.job, unavailable());
      } else this.#complete(slice, answer.vectors);
    }
    this.#fill();
  }

  #complete({ job, start, message }: Slice, vectors: Float32Array): void {
    job.vectors.set(vectors, start * job.dimension);
    job.rowsDone += message.texts.length;
    if (job.rowsDone === job.texts.length) job.resolve(job.vectors);
  }

  #restart(worker: Worker, code: number): void {
    if (this.#worker === worker) this.#worker = null;
    if (this.#isStopped) return;
    this.#log.error('embedding thread ended and is started again', { code });
    const slices = [...this.#inFlight.values()];
    this.#inFlight.clear();
    for (const slice of slices) {
      if (slice.tries < triesMax) this.#send({ ...slice, tries: slice.tries + 1 });
      else this.#fail(slice.job, unavailable());
    }
    this.#fill();
  }

  #fail(job: Job, reason: unknown): void {
    this.#forget(job);
    job.reject(reason);
  }

  /** The vectors of slices that are already in work are dropped. */
  #forget(job: Job): void {
    const place = this.#jobs.indexOf(job);
    if (place !== -1) this.#jobs.splice(place, 1);
    for (const [id, slice] of this.#inFlight) {
      if (slice.job === job) this.#inFlight.set(id, { ...slice, job: { ...job, resolve() {}, reject() {} } });
    }
  }
}

function unavailable(): AppError {
  return new AppError('UNAVAILABLE', 'Embedding is not possible right now', { retryAfterSeconds: 1 });
}
