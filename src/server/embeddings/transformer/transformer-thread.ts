import { Worker } from 'node:worker_threads';
import type { TransformerReply, TransformerTask, TransformerThreadData } from './transformer-worker.ts';

interface Waiting {
  resolve: (vector: Float32Array) => void;
  reject: (error: Error) => void;
}

/** One thread with the transformer, from its start to its end: what it is asked after that is refused. */
export class TransformerThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #failure: Error | null = null;
  #isReady = false;

  constructor(data: TransformerThreadData) {
    // Node cannot start a .ts worker: run from source, the built one is used.
    const file = import.meta.url.endsWith('.ts')
      ? '../../../../dist/server/transformer-worker.js'
      : './transformer-worker.js';
    this.#worker = new Worker(new URL(file, import.meta.url), { workerData: data });
    this.#worker.on('message', (reply: TransformerReply) => {
      if (reply === 'ready') {
        this.#isReady = true;
        return;
      }
      this.#waiting.get(reply.id)?.resolve(reply.vector);
      this.#waiting.delete(reply.id);
    });
    this.#worker.on('error', (error) => this.#end(error));
    this.#worker.on('exit', () => this.#end(new Error('The thread with the transformer has ended')));
    this.#worker.unref();
  }

  /** Texts that are not embedded yet. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** What it is asked before waits for its start. */
  get isReady(): boolean {
    return this.#isReady;
  }

  get failure(): Error | null {
    return this.#failure;
  }

  /** @throws Error why the thread has ended */
  embed(task: Omit<TransformerTask, 'id'>): Promise<Float32Array> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, ...task } satisfies TransformerTask);
    });
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #end(error: Error): void {
    this.#failure ??= error;
    for (const { reject } of this.#waiting.values()) reject(this.#failure);
    this.#waiting.clear();
  }
}
