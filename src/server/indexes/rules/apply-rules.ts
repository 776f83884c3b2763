import { queryWords } from '#server/engine/search-index.ts';
import type { SearchQuery } from '#server/engine/types.ts';
import type { Override } from '#shared/overrides.ts';
import type { ActingOverride, ActingSynonym, SearchMode } from '#shared/search.ts';
import type { GivenParameters, SearchParameters } from '#shared/search-parameters.ts';
import { effectiveParameters } from './effective-parameters.ts';
import type { Rules } from './rules.ts';

/** What a collection's rules make of a search. */
export interface AppliedRules {
  parameters: SearchParameters;
  /** What the engine is asked beside the parameters. */
  query: Pick<SearchQuery, 'stopWords' | 'synonyms' | 'ruleFilter' | 'pins' | 'excludeIds'>;
  /** What has acted, for whoever asks. */
  acting: { synonyms: ActingSynonym[]; override: ActingOverride | null };
}

interface Asked {
  mode: SearchMode;
  given: GivenParameters;
  now: Date;
  /** The collection is one of several in one list, whose order and query are those of all. */
  isMerged?: boolean;
}

/**
 * The parameters of a search over those of its preset, over the collection's settings, over the defaults. Then the first override that
 * matches the query as typed: it replaces the query, adds its filter and puts its order in place of the search's. Then the synonyms of
 * the query that is searched; then what the override hides and pins. Rules are about words: a search by meaning alone has none.
 *
 * In one list of several collections an override filters and hides within its own; what it would do to the list it does not do.
 * @throws AppError BAD_REQUEST (unknown preset)
 */
export function applyRules(rules: Rules, { mode, given, now, isMerged = false }: Asked): AppliedRules {
  const preset = given.preset === undefined ? {} : rules.getPreset(given.preset);
  const settings = isMerged ? ownSettings(rules.settings) : rules.settings;
  const asked = effectiveParameters([settings, preset, given]);
  const typed = textOf(asked);
  const isAboutWords = mode !== 'vector';
  const found = isAboutWords && asked.enable_overrides ? rules.overrides.find(typed, now) : null;
  const override = found && isMerged ? withinList(found) : found;
  const parameters = override === null ? asked : rewritten(asked, override);
  const text = textOf(parameters);
  const widened =
    isAboutWords && parameters.enable_synonyms ? rules.synonyms.widen(text) : { synonyms: [], acting: [] };
  return {
    parameters,
    query: {
      stopWords: stopWordsIn(text, parameters.stop_words),
      synonyms: widened.synonyms,
      ruleFilter: override?.filter_by ?? null,
      pins: override === null ? [] : pinsOf(override),
      excludeIds: (override?.excludes ?? []).map(({ id }) => id),
    },
    acting: {
      synonyms: widened.acting,
      override: override && { ...actingOf(override, typed), ...ignoredOf(found, override) },
    },
  };
}

/** Of a collection's settings, what may differ between those of one list. */
function ownSettings({
  query_by,
  query_by_weights,
  enable_synonyms,
  enable_overrides,
}: GivenParameters): GivenParameters {
  return { query_by, query_by_weights, enable_synonyms, enable_overrides };
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

function rewritten(asked: SearchParameters, { replace_query, sort_by }: Override): SearchParameters {
  return {
    ...asked,
    ...(replace_query !== undefined && { query: replace_query }),
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
function stopWordsIn(text: string, given: SearchParameters['stop_words']): string[] | null {
  if (given === undefined || given === 'default') return null;
  if (given === 'none') return [];
  const words = folded.get(given) ?? new Set(given.flatMap(queryWords));
  folded.set(given, words);
  return [...new Set(queryWords(text))].filter((word) => words.has(word));
}
