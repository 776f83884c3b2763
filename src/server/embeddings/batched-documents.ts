import type { EmbeddingTask, EmbeddingText } from './embedder.ts';
import { EmbeddingQueue, type JobSlice } from './embedding-queue.ts';
import type { EmbeddedRow } from './embedding-service.ts';
import { TextsRefusedError } from './texts-refused-error.ts';

interface Batch {
  texts: EmbeddingText[];
  dimension: number;
  /** The account whose texts they are. */
  owner: string;
  /** Aborted when nobody waits for it any more. */
  signal: AbortSignal;
}

interface Parts {
  /** Under way at once. */
  batchesMax: number;
  /** A row for each text, in their order. */
  embed(batch: Batch): Promise<EmbeddedRow[]>;
  /** What a task fails with; null: it was not begun, or all is stopped. */
  unavailable(cause: unknown): Error;
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

/** Documents' texts for a model that takes its time: tasks wait in a queue in which tenants take turns, and are embedded batch by batch. */
export class BatchedDocuments {
  readonly #parts: Parts;
  readonly #queue = new EmbeddingQueue<Job>();
  readonly #stopping = new AbortController();
  #running = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Tasks that are not in work, or not all of them. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** @returns texts × dimension, row-major. @throws TextsRefusedError, what a batch failed with, the signal's reason */
  async embed(task: EmbeddingTask, signal?: AbortSignal): Promise<Float32Array> {
    signal?.throwIfAborted();
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
        reject(this.#parts.unavailable(null));
        return;
      }
      signal?.addEventListener('abort', abort, { once: true });
      this.#fill();
    });
  }

  stop(): void {
    const stopped = this.#parts.unavailable(null);
    this.#stopping.abort(stopped);
    for (const job of this.#queue.takeAll()) job.reject(stopped);
  }

  #fill(): void {
    while (this.#running < this.#parts.batchesMax) {
      const slice = this.#queue.takeSlice();
      if (!slice) return;
      this.#running += 1;
      this.#embedSlice(slice)
        .catch((error: unknown) => {
          this.#fail(slice.job, this.#parts.unavailable(error));
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
    const rows = await this.#parts.embed({
      texts,
      dimension,
      owner: job.task.for.tenant,
      signal: job.signal,
    });
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
}
