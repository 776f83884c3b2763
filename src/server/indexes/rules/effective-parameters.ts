import { type GivenParameters, type SearchParameters, searchDefaults } from '#shared/search-parameters.ts';

/** Which parameters say one thing together: a layer that gives one of them gives all. */
const together = [
  ['query_by', 'query_by_weights'],
  ['per_page', 'limit'],
  ['page', 'offset'],
] as const;

/**
 * Each parameter has its place from the beginning, and what is none is left out: to write a name into a copy that has no place for it takes forty
 * times as long as the copy.
 */
const unsaid: { [Name in keyof Required<GivenParameters>]: GivenParameters[Name] } = {
  query: undefined,
  q: undefined,
  query_by: undefined,
  query_by_weights: undefined,
  filter_by: undefined,
  sort_by: undefined,
  facet_by: undefined,
  facet_query: undefined,
  max_facet_values: undefined,
  facet_mode: undefined,
  group_by: undefined,
  group_limit: undefined,
  group_missing_values: undefined,
  per_page: undefined,
  page: undefined,
  limit: undefined,
  offset: undefined,
  cursor: undefined,
  prefix: undefined,
  num_typos: undefined,
  split_join_tokens: undefined,
  drop_tokens_threshold: undefined,
  match: undefined,
  include_fields: undefined,
  exclude_fields: undefined,
  highlight_fields: undefined,
  k: undefined,
  exact: undefined,
  vector_query: undefined,
  alpha: undefined,
  fusion: undefined,
  preset: undefined,
  explain: undefined,
  rerank: undefined,
  enable_synonyms: undefined,
  enable_overrides: undefined,
  understand: undefined,
  understand_skip: undefined,
  min_relevance: undefined,
  stop_words: undefined,
  ranking: undefined,
};
const defaults = Object.assign(unsaid, searchDefaults);

/**
 * What layers of parameters come to, the one that counts most last. Of `ranking` each constant counts for itself. One object is written
 * into: to spread layers over each other took longer than all else that is done with them.
 */
export function effectiveParameters(layers: GivenParameters[]): SearchParameters {
  const effective: GivenParameters & Record<string, unknown> = { ...defaults };
  for (const layer of layers) {
    for (const group of together) {
      if (group.some((name) => layer[name] !== undefined))
        for (const name of group) effective[name] = undefined;
    }
    const { ranking: below } = effective;
    for (const [name, value] of Object.entries(layer))
      if (value !== undefined && Object.hasOwn(defaults, name)) effective[name] = value;
    if (below && layer.ranking) effective.ranking = { ...below, ...layer.ranking };
  }
  return effective as SearchParameters;
}
