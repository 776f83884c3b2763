import { searchFor } from '#server/engine/testing/fixtures.ts';
import type { EngineAnswer, SearchQuery } from '#server/engine/types.ts';
import { figuresOf, isRelevant, meansOf } from '#server/indexes/relevance/list-figures.ts';
import type { NaturalCollection } from './natural-sets.ts';

/** What people look at before they look elsewhere. */
const lookedAt = 3;
/** As many of these are to be right, where there are as many. */
const rightMin = 2;
/** Among so many there is one that is as right as any. */
const bestAmong = 2;

export interface NaturalFigures {
  queries: number;
  /** Of these, those with a good top three. */
  good: number;
  /** nDCG@10. */
  ndcg: number;
  /** Queries that nothing answers, and how many of them are told to have nothing that fits. */
  unanswered: number;
  told: number;
  /** Queries that have an answer and are told to have nothing that fits. */
  wronglyTold: number;
}

interface Asked {
  /** What searches have beside their text. */
  settings(text: string): Partial<SearchQuery>;
  /** Whether anything in an answer fits the query. */
  fits(answer: EngineAnswer): boolean;
}

type Searched = { search(query: SearchQuery): EngineAnswer };

/** The ids of the first ten hits of each query are given to `told`. */
export function measureNatural(
  index: Searched,
  { sets: [{ queries }], unanswered }: Pick<NaturalCollection, 'sets' | 'unanswered'>,
  { settings, fits }: Asked,
  told: (query: string, ids: string[]) => void = () => {},
): NaturalFigures {
  const search = (text: string) => index.search(searchFor({ text, highlightFields: [], ...settings(text) }));
  const lists = queries.map(({ text, grades }) => {
    const answer = search(text);
    const ids = answer.hits.map(({ id }) => id);
    told(text, ids);
    return { ...figuresOf(ids, grades), isGood: isGoodTop(ids, grades), isTold: !fits(answer) };
  });
  return {
    queries: queries.length,
    good: lists.filter(({ isGood }) => isGood).length,
    ndcg: meansOf(lists).ndcg,
    unanswered: unanswered.length,
    told: unanswered.filter((text) => !fits(search(text))).length,
    wronglyTold: lists.filter(({ isTold }) => isTold).length,
  };
}

/** Two of the first three hits are right, or one where no more are as right as any, and such a one is first or second. */
export function isGoodTop(ids: readonly string[], judged: ReadonlyMap<string, number>): boolean {
  const shown = ids.slice(0, lookedAt).map((id) => judged.get(id) ?? 0);
  const best = Math.max(...judged.values());
  const wanted = Math.min(rightMin, [...judged.values()].filter((grade) => grade === best).length);
  return shown.filter(isRelevant).length >= wanted && shown.slice(0, bestAmong).includes(best);
}
