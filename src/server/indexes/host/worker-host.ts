import { Worker } from 'node:worker_threads';
import { FilterFaultError } from '#server/engine/search-index.ts';
import type { Log } from '#server/log.ts';
import { type EngineRequest, IndexLostError } from './engine-room.ts';
import type { HostAnswer, HostMessage } from './engine-worker.ts';
import type { EngineHost } from './host.ts';
import { hostOver } from './host-calls.ts';
import { memoryOf, packBatch } from './packed-batch.ts';

/**
 * Indexes in threads of their own; a collection belongs to the thread its id is hashed to. A thread that dies takes its indexes along:
 * every call on them, open or to come, fails with `IndexLostError` until they are opened again, in a thread started anew.
 */
export function createWorkerHost({ workers, log }: { workers: number; log: Log }): EngineHost {
  const threads = Array.from({ length: workers }, (_, number) => new EngineThread(number, log));
  const threadOf = (collectionId: number) => threads[collectionId % threads.length];
  return hostOver(
    (request) => {
      const thread = threadOf(request.collectionId);
      return thread ? thread.call(request) : Promise.reject(new IndexLostError(request.collectionId));
    },
    async () => {
      await Promise.all(threads.map((thread) => thread.stop()));
    },
  );
}

interface Waiting {
  collectionId: number;
  resolve: (value: never) => void;
  reject: (reason: unknown) => void;
}

class EngineThread {
  readonly #number: number;
  readonly #log: Log;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #lastId = 0;

  constructor(number: number, log: Log) {
    this.#number = number;
    this.#log = log;
  }

  call<Answer>(request: EngineRequest): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#waiting.set(id, { collectionId: request.collectionId, resolve, reject });
      this.#worker ??= this.#start();
      const { message, memory } = toMessage(id, request);
      this.#worker.postMessage(message, memory);
    });
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
    this.#loseAll();
  }

  #start(): Worker {
    // Node cannot start a .ts worker: run from source, the built one is used.
    const file = import.meta.url.endsWith('.ts')
      ? '../../../../dist/server/engine-worker.js'
      : './engine-worker.js';
    const worker = new Worker(new URL(file, import.meta.url));
    worker.on('message', (answer: HostAnswer) => this.#receive(answer));
    worker.on('error', (error) => this.#log.error('engine thread failed', { thread: this.#number, error }));
    worker.on('exit', (code) => {
      if (this.#worker !== worker) return;
      this.#log.error('engine thread ended; its indexes are opened again on use', {
        thread: this.#number,
        code,
      });
      this.#worker = null;
      this.#loseAll();
    });
    worker.unref();
    return worker;
  }

  #receive(answer: HostAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (!waiting) return;
    if ('value' in answer) waiting.resolve(answer.value as never);
    else if ('lost' in answer) waiting.reject(new IndexLostError(waiting.collectionId));
    else if ('faults' in answer) waiting.reject(new FilterFaultError(answer.faults));
    else waiting.reject(Object.assign(new Error(answer.error.message), { stack: answer.error.stack }));
  }

  #loseAll(): void {
    for (const { collectionId, reject } of this.#waiting.values()) reject(new IndexLostError(collectionId));
    this.#waiting.clear();
  }
}

/** What is sent for a request, and the memory that is handed over with it. */
function toMessage(id: number, request: EngineRequest): { message: HostMessage; memory: ArrayBuffer[] } {
  if (request.call === 'apply') {
    const batch = packBatch(request.batch);
    const { collectionId } = request;
    return {
      message: { id, request: { call: 'apply-packed', collectionId, batch } },
      memory: memoryOf(batch),
    };
  }
  const buffer = request.call === 'open' ? request.snapshot?.buffer : undefined;
  return { message: { id, request }, memory: buffer instanceof ArrayBuffer ? [buffer] : [] };
}
