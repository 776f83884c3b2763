import { grades } from '#shared/judged-query.ts';

/** How many hits are looked at: what people see of a list. */
export const rankedHits = 10;

/** How well a list of hits answers its query. */
export interface ListFigures {
  /** nDCG@10, from 0 to 1. */
  ndcg: number;
  /** Of the first relevant hit among ten, from 1; null: there is none. */
  rank: number | null;
}

/**
 * By Järvelin and Kekäläinen (2002), with a gain of 2^grade − 1: what the first ten hits gain, the later the less, of what the best possible ten would.
 * @param found ids, the best first @param judged grades by id, of which one at least is above 0; what nobody has judged gains nothing
 */
export function figuresOf(found: readonly string[], judged: ReadonlyMap<string, number>): ListFigures {
  const shown = found.slice(0, rankedHits).map((id) => judged.get(id) ?? grades.notRelevant);
  const best = [...judged.values()].sort((a, b) => b - a).slice(0, rankedHits);
  const first = shown.findIndex(isRelevant);
  return { ndcg: gainOf(shown) / gainOf(best), rank: first < 0 ? null : first + 1 };
}

export function isRelevant(grade: number): boolean {
  return grade > grades.notRelevant;
}

function gainOf(list: readonly number[]): number {
  return list.reduce((sum, grade, place) => sum + (2 ** grade - 1) / Math.log2(place + 2), 0);
}

/** The means over all queries. */
interface MeanFigures {
  ndcg: number;
  /** Share of the queries with a relevant hit among ten. */
  hitRate: number;
  /** Mean of 1 / rank. */
  mrr: number;
}

export function meansOf(lists: readonly ListFigures[]): MeanFigures {
  const mean = (of: (list: ListFigures) => number) =>
    lists.reduce((sum, list) => sum + of(list), 0) / lists.length;
  return {
    ndcg: mean(({ ndcg }) => ndcg),
    hitRate: mean(({ rank }) => (rank === null ? 0 : 1)),
    mrr: mean(({ rank }) => (rank === null ? 0 : 1 / rank)),
  };
}
