import type { Log } from '#server/log.ts';
import type { ProviderError } from './provider-error.ts';

/**
 * Dimensions of which even the simplest text was refused, or got no good vector, and why. What is refused there is refused whatever the texts are:
 * none is sent before the simplest one has its vector. They are few: collections' dimensions are bounded.
 */
export class DoubtedDimensions {
  readonly #log: Log;
  readonly #refusals = new Map<number, ProviderError>();

  constructor(log: Log) {
    this.#log = log;
  }

  has(dimension: number): boolean {
    return this.#refusals.has(dimension);
  }

  /** Those that the model does not give, and why; not those for which nothing works. */
  get reasons(): ReadonlyMap<number, string> {
    const ofDimension = [...this.#refusals].filter(([, { kind }]) => kind === 'dimension');
    return new Map(ofDimension.map(([dimension, refusal]) => [dimension, refusal.told]));
  }

  add(dimension: number, refusal: ProviderError): void {
    const before = this.#refusals.get(dimension);
    this.#refusals.set(dimension, refusal);
    // Any other is told of as the service's failure.
    if (refusal.kind !== 'dimension' || before?.told === refusal.told) return;
    const { told: reason, advice } = refusal;
    this.#log.warn('the embedding service refuses a dimension', { dimension, reason, advice });
  }

  delete(dimension: number): void {
    const before = this.#refusals.get(dimension);
    this.#refusals.delete(dimension);
    if (before?.kind === 'dimension')
      this.#log.info('the embedding service gives a dimension again', { dimension });
  }
}
