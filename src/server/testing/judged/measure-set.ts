import { searchFor } from '#server/engine/testing/fixtures.ts';
import { tokenize } from '#server/engine/text/analyzer.ts';
import type { SearchQuery } from '#server/engine/types.ts';
import { figuresOf, meansOf } from '#server/indexes/relevance/list-figures.ts';
import type { JudgedQuery, JudgedSet } from './judged-set.ts';

/** Hits that are looked for in vain are in none of so many. */
const recalledHits = 100;

export interface SetFigures {
  queries: number;
  /** nDCG@10. */
  ndcg: number;
  /** Share of the relevant documents among the first hundred hits, of each query. */
  recall: number;
  /** MRR@10. */
  mrr: number;
  /** Share of the queries with a relevant hit first, and among ten. */
  first: number;
  success: number;
  /** The median of what is found. */
  found: number;
}

type Searched = { search(query: SearchQuery): { hits: { id: string }[]; found: number } };

/** Each query is searched for once. @param settings what searches have beside their text */
export function measureSet(
  index: Searched,
  { queries }: Pick<JudgedSet, 'queries'>,
  settings: (query: JudgedQuery) => Partial<SearchQuery> = () => ({}),
): SetFigures {
  const measured = queries.map((query) => {
    const own = settings(query);
    const asked = searchFor({ text: query.text, limit: recalledHits, highlightFields: [], ...own });
    const { hits, found } = index.search(asked);
    const ids = hits.map(({ id }) => id);
    const relevant = [...query.grades].filter(([, grade]) => grade > 0).map(([id]) => id);
    const seen = new Set(ids);
    return {
      ...figuresOf(ids, query.grades),
      recall: relevant.filter((id) => seen.has(id)).length / relevant.length,
      found,
    };
  });
  const mean = (numbers: number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
  const { ndcg, mrr, hitRate } = meansOf(measured);
  return {
    queries: queries.length,
    ndcg,
    recall: mean(measured.map(({ recall }) => recall)),
    mrr,
    first: mean(measured.map(({ rank }) => Number(rank === 1))),
    success: hitRate,
    found: measured.map(({ found }) => found).sort((a, b) => a - b)[measured.length >>> 1] ?? 0,
  };
}

const bands = [1, 2, 3, 5, 8, 12, Number.POSITIVE_INFINITY];

/** The queries of a set by how many words they have; what has no queries is left out. */
export function byLength({ name, queries }: JudgedSet): JudgedSet[] {
  return bands.flatMap((most, i) => {
    const least = (bands[i - 1] ?? 0) + 1;
    const own = queries.filter(({ text }) => {
      const length = tokenize(text).length;
      return length >= least && length <= most;
    });
    const label =
      most === Number.POSITIVE_INFINITY ? `${least}+` : least === most ? `${most}` : `${least}–${most}`;
    return own.length === 0 ? [] : [{ name: `${name}, ${label} words`, queries: own }];
  });
}
