import type { EngineHit } from '#server/engine/types.ts';
import type { JsonText } from '#server/wire/json-text.ts';
import type { SearchHit } from '#shared/search.ts';
import { type ShownDocument, type ShownFields, shownDocument } from './shown-document.ts';

/** The hits of a page as they go out: the text that the engine's thread has made of them. */
export type ShownHits = JsonText<SearchHit[]>;

export function searchHit(hit: EngineHit, shown: ShownFields): SearchHit<ShownDocument> {
  return {
    id: hit.id,
    document: shownDocument(hit.source, shown),
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
