/** Every constant that scores and matches are made of: what it is unless told, between what it may lie, and what it does. */
export const rankingConstants = {
  k1: { default: 1.3, min: 0, max: 10, meaning: 'How slowly further occurrences of a word stop counting' },
  b: { default: 0.6, min: 0, max: 1, meaning: 'How much a long document counts less than a short one' },
  title_weight: {
    default: 2,
    min: 0.01,
    max: 100,
    meaning: 'What a word counts in `title` or `name` where no fields are named to search in',
  },
  whole_title_weight: {
    default: 1,
    min: 0,
    max: 10,
    meaning:
      'What a document earns beside its words whose `title` or `name` has the words of the query and no others, of what these weigh together',
  },
  faint_word_weight: {
    default: 0.2,
    min: 0,
    max: 1,
    meaning: 'What words like "what", "about" and "have" count in a longer query',
  },
  prefix_weight: {
    default: 0.2,
    min: 0,
    max: 1,
    meaning: 'What a longer word counts that the last word begins',
  },
  typo_weight: { default: 0.1, min: 0, max: 1, meaning: 'What a word counts that is one typo away' },
  two_typos_weight: { default: 0.05, min: 0, max: 1, meaning: 'What a word counts that is two typos away' },
  synonym_weight: {
    default: 0.9,
    min: 0.01,
    max: 1,
    meaning: 'What a synonym counts beside the word itself',
  },
  corrected_weight: {
    default: 0.5,
    min: 0,
    max: 1,
    meaning: 'What is left of a word that is read as one a typo away',
  },
  twice_corrected_weight: { default: 0.4, min: 0, max: 1, meaning: 'The same for two typos' },
  covered_by_typo: {
    default: 0.25,
    min: 0,
    max: 1,
    meaning:
      'How much of a word a document covers that has only one a typo away, though others have the word',
  },
  covered_by_two_typos: {
    default: 0.5,
    min: 0,
    max: 1,
    meaning:
      'How much of a word that nobody has is covered by one two typos away, where others have one a typo away',
  },
  coverage_share: {
    default: 0.4,
    min: 0,
    max: 1,
    meaning:
      'With `match: auto` and a short query, where not all words are wanted: how much a match covers of what the best one covers',
  },
  long_coverage_share: { default: 0.25, min: 0, max: 1, meaning: 'The same of a longer query' },
  short_query_words: {
    default: 3,
    min: 1,
    max: 32,
    isWhole: true,
    meaning: 'With `match: auto`: up to how many words a query wants all of them',
  },
  few_matches: {
    default: 30,
    min: 0,
    max: 10_000,
    isWhole: true,
    meaning:
      'With `match: auto` and a short query: while fewer documents have all its words, those that have most of them match too, and words are joined and split',
  },
  few_documents: {
    default: 5,
    min: 0,
    max: 1_000,
    isWhole: true,
    meaning: 'Fewer matches are few, and a word in fewer documents is rare: then typos are looked for',
  },
  common_share: {
    default: 0.01,
    min: 0,
    max: 1,
    meaning: 'A word that this share of the documents holds is never read as another',
  },
  rrf_constant: {
    default: 60,
    min: 0,
    max: 1_000,
    meaning: 'With `fusion: rrf`: how little the first ranks stand out',
  },
  calibration_documents: {
    default: 100,
    min: 1,
    max: 1_000,
    isWhole: true,
    meaning:
      'Over how many of the best of each side, or `k` if that is more, similarities are spread from 0 to 1',
  },
  similarity_deviations: {
    default: 10,
    min: 0,
    max: 100,
    meaning:
      'Over how many standard deviations of all documents they are spread at least; 0: the best always counts 1',
  },
  words_range: {
    default: 0.3,
    min: 0,
    max: 1,
    meaning:
      'How much of what all words weigh together the best match of a hybrid search has to earn to count 1; 0: it always does',
  },
  covered_weight: {
    default: 0.2,
    min: 0,
    max: 1,
    meaning:
      'How much of the words’ part of a hybrid score is for what a document covers of them, however often it holds them',
  },
  certain_words: {
    default: 0.5,
    min: 0,
    max: 1,
    meaning:
      'How much less meaning counts in a hybrid search where documents hold all words, unless `vector_query` says it',
  },
  neighbours_weight: {
    default: 0.4,
    min: 0,
    max: 0.9,
    meaning:
      'How much of the score of the best 50 of a hybrid search is that of the ten among them that are nearest to it, where no document holds all words',
  },
} as const satisfies Record<string, RankingConstant>;

interface RankingConstant {
  default: number;
  min: number;
  max: number;
  isWhole?: true;
  meaning: string;
}

export type RankingName = keyof typeof rankingConstants;
/** Those that differ from their defaults. */
export type RankingValues = Partial<Record<RankingName, number>>;
