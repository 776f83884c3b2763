import type { EmbeddedRow } from '../embedding-service.ts';
import type { OpenAiClient } from './openai-client.ts';
import { ProviderError } from './provider-error.ts';
import { dimensionAdvice } from './refusal-of.ts';

interface Parts {
  client: Pick<OpenAiClient, 'embed'>;
  /** Aborted when nobody asks any more. */
  stopping: AbortSignal;
}

/** No service has a reason to refuse this for what it is, nor to take long for it. */
export const simplest = 'a';
export const late = 'it does not answer in time';

/** By the simplest text it is told whether a service is down, does not give a dimension, or fails at what it was sent. */
export class SimplestText {
  readonly #parts: Parts;
  /** Under way, by dimension: whoever has failed meanwhile waits for the same answer. */
  readonly #tests = new Map<number, Promise<ProviderError | null>>();
  /** At which a text had its vector last. */
  #goodDimension: number | null = null;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  worked(dimension: number): void {
    this.#goodDimension = dimension;
  }

  /** Why it has no vector; of kind `dimension`: it has one of another. `isFirst`: of those who wait for this answer, whoever began to. */
  test(dimension: number, ms: number): { failure: Promise<ProviderError | null>; isFirst: boolean } {
    const known = this.#tests.get(dimension);
    if (known) return { failure: known, isFirst: false };
    const failure = this.#tested(dimension, ms).finally(() => this.#tests.delete(dimension));
    this.#tests.set(dimension, failure);
    return { failure, isFirst: true };
  }

  /** The failure at it, or that it is one of the dimension alone. */
  async blamed(failure: ProviderError, dimension: number, ms: number): Promise<ProviderError> {
    const good = this.#goodDimension;
    const mayBeOfDimension = failure.kind === 'text' || failure.kind === 'down';
    if (!mayBeOfDimension || good === null || good === dimension) return failure;
    if ((await this.#failureAt(good, ms)) !== null) return failure;
    const { message, said } = failure;
    return new ProviderError('dimension', message, { said, advice: dimensionAdvice, cause: failure });
  }

  async #tested(dimension: number, ms: number): Promise<ProviderError | null> {
    const failure = await this.#failureAt(dimension, ms);
    return failure && (await this.blamed(failure, dimension, ms));
  }

  async #failureAt(dimension: number, ms: number): Promise<ProviderError | null> {
    const { client, stopping } = this.#parts;
    const ended = AbortSignal.timeout(Math.max(1, Math.ceil(ms)));
    try {
      const [row] = await client.embed([simplest], dimension, AbortSignal.any([ended, stopping]));
      return refusalOf(row);
    } catch (thrown) {
      return thrown instanceof ProviderError ? thrown : new ProviderError('down', late, { cause: thrown });
    }
  }
}

/** Null: it is a vector. */
export function refusalOf(row: EmbeddedRow | undefined): ProviderError | null {
  if (row instanceof Float32Array) return null;
  return new ProviderError('dimension', row ?? late, { advice: dimensionAdvice });
}
