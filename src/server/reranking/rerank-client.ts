import { z } from 'zod';
import { CircuitBreaker } from '#server/embeddings/circuit-breaker.ts';
import { AnswerTooLongError, JsonPoster } from '#server/embeddings/openai/post-json.ts';
import { parsedJson } from '#server/embeddings/openai/refusal-of.ts';
import type { Log } from '#server/log.ts';
import { PrivateAddressError, type Resolve } from '#server/outbound/find-addresses.ts';
import type { RerankSettings } from '#server/rerank-settings.ts';

/** By place of the document; null: the service has not told its score. Or why there are none, in words for whoever searches. */
export type RerankOutcome = { scores: (number | null)[] } | { reason: string };

interface RerankParts extends RerankSettings {
  resolve: Resolve;
  log: Log;
  now?: () => number;
}

/** So many are asked at once; further searches stay as they are. */
const atOnceMax = 16;
/** Of an answer beside what it repeats of the documents. */
const headBytes = 64 * 1024;

const answerSchema = z.object({
  results: z.array(z.object({ index: z.int().min(0), relevance_score: z.number() })),
});

/**
 * Asks an endpoint that speaks the `/rerank` of Cohere, Jina and vLLM how well documents answer a query. It is asked once: whoever searches waits. While it
 * fails it is not asked (`CircuitBreaker`); where it may be is checked as of the service for embeddings.
 */
export class RerankClient {
  readonly #parts: RerankParts;
  readonly #poster: JsonPoster;
  readonly #breaker: CircuitBreaker;
  #atOnce = 0;
  #told: string | null = null;

  constructor(parts: RerankParts) {
    this.#parts = parts;
    this.#poster = new JsonPoster(parts);
    this.#breaker = new CircuitBreaker(parts.now ?? (() => performance.now()));
  }

  /** @throws the signal's reason */
  async scores(query: string, documents: string[], signal?: AbortSignal): Promise<RerankOutcome> {
    signal?.throwIfAborted();
    if (this.#atOnce >= atOnceMax) return { reason: 'the re-ranking service has too much to do' };
    const ask = this.#breaker.ask();
    if (!ask) return { reason: 'the re-ranking service has failed, and is not asked for a while' };
    this.#atOnce += 1;
    try {
      const scores = await this.#asked(query, documents, signal);
      this.#breaker.succeeded();
      this.#tell(null);
      return { scores };
    } catch (error) {
      if (signal?.aborted) {
        this.#breaker.left(ask);
        throw error;
      }
      this.#breaker.failed(ask);
      const reason = error instanceof RerankError ? error.message : 'the connection failed';
      this.#tell(reason);
      return { reason: `the re-ranking service: ${reason}` };
    } finally {
      this.#atOnce -= 1;
    }
  }

  close(): void {
    this.#poster.close();
  }

  /** @throws RerankError, what the connection throws */
  async #asked(query: string, documents: string[], signal?: AbortSignal): Promise<(number | null)[]> {
    const { url, apiKey, model, timeoutMs } = this.#parts;
    const late = AbortSignal.timeout(timeoutMs);
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
      .post(posting, signal ? AbortSignal.any([late, signal]) : late)
      .catch((cause: unknown) => {
        if (late.aborted) throw new RerankError(`it does not answer within ${timeoutMs} ms`, { cause });
        if (cause instanceof PrivateAddressError)
          throw new RerankError('its address is not allowed', { cause });
        if (cause instanceof AnswerTooLongError)
          throw new RerankError('it answers more than was asked for', { cause });
        throw cause;
      });
    if (answer.status !== 200) throw new RerankError(`it answers ${answer.status}`);
    return scoresOf(answer.body, documents.length);
  }

  /** Once each time it begins to fail, or in another way, and when it answers again. */
  #tell(reason: string | null): void {
    if (this.#told === reason) return;
    this.#told = reason;
    if (reason === null) this.#parts.log.info('the re-ranking service answers again');
    else this.#parts.log.warn('the re-ranking service fails', { reason });
  }
}

class RerankError extends Error {}

/** @throws RerankError */
function scoresOf(body: string, count: number): (number | null)[] {
  const answer = answerSchema.safeParse(parsedJson(body));
  if (!answer.success) throw new RerankError('its answer is not one of scores');
  const scores = new Array<number | null>(count).fill(null);
  for (const { index, relevance_score } of answer.data.results) {
    if (index >= count || scores[index] !== null)
      throw new RerankError('its answer names documents that were not sent, or one twice');
    scores[index] = relevance_score;
  }
  return scores;
}
