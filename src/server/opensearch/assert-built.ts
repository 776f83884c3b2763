import type { SearchQuery } from '#server/engine/types.ts';
import { rankingConstants } from '#shared/ranking.ts';
import { notBuilt } from './not-built.ts';

/** @throws AppError UNPROCESSABLE naming what of a search is not built */
export function assertBuilt({ ranking }: SearchQuery): void {
  // An index is made with them.
  const fixed = { k1: ranking.k1, b: ranking.b, title_weight: ranking.titleWeight };
  for (const name of ['k1', 'b', 'title_weight'] as const)
    if (fixed[name] !== rankingConstants[name].default)
      throw notBuilt(`Another "${name}" than ${rankingConstants[name].default}`, `ranking.${name}`);
  // The best hits' vectors are in the cluster.
  if (ranking.neighboursWeight > 0) throw notBuilt('A "neighbours_weight"', 'ranking.neighbours_weight');
}
