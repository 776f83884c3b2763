import type { EngineAnswer, EngineFacet, EngineHit, SearchQuery } from '#server/engine/types.ts';
import type { FacetCounts, SearchAnswer, SearchHit, SearchParameters } from '#shared/search.ts';
import type { ShownDocument } from '../indexes.ts';
import type { Page } from './page-of.ts';
import { shownDocument } from './shown-document.ts';

/** The caller's answer from the engine's. */
export function searchAnswer(
  answer: EngineAnswer,
  query: SearchQuery,
  parameters: Partial<SearchParameters>,
  { page, tookMs }: { page: Page; tookMs: number },
): SearchAnswer<ShownDocument> {
  return {
    found: answer.found,
    out_of: answer.outOf,
    page: page.page,
    per_page: page.perPage,
    search_time_ms: Math.round(tookMs * 1000) / 1000,
    hits: answer.hits.map((hit) => searchHit(hit, parameters)),
    facet_counts: answer.facets.map(facetCounts),
    request: effectiveRequest(query, answer, parameters),
  };
}

export function facetCounts({ field, counts, stats }: EngineFacet): FacetCounts {
  if (stats === null) return { field_name: field, counts };
  const { count: _, ...shown } = stats;
  return { field_name: field, counts, stats: shown };
}

export function searchHit(hit: EngineHit, parameters: Partial<SearchParameters>): SearchHit<ShownDocument> {
  return {
    id: hit.id,
    document: shownDocument(hit.source, parameters),
    score: hit.score,
    ...(hit.textMatch !== null && { text_match: hit.textMatch }),
    ...(hit.vectorDistance !== null && { vector_distance: hit.vectorDistance }),
    highlights: hit.highlights.map(({ field, snippet, matchedTokens }) => ({
      field,
      snippet,
      matched_tokens: matchedTokens,
    })),
    ...(hit.passage && { passage: hit.passage }),
  };
}

/** What was really asked of the engine, defaults filled in, and what it did to the words. */
export function effectiveRequest(
  query: SearchQuery,
  answer: Pick<EngineAnswer, 'matchRule' | 'droppedTokens' | 'correctedTokens'>,
  parameters: Partial<SearchParameters>,
): SearchAnswer['request'] {
  const hasWords = query.mode !== 'vector';
  const hasVector = query.mode !== 'keyword';
  return {
    mode: query.mode,
    query: query.text,
    ...(query.fields && { query_by: query.fields.map((field) => field.name) }),
    ...(query.filter !== null && { filter_by: query.filter }),
    ...(parameters.sort_by && { sort_by: parameters.sort_by }),
    ...(hasWords && {
      prefix: query.prefix,
      num_typos: query.typosMax,
      drop_tokens_threshold: query.dropTokensThreshold,
      ...(answer.matchRule && { match: answer.matchRule }),
      dropped_tokens: answer.droppedTokens,
      corrected_tokens: answer.correctedTokens,
    }),
    ...(hasVector && { k: query.k }),
    ...(query.distanceThreshold !== null && { distance_threshold: query.distanceThreshold }),
    ...(query.mode === 'hybrid' && { alpha: query.alpha, fusion: query.fusion }),
  };
}
