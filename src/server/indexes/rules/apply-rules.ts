import { type Analyzer, queryWords, readSyntax } from '#server/engine/search-index.ts';
import type { SearchQuery } from '#server/engine/types.ts';
import type { Override } from '#shared/overrides.ts';
import type { ActingOverride, ActingSynonym, SearchMode, UnderstoodPart } from '#shared/search.ts';
import { type GivenParameters, type SearchParameters, searchDefaults } from '#shared/search-parameters.ts';
import { understandQuery } from '../understand/understand-query.ts';
import type { Vocabulary } from '../understand/vocabulary.ts';
import { effectiveParameters } from './effective-parameters.ts';
import { relevanceFor } from './relevance-for.ts';
import type { Rules } from './rules.ts';

/** What a collection's rules make of a search. */
export interface AppliedRules {
  parameters: SearchParameters;
  /** What the engine is asked beside the parameters. */
  query: Pick<SearchQuery, 'stopWords' | 'synonyms' | 'ruleFilter' | 'pins' | 'excludeIds' | 'relevance'>;
  /** What has acted, for whoever asks. */
  acting: {
    synonyms: ActingSynonym[];
    override: ActingOverride | null;
    /** Absent: nobody wanted anything of the query to be understood. */
    understood?: UnderstoodPart[];
  };
}

interface Asked {
  mode: SearchMode;
  given: GivenParameters;
  now: Date;
  /** What words may mean, for a search that `wantsUnderstanding`; absent: nothing. */
  vocabulary?: Vocabulary | null;
  /** The collection is one of several in one list, whose order and query are those of all. */
  isMerged?: boolean;
}

/**
 * The parameters of a search over those of its preset, over the collection's settings, over the defaults. Then the first override that
 * matches the query as typed: it replaces the query, adds its filter and puts its order in place of the search's. Then conditions are read
 * in the query. Then the synonyms of what is left to be searched; then what the override hides and pins. Rules are about words: a search by meaning alone has none.
 *
 * In one list of several collections an override filters and hides within its own; what it would do to the list it does not do.
 * @throws AppError BAD_REQUEST (unknown preset, a least relevance that cannot be told)
 */
export function applyRules(
  rules: Rules,
  { mode, given, now, vocabulary = null, isMerged = false }: Asked,
): AppliedRules {
  const asked = askedParameters(rules, given, isMerged);
  const typed = textOf(asked);
  const isAboutWords = mode !== 'vector';
  const found =
    isAboutWords && asked.enable_overrides ? rules.overrides.find(readSyntax(typed).text, now) : null;
  const override = found && isMerged ? withinList(found) : found;
  const replaced = override === null ? asked : rewritten(asked, override);
  const understood =
    vocabulary && understandQuery(textOf(replaced), vocabulary, replaced.understand_skip ?? []);
  const parameters = understood ? withText(replaced, understood.text, mode) : replaced;
  const text = textOf(parameters);
  const widened =
    isAboutWords && parameters.enable_synonyms
      ? rules.synonyms.widen(plainOf(text))
      : { synonyms: [], acting: [] };
  return {
    parameters,
    query: {
      stopWords: stopWordsIn(text, parameters.stop_words, rules.analyzer),
      synonyms: widened.synonyms,
      ruleFilter: allOf([
        ...(override?.filter_by === undefined ? [] : [override.filter_by]),
        ...(understood?.parts ?? []).map(({ filter_by }) => filter_by),
      ]),
      pins: override === null ? [] : pinsOf(override),
      excludeIds: (override?.excludes ?? []).map(({ id }) => id),
      relevance: isForAll(text)
        ? null
        : relevanceFor(rules, { mode, parameters, isOfSettings: !saysLeastRelevance(rules, given) }),
    },
    acting: {
      synonyms: widened.acting,
      override: override && { ...actingOf(override, typed), ...ignoredOf(found, override) },
      ...(understood && { understood: understood.parts }),
    },
  };
}

/** Whether somebody wants conditions to be read in the query: the search, its preset or the settings. @throws AppError BAD_REQUEST (unknown preset) */
export function wantsUnderstanding(rules: Rules, given: GivenParameters): boolean {
  const preset = presetOf(rules, given);
  return (
    given.understand ?? preset.understand ?? rules.settings.understand ?? searchDefaults.understand ?? false
  );
}

function askedParameters(rules: Rules, given: GivenParameters, isMerged: boolean): SearchParameters {
  const preset = presetOf(rules, given);
  const settings = isMerged
    ? ownSettings(rules.settings, effectiveParameters([preset, given]))
    : rules.settings;
  return effectiveParameters([settings, preset, given]);
}

function saysLeastRelevance(rules: Rules, given: GivenParameters): boolean {
  return (given.min_relevance ?? presetOf(rules, given).min_relevance) !== undefined;
}

function presetOf(rules: Rules, { preset }: GivenParameters): GivenParameters {
  return preset === undefined ? {} : rules.getPreset(preset);
}

/** Where only conditions were typed all that pass are listed; by meaning alone there is no such list, so the query stays as it is. */
function withText(asked: SearchParameters, text: string, mode: SearchMode): SearchParameters {
  return isForAll(text) && mode === 'vector' ? asked : { ...asked, query: text };
}

const isForAll = (text: string): boolean => ['', '*'].includes(readSyntax(text).text.trim());

/** Null: there are no conditions. */
function allOf(conditions: string[]): string | null {
  const [first = null, ...others] = conditions;
  return others.length === 0 ? first : conditions.map((one) => `(${one})`).join(' && ');
}

/**
 * Of a collection's settings, what may differ between those of one list. A least relevance does not act where each field counts without its own
 * filter: how relevant documents are without it is not known of all collections.
 */
function ownSettings(
  { query_by, query_by_weights, enable_synonyms, enable_overrides, min_relevance }: GivenParameters,
  { facet_mode }: Pick<SearchParameters, 'facet_mode'>,
): GivenParameters {
  const own = { query_by, query_by_weights, enable_synonyms, enable_overrides };
  return facet_mode === 'disjunctive' ? own : { ...own, min_relevance };
}

function withinList({ includes: _, replace_query: __, sort_by: ___, ...override }: Override): Override {
  return override;
}

/** What the override says and does not do. */
function ignoredOf(found: Override | null, acting: Override): { ignored?: string[] } {
  const ignored = Object.keys(found ?? {}).filter((part) => !(part in acting));
  return ignored.length === 0 ? {} : { ignored };
}

function textOf({ query, q }: SearchParameters): string {
  return query ?? q ?? '';
}

/** What is searched for outside of quotation marks. */
function plainOf(text: string): string {
  const words = readSyntax(text).parts.filter(({ kind }) => kind === 'words');
  return words.map((part) => part.text).join(' ');
}

/** As they are written. */
function exclusionsOf(text: string): string[] {
  return readSyntax(text).parts.flatMap((part) => (part.kind === 'exclusion' ? `-"${part.text}"` : []));
}

/** Whatever the query is replaced by, its exclusions hold. */
function rewritten(asked: SearchParameters, { replace_query, sort_by }: Override): SearchParameters {
  return {
    ...asked,
    ...(replace_query !== undefined && { query: [replace_query, ...exclusionsOf(textOf(asked))].join(' ') }),
    ...(sort_by !== undefined && { sort_by }),
  };
}

/** What is hidden is not pinned. */
function pinsOf({ includes = [], excludes = [] }: Override): SearchQuery['pins'] {
  const hidden = new Set(excludes.map(({ id }) => id));
  return includes.filter(({ id }) => !hidden.has(id));
}

function actingOf(override: Override, typed: string): ActingOverride {
  const { id, replace_query, filter_by, sort_by, includes, excludes } = override;
  return {
    id,
    ...(replace_query !== undefined && { replaced_query: typed }),
    ...(filter_by !== undefined && { filter_by }),
    ...(sort_by !== undefined && { sort_by }),
    ...(includes && { pinned: includes.length }),
    ...(excludes && { hidden: excludes.length }),
  };
}

/** Lists that are kept for long, folded once. */
const folded = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Those that stand in the text: the others need not go to the engine. Null: the engine's own. */
function stopWordsIn(
  text: string,
  given: SearchParameters['stop_words'],
  { words: rules }: Analyzer,
): string[] | null {
  if (given === undefined || given === 'default') return null;
  if (given === 'none') return [];
  const words = folded.get(given) ?? new Set(given.flatMap((each) => queryWords(each, rules)));
  folded.set(given, words);
  return [...new Set(queryWords(text, rules))].filter((word) => words.has(word));
}
