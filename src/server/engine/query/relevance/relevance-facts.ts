import { figuresOf } from '../../lexical/read-query.ts';
import { wordWeight } from '../../lexical/word-weight.ts';
import type { KeywordFigures, Scale, WordPlan } from '../../merged-types.ts';
import type { Ranking, SearchQuery } from '../../types.ts';
import { vectorShare } from '../sides/side-figures.ts';
import type { RelevanceFacts } from './relevance-model.ts';

interface Words {
  plan: readonly WordPlan[];
  /** Null: the search has no words. */
  totals: KeywordFigures | null;
}

/** Of a search. Of several indexes that are searched as one: by the figures of all. */
export function relevanceFacts({ plan, totals }: Words, scale: Scale, ranking: Ranking): RelevanceFacts {
  const { textMax, nearest } = scale;
  if (totals === null) return { words: 0, nearest };
  const { documents } = totals;
  // What a document would score that has all words so often that more count for nothing.
  const most = plan.reduce(
    (sum, word, i) => sum + wordWeight(word, { figures: figuresOf(totals, i), documents }, ranking),
    0,
  );
  return { words: most > 0 ? textMax / most : 0, nearest };
}

/** A score as it would be in a hybrid search that has this side alone, 0 to 1; it does not fall where the score rises. */
export function sharedScore(mode: SearchQuery['mode'], scale: Scale, score: number): number {
  if (mode === 'hybrid') return score;
  if (mode === 'vector') return vectorShare(scale, score);
  return scale.textMax > 0 ? score / scale.textMax : 0;
}
