import type { Worker } from 'node:worker_threads';
import { AnswerTooLargeError, FilterFaultError, TooDearError } from '#server/engine/search-index.ts';
import type { Log } from '#server/log.ts';
import { createCallQueue } from './call-queue.ts';
import type { CallName, EngineReply, EngineRequest } from './engine-calls.ts';
import type { AskedCollection } from './engine-host.ts';
import type { ThreadAnswer, ThreadRequest } from './engine-worker.ts';
import { IndexLostError } from './index-lost-error.ts';
import { movableOfRequest } from './movable-memory.ts';

/** One in work and one waiting in the thread, so that it never idles while this thread is busy. */
const callsInFlightMax = 2;
/** What the messages of a call take, about. */
const tookMsMin = 0.05;

interface PendingCall<Name extends CallName = CallName> {
  collection: AskedCollection;
  request: EngineRequest<Name>;
  /** The thread answers a call with that call's answer: both ends are built from `EngineCalls`. */
  resolve(value: EngineReply<Name>): void;
  reject(reason: unknown): void;
}

/**
 * One engine thread, started when it is first asked. Calls wait on this side, so that one whose caller has gone never reaches the
 * thread; callers take turns by what their calls have taken. When the thread dies, its indexes are lost and every call that waits is rejected; the next call starts it anew.
 */
export class EngineThread {
  readonly #number: number;
  readonly #log: Log;
  readonly #startWorker: () => Worker;
  readonly #queue = createCallQueue<PendingCall>();
  readonly #inFlight = new Map<number, PendingCall>();
  #worker: Worker | null = null;
  #lastId = 0;

  constructor({ number, log, startWorker }: { number: number; log: Log; startWorker: () => Worker }) {
    this.#number = number;
    this.#log = log;
    this.#startWorker = startWorker;
  }

  /** @throws IndexLostError, FilterFaultError, TooDearError, AnswerTooLargeError, the signal's reason, whatever the engine throws */
  call<Name extends CallName>(
    collection: AskedCollection,
    request: EngineRequest<Name>,
    signal?: AbortSignal,
  ): Promise<EngineReply<Name>> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const settled = () => signal?.removeEventListener('abort', abort);
      const call: PendingCall<Name> = {
        collection,
        request,
        resolve: (value) => {
          settled();
          resolve(value);
        },
        reject: (reason) => {
          settled();
          reject(reason);
        },
      };
      const abort = () => {
        this.#queue.remove(call);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.#queue.add(call);
      this.#send();
    });
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
    this.#loseAll();
  }

  #send(): void {
    while (this.#inFlight.size < callsInFlightMax) {
      const call = this.#queue.takeNext();
      if (!call) return;
      const { collection, request } = call;
      const message: ThreadRequest = { id: ++this.#lastId, collectionId: collection.id, request };
      this.#inFlight.set(message.id, call);
      this.#worker ??= this.#start();
      this.#worker.postMessage(message, movableOfRequest(request));
    }
  }

  #start(): Worker {
    const worker = this.#startWorker();
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
    const call = this.#inFlight.get(answer.id);
    this.#inFlight.delete(answer.id);
    if (call) this.#queue.charge(call, Math.max(answer.tookMs, tookMsMin));
    // Before the answer is looked at, so that the thread has work meanwhile.
    this.#send();
    if (!call) return;
    if ('value' in answer) call.resolve(answer.value);
    else if ('lost' in answer) call.reject(new IndexLostError(call.collection.id));
    else if ('faults' in answer) call.reject(new FilterFaultError(answer.faults));
    else if ('tooDear' in answer) call.reject(new TooDearError(answer.tooDear));
    else if ('tooLargeBytes' in answer) call.reject(new AnswerTooLargeError(answer.tooLargeBytes));
    else call.reject(Object.assign(new Error(answer.error.message), { stack: answer.error.stack }));
  }

  #loseAll(): void {
    const calls = [...this.#inFlight.values(), ...this.#queue.takeAll()];
    this.#inFlight.clear();
    for (const { collection, reject } of calls) reject(new IndexLostError(collection.id));
  }
}
