/**
 * The relevance of a search's candidates, and which of them have enough of it. O(1) a candidate that is asked for; where some may have too
 * little, a look at each of them, for which a search by words alone scores all that match.
 */
import type { Bitset } from '../../bits/bitset.ts';
import type { KeywordMatches } from '../../lexical/keyword-search.ts';
import type { Scale } from '../../merged-types.ts';
import type { Steps } from '../../steps.ts';
import type { SearchQuery } from '../../types.ts';
import type { ScoredCandidates } from '../fuse.ts';
import { relevanceFacts, sharedScore } from './relevance-facts.ts';
import { type RelevanceFigures, relevanceOf } from './relevance-model.ts';

export interface ToldRelevance {
  /** By ordinal, of a candidate. */
  figuresOf: (ordinal: number) => RelevanceFigures;
  relevanceOf: (ordinal: number) => number;
  /** Candidates with enough of it. */
  kept: Bitset;
}

type Asked = Pick<SearchQuery, 'mode' | 'ranking'> & { relevance: NonNullable<SearchQuery['relevance']> };

interface Scored {
  keyword: KeywordMatches;
  scored: ScoredCandidates;
  scoreOf: (ordinal: number) => number;
  scale: Scale;
}

export function* tellRelevance(
  { mode, ranking, relevance: { model, min } }: Asked,
  { keyword, scored: { candidates, scores }, scoreOf, scale }: Scored,
): Steps<ToldRelevance> {
  const facts = relevanceFacts(keyword, scale, ranking);
  const figuresOf = (ordinal: number) => ({ ...facts, score: sharedScore(mode, scale, scoreOf(ordinal)) });
  const told = (ordinal: number) => relevanceOf(model, figuresOf(ordinal));
  if (min === null) return { figuresOf, relevanceOf: told, kept: candidates };
  if (scores !== null && !(scores instanceof Float64Array)) yield* scores.know(candidates);
  const kept = candidates.clone();
  yield* candidates.visit((ordinal) => {
    if (told(ordinal) < min) kept.remove(ordinal);
  });
  return { figuresOf, relevanceOf: told, kept };
}
