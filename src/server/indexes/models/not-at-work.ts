import { partsOf } from '#server/admission/request-parts.ts';
import type { Tier } from '#server/embeddings/embedder.ts';

/** While a service makes a query's vector the request takes nobody's turn: a slow service would have searches by words be refused. */
export function notAtWork<Result>(
  { tier, signal }: { tier: Tier | undefined; signal: AbortSignal | undefined },
  ask: () => Promise<Result>,
): Promise<Result> {
  if (tier !== 'service') return ask();
  const parts = partsOf(signal);
  return parts.run(() => parts.wait(ask()));
}
