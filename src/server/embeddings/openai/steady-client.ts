import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '#server/within.ts';
import type { EmbeddedRow, ServiceLook } from '../embedding-service.ts';
import type { DoubtedDimensions } from './doubted-dimensions.ts';
import type { OpenAiClient } from './openai-client.ts';
import { ProviderError } from './provider-error.ts';
import { late, refusalOf, type SimplestText, simplest } from './simplest-text.ts';
import { type Asked, WhoFailed } from './who-failed.ts';

interface SteadyParts {
  client: Pick<OpenAiClient, 'embed'>;
  now: () => number;
  /** 0 to 1, below 1. */
  random: () => number;
  /** Told when it begins to fail, or fails in another way, and when it answers again. */
  onTurn: (failure: ProviderError | null) => void;
  /** These two are shared by all that ask this service with these settings. */
  doubts: DoubtedDimensions;
  simplest: SimplestText;
  /** Told when it is not asked for an account's texts for a while. */
  onOwnRest: (owner: string, failure: ProviderError) => void;
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
  /** Nobody waits: texts at which it fails are told apart, and each is tried as often. */
  mayPart?: boolean;
  isProbe?: boolean;
}

const backOffMs = 500;
const backOffMsMax = 8_000;
/** A refused text is tried once more with so much of it, until it is as short. */
const shorterShare = 3;
const shortCharacters = 1_500;

/**
 * A service that fails at times: tried again after random waits, not asked while it is down, and told apart from texts that it refuses. Where it refuses
 * all of them, it is asked for the simplest one: that this is refused too is a failure of its settings. Nor does it rest for all because of what one
 * account asks for: what fails, or is late, where the simplest text has its vector, and being told to come later while no other account is, count for that account
 * alone. Nor because of a dimension, where the simplest text has a vector of another.
 */
export class SteadyClient {
  readonly #parts: SteadyParts;
  readonly #counts: WhoFailed;
  /** Failures at single texts where the simplest one has its vector. */
  readonly #ofTexts = new WeakSet<ProviderError>();

  constructor(parts: SteadyParts) {
    this.#parts = parts;
    this.#counts = new WhoFailed(parts);
  }

  get state(): ServiceLook {
    return this.#counts.state;
  }

  /** How long it is not asked. */
  get restMs(): number {
    return this.#counts.restMs;
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
      if (!(error instanceof ProviderError)) throw error;
      if (error.kind === 'text' || error.kind === 'dimension' || this.#ofTexts.has(error)) return error;
      throw error;
    }
  }

  /** Asks for the simplest text's vector. @throws ProviderError whatever texts are sent, they are refused; the signal's reason */
  async #probe(dimension: number, patience: Patience): Promise<void> {
    const { doubts } = this.#parts;
    if (patience.totalMs <= 0) throw new ProviderError('down', late);
    try {
      const [row] = await this.#tried([simplest], dimension, { ...patience, isProbe: true });
      const refusal = refusalOf(row);
      if (refusal) throw refusal;
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
    { untilMs, ...patience }: Patience & { untilMs: number },
  ): Promise<EmbeddedRow[]> {
    const { client, now } = this.#parts;
    const { signal, owner, isProbe = false } = patience;
    signal.throwIfAborted();
    const asked = this.#counts.begin(owner);
    const ended = AbortSignal.timeout(Math.max(1, Math.ceil(untilMs - now())));
    try {
      const rows = await client.embed(texts, dimension, AbortSignal.any([ended, signal]));
      if (rows.some((row) => row instanceof Float32Array)) this.#parts.simplest.worked(dimension);
      this.#counts.succeeded(asked);
      return rows;
    } catch (thrown) {
      const isLate = ended.aborted && !signal.aborted && !(thrown instanceof ProviderError);
      const error = isLate ? new ProviderError('down', late) : thrown;
      if (!(error instanceof ProviderError)) {
        this.#counts.left(asked);
        throw error;
      }
      if (isProbe) throw await this.#probeFailed(error, asked, { dimension, ms: patience.totalMs, isLate });
      const isAnybodys = error.kind !== 'down' || error.retryAfterMs !== null;
      if (isAnybodys || this.#counts.isKnownDown(asked)) {
        this.#counts.failed(error, asked);
        throw error;
      }
      const found = this.#findFault(error, asked, { dimension, patience, texts });
      if (patience.mayPart) throw await found;
      // Whoever waits for a query does so no longer than it may.
      const restMs = isLate ? 0 : untilMs - now();
      if (restMs <= 0) throw error;
      throw await within(found, restMs, () => error).catch(() => error);
    }
  }

  /** @returns the failure as it is to be told */
  async #probeFailed(
    error: ProviderError,
    asked: Asked,
    { dimension, ms, isLate }: { dimension: number; ms: number; isLate: boolean },
  ): Promise<ProviderError> {
    // It may have had what was left of the time.
    if (isLate) {
      this.#counts.left(asked);
      return error;
    }
    const told = toSetup(await this.#parts.simplest.blamed(error, dimension, ms));
    this.#counts.failed(told, asked);
    return told;
  }

  /** By the simplest text, which one request asks for, however many have failed. @returns the failure as it is to be told */
  async #findFault(
    error: ProviderError,
    asked: Asked,
    { dimension, patience, texts }: { dimension: number; patience: Patience; texts: string[] },
  ): Promise<ProviderError> {
    const { mayPart = false, totalMs } = patience;
    const { failure, isFirst } = this.#parts.simplest.test(dimension, totalMs);
    const found = await failure;
    if (this.#parts.stopping.aborted) this.#counts.left(asked);
    else if (found === null) {
      this.#counts.ofTexts(error, asked, !mayPart);
      if (mayPart && texts.length > 1) return ofSeveral(error);
      if (mayPart) this.#ofTexts.add(error);
    } else if (found.kind === 'dimension') {
      this.#parts.doubts.add(dimension, found);
      this.#counts.ofDimension(asked);
      return found;
    } else this.#counts.isDown(error, asked, { isOne: isFirst, restMs: found.retryAfterMs ?? 0 });
    return error;
  }
}

const isRows = (outcome: EmbeddedRow[] | ProviderError): outcome is EmbeddedRow[] => Array.isArray(outcome);

/** They are told apart at once: one that is whole may have its vector. */
const ofSeveral = (error: ProviderError): ProviderError =>
  new ProviderError('text', error.message, { said: error.said, cause: error });

function toSetup(error: ProviderError): ProviderError {
  if (error.kind !== 'text') return error;
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
