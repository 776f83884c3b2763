import { JsonText } from '#server/wire/json-text.ts';
import type { HitHead } from '#shared/requests.ts';

/** Hits of an answer of which is kept what it was. */
const headsMax = 10;

/** Hits as they go out, and of the first of them what is kept once the answer is gone: their text need not be read for it. */
export class HeadedText<Value> extends JsonText<Value> {
  readonly heads: readonly HitHead[];

  constructor(bytes: Uint8Array, heads: readonly HitHead[]) {
    super(bytes);
    this.heads = heads;
  }
}

export function headsOf(hits: readonly HitHead[]): HitHead[] {
  return hits.slice(0, headsMax).map(({ id, score }) => ({ id, score }));
}
