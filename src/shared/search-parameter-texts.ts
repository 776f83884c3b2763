/** What each parameter of a search means, for the API's description. One that is new needs its line here; docs/search.md has all of it. */
export const searchParameterTexts = {
  query:
    'What is searched for; `*`, or nothing beside a filter, is every document. `"words in a row"` every hit has so, `-word` and `-"words in a row"` none',
  q: 'The same as `query`',
  query_by: 'Fields that are searched for words; without it all texts',
  query_by_weights: 'How much each of `query_by` counts',
  filter_by: 'What must hold of a document: `year:[1980..1990] && genres:=[Drama, Comedy]`',
  sort_by: 'Up to three keys: `year:desc,_score:desc`; by relevance without',
  facet_by: 'Fields whose values are counted, or ranges: `year,price(low:[0..50], high:[50..])`',
  facet_query: 'Values of a facet that begin so: `genres:dra`',
  max_facet_values: 'Values of each facet that are answered',
  facet_mode: '`disjunctive`: a field’s own filter does not count for its facet',
  group_by: 'Fields whose values make one group of documents',
  group_limit: 'Hits that are shown of each group',
  group_missing_values: 'Whether documents without the fields are one group',
  per_page: 'Hits on a page; 10 unless told',
  page: 'Which page, from 1; up to hit 10,000',
  limit: 'The same as `per_page`',
  offset: 'Hits that are left out before the first, in place of `page`',
  cursor: 'Empty: begin to walk over all hits; then the `next_cursor` of the page before',
  prefix: 'Whether the last word may be the beginning of one',
  num_typos: 'Typos that a word may have',
  split_join_tokens:
    'Whether `note book` finds `notebook`, and the other way round; `fallback`: while few documents are found and `num_typos` is not 0',
  drop_tokens_threshold: 'Words of the query are left out until there are as many hits',
  match: 'How many of the words a document has to hold; `auto`: all of a short query, most of a long one',
  include_fields: 'Fields of the documents that are answered; without it all',
  exclude_fields: 'Fields that are not',
  highlight_fields: 'Fields in which matches are marked; without it those that are searched',
  k: 'Neighbours by meaning; 10, in a hybrid search 100',
  exact:
    'Whether all vectors are compared as they are, so that the neighbours are the nearest for sure; it takes time in proportion to the collection',
  vector_query: 'A vector, or a document’s `id`, in place of the query’s meaning',
  alpha: 'Hybrid: from 0, words alone, to 1, meaning alone',
  fusion: 'Hybrid: sums of normalised scores, or of reciprocal ranks',
  preset: 'Parameters that were saved under this name; what the search says itself counts more',
  explain: 'Whether each hit says what its score is made of',
  enable_synonyms: 'Whether the collection’s synonyms act',
  enable_overrides: 'Whether the collection’s overrides act',
  understand:
    'Whether values of fields, amounts and years in the query become conditions; `request.understood` says which',
  understand_skip:
    'Phrases of the query that are plain words all the same: a `phrase` of `request.understood`',
  min_relevance:
    'From 0 to 1: what is less relevant is no match. Needs a calibration of the collection for searches of this mode',
  stop_words: 'Words that a query is read without: `default`, `none`, or a list',
  ranking: 'Constants of the ranking to try: `k1:1.2,b:0.75`, or an object',
};
