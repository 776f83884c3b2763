import { Worker } from 'node:worker_threads';
import { FilterFaultError } from '#server/engine/search-index.ts';
import type { Log } from '#server/log.ts';
import type { CallName, EngineReply, EngineRequest } from './engine-calls.ts';
import type { ThreadAnswer, ThreadRequest } from './engine-worker.ts';
import { IndexLostError } from './index-lost-error.ts';
import { movableOfRequest } from './movable-memory.ts';

interface Waiting<Name extends CallName = CallName> {
  collectionId: number;
  /** The thread answers a call with that call's answer: both ends are built from `EngineCalls`. */
  resolve(value: EngineReply<Name>): void;
  reject(reason: unknown): void;
}

/** One engine thread, started when it is first asked. When it dies, all its indexes are lost; the next call starts it anew. */
export class EngineThread {
  readonly #number: number;
  readonly #log: Log;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #lastId = 0;

  constructor(number: number, log: Log) {
    this.#number = number;
    this.#log = log;
  }

  call<Name extends CallName>(
    collectionId: number,
    request: EngineRequest<Name>,
  ): Promise<EngineReply<Name>> {
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      const waiting: Waiting<Name> = { collectionId, resolve, reject };
      this.#waiting.set(id, waiting);
      this.#worker ??= this.#start();
      const message: ThreadRequest = { id, collectionId, request };
      this.#worker.postMessage(message, movableOfRequest(request));
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
    worker.on('message', (answer: ThreadAnswer) => this.#receive(answer));
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

  #receive(answer: ThreadAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (!waiting) return;
    if ('value' in answer) waiting.resolve(answer.value);
    else if ('lost' in answer) waiting.reject(new IndexLostError(waiting.collectionId));
    else if ('faults' in answer) waiting.reject(new FilterFaultError(answer.faults));
    else waiting.reject(Object.assign(new Error(answer.error.message), { stack: answer.error.stack }));
  }

  #loseAll(): void {
    for (const { collectionId, reject } of this.#waiting.values()) reject(new IndexLostError(collectionId));
    this.#waiting.clear();
  }
}
