import { z } from 'zod';
import { type Ask, CircuitBreaker } from '#server/embeddings/circuit-breaker.ts';
import { AnswerTooLongError, JsonPoster } from '#server/embeddings/openai/post-json.ts';
import { ProviderError } from '#server/embeddings/openai/provider-error.ts';
import { parsedJson } from '#server/embeddings/openai/refusal-of.ts';
import { OwnBreakers } from '#server/embeddings/own-breakers.ts';
import { OwnersAtOnce } from '#server/embeddings/owners-at-once.ts';
import type { Log } from '#server/log.ts';
import { PrivateAddressError, type Resolve } from '#server/outbound/find-addresses.ts';
import type { RerankSettings } from '#server/rerank-settings.ts';
import { rerankRefusal } from './rerank-refusal.ts';

/** By place of the document; null: the service has not told its score. Or why there are none, in words for whoever searches. */
export type RerankOutcome = { scores: (number | null)[] } | { reason: string };

interface RerankParts extends RerankSettings {
  resolve: Resolve;
  log: Log;
  now?: () => number;
}

/** Beyond them searches stay as they are. */
const atOnceMax = 16;
/** Of an answer beside what it repeats of the documents. */
const headBytes = 64 * 1024;

const answerSchema = z.object({
  results: z.array(z.object({ index: z.int().min(0), relevance_score: z.number() })),
});

/** No service has a reason to refuse this for what it is. */
const simplest = { query: 'a', documents: ['a'] };

/** A query and the documents that it is to be compared with. */
interface Asked {
  query: string;
  documents: string[];
}

/** Whose search it is: the account that has the collection. */
interface Asking {
  owner: string;
  signal?: AbortSignal | undefined;
}

/** `late` ends when its time is over, `caller` when whoever searches has gone. */
interface Ends {
  late: AbortSignal;
  caller: AbortSignal | undefined;
}

/**
 * Asks an endpoint that speaks the `/rerank` of Cohere, Jina and vLLM how well documents answer a query. It is asked once: whoever searches waits. While it
 * fails it is not asked (`CircuitBreaker`), at least for as long as it says. What it refuses of one search, fails at or does not answer in time is no failure
 * unless it is so with the simplest one too: the documents may be the reason, which are up to whoever has them. Where it may be is checked as of the service for embeddings.
 */
export class RerankClient {
  readonly #parts: RerankParts;
  readonly #poster: JsonPoster;
  readonly #breaker: CircuitBreaker;
  readonly #slow: OwnBreakers;
  readonly #stopping = new AbortController();
  readonly #atOnce = new OwnersAtOnce(atOnceMax);
  /** Under way for whoever was not answered in time: why the simplest search fails, or null. */
  #probing: Promise<ProviderError | null> | null = null;
  #told: string | null = null;

  constructor(parts: RerankParts) {
    this.#parts = parts;
    this.#poster = new JsonPoster(parts);
    const now = parts.now ?? (() => performance.now());
    this.#breaker = new CircuitBreaker(now);
    this.#slow = new OwnBreakers(now);
  }

  /** @throws the signal's reason */
  async scores(query: string, documents: string[], { owner, signal }: Asking): Promise<RerankOutcome> {
    signal?.throwIfAborted();
    if (!this.#atOnce.begin(owner)) return { reason: 'the re-ranking service has too much to do' };
    try {
      return await this.#unlessItRests({ query, documents }, { owner, signal });
    } finally {
      this.#atOnce.end(owner);
    }
  }

  close(): void {
    this.#stopping.abort();
    this.#poster.close();
  }

  /** @throws the signal's reason */
  async #unlessItRests(asked: Asked, { owner, signal }: Asking): Promise<RerankOutcome> {
    const own = this.#slow.ask(owner);
    if (!own)
      return {
        reason: 'the re-ranking service is too slow for these searches, and is not asked for a while',
      };
    const ask = this.#breaker.ask();
    if (!ask) {
      this.#slow.left(owner, own);
      return { reason: 'the re-ranking service has failed, and is not asked for a while' };
    }
    return await this.#asked(asked, { owner, signal }, { ask, own });
  }

  /** @throws the signal's reason */
  async #asked(
    asked: Asked,
    { owner, signal }: Asking,
    { ask, own }: { ask: Ask; own: Ask },
  ): Promise<RerankOutcome> {
    const ends = { late: AbortSignal.timeout(this.#parts.timeoutMs), caller: signal };
    try {
      const scores = await this.#post(asked, ends);
      this.#answered();
      this.#slow.succeeded(owner);
      return { scores };
    } catch (thrown) {
      const isLate = ends.late.aborted && !signal?.aborted;
      if (isLate) this.#slow.failed(owner, own);
      else this.#slow.left(owner, own);
      if (signal?.aborted) {
        this.#breaker.left(ask);
        throw thrown;
      }
      const error = toProviderError(thrown);
      if (isLate) this.#probeLater(ask);
      else if (error.kind === 'text' || (error.kind === 'down' && error.retryAfterMs === null))
        await this.#probe(ask, ends);
      else this.#failed(ask, error);
      return { reason: `the re-ranking service: ${error.message}` };
    }
  }

  /** Whether it is down, or that search took it too long. Nobody waits for that; who is late meanwhile is told the same. */
  #probeLater(ask: Ask): void {
    this.#probing ??= this.#failureOfSimplest().finally(() => {
      this.#probing = null;
    });
    void this.#probing.then((failure) => {
      if (this.#stopping.signal.aborted) this.#breaker.left(ask);
      else if (failure === null) this.#answered();
      else this.#failed(ask, failure);
    });
  }

  async #failureOfSimplest(): Promise<ProviderError | null> {
    const late = AbortSignal.timeout(this.#parts.timeoutMs);
    try {
      await this.#post(simplest, { late, caller: this.#stopping.signal });
      return null;
    } catch (thrown) {
      return toSetup(toProviderError(thrown));
    }
  }

  /** Whose fault a refusal or a failure is. It has what is left of the search's time. @throws the signal's reason */
  async #probe(ask: Ask, ends: Ends): Promise<void> {
    try {
      await this.#post(simplest, ends);
      this.#answered();
    } catch (thrown) {
      // Nothing is known of a probe that had too little time.
      if (ends.caller?.aborted || ends.late.aborted) this.#breaker.left(ask);
      else this.#failed(ask, toSetup(toProviderError(thrown)));
      ends.caller?.throwIfAborted();
    }
  }

  /** @throws ProviderError, what the connection throws */
  async #post({ query, documents }: Asked, { late, caller }: Ends): Promise<(number | null)[]> {
    const { url, apiKey, model, timeoutMs } = this.#parts;
    const body = JSON.stringify({
      ...(model !== null && { model }),
      query,
      documents,
      top_n: documents.length,
      return_documents: false,
    });
    const posting = {
      url: new URL(url),
      headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
      body,
      bytesMax: headBytes + 2 * Buffer.byteLength(body),
    };
    const answer = await this.#poster
      .post(posting, caller ? AbortSignal.any([late, caller]) : late)
      .catch((cause: unknown) => {
        if (late.aborted)
          throw new ProviderError('down', `it does not answer within ${timeoutMs} ms`, { cause });
        throw cause;
      });
    if (answer.status !== 200) throw rerankRefusal(answer);
    return scoresOf(answer.body, documents.length);
  }

  #answered(): void {
    this.#breaker.succeeded();
    if (this.#told === null) return;
    this.#told = null;
    this.#parts.log.info('the re-ranking service answers again');
  }

  /** Told once each time it begins to fail, or in another way. */
  #failed(ask: Ask, { message: reason, advice, retryAfterMs }: ProviderError): void {
    this.#breaker.failed(ask, retryAfterMs ?? 0);
    if (this.#told === reason) return;
    this.#told = reason;
    this.#parts.log.warn('the re-ranking service fails', { reason, ...(advice && { advice }) });
  }
}

function toProviderError(cause: unknown): ProviderError {
  if (cause instanceof ProviderError) return cause;
  if (cause instanceof PrivateAddressError)
    return new ProviderError('setup', 'its address is not allowed', { cause });
  if (cause instanceof AnswerTooLongError)
    return new ProviderError('down', 'it answers more than was asked for', { cause });
  return new ProviderError('down', 'the connection failed', { cause });
}

function toSetup(error: ProviderError): ProviderError {
  if (error.kind !== 'text') return error;
  const advice = 'it refuses any search: RERANK_MODEL, or whatever else is asked for, is not right';
  return new ProviderError('setup', error.message, { advice, cause: error });
}

/** @throws ProviderError */
function scoresOf(body: string, count: number): (number | null)[] {
  const answer = answerSchema.safeParse(parsedJson(body));
  if (!answer.success) throw new ProviderError('down', 'its answer is not one of scores');
  const scores = new Array<number | null>(count).fill(null);
  for (const { index, relevance_score } of answer.data.results) {
    if (index >= count || scores[index] !== null)
      throw new ProviderError('down', 'its answer names documents that were not sent, or one twice');
    scores[index] = relevance_score;
  }
  return scores;
}
