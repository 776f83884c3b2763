import type { EngineFacet } from '#server/engine/types.ts';
import type { FacetCounts } from '#shared/search.ts';
import { AnswerBytes } from './answer-bytes.ts';

/** A field's facet as it goes out. */
export function facetCounts({ field, counts, stats }: EngineFacet): FacetCounts {
  if (stats === null) return { field_name: field, counts };
  const { count: _, ...shown } = stats;
  return { field_name: field, counts, stats: shown };
}

/** Bytes of the facets in an answer. @throws AnswerTooLargeError */
export function facetBytes(facets: EngineFacet[], bytesMax: number): number {
  // Refuses what is far too large before it is written.
  const values = new AnswerBytes(bytesMax);
  for (const { counts } of facets) for (const { value } of counts) values.add(value.length);
  const bytes = bytesOfFacets(facets.map(facetCounts));
  new AnswerBytes(bytesMax).add(bytes);
  return bytes;
}

export function bytesOfFacets(facets: FacetCounts[]): number {
  return facets.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(facets));
}
