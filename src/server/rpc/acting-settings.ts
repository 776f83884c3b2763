import { rankingConstants } from '#shared/ranking.ts';
import { searchDefaults } from '#shared/search-parameters.ts';
import { type SearchSettings, searchSettings } from '#shared/search-settings.ts';

const usual = Object.fromEntries(
  Object.entries(searchDefaults).filter(([name]) => Object.hasOwn(searchSettings.shape, name)),
);
const usualRanking = Object.fromEntries(
  Object.entries(rankingConstants).map(([name, { default: value }]) => [name, value]),
);

/**
 * What scores are made of: what a collection's settings say, and for all else the defaults of this release, every constant of the ranking by its name. A least
 * relevance is left out: it changes no score.
 */
export function actingSettings({ min_relevance: _, ranking, ...saved }: SearchSettings): SearchSettings {
  const said = Object.entries(saved).filter(([, value]) => value !== null && value !== undefined);
  return { ...usual, ...Object.fromEntries(said), ranking: { ...usualRanking, ...ranking } };
}
