/** Lets the best 50 of a hybrid search lift each other (`supported-scores.ts`). A document is compared by its first vector. */
import type { Bitset } from '../bits/bitset.ts';
import { TopK } from '../bits/top-k.ts';
import type { GivenSupport } from '../merged-types.ts';
import type { Steps } from '../steps.ts';
import type { SearchQuery } from '../types.ts';
import type { SearchParts } from './search-parts.ts';
import { vectorTrust, type WordsRead } from './sides/vector-trust.ts';
import { supportedMax, supportedScores } from './supported-scores.ts';

type Asked = Pick<SearchQuery, 'mode' | 'alpha' | 'fusion' | 'ranking' | 'vector' | 'vectorTrust'>;

/**
 * Which part of a score it makes. Words that documents hold all are asked for themselves, each side alone keeps its order, and where a model does not read what
 * was asked, documents that are near to each other by it say little.
 */
export function supportWeight(query: Asked, read: WordsRead): number {
  const { mode, alpha, fusion, ranking, vector } = query;
  const isOfBoth = mode === 'hybrid' && fusion === 'weighted' && alpha > 0 && alpha < 1 && vector !== null;
  return isOfBoth && (read.totals?.full ?? 0) === 0 ? ranking.neighboursWeight * vectorTrust(query, read) : 0;
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
  yield* replaceScores({ candidates, scores }, weight, { ordinals: best.ordinals, supported });
}

/** The same where several indexes are searched as one. */
export function* addGivenSupport(
  { documents }: Pick<SearchParts, 'documents'>,
  fused: { candidates: Bitset; scores: Float64Array },
  { weight, ids, scores }: GivenSupport,
): Steps<void> {
  const ordinals = Int32Array.from(ids, (id) => documents.ordinalOf(id) ?? -1);
  yield* replaceScores(fused, weight, { ordinals, supported: scores });
}

function* replaceScores(
  { candidates, scores }: { candidates: Bitset; scores: Float64Array },
  weight: number,
  { ordinals, supported }: { ordinals: Int32Array; supported: Float64Array },
): Steps<void> {
  yield* candidates.visit((ordinal) => {
    scores[ordinal] = (1 - weight) * (scores[ordinal] ?? 0);
  });
  for (const [place, ordinal] of ordinals.entries())
    if (ordinal >= 0 && candidates.has(ordinal)) scores[ordinal] = supported[place] ?? 0;
}
