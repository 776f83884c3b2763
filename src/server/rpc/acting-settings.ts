import { rankingConstants } from '#shared/ranking.ts';
import { searchDefaults } from '#shared/search-parameters.ts';
import type { SearchSettings } from '#shared/search-settings.ts';

const { prefix, num_typos, split_join_tokens, drop_tokens_threshold, match } = searchDefaults;
const { alpha, fusion, enable_synonyms, enable_overrides } = searchDefaults;
const usual: SearchSettings = {
  prefix,
  num_typos,
  split_join_tokens,
  drop_tokens_threshold,
  match,
  alpha,
  fusion,
  enable_synonyms,
  enable_overrides,
};
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
