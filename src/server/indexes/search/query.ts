import { type Embedder, isBuiltIn, type Tier } from '#server/embeddings/embedder.ts';
import { readableShare } from '#server/embeddings/readable-share.ts';
import { weighedByReading } from '#server/embeddings/weighed-by-reading.ts';
import { english, parseFacets, parseSort, queryWords, readSyntax } from '#server/engine/search-index.ts';
import type { FacetRequest, FitAsked, SearchQuery, SortKey } from '#server/engine/types.ts';
import { AppError, badRequest } from '#server/errors.ts';
import { limits } from '#shared/limits.ts';
import type { SearchMode } from '#shared/search.ts';
import type { SearchParameters } from '#shared/search-parameters.ts';
import { builtInDimension } from '../built-in-index.ts';
import type { CollectionHandle } from '../indexes.ts';
import type { AppliedRules } from '../rules/apply-rules.ts';
import { walkFrom } from './cursor.ts';
import { diagnosticsError } from './diagnostics-error.ts';
import { type Page, pageOf } from './page-of.ts';
import { toRanking } from './to-ranking.ts';
import { readVectorQuery, type VectorQuery } from './vector-query.ts';

const neighbours: Record<SearchMode, number> = { keyword: 10, vector: 10, hybrid: 100 };

interface QueryParts {
  collection: CollectionHandle;
  embedder: Pick<Embedder, 'embedQuery'> & Partial<Pick<Embedder, 'knowsWord'>>;
  /** By what the query is embedded; asked where it is. */
  tierOf: () => Tier | Promise<Tier>;
  /** A document's vectors; absent: they cannot be compared here. */
  vectorsOf?: (id: string) => Promise<Float32Array>;
}

/**
 * A search's parameters and what its collection's rules add as the engine's query; the filter is checked where the index is.
 * @throws AppError BAD_REQUEST with path, position and what was expected
 */
export async function toSearchQuery(
  parts: QueryParts,
  mode: SearchMode,
  { parameters, query: ofRules }: Pick<AppliedRules, 'parameters' | 'query'>,
): Promise<{ query: SearchQuery; page: Page; withoutMeaning?: string }> {
  const text = checkedText(parameters);
  const page = pageOf(parameters);
  const vectorQuery = mode === 'keyword' ? null : readVectorQuery(parts.collection, parameters.vector_query);
  const {
    vector,
    trust,
    scale = 'other',
    withoutMeaning,
  } = mode === 'keyword'
    ? noMeaning
    : await meaningOf(parts, { mode, text, given: vectorQuery }).catch(unlessHybrid(mode));
  const query: SearchQuery = {
    mode,
    text,
    fields: fieldsOf(parameters),
    vector,
    filter: filterOf(parameters.filter_by),
    sort: sortOf(parameters.sort_by),
    facets: facetsOf(parameters.facet_by),
    facetQuery: parameters.facet_query || null,
    facetValuesMax: parameters.max_facet_values,
    areFacetsDisjunctive: parameters.facet_mode === 'disjunctive',
    group: groupingOf(parameters),
    walk: null,
    offset: page.offset,
    limit: page.perPage,
    prefix: parameters.prefix,
    typosMax: parameters.num_typos,
    wordBreaks: parameters.split_join_tokens,
    dropTokensThreshold: parameters.drop_tokens_threshold,
    match: parameters.match,
    k: vectorQuery?.k ?? parameters.k ?? neighbours[mode],
    isExact: parameters.exact,
    metric: null,
    distanceThreshold: vectorQuery?.distanceThreshold ?? null,
    alpha: parameters.alpha,
    vectorTrust: trust,
    fusion: parameters.fusion,
    highlightFields: parameters.highlight_fields ?? null,
    ranking: toRanking(parameters.ranking),
    isExplained: parameters.explain ?? false,
    fit: fitOf(mode, text, { scale, knowsWord: parts.embedder.knowsWord ?? null }),
    ...ofRules,
    // A document is not like itself.
    excludeIds: vectorQuery?.id === undefined ? ofRules.excludeIds : [...ofRules.excludeIds, vectorQuery.id],
  };
  const asked = walkFrom(parts.collection, { query, page }, parameters.cursor);
  // Without a meaning scores are others than relevance was fitted to.
  return withoutMeaning === undefined
    ? asked
    : { ...asked, query: { ...asked.query, relevance: null }, withoutMeaning };
}

interface Meaning {
  /** Null: the query says nothing the model knows; a hybrid search then has keyword matches only. */
  vector: Float32Array | null;
  /** How much of the query its model reads, 0 to 1; null: it is not made of the query. */
  trust: number | null;
  /** What similarities to it say; absent: it is not of a built-in model. */
  scale?: FitAsked['scale'];
  /** Why the query has none, though it says something. */
  withoutMeaning?: string;
}

/** Of a query that is read by less, similarities say nothing of what fits. */
const readableMin = 0.5;

const noMeaning: Meaning = { vector: null, trust: null };

/** A hybrid search goes on by words alone while its words cannot be embedded. */
function unlessHybrid(mode: SearchMode): (error: unknown) => Meaning {
  return (error) => {
    if (mode !== 'hybrid' || !(error instanceof AppError) || error.code !== 'UNAVAILABLE') throw error;
    return { ...noMeaning, withoutMeaning: error.message };
  };
}

/** @throws AppError BAD_REQUEST where it has too many phrases and exclusions */
function checkedText({ query, q }: Pick<SearchParameters, 'query' | 'q'>): string {
  const text = query ?? q ?? '';
  const demands = readSyntax(text).parts.filter(({ kind }) => kind !== 'words').length;
  if (demands > limits.queryDemandsMax)
    throw badRequest(
      query === undefined ? 'q' : 'query',
      `must have at most ${limits.queryDemandsMax} phrases and exclusions, and has ${demands}`,
    );
  return text;
}

/** A longer text is prose, of which no word decides what fits. */
const knownWordsMax = 10;

/** Null: nothing is asked that could fit. */
function fitOf(
  mode: SearchMode,
  text: string,
  { scale, knowsWord }: Pick<FitAsked, 'scale'> & { knowsWord: Embedder['knowsWord'] | null },
): FitAsked | null {
  const plain = readSyntax(text).text.trim();
  if (plain === '' || plain === '*') return null;
  const words = mode === 'vector' || knowsWord === null ? [] : queryWords(plain, english.words);
  const isProse = words.length > knownWordsMax;
  return { scale, knownWords: isProse ? [] : words.filter((word) => knowsWord?.(word)) };
}

/** A query for every document, in id order unless sorted. */
export function plainQuery(filterBy: string | undefined, given: Partial<SearchQuery>): SearchQuery {
  return {
    mode: 'keyword',
    text: '*',
    fields: null,
    vector: null,
    filter: filterOf(filterBy),
    ruleFilter: null,
    sort: [],
    facets: [],
    facetQuery: null,
    facetValuesMax: 10,
    areFacetsDisjunctive: false,
    group: null,
    walk: null,
    offset: 0,
    limit: 10,
    prefix: true,
    typosMax: 0,
    wordBreaks: 'off',
    dropTokensThreshold: 0,
    match: 'all',
    stopWords: null,
    synonyms: [],
    k: 10,
    isExact: false,
    metric: null,
    distanceThreshold: null,
    alpha: 0.5,
    vectorTrust: null,
    fusion: 'weighted',
    highlightFields: [],
    excludeIds: [],
    pins: [],
    ranking: toRanking(),
    ...given,
  };
}

/** @throws AppError BAD_REQUEST, UNAVAILABLE */
async function meaningOf(
  { collection, embedder, tierOf, vectorsOf }: QueryParts,
  { mode, text, given }: { mode: SearchMode; text: string; given: VectorQuery | null },
): Promise<Meaning> {
  if (given?.vector) return { vector: given.vector, trust: null };
  if (given?.id !== undefined) {
    if (vectorsOf) return { vector: await vectorsOf(given.id), trust: null };
    throw badRequest(
      'vector_query',
      'does not go with "merge" with the id of a document: those are of one collection',
    );
  }
  const words = readSyntax(text).text.trim();
  if (words === '' || words === '*') {
    if (mode === 'hybrid') return noMeaning;
    throw badRequest('query', 'is required: words to embed, or a vector in "vector_query"');
  }
  // Before anything is waited for: what comes later takes no turn, and a merged search does it for each of its collections. What a model reads that is not built in is not known.
  const readable = readableShare(words);
  const tier = await tierOf();
  const vector = await embedder.embedQuery(words, collection.dimension, tier);
  const isKnown = vector.some((component) => component !== 0);
  if (!isBuiltIn(tier)) return isKnown ? { vector, trust: 1 } : noMeaning;
  const scale = readable >= readableMin ? 'own' : 'unread';
  if (!isKnown) return { ...noMeaning, scale };
  // Beside words the vector counts by how much is read of it, and its order is best as it is.
  const weighed = mode === 'vector' ? weighedByReading(vector, { own: builtInDimension, readable }) : vector;
  return { vector: weighed, trust: readable, scale };
}

/** @throws AppError BAD_REQUEST */
export function fieldsOf({
  query_by: names,
  query_by_weights: weights,
}: Pick<SearchParameters, 'query_by' | 'query_by_weights'>): SearchQuery['fields'] {
  if (!names || names.length === 0) {
    if (weights) throw badRequest('query_by_weights', 'needs "query_by", one weight a field');
    return null;
  }
  if (weights && weights.length !== names.length) {
    throw badRequest(
      'query_by_weights',
      `has ${weights.length} weights for ${names.length} fields of "query_by"`,
    );
  }
  return names.map((name, i) => ({ name, weight: weights?.[i] ?? 1 }));
}

function groupingOf(parameters: SearchParameters): SearchQuery['group'] {
  const { group_by: fields = [], group_limit: limit, group_missing_values: joinsMissing } = parameters;
  return fields.length === 0 ? null : { fields, limit, joinsMissing };
}

function filterOf(text: string | undefined): string | null {
  return text === undefined || text.trim() === '' ? null : text;
}

export function sortOf(text: string | undefined): SortKey[] {
  if (text === undefined) return [];
  const { keys, diagnostics } = parseSort(text, limits.sortKeysMax);
  if (diagnostics.length > 0) throw diagnosticsError('sort_by', diagnostics);
  return keys;
}

export function facetsOf(given: SearchParameters['facet_by']): FacetRequest[] {
  if (given === undefined) return [];
  const { requests, diagnostics } = parseFacets(
    Array.isArray(given) ? given.join(',') : given,
    limits.facetsMax,
  );
  if (diagnostics.length > 0) throw diagnosticsError('facet_by', diagnostics);
  return requests;
}
