/** Lets the best 50 of a hybrid search lift each other (`supported-scores.ts`). A document is compared by its first vector. */
import type { Bitset } from '../bits/bitset.ts';
import { TopK } from '../bits/top-k.ts';
import type { KeywordFigures } from '../merged-types.ts';
import type { Steps } from '../steps.ts';
import type { SearchQuery } from '../types.ts';
import type { SearchParts } from './search-parts.ts';
import { supportedMax, supportedScores } from './supported-scores.ts';

type Asked = Pick<SearchQuery, 'mode' | 'alpha' | 'fusion' | 'ranking'>;

/** Which part of a score it makes. Words that documents hold all are asked for themselves, and each side alone keeps its order. */
export function supportWeight(
  { mode, alpha, fusion, ranking }: Asked,
  { totals }: { totals: KeywordFigures | null },
): number {
  const isOfBoth = mode === 'hybrid' && fusion === 'weighted' && alpha > 0 && alpha < 1;
  return isOfBoth && (totals?.full ?? 0) === 0 ? ranking.neighboursWeight : 0;
}

/** Changes the scores of the candidates in their place. */
export function* addSupport(
  { documents, vectors }: Pick<SearchParts, 'documents' | 'vectors'>,
  { candidates, scores }: { candidates: Bitset; scores: Float64Array },
  weight: number,
): Steps<void> {
  const top = new TopK(supportedMax, documents.isBefore);
  yield* candidates.visit((ordinal) => {
    top.offer(ordinal, scores[ordinal] ?? 0);
  });
  const best = yield* top.sorted();
  const rows = Array.from(best.ordinals, (ordinal) => vectors.firstVectorOf(ordinal));
  const supported = yield* supportedScores({ scores: best.scores, vectors: rows }, weight);
  yield* candidates.visit((ordinal) => {
    scores[ordinal] = (1 - weight) * (scores[ordinal] ?? 0);
  });
  for (const [place, ordinal] of best.ordinals.entries()) scores[ordinal] = supported[place] ?? 0;
}
