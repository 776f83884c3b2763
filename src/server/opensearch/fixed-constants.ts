import type { Ranking } from '#server/engine/types.ts';
import { toRanking } from '#server/indexes/search/to-ranking.ts';
import type { RankingValues } from '#shared/ranking.ts';

/** Constants of the ranking that an index is made with, by the settings of its collection: a search cannot bring others. */
export type FixedConstants = Pick<Ranking, 'k1' | 'b' | 'titleWeight'>;

/** A title is written down so many times among the words of a document. */
const titleWeightMax = 10;

/** As an index has them. */
export function fixedConstants({ k1, b, titleWeight }: FixedConstants): FixedConstants {
  return { k1, b, titleWeight: Math.min(titleWeightMax, Math.max(1, Math.round(titleWeight))) };
}

/** `ranking`: of a collection's settings. */
export function constantsOf(ranking: RankingValues | null): FixedConstants {
  return ranking === null ? usualConstants : fixedConstants(toRanking(ranking));
}

export const usualConstants = fixedConstants(toRanking());
