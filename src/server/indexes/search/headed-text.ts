import { JsonText } from '#server/wire/json-text.ts';
import type { HitHead } from '#shared/requests.ts';

/** Hits of an answer of which is kept what it was. */
const headsMax = 10;

/**
 * Hits as they go out, and of the first of them what is kept once the answer is gone: their text need not be read for it. Of most answers nothing is
 * kept, so it is read when it is asked for.
 */
export class HeadedText<Value> extends JsonText<Value> {
  readonly #heads: () => readonly HitHead[];

  constructor(bytes: Uint8Array, heads: () => readonly HitHead[]) {
    super(bytes);
    this.#heads = heads;
  }

  get heads(): readonly HitHead[] {
    return this.#heads();
  }
}

/** The heads as JSON: one text crosses a thread at a small part of what twenty objects take. */
export function headsText(hits: readonly HitHead[]): string {
  return JSON.stringify(hits.slice(0, headsMax).map(({ id, score }) => ({ id, score })));
}

/** Hits of which `headsText` has told the heads. */
export function headed<Value>(bytes: Uint8Array, text: string): HeadedText<Value> {
  return new HeadedText(bytes, () => JSON.parse(text));
}
