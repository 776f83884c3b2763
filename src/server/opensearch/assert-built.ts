import type { SearchQuery } from '#server/engine/types.ts';
import { rankingConstants } from '#shared/ranking.ts';
import { notBuilt } from './not-built.ts';

/** @throws AppError UNPROCESSABLE naming what of a search is not built */
export function assertBuilt({ mode, group, walk, isExplained, relevance, ranking }: SearchQuery): void {
  if (group !== null) throw notBuilt('"group_by"', 'group_by');
  if (walk !== null && mode !== 'keyword') throw notBuilt('"cursor" in a search with meaning', 'cursor');
  if (isExplained === true) throw notBuilt('"explain"', 'explain');
  if (relevance?.min != null) throw notBuilt('"min_relevance"', 'min_relevance');
  // An index is made with them.
  const fixed = { k1: ranking.k1, b: ranking.b, title_weight: ranking.titleWeight };
  for (const name of ['k1', 'b', 'title_weight'] as const)
    if (fixed[name] !== rankingConstants[name].default)
      throw notBuilt(`Another "${name}" than ${rankingConstants[name].default}`, `ranking.${name}`);
}
