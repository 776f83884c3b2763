import type { WordFigures, WordPlan } from '../merged-types.ts';
import type { Ranking } from '../types.ts';
import { idf } from './bm25.ts';

/** What a word of a query counts that is held as `figures` say: its idf times how often it stands there, less where it tells little or is read as another. */
export function wordWeight(
  { count, share }: Pick<WordPlan, 'count' | 'share'>,
  { figures, documents }: { figures: Omit<WordFigures, 'indexes'>; documents: number },
  { certainty }: Ranking,
): number {
  const { own, exact, near, nearest } = figures;
  if (exact > 0) return count * share * idf(documents, own || exact);
  return count * share * (certainty[nearest] ?? 0) * idf(documents, near);
}
