import type { Embedder } from '#server/embeddings/embedder.ts';
import { readSyntax } from '#server/engine/search-index.ts';
import type { EngineAnswer, SearchQuery } from '#server/engine/types.ts';
import { JsonText } from '#server/wire/json-text.ts';
import type { GroupedAnswer, SearchAnswer } from '#shared/search.ts';
import type { GivenParameters } from '#shared/search-parameters.ts';
import type { EngineReply } from '../host/engine-calls.ts';
import type { AppliedRules } from '../rules/apply-rules.ts';
import { noFacets, type ShownFacets } from './facet-counts.ts';
import type { ShownGroups } from './grouped-hits.ts';
import { headed } from './headed-text.ts';
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
  /** Why a hybrid search was one by words alone. */
  withoutMeaning?: string | undefined;
  /** Why hits that were to be ordered anew are not. */
  withoutReranking?: string | null;
  /** Absent: which words are typed as they are meant is not told. */
  knowsWord?: Embedder['knowsWord'];
}

/** The caller's answer from the engine's. */
export function searchAnswer(
  answer: EngineReply<'search'>,
  query: SearchQuery,
  asked: AskedForPage,
): ShownAnswer {
  if (query.group === null) return listAnswer(answer, query, asked);
  const groups: ShownGroups = headed(answer.hits, answer.heads);
  return { ...aroundHits(answer, query, asked), found_docs: answer.foundDocuments, grouped_hits: groups };
}

/** The same of a search without groups. */
export function listAnswer(
  answer: EngineReply<'search'>,
  query: SearchQuery,
  asked: AskedForPage,
): ShownList {
  const hits: ShownHits = headed(answer.hits, answer.heads);
  return Object.assign(aroundHits(answer, query, asked), { hits });
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
    ...(answer.nothingFits && { nothing_fits: true }),
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

export const withoutCluster = {
  away: 'The search cluster is away: this was found by an index of the record',
  'being made': 'An index in the search cluster is being made anew: this was found by an index of the record',
};

/** What was really asked of the engine, defaults filled in, and what it did to the words. */
export function effectiveRequest(
  query: SearchQuery,
  answer: Pick<EngineAnswer, 'matchRule' | 'droppedTokens' | 'correctedTokens'> & {
    isFromRecord?: keyof typeof withoutCluster;
  },
  { parameters, acting, withoutMeaning, withoutReranking, knowsWord }: Asked,
): SearchAnswer['request'] {
  const hasWords = query.mode !== 'vector';
  const request: SearchAnswer['request'] = { mode: query.mode, query: query.text };
  const { parts } = readSyntax(query.text);
  if (parts.some(({ kind }) => kind !== 'words')) {
    const phrases = parts.flatMap(({ kind, text }) => (kind === 'phrase' ? [text] : []));
    const excluded = parts.flatMap(({ kind, text }) => (kind === 'exclusion' ? [text] : []));
    if (phrases.length > 0) request.phrases = phrases;
    if (excluded.length > 0) request.excluded = excluded;
  }
  // One by one: to spread a dozen objects that are mostly empty took longer than all else that an answer is made of.
  if (query.fields) request['query_by'] = query.fields.map((field) => field.name);
  if (query.filter !== null) request['filter_by'] = query.filter;
  if (parameters.sort_by) request['sort_by'] = parameters.sort_by;
  if (hasWords) {
    request['prefix'] = query.prefix;
    request['num_typos'] = query.typosMax;
    request['split_join_tokens'] = query.wordBreaks;
    request['drop_tokens_threshold'] = query.dropTokensThreshold;
    if (answer.matchRule) request.match = answer.matchRule;
    request.dropped_tokens = answer.droppedTokens;
    request.corrected_tokens = answer.correctedTokens.map((corrected) =>
      knowsWord?.(corrected.from) ? { ...corrected, known: true } : corrected,
    );
  }
  if (query.group) {
    request['group_by'] = query.group.fields;
    request['group_limit'] = query.group.limit;
    request['group_missing_values'] = query.group.joinsMissing;
  }
  if (query.areFacetsDisjunctive) request['facet_mode'] = 'disjunctive';
  if (query.mode !== 'keyword') request.k = query.k;
  if (query.mode !== 'keyword' && query.isExact) request['exact'] = true;
  if (query.distanceThreshold !== null) request['distance_threshold'] = query.distanceThreshold;
  if (query.mode === 'hybrid') {
    request.alpha = query.alpha;
    request.fusion = query.fusion;
  }
  if (withoutMeaning) request.without_meaning = withoutMeaning;
  if (answer.isFromRecord) request.without_cluster = withoutCluster[answer.isFromRecord];
  if (withoutReranking) request['without_reranking'] = withoutReranking;
  if (parameters.preset) request['preset'] = parameters.preset;
  if (query.relevance?.min != null) request['min_relevance'] = query.relevance.min;
  if (query.stopWords) request['stop_words'] = query.stopWords;
  if (parameters.ranking) request['ranking'] = parameters.ranking;
  if (acting && acting.synonyms.length > 0) request.synonyms = acting.synonyms;
  if (acting?.override) request.override = acting.override;
  if (acting?.understood) request.understood = acting.understood;
  return request;
}
