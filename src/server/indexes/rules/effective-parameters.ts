import { type GivenParameters, type SearchParameters, searchDefaults } from '#shared/search-parameters.ts';

/** Which parameters say one thing together: a layer that gives one of them gives all. */
const together = [
  ['query_by', 'query_by_weights'],
  ['per_page', 'limit'],
  ['page', 'offset'],
] as const;

/**
 * What layers of parameters come to, the one that counts most last. Of `ranking` each constant counts for itself. One object is written
 * into: to spread layers over each other took longer than all else that is done with them.
 */
export function effectiveParameters(layers: GivenParameters[]): SearchParameters {
  const effective: GivenParameters & Record<string, unknown> = { ...searchDefaults };
  for (const layer of layers) {
    for (const group of together) {
      if (group.some((name) => layer[name] !== undefined))
        for (const name of group) effective[name] = undefined;
    }
    const { ranking: below } = effective;
    for (const [name, value] of Object.entries(layer)) if (value !== undefined) effective[name] = value;
    if (below && layer.ranking) effective.ranking = { ...below, ...layer.ranking };
  }
  return effective as SearchParameters;
}
