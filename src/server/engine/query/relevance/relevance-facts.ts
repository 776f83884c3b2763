import type { KeywordMatches } from '../../lexical/keyword-search.ts';
import { figuresOf } from '../../lexical/read-query.ts';
import { wordWeight } from '../../lexical/word-weight.ts';
import type { Scale } from '../../merged-types.ts';
import type { Ranking, SearchQuery } from '../../types.ts';
import type { RelevanceFacts } from './relevance-model.ts';

type Words = Pick<KeywordMatches, 'plan' | 'totals'>;

/** Of a search, and what its scores are divided by. Of several indexes that are searched as one: by the figures of all. */
export function relevanceFacts(
  { mode, ranking }: Pick<SearchQuery, 'mode' | 'ranking'>,
  keyword: Words,
  { textMax, nearest }: Scale,
): { facts: RelevanceFacts; unit: number } {
  const most = weightOf(keyword, ranking);
  const unit = mode === 'keyword' && most > 0 ? most : 1;
  return { facts: { words: most > 0 ? textMax / most : 0, nearest }, unit };
}

/** What a document would score that has all words so often that more count for nothing. */
function weightOf({ plan, totals }: Words, ranking: Ranking): number {
  if (totals === null) return 0;
  const { documents } = totals;
  return plan.reduce(
    (sum, word, i) => sum + wordWeight(word, { figures: figuresOf(totals, i), documents }, ranking),
    0,
  );
}
