import { type GivenParameters, type SearchParameters, searchDefaults } from '#shared/search-parameters.ts';

/** Which parameters say one thing together: a layer that gives one of them gives all. */
const together = [
  ['query_by', 'query_by_weights'],
  ['per_page', 'limit'],
  ['page', 'offset'],
] as const;

/** What layers of parameters come to, the one that counts most last. Of `ranking` each constant counts for itself. */
export function effectiveParameters(layers: GivenParameters[]): SearchParameters {
  let effective: GivenParameters = searchDefaults;
  for (const layer of layers) {
    const given = Object.entries(layer).filter(([, value]) => value !== undefined);
    const names = new Set(given.map(([name]) => name));
    const below = { ...effective };
    for (const group of together) {
      if (group.some((name) => names.has(name))) for (const name of group) delete below[name];
    }
    const ranking = { ...below.ranking, ...layer.ranking };
    effective = { ...below, ...Object.fromEntries(given), ...(hasAny(ranking) && { ranking }) };
  }
  return effective as SearchParameters;
}

function hasAny(values: object): boolean {
  return Object.keys(values).length > 0;
}
