import type { Steps } from '#server/engine/steps.ts';
import type { EngineFacet } from '#server/engine/types.ts';
import { JsonText, jsonInSteps, jsonInUtf8 } from '#server/wire/json-text.ts';
import type { FacetCounts } from '#shared/search.ts';
import { AnswerBytes } from './answer-bytes.ts';

/** The facets of an answer as they go out: the text that the engine's thread has made of them. */
export type ShownFacets = JsonText<FacetCounts[]>;

export const noFacets: ShownFacets = new JsonText(new TextEncoder().encode('[]'));

/** A field's facet as it goes out. */
export function facetCounts({ field, counts, stats }: EngineFacet): FacetCounts {
  if (stats === null) return { field_name: field, counts };
  const { count: _, ...shown } = stats;
  return { field_name: field, counts, stats: shown };
}

/** The facets' JSON text in UTF-8, one facet a step. @throws AnswerTooLargeError */
export function* facetsText(facets: EngineFacet[], bytesMax: number): Steps<Uint8Array<ArrayBuffer>> {
  const bytes = new AnswerBytes(bytesMax);
  const texts: JsonText<FacetCounts>[] = [];
  for (const facet of facets) {
    const text = jsonInUtf8(facetCounts(facet));
    bytes.add(text.byteLength);
    texts.push(new JsonText(text));
    yield;
  }
  return yield* jsonInSteps(texts);
}
