import { setTimeout as sleep } from 'node:timers/promises';
import { type Ask, CircuitBreaker } from '../circuit-breaker.ts';
import type { EmbeddedRow, ServiceLook } from '../embedding-service.ts';
import { OwnBreakers } from '../own-breakers.ts';
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
  /** Aborted when nobody asks any more. */
  stopping: AbortSignal;
  /** Waits between tries. */
  wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

interface Patience {
  triesMax: number;
  /** For all tries of a request together. */
  totalMs: number;
  signal: AbortSignal;
  /** The account whose texts they are. */
  owner: string;
  isProbe?: boolean;
}

/** A request that has failed, of whom nobody knows yet whose fault it was. */
interface Failed {
  error: ProviderError;
  ask: Ask;
  own: Ask;
  owner: string;
}

const backOffMs = 500;
const backOffMsMax = 8_000;
/** A refused text is tried once more with so much of it, until it is as short. */
const shorterShare = 3;
const shortCharacters = 1_500;
/** No service has a reason to refuse this for what it is. */
const simplest = 'a';
const late = 'it does not answer in time';
const ownRest = 'it fails at what this account asks for, and is not asked for it for a while';

/**
 * A service that fails at times: tried again after random waits, not asked while it is down, and told apart from texts that it refuses. Where it refuses
 * all of them, it is asked for the simplest one: that this is refused too is a failure of its settings. Nor does it rest for all because of what one
 * account asks for: what fails, or is late, where the simplest text has its vector, and being told to come later while no other account is, count for that account alone.
 */
export class SteadyClient {
  readonly #parts: SteadyParts;
  readonly #breaker: CircuitBreaker;
  readonly #own: OwnBreakers;
  #failure: ProviderError | null = null;
  /** Under way: why the simplest text has no vector, or null. */
  #testing: Promise<ProviderError | null> | null = null;
  /** It has failed at the simplest text, and answered nothing since. */
  #isDown = false;
  /** Whom it told to come later, since it answered somebody. */
  #hurried: string | null = null;

  constructor(parts: SteadyParts) {
    this.#parts = parts;
    this.#breaker = new CircuitBreaker(parts.now);
    this.#own = new OwnBreakers(parts.now);
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
    { untilMs, totalMs: patienceMs, signal, owner, isProbe = false }: Patience & { untilMs: number },
  ): Promise<EmbeddedRow[]> {
    const { client, now } = this.#parts;
    signal.throwIfAborted();
    const own = this.#own.ask(owner);
    if (!own) throw new ProviderError('paused', ownRest, { retryAfterMs: this.#own.restMs(owner) });
    const ask = this.#breaker.ask();
    if (!ask) {
      this.#own.left(owner, own);
      throw new ProviderError('paused', this.#failure?.message ?? 'it does not answer', {
        retryAfterMs: this.restMs,
      });
    }
    const ended = AbortSignal.timeout(Math.max(1, Math.ceil(untilMs - now())));
    try {
      const rows = await client.embed(texts, dimension, AbortSignal.any([ended, signal]));
      this.#own.succeeded(owner);
      this.#answered();
      return rows;
    } catch (thrown) {
      const isLate = ended.aborted && !signal.aborted && !(thrown instanceof ProviderError);
      const told = isLate ? new ProviderError('down', late) : thrown;
      const error = isProbe ? toSetup(told) : told;
      const isOfTexts =
        error instanceof ProviderError && error.kind === 'down' && error.retryAfterMs === null && !isProbe;
      if (isOfTexts && (ask.isTrial || !this.#isDown)) {
        const found = this.#findFault(
          { error, ask, own, owner },
          dimension,
          isLate ? patienceMs : untilMs - now(),
        );
        // Who has waited for too long already does not wait for that.
        if (!isLate) await found;
      } else this.#failedAsk(error, { ask, own, owner }, isProbe);
      throw error;
    }
  }

  #failedAsk(error: unknown, { ask, own, owner }: Omit<Failed, 'error'>, isProbe: boolean): void {
    const isBusy =
      error instanceof ProviderError && !isProbe && (error.kind === 'busy' || error.retryAfterMs !== null);
    if (isBusy) this.#own.failed(owner, own, error.retryAfterMs ?? 0);
    else this.#own.left(owner, own);
    // Whose fault a refusal is the probe tells.
    if (!(error instanceof ProviderError) || error.kind === 'text') this.#breaker.left(ask);
    // What one collection asks for is no fault that others have to wait for.
    else if (error.kind === 'dimension') this.#answered();
    else {
      this.#hurried ??= owner;
      if (isBusy && this.#hurried === owner && !ask.isTrial) this.#breaker.left(ask);
      else this.#breaker.failed(ask, error.retryAfterMs ?? 0);
      this.#failed(error);
    }
  }

  /** By the simplest text, which one request asks for, however many have failed. */
  async #findFault({ error, ask, own, owner }: Failed, dimension: number, ms: number): Promise<void> {
    this.#testing ??= this.#failureOfSimplest(dimension, ms).finally(() => {
      this.#testing = null;
    });
    const failure = await this.#testing;
    if (this.#parts.stopping.aborted) return;
    if (failure === null) {
      this.#own.failed(owner, own);
      this.#answered();
      return;
    }
    this.#own.left(owner, own);
    this.#isDown = true;
    this.#breaker.failed(ask, Math.max(error.retryAfterMs ?? 0, failure.retryAfterMs ?? 0));
    this.#failed(error);
  }

  async #failureOfSimplest(dimension: number, ms: number): Promise<ProviderError | null> {
    const ended = AbortSignal.timeout(Math.max(1, Math.ceil(ms)));
    try {
      await this.#parts.client.embed([simplest], dimension, AbortSignal.any([ended, this.#parts.stopping]));
      return null;
    } catch (thrown) {
      return thrown instanceof ProviderError ? thrown : new ProviderError('down', late, { cause: thrown });
    }
  }

  #answered(): void {
    this.#breaker.succeeded();
    this.#isDown = false;
    this.#hurried = null;
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
