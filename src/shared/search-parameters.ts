import { z } from 'zod';
import { documentId } from './document-id.ts';
import { answeredAs } from './documented-as.ts';
import { limits } from './limits.ts';
import {
  fieldList,
  finiteNumber,
  flag,
  isFiniteNumber,
  listOf,
  textOf,
  weightList,
  wholeNumber,
} from './parameters.ts';
import { phraseList } from './phrase-list.ts';
import { rankingParameter } from './ranking-parameter.ts';
import { searchParameterTexts } from './search-parameter-texts.ts';
import { stopWordsParameter } from './stop-words-parameter.ts';

const vector = listOf(
  { min: 1, max: limits.dimensionMax, isItem: isFiniteNumber },
  z.array(z.number()).min(1).max(limits.dimensionMax),
);
/** Farther documents are no neighbours. */
export const distanceThreshold = finiteNumber(-1e9, 1e9);
/**
 * `vector_query`: numbers, `{vector, k, distance_threshold}`, or `"embedding:([0.1, 0.2], k:10)"`; in place of the vector the `id` of a document.
 * Left as it came here; the engine reads the text form, so that a fault names its position.
 */
const vectorQuery = z.union(
  [
    vector,
    z.strictObject({
      vector: vector.optional(),
      k: wholeNumber(1, limits.neighboursMax).optional(),
      distance_threshold: distanceThreshold.optional(),
      /** Of a document, in place of a vector: its own are compared, and itself is left out. */
      id: documentId.optional(),
    }),
    z.string().max(limits.dimensionMax * 32),
  ],
  'must be an array of finite numbers, {vector or id, k, distance_threshold} or "embedding:([…], k:…)"',
);

/**
 * What a parameter is that neither the search, its preset nor the collection's settings say. Beside the schema, not in it: what was given
 * counts more than what was not.
 */
export const searchDefaults = {
  max_facet_values: 10,
  facet_mode: 'conjunctive',
  group_limit: 3,
  group_missing_values: true,
  prefix: true,
  num_typos: 2,
  split_join_tokens: 'fallback',
  drop_tokens_threshold: 1,
  match: 'auto',
  exact: false,
  alpha: 0.5,
  fusion: 'weighted',
  enable_synonyms: true,
  enable_overrides: true,
  understand: false,
} as const;

/** Optional, and documented with its default. */
function defaulted<Schema extends z.ZodType>(name: keyof typeof searchDefaults, schema: Schema) {
  return schema.optional().meta({ default: searchDefaults[name] });
}

const shape = {
  query: z
    .string()
    .max(limits.queryCharactersMax, `must be at most ${limits.queryCharactersMax} characters`)
    .optional(),
  /** Alias of `query`. */
  q: z.string().max(limits.queryCharactersMax).optional(),
  query_by: fieldList.optional(),
  query_by_weights: weightList.optional(),
  filter_by: z
    .string()
    .max(limits.filterCharactersMax)
    .describe('Conditions: `year:>1990 && genre:[drama, war]`, of a place `at:(48.85, 2.35, 5 km)`')
    .optional(),
  sort_by: z
    .string()
    .max(2_048)
    .describe('Up to three keys: `year:desc,_score`, by how far a place is `at(48.85, 2.35):asc`')
    .optional(),
  facet_by: z
    .union(
      [
        z.string().max(16_384),
        listOf(
          { max: limits.facetsMax, isItem: textOf(0, 2_048) },
          z.array(z.string().max(2_048)).max(limits.facetsMax),
        ),
      ],
      `must be a list of at most ${limits.facetsMax} fields`,
    )
    .optional(),
  facet_query: z.string().max(512).optional(),
  max_facet_values: defaulted('max_facet_values', wholeNumber(0, limits.facetValuesMax)),
  /** `disjunctive`: a field's own filter does not count for its facet. */
  facet_mode: defaulted('facet_mode', z.enum(['conjunctive', 'disjunctive'])),
  group_by: answeredAs(
    fieldList.refine(
      (fields) => fields.length <= limits.groupFieldsMax,
      `must be a list of at most ${limits.groupFieldsMax} field names`,
    ),
    z.array(z.string()),
  ).optional(),
  group_limit: defaulted('group_limit', wholeNumber(1, limits.groupHitsMax)),
  /** Whether documents without the fields are one group. */
  group_missing_values: defaulted('group_missing_values', flag),
  per_page: wholeNumber(0, limits.perPageMax).optional(),
  page: wholeNumber(1).optional(),
  limit: wholeNumber(0, limits.perPageMax).optional(),
  offset: wholeNumber(0).optional(),
  /** Of the page before, its `next_cursor`; empty: of none yet. */
  cursor: z
    .string()
    .max(limits.cursorCharactersMax, `must be at most ${limits.cursorCharactersMax} characters`)
    .optional(),
  prefix: defaulted('prefix', flag),
  num_typos: defaulted('num_typos', wholeNumber(0, 2)),
  split_join_tokens: defaulted('split_join_tokens', z.enum(['off', 'fallback', 'always'])),
  drop_tokens_threshold: defaulted('drop_tokens_threshold', wholeNumber(0, 1_000_000)),
  match: defaulted('match', z.enum(['auto', 'all', 'any'])),
  include_fields: fieldList.optional(),
  exclude_fields: fieldList.optional(),
  highlight_fields: fieldList.optional(),
  k: wholeNumber(1, limits.neighboursMax).optional(),
  /** Whether the neighbours are the nearest for sure. */
  exact: defaulted('exact', flag),
  vector_query: vectorQuery.optional(),
  alpha: defaulted('alpha', finiteNumber(0, 1)),
  fusion: defaulted('fusion', z.enum(['weighted', 'rrf'])),
  /** A preset of the collection, by its name. */
  preset: z.string().min(1).max(limits.ruleIdCharactersMax).optional(),
  /** Whether each hit says what its score is made of. */
  explain: flag.optional().meta({ default: false }),
  /** Whether the best hits are ordered by a service that reads them. */
  rerank: flag.optional().meta({ default: false }),
  enable_synonyms: defaulted('enable_synonyms', flag),
  enable_overrides: defaulted('enable_overrides', flag),
  /** Whether values, amounts and years in the query become conditions. */
  understand: defaulted('understand', flag),
  /** Phrases that do not. */
  understand_skip: phraseList.optional(),
  min_relevance: finiteNumber(0, 1).optional(),
  stop_words: stopWordsParameter.optional(),
  ranking: rankingParameter.optional(),
};

/** All parameters of a search, the same for GET and POST and for every mode. Unknown ones are refused. */
export const searchParameters = z.strictObject(withTexts(shape));

/** Each with what it means. */
function withTexts<Shape extends Record<keyof typeof searchParameterTexts, z.ZodType>>(plain: Shape): Shape {
  const texts: Readonly<Record<string, string>> = searchParameterTexts;
  return Object.fromEntries(
    Object.entries(plain).map(([name, schema]) => [name, schema.meta({ description: texts[name] ?? '' })]),
  ) as Shape;
}

/** What a search, a preset or the settings say. */
export type GivenParameters = z.infer<typeof searchParameters>;
type Defaulted = keyof typeof searchDefaults;
/** What a search works with. */
export type SearchParameters = Omit<GivenParameters, Defaulted> & {
  [Name in Defaulted]: NonNullable<GivenParameters[Name]>;
};
