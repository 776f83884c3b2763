import { Worker } from 'node:worker_threads';
import type { OnnxReply, OnnxTask, OnnxThreadData } from './onnx-worker.ts';

/** How long nothing may come of a thread that has something to do. */
export interface OnnxTimes {
  /** Until the model is in its memory and has embedded a first text. */
  startMsMax: number;
  /** For a run of the model: one text. */
  stepMsMax: number;
}

interface Waiting {
  texts: number;
  vectors: Float32Array[];
  resolve: (vectors: Float32Array[]) => void;
  reject: (error: Error) => void;
}

/** It is waited for in so many waits, so that a pause of the whole process is one of them at most. */
const waits = 4;

/** One thread with a model, from its start to its end: what it is asked after that is refused. One of which nothing comes for long is ended. */
export class OnnxThread {
  readonly #worker: Worker;
  readonly #times: OnnxTimes;
  readonly #waiting = new Map<number, Waiting>();
  readonly #started: Promise<number>;
  #settleStart: { resolve: (dimension: number) => void; reject: (error: Error) => void } | undefined;
  #lastId = 0;
  #failure: Error | null = null;
  #isReady = false;
  #silentWaits = 0;
  #watch: NodeJS.Timeout | undefined;

  constructor(data: OnnxThreadData, times: OnnxTimes) {
    this.#times = times;
    this.#started = new Promise((resolve, reject) => {
      this.#settleStart = { resolve, reject };
    });
    // Whoever waits for the start is told, and so is whoever asks for vectors.
    this.#started.catch(() => undefined);
    // Node cannot start a .ts worker: run from source, the built one is used.
    const file = import.meta.url.endsWith('.ts')
      ? '../../../../dist/server/onnx-worker.js'
      : './onnx-worker.js';
    this.#worker = new Worker(new URL(file, import.meta.url), { workerData: data });
    this.#worker.on('message', (reply: OnnxReply) => this.#receive(reply));
    this.#worker.on('error', (error) => this.#end(error));
    this.#worker.on('exit', () => this.#end(new Error('its thread has ended')));
    this.#await();
  }

  /** Tasks that are not done. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Whether it has begun to work, be it over by now or not. */
  get isReady(): boolean {
    return this.#isReady;
  }

  get failure(): Error | null {
    return this.#failure;
  }

  /** @returns how many components its vectors have. @throws Error why it could not be started */
  start(): Promise<number> {
    return this.#started;
  }

  /** A vector for each text; empty: it has none. @throws Error why the thread has ended, or what the model says of these texts */
  embed(texts: string[]): Promise<Float32Array[]> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { texts: texts.length, vectors: [], resolve, reject });
      this.#worker.postMessage({ id, texts } satisfies OnnxTask);
      if (this.#isReady && this.#waiting.size === 1) this.#await();
    });
  }

  async stop(): Promise<void> {
    this.#end(new Error('its thread was stopped'));
    await this.#worker.terminate();
  }

  #receive(reply: OnnxReply): void {
    if (this.#failure) return;
    if ('ready' in reply) {
      this.#isReady = true;
      // Until then it holds the process: a start may have nothing else to wait for.
      this.#worker.unref();
      this.#settleStart?.resolve(reply.ready);
    } else this.#take(reply);
    this.#await();
  }

  #take(reply: Exclude<OnnxReply, { ready: number }>): void {
    const waiting = this.#waiting.get(reply.id);
    if (!waiting) return;
    if ('error' in reply) waiting.reject(new Error(reply.error));
    else if (waiting.vectors.push(reply.vector) < waiting.texts) return;
    this.#waiting.delete(reply.id);
    waiting.resolve(waiting.vectors);
  }

  /** Begins to wait for the next sign of it, where one has to come. */
  #await(): void {
    clearTimeout(this.#watch);
    this.#silentWaits = 0;
    if (this.#failure || (this.#isReady && this.#waiting.size === 0)) return;
    this.#wait();
  }

  #wait(): void {
    const { startMsMax, stepMsMax } = this.#times;
    const ms = this.#isReady ? stepMsMax : startMsMax;
    this.#watch = setTimeout(() => {
      const silentWaits = this.#silentWaits + 1;
      this.#silentWaits = silentWaits;
      if (silentWaits < waits) return this.#wait();
      // A process that was held up itself looks first at what has come meanwhile.
      setImmediate(() => {
        if (this.#silentWaits < waits) return;
        this.#end(new Error(`nothing came of its thread within ${ms / 1_000} s`));
      });
    }, ms / waits).unref();
  }

  #end(error: Error): void {
    if (this.#failure) return;
    this.#failure = error;
    clearTimeout(this.#watch);
    this.#settleStart?.reject(error);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
    // Native code is waited for by nobody.
    this.#worker.terminate().catch(() => undefined);
  }
}
