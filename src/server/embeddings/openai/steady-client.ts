import { setTimeout as sleep } from 'node:timers/promises';
import { CircuitBreaker } from '../circuit-breaker.ts';
import type { EmbeddedRow, ServiceLook } from '../embedding-service.ts';
import type { DoubtedDimensions } from './doubted-dimensions.ts';
import type { OpenAiClient } from './openai-client.ts';
import { ProviderError } from './provider-error.ts';
import { dimensionAdvice } from './refusal-of.ts';

interface SteadyParts {
  client: Pick<OpenAiClient, 'embed'>;
  now: () => number;
  /** 0 to 1, below 1. */
  random: () => number;
  /** Told when it begins to fail, or fails in another way, and when it answers again. */
  onTurn: (failure: ProviderError | null) => void;
  /** Shared by all that ask this service with these settings. */
  doubts: DoubtedDimensions;
  /** Waits between tries. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

interface Patience {
  triesMax: number;
  /** For all tries of a request together. */
  totalMs: number;
  signal: AbortSignal;
  isProbe?: boolean;
}

const backOffMs = 500;
const backOffMsMax = 8_000;
/** A refused text is tried once more with so much of it, until it is as short. */
const shorterShare = 3;
const shortCharacters = 1_500;
/** No service has a reason to refuse this for what it is. */
const simplest = 'a';
const late = 'it does not answer in time';

/**
 * A service that fails at times: tried again after random waits, not asked while it is down, and told apart from texts that it refuses. Where it refuses
 * all of them, it is asked for the simplest one: that this is refused too is a failure of its settings.
 */
export class SteadyClient {
  readonly #parts: SteadyParts;
  readonly #breaker: CircuitBreaker;
  #failure: ProviderError | null = null;

  constructor(parts: SteadyParts) {
    this.#parts = parts;
    this.#breaker = new CircuitBreaker(parts.now);
  }

  get state(): ServiceLook {
    const state = this.#breaker.isOpen ? 'paused' : this.#failure === null ? 'working' : 'failing';
    return { state, reason: this.#failure?.told ?? null };
  }

  /** How long it is not asked. */
  get restMs(): number {
    return this.#breaker.restMs;
  }

  /**
   * A row for each text; a string says why a text has none, and it is that text's fault alone: the simplest one has its vector.
   * @throws ProviderError, the signal's reason
   */
  async embed(texts: string[], dimension: number, patience: Patience): Promise<EmbeddedRow[]> {
    const { now, doubts } = this.#parts;
    const sinceMs = now();
    // Somebody waits for a single one; parts of several have their whole time.
    const rest = () =>
      texts.length > 1 ? patience : { ...patience, totalMs: patience.totalMs - (now() - sinceMs) };
    if (doubts.has(dimension)) await this.#probe(dimension, rest());
    const outcome = await this.#asked(texts, dimension, rest());
    if (isRows(outcome) && outcome.some((row) => row instanceof Float32Array)) return outcome;
    await this.#probe(dimension, rest());
    return isRows(outcome) ? outcome : await this.#apart({ texts, refusal: outcome }, dimension, rest());
  }

  /** Texts that are refused together: by halves, and a single one with less of it. */
  async #apart(
    { texts, refusal }: { texts: string[]; refusal: ProviderError },
    dimension: number,
    patience: Patience,
  ): Promise<EmbeddedRow[]> {
    const rowsOf = async (part: string[], rest: () => Patience): Promise<EmbeddedRow[]> => {
      const outcome = await this.#asked(part, dimension, rest());
      return isRows(outcome)
        ? outcome
        : await this.#apart({ texts: part, refusal: outcome }, dimension, rest());
    };
    if (texts.length > 1) {
      const half = texts.length >> 1;
      const first = await rowsOf(texts.slice(0, half), () => patience);
      return [...first, ...(await rowsOf(texts.slice(half), () => patience))];
    }
    const { now } = this.#parts;
    const sinceMs = now();
    const [only = ''] = texts;
    if (only.length <= shortCharacters || patience.totalMs <= 0) return [refusal.told];
    const shorter = only.slice(0, Math.ceil(only.length / shorterShare)).toWellFormed();
    return await rowsOf([shorter], () => ({ ...patience, totalMs: patience.totalMs - (now() - sinceMs) }));
  }

  /** Rows, or why it refuses these texts together. */
  async #asked(
    texts: string[],
    dimension: number,
    patience: Patience,
  ): Promise<EmbeddedRow[] | ProviderError> {
    try {
      return await this.#tried(texts, dimension, patience);
    } catch (error) {
      // What is said of a dimension may be said of a text that speaks of one: the simplest one tells.
      if (error instanceof ProviderError && (error.kind === 'text' || error.kind === 'dimension'))
        return error;
      throw error;
    }
  }

  /** Asks for the simplest text's vector. @throws ProviderError whatever texts are sent, they are refused; the signal's reason */
  async #probe(dimension: number, patience: Patience): Promise<void> {
    const { doubts } = this.#parts;
    if (patience.totalMs <= 0) throw new ProviderError('down', late);
    try {
      const [row] = await this.#tried([simplest], dimension, { ...patience, isProbe: true });
      if (!(row instanceof Float32Array))
        throw new ProviderError('dimension', row ?? late, { advice: dimensionAdvice });
      doubts.delete(dimension);
    } catch (error) {
      const isOfSettings = error instanceof ProviderError && ['setup', 'dimension'].includes(error.kind);
      if (isOfSettings) doubts.add(dimension, error);
      throw error;
    }
  }

  async #tried(texts: string[], dimension: number, patience: Patience): Promise<EmbeddedRow[]> {
    const { now, random, wait = pause } = this.#parts;
    const untilMs = now() + patience.totalMs;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#once(texts, dimension, { ...patience, untilMs });
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
    { untilMs, signal, isProbe }: Pick<Patience, 'signal' | 'isProbe'> & { untilMs: number },
  ): Promise<EmbeddedRow[]> {
    const { client, now } = this.#parts;
    signal.throwIfAborted();
    const ask = this.#breaker.ask();
    if (!ask)
      throw new ProviderError('paused', this.#failure?.message ?? 'it does not answer', {
        retryAfterMs: this.restMs,
      });
    const ended = AbortSignal.timeout(Math.max(1, Math.ceil(untilMs - now())));
    try {
      const rows = await client.embed(texts, dimension, AbortSignal.any([ended, signal]));
      this.#answered();
      return rows;
    } catch (thrown) {
      const isLate = ended.aborted && !signal.aborted && !(thrown instanceof ProviderError);
      const told = isLate ? new ProviderError('down', late) : thrown;
      const error = isProbe ? toSetup(told) : told;
      // Whose fault a refusal is the probe tells.
      if (!(error instanceof ProviderError) || error.kind === 'text') this.#breaker.left(ask);
      // What one collection asks for is no fault that others have to wait for.
      else if (error.kind === 'dimension') this.#answered();
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
    this.#failure = error;
    if (before?.told !== error.told) this.#parts.onTurn(error);
  }
}

const isRows = (outcome: EmbeddedRow[] | ProviderError): outcome is EmbeddedRow[] => Array.isArray(outcome);

function toSetup(error: unknown): unknown {
  if (!(error instanceof ProviderError) || error.kind !== 'text') return error;
  const { message, said } = error;
  const advice = 'it refuses any text: EMBEDDINGS_MODEL, or whatever else is asked for, is not right';
  return new ProviderError('setup', message, { said, advice, cause: error });
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error;
  });
}
