import type { SearchQuery } from '#server/engine/types.ts';
import { badRequest } from '#server/errors.ts';
import type { SearchMode } from '#shared/search.ts';
import { type GivenParameters, type SearchParameters, searchDefaults } from '#shared/search-parameters.ts';
import type { Rules } from './rules.ts';

/** What scores are made of: with others than the collection's own a calibration tells nothing. */
export const ofScores = [
  'query_by',
  'query_by_weights',
  'alpha',
  'fusion',
  'ranking',
  'vector_query',
] as const;

interface AskedRelevance {
  mode: SearchMode;
  parameters: SearchParameters;
  /** The settings alone say the least relevance: it acts where relevance is told. */
  isOfSettings: boolean;
}

/**
 * By what the relevance of a search's hits is told, and the least that is asked for. Null: it is not told.
 * @throws AppError BAD_REQUEST where the search or its preset asks for a least relevance and it cannot be told
 */
export function relevanceFor(
  rules: Pick<Rules, 'relevance' | 'settings'>,
  { mode, parameters, isOfSettings }: AskedRelevance,
): NonNullable<SearchQuery['relevance']> | null {
  // Everything has at least 0.
  const min = parameters.min_relevance || undefined;
  const model = rules.relevance[mode];
  if (model === undefined) {
    if (min === undefined || isOfSettings) return null;
    throw badRequest(
      'min_relevance',
      `needs a calibration of the collection for ${mode} searches: POST …/calibration fits one to its judgements`,
    );
  }
  const other = ofScores.find((name) => !isOwn(name, parameters, rules.settings));
  if (other === undefined) return { model, min: min ?? null };
  if (min === undefined || isOfSettings) return null;
  throw badRequest(
    'min_relevance',
    `does not go with "${other}" that is not that of the collection's settings, by which its relevance is calibrated`,
  );
}

function isOwn(name: (typeof ofScores)[number], asked: GivenParameters, settings: GivenParameters): boolean {
  const own = settings[name] ?? (searchDefaults as GivenParameters)[name];
  const given = asked[name];
  return given === own || (typeof given === 'object' && isAlike(given, own));
}

/** In whichever order their parts were given. */
function isAlike(one: object, other: unknown): boolean {
  if (typeof other !== 'object' || other === null) return false;
  const entries = Object.entries(one).filter(([, value]) => value !== undefined);
  const others = new Map(Object.entries(other));
  return entries.length === others.size && entries.every(([name, value]) => others.get(name) === value);
}
