import { hasWords } from '#server/engine/search-index.ts';
import type { SearchQuery } from '#server/engine/types.ts';
import { type FixedConstants, fixedConstants, usualConstants } from './fixed-constants.ts';
import { notBuilt } from './not-built.ts';

const named = { k1: 'k1', b: 'b', title_weight: 'titleWeight' } as const;

interface Constants {
  /** Of the index. */
  own: FixedConstants;
  /** Of the collection's settings, by which a further index may be under way. */
  wanted: FixedConstants;
}

/** A search with the constants that the index was made with. @throws AppError UNPROCESSABLE naming those that it wants otherwise */
export function builtQuery(query: SearchQuery, { own, wanted }: Constants): SearchQuery {
  const { ranking } = query;
  const asked = fixedConstants(ranking);
  const known = [own, wanted, usualConstants];
  for (const [name, key] of Object.entries(named) as [keyof typeof named, keyof FixedConstants][])
    if (hasWords(query) && !known.some((each) => each[key] === asked[key]))
      throw notBuilt(`Another "${name}" than ${wanted[key]}, which the collection has,`, `ranking.${name}`);
  // The cluster's scores know nothing of whole titles.
  return { ...query, ranking: { ...ranking, ...own, wholeTitleShare: 0 } };
}
