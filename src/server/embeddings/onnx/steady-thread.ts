import type { Log } from '#server/log.ts';
import { CircuitBreaker } from '../circuit-breaker.ts';
import type { ServiceLook, ServiceUse } from '../embedding-service.ts';
import { ModelError } from './model-error.ts';
import { OnnxThread, type OnnxTimes } from './onnx-thread.ts';
import type { OnnxThreadData } from './onnx-worker.ts';

interface SteadyParts {
  use: ServiceUse;
  data: OnnxThreadData;
  times: OnnxTimes;
  /** How long a thread is kept that has nothing to do; null: for ever, and one that ended is replaced before it is asked for. */
  keepMs: number | null;
  log: Log;
  /** Milliseconds that only grow. */
  now: () => number;
}

/** A thread with a model that is there whenever it is needed: one that ends or hangs is replaced, and after several in a row no further one is started for a while. */
export class SteadyThread {
  readonly #parts: SteadyParts;
  readonly #breaker: CircuitBreaker;
  #thread: OnnxThread | null = null;
  /** Why it gave no vectors when it was last asked. */
  #reason: string | null = null;
  #unused: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(parts: SteadyParts) {
    this.#parts = parts;
    this.#breaker = new CircuitBreaker(parts.now);
  }

  get state(): ServiceLook {
    const state = this.#breaker.isOpen ? 'paused' : this.#reason === null ? 'working' : 'failing';
    return { state, reason: this.#reason };
  }

  /** Tasks that are not done. */
  get waiting(): number {
    return this.#thread?.waiting ?? 0;
  }

  /** @returns how many components its vectors have. @throws Error why it cannot be started */
  start(): Promise<number> {
    return this.#alive().start();
  }

  /** A vector for each text; empty: it has none. @throws ModelError */
  async embed(texts: string[]): Promise<Float32Array[]> {
    if (this.#isStopped) throw new ModelError('it is stopped');
    const ask = this.#breaker.ask();
    if (!ask) throw new ModelError(this.#reason ?? 'it does not work', { restMs: this.#breaker.restMs });
    const thread = this.#alive();
    try {
      const vectors = await thread.embed(texts);
      this.#breaker.succeeded();
      this.#answered();
      return vectors;
    } catch (error) {
      // Of all that waited for a thread which ended one failure counts.
      if (this.#isStopped || (thread.failure && this.#thread !== thread)) this.#breaker.left(ask);
      else this.#breaker.failed(ask);
      const reason = thread.isReady ? reasonOf(thread) : 'it cannot be started';
      if (!this.#isStopped) this.#failed(thread, { reason, error });
      throw new ModelError(reason, {
        isOfTexts: thread.isReady,
        restMs: this.#breaker.restMs,
        cause: error,
      });
    } finally {
      this.#keep();
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#unused);
    await this.#thread?.stop();
  }

  #alive(): OnnxThread {
    const { data, times, log, use } = this.#parts;
    const former = this.#thread;
    if (former && !former.failure) return former;
    // Whoever waited for it has told of it.
    if (former) log.warn('a thread with the embedding model ended', { for: use, error: former.failure });
    this.#thread = new OnnxThread(data, times);
    return this.#thread;
  }

  #answered(): void {
    if (this.#reason === null) return;
    this.#reason = null;
    this.#parts.log.info('the embedding model works again', { for: this.#parts.use });
  }

  #failed(thread: OnnxThread, { reason, error }: { reason: string; error: unknown }): void {
    this.#reason = reason;
    if (thread.failure && this.#thread !== thread) return;
    const { log, use, keepMs } = this.#parts;
    log.warn('the embedding model fails', { for: use, reason, error });
    if (!thread.failure) return;
    this.#thread = null;
    if (keepMs === null && !this.#breaker.isOpen) this.#alive();
  }

  #keep(): void {
    const { keepMs, log, use } = this.#parts;
    clearTimeout(this.#unused);
    if (keepMs === null || this.#isStopped) return;
    this.#unused = setTimeout(() => {
      const thread = this.#thread;
      if (thread === null || thread.waiting > 0) return;
      this.#thread = null;
      thread.stop().catch((error: unknown) => log.warn('a thread did not end', { for: use, error }));
    }, keepMs).unref();
  }
}

const reasonOf = ({ failure }: OnnxThread): string =>
  failure ? 'its thread ended' : 'it cannot compute the vector';
