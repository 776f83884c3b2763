import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceLook } from '../embedding-service.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import type { EmbeddedRow, OpenAiClient } from './openai-client.ts';
import { ProviderError } from './provider-error.ts';

interface SteadyParts {
  client: Pick<OpenAiClient, 'embed'>;
  now: () => number;
  /** 0 to 1, below 1. */
  random: () => number;
  /** Told when it begins to fail, or fails in another way, and when it answers again. */
  onTurn: (failure: ProviderError | null) => void;
  /** Waits between tries. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

interface Patience {
  triesMax: number;
  /** For all tries of a request together. */
  totalMs: number;
  signal: AbortSignal;
}

const backOffMs = 500;
const backOffMsMax = 8_000;
/** A refused text is tried once more with so much of it, until it is as short. */
const shorterShare = 3;
const shortCharacters = 1_500;

/** A service that fails at times: tried again after random waits, not asked while it is down, and told apart from texts that it refuses. */
export class SteadyClient {
  readonly #parts: SteadyParts;
  readonly #breaker: CircuitBreaker;
  #failure: string | null = null;

  constructor(parts: SteadyParts) {
    this.#parts = parts;
    this.#breaker = new CircuitBreaker(parts.now);
  }

  get state(): ServiceLook {
    const state = this.#breaker.isOpen ? 'paused' : this.#failure === null ? 'working' : 'failing';
    return { state, reason: this.#failure };
  }

  /** How long it is not asked. */
  get restMs(): number {
    return this.#breaker.restMs;
  }

  /** A row for each text; a string says why a text has none. @throws ProviderError, the signal's reason */
  async embed(texts: string[], dimension: number, patience: Patience): Promise<EmbeddedRow[]> {
    const { now } = this.#parts;
    const sinceMs = now();
    try {
      return await this.#tried(texts, dimension, patience);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.kind !== 'text') throw error;
      const [only = ''] = texts;
      if (texts.length > 1) {
        const half = texts.length >> 1;
        const first = await this.embed(texts.slice(0, half), dimension, patience);
        return [...first, ...(await this.embed(texts.slice(half), dimension, patience))];
      }
      const totalMs = patience.totalMs - (now() - sinceMs);
      if (only.length <= shortCharacters || totalMs <= 0) return [error.message];
      const shorter = only.slice(0, Math.ceil(only.length / shorterShare)).toWellFormed();
      return await this.embed([shorter], dimension, { ...patience, totalMs });
    }
  }

  async #tried(texts: string[], dimension: number, patience: Patience): Promise<EmbeddedRow[]> {
    const { now, random, wait = pause } = this.#parts;
    const untilMs = now() + patience.totalMs;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#once(texts, dimension, { untilMs, signal: patience.signal });
      } catch (error) {
        if (!(error instanceof ProviderError) || !(error.kind === 'busy' || error.kind === 'down'))
          throw error;
        // Full jitter, so that those who failed together do not come together (Brooker, 2015); never before the service said.
        const longest = Math.min(backOffMsMax, backOffMs * 2 ** (tries - 1));
        const waitMs = (error.retryAfterMs ?? 0) + random() * longest;
        if (tries >= patience.triesMax || now() + waitMs >= untilMs) throw error;
        await wait(waitMs, patience.signal);
      }
    }
  }

  async #once(
    texts: string[],
    dimension: number,
    { untilMs, signal }: { untilMs: number; signal: AbortSignal },
  ): Promise<EmbeddedRow[]> {
    const { client, now } = this.#parts;
    signal.throwIfAborted();
    const ask = this.#breaker.ask();
    if (!ask)
      throw new ProviderError('paused', this.#failure ?? 'it does not answer', { retryAfterMs: this.restMs });
    const late = AbortSignal.timeout(Math.max(1, Math.ceil(untilMs - now())));
    try {
      const rows = await client.embed(texts, dimension, AbortSignal.any([late, signal]));
      this.#answered();
      return rows;
    } catch (thrown) {
      const isLate = late.aborted && !signal.aborted && !(thrown instanceof ProviderError);
      const error = isLate ? new ProviderError('down', 'it does not answer in time') : thrown;
      if (!(error instanceof ProviderError)) this.#breaker.left(ask);
      // What one collection asks for is no fault that others have to wait for.
      else if (error.kind === 'text' || error.kind === 'dimension') this.#answered();
      else {
        this.#breaker.failed(ask, error.retryAfterMs ?? 0);
        this.#failed(error);
      }
      throw error;
    }
  }

  #answered(): void {
    this.#breaker.succeeded();
    if (this.#failure === null) return;
    this.#failure = null;
    this.#parts.onTurn(null);
  }

  #failed(error: ProviderError): void {
    const before = this.#failure;
    this.#failure = error.message;
    if (before !== error.message) this.#parts.onTurn(error);
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
}
