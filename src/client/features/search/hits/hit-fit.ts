import type { SearchHit } from '#shared/search.ts';

/** How many hits from the first one on belong to what fits, by what the server says of each; null: none is to be set apart. */
export function fittingCount(hits: readonly Pick<SearchHit, 'fits'>[]): number | null {
  if (hits.length === 0 || hits.some(({ fits }) => fits === undefined)) return null;
  const last = hits.findLastIndex(({ fits }) => fits);
  return last === hits.length - 1 ? null : last + 1;
}
