import type { EngineAnswer, SearchQuery } from '#server/engine/types.ts';
import { JsonText } from '#server/wire/json-text.ts';
import type { GroupedAnswer, SearchAnswer } from '#shared/search.ts';
import type { GivenParameters } from '#shared/search-parameters.ts';
import type { EngineReply } from '../host/engine-calls.ts';
import type { AppliedRules } from '../rules/apply-rules.ts';
import { noFacets, type ShownFacets } from './facet-counts.ts';
import type { ShownGroups } from './grouped-hits.ts';
import { HeadedText } from './headed-text.ts';
import type { Page } from './page-of.ts';
import type { ShownHits } from './search-hit.ts';
import { roundedMs, type SearchTimes } from './search-times.ts';

/** An answer whose hits and facets are the texts that the engine's thread has made of them. */
export type ShownAnswer = ShownList | GroupedAnswer<ShownGroups, ShownFacets>;
/** One without groups. */
export type ShownList = SearchAnswer<ShownHits, ShownFacets>;

/** How the engine was asked. */
interface Asked {
  parameters: GivenParameters;
  /** Absent: rules have no part in it. */
  acting?: AppliedRules['acting'];
}

/** The caller's answer from the engine's. */
export function searchAnswer(
  answer: EngineReply<'search'>,
  query: SearchQuery,
  asked: AskedForPage,
): ShownAnswer {
  if (query.group === null) return listAnswer(answer, query, asked);
  const groups: ShownGroups = new HeadedText(answer.hits, answer.heads);
  return { ...aroundHits(answer, query, asked), found_docs: answer.foundDocuments, grouped_hits: groups };
}

/** The same of a search without groups. */
export function listAnswer(
  answer: EngineReply<'search'>,
  query: SearchQuery,
  asked: AskedForPage,
): ShownList {
  return { ...aroundHits(answer, query, asked), hits: new HeadedText(answer.hits, answer.heads) };
}

interface AskedForPage extends Asked {
  page: Page;
  times: SearchTimes;
  /** Absent: there is no walk. */
  nextCursor?: string | null;
}

function aroundHits(
  answer: EngineReply<'search'>,
  query: SearchQuery,
  { page, times, nextCursor = null, ...asked }: AskedForPage,
): Omit<ShownList, 'hits'> {
  const { tookMs } = times;
  return {
    found: answer.found,
    out_of: answer.outOf,
    page: page.page,
    per_page: page.perPage,
    search_time_ms: roundedMs(tookMs),
    timings: times.upTo(tookMs),
    facet_counts: answer.facets === null ? noFacets : new JsonText(answer.facets),
    request: effectiveRequest(query, answer, asked),
    ...(query.walk !== null && { next_cursor: nextCursor }),
  };
}

/** Bytes of hits and facets; the rest is small and the caller's own. */
export function bytesOfAnswer(answer: ShownAnswer): number {
  const hits = 'hits' in answer ? answer.hits : answer.grouped_hits;
  return hits.bytes.byteLength + answer.facet_counts.bytes.byteLength;
}

/** What was really asked of the engine, defaults filled in, and what it did to the words. */
export function effectiveRequest(
  query: SearchQuery,
  answer: Pick<EngineAnswer, 'matchRule' | 'droppedTokens' | 'correctedTokens'>,
  { parameters, acting }: Asked,
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
    ...(query.group && {
      group_by: query.group.fields,
      group_limit: query.group.limit,
      group_missing_values: query.group.joinsMissing,
    }),
    ...(query.areFacetsDisjunctive && { facet_mode: 'disjunctive' }),
    ...(hasVector && { k: query.k }),
    ...(query.distanceThreshold !== null && { distance_threshold: query.distanceThreshold }),
    ...(query.mode === 'hybrid' && { alpha: query.alpha, fusion: query.fusion }),
    ...(parameters.preset && { preset: parameters.preset }),
    ...(query.stopWords && { stop_words: query.stopWords }),
    ...(parameters.ranking && { ranking: parameters.ranking }),
    ...(acting && acting.synonyms.length > 0 && { synonyms: acting.synonyms }),
    ...(acting?.override && { override: acting.override }),
    ...(acting?.understood && { understood: acting.understood }),
  };
}
