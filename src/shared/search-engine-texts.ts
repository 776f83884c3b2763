/** What not every engine does: `refused` with 422 by one that does not, or done `otherwise`. docs/scaling.md has the measurements. */
export const capabilityTexts = {
  ranking_constants_of_a_search: {
    refused: 'A single search with a k1, b or title_weight other than the settings of its collection',
  },
  groups_by_ranks: { refused: 'group_by with fusion: rrf' },
  least_relevance_by_ranks: { refused: 'min_relevance with fusion: rrf' },
  any_number_of_groups: { refused: 'group_by with more than 100,000 groups' },
  any_number_of_facet_values: { refused: 'A facet_query over more than 10,000 values' },
  any_number_of_conditions: {
    refused: 'A filter and words with more than about 1,000 conditions together',
  },
  beginnings_of_any_length: { refused: 'A beginning of more than 1,000 bytes in a filter' },
  searches_of_any_size: { refused: 'A search that asks the cluster for more than 64 MB in all' },
  scores_among_sort_keys: {
    refused:
      'Orders by _text_match, _vector_distance or _score of more than 10,000 hits in a search with meaning',
  },
  fractional_title_weight: {
    otherwise: 'title_weight is a whole number from 1 to 10: the nearest to what the settings say',
  },
  constants_without_a_new_index: {
    otherwise:
      'A change of k1, b or title_weight in the settings makes the index anew, beside the one before',
  },
  whole_titles_first: {
    otherwise: 'A document whose title is what was asked for earns nothing for that',
  },
  scores_by_exact_lengths: {
    otherwise: 'Scores of words count the lengths of texts in steps',
  },
  ways_of_a_word_add_up: {
    otherwise: 'Of the ways in which a document holds a word, in explain, the best counts alone',
  },
  collections_ranked_as_one: {
    otherwise:
      'In one list over several collections the lengths of texts are compared within each collection',
  },
  beginnings_of_other_forms: {
    otherwise: 'The beginning of a word finds the words that begin so, and no other forms of them',
  },
  words_as_suggestions: {
    otherwise: 'Queries, titles and values are suggested, and no single words of documents',
  },
  places_as_they_are: { otherwise: 'Places are rounded to a centimetre' },
  whole_values_of_any_length: {
    otherwise: 'Whole values of more than 8,000 characters are compared by their first 8,000',
  },
  long_lists_text_by_text: {
    otherwise: 'In a list of more than 20,000 texts the last ones are read as one',
  },
  fields_as_they_were_met: { otherwise: 'The fields of a collection are listed by name' },
  orders_by_utf16: {
    otherwise: 'Characters beyond the Basic Multilingual Plane are ordered by code point',
  },
  another_model_by_this_engine: {
    otherwise:
      'Judged queries with another model are ranked by the engine in the server, on some of the documents',
  },
  typos_in_first_letters: { otherwise: 'A typo in the first letter of a word is not forgiven' },
  nearest_for_certain: {
    otherwise: 'The nearest documents are looked for in a graph; exact compares all of them',
  },
  scores_of_all_candidates: {
    otherwise:
      'A hybrid search compares the meaning of the best 100 by words and of the nearest 100; what else the words match has the score of its words',
  },
  verify_by_texts: {
    otherwise: 'Verify compares versions, each of which stands for a text and its vectors',
  },
} as const satisfies Record<string, { refused: string } | { otherwise: string }>;

export type Capability = keyof typeof capabilityTexts;

export const capabilityNames = Object.keys(capabilityTexts) as Capability[];
