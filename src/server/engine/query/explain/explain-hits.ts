/** Takes the scores of a page's hits apart. Beside the search: nothing of it knows that its scores are explained. */

import type { Scale } from '../../merged-types.ts';
import type { Steps } from '../../steps.ts';
import type { SearchQuery } from '../../types.ts';
import { distanceOf } from '../../vector/similarity.ts';
import type { Findings } from '../find.ts';
import { supportWeight } from '../neighbour-support.ts';
import { type Ranking, scoreOf } from '../rank.ts';
import type { SearchParts } from '../search-parts.ts';
import { vectorTrust } from '../sides/vector-trust.ts';
import { explainFusion } from './explain-fusion.ts';
import { explainWords } from './explain-words.ts';
import type { ExplainedSimilarity, Explanation } from './explanation.ts';

/** In the order of the page. `scale`: of several indexes that are searched as one; absent: of this one. @throws TooDearError */
export function* explainHits(
  parts: SearchParts,
  query: SearchQuery,
  { page, ranked, findings, scale = null }: Ranking & { page: Int32Array; scale?: Scale | null },
): Steps<Explanation[]> {
  const { keyword, pinned } = findings;
  const words = yield* explainWords(parts, query, { ...keyword, ordinals: page });
  const fusion =
    query.mode === 'hybrid'
      ? yield* explainFusion(
          {
            sides: findings,
            candidates: ranked.all,
            isBefore: parts.documents.isBefore,
          },
          { ...query, scale, vectorTrust: vectorTrust(query, keyword) },
          page.filter((ordinal) => ranked.candidates.has(ordinal)),
        )
      : null;
  const support = scale === null ? supportWeight(query, keyword) : 0;
  const metric = query.metric ?? parts.settings.metric;
  const pinnedAt = new Map(pinned.map(({ ordinal, position }) => [ordinal, position]));
  return Array.from(page, (ordinal): Explanation => {
    const isCandidate = ranked.candidates.has(ordinal);
    const own = words.get(ordinal);
    const fused = fusion?.get(ordinal) ?? null;
    const similarity = similarityAt(findings, ordinal);
    return {
      ...(isCandidate
        ? sidesOf(query, { text: own?.score ?? 0, fused, score: scoreOf(ranked, ordinal), support })
        : noSides),
      words: own === undefined || own.words.length === 0 ? null : own,
      similarity: similarity && { ...similarity, distance: distanceOf(metric, similarity.similarity) },
      fusion: fused,
      pinnedAt: pinnedAt.get(ordinal) ?? null,
    };
  });
}

type SideScores = Pick<Explanation, 'keywordScore' | 'vectorScore'>;

const noSides: SideScores = { keywordScore: null, vectorScore: null };

interface HitScores {
  text: number;
  fused: Explanation['fusion'];
  score: number;
  /** The part of a score that what stands near to the document makes. */
  support: number;
}

function sidesOf({ mode, alpha }: SearchQuery, { text, fused, score, support }: HitScores): SideScores {
  if (mode === 'keyword') return { keywordScore: text, vectorScore: null };
  if (mode === 'vector') return { keywordScore: null, vectorScore: score };
  const keywordScore = (1 - support) * (1 - alpha) * (fused?.keyword.value ?? 0);
  // What stands near to it is a matter of meaning.
  const vectorScore = support > 0 ? score - keywordScore : alpha * (fused?.vector.value ?? 0);
  return { keywordScore, vectorScore };
}

function similarityAt(
  { vector, neighbours }: Findings,
  ordinal: number,
): Omit<ExplainedSimilarity, 'distance'> | null {
  const similarity = vector?.similarityOf(ordinal) ?? Number.NEGATIVE_INFINITY;
  if (similarity === Number.NEGATIVE_INFINITY) return null;
  return { similarity, isNeighbour: neighbours.has(ordinal) };
}
