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

interface GivenOfAll {
  scale?: Scale | null;
  /** The part of a score that what stands near to the document makes. */
  support?: number;
}

/** In the order of the page. `scale` and `support`: of several indexes that are searched as one; absent: of this one. @throws TooDearError */
export function* explainHits(
  parts: SearchParts,
  query: SearchQuery,
  { page, ranked, findings, scale = null, support: given }: Ranking & { page: Int32Array } & GivenOfAll,
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
  const support = given ?? supportWeight(query, keyword);
  const metric = query.metric ?? parts.settings.metric;
  const pinnedAt = new Map(pinned.map(({ ordinal, position }) => [ordinal, position]));
  return Array.from(page, (ordinal): Explanation => {
    const isCandidate = ranked.candidates.has(ordinal);
    const own = words.get(ordinal);
    const fused = lifted(fusion?.get(ordinal) ?? null, scoreOf(ranked, ordinal), support);
    const similarity = similarityAt(findings, ordinal);
    return {
      ...(isCandidate
        ? sidesOf(query, { text: own?.score ?? 0, fused, score: scoreOf(ranked, ordinal) })
        : noSides),
      words: own === undefined || own.words.length === 0 ? null : own,
      similarity: similarity && { ...similarity, distance: distanceOf(metric, similarity.similarity) },
      fusion: fused,
      pinnedAt: pinnedAt.get(ordinal) ?? null,
    };
  });
}

/** Of a sum, in its last digits. */
const roundingMost = 1e-9;

type SideScores = Pick<Explanation, 'keywordScore' | 'vectorScore'>;

const noSides: SideScores = { keywordScore: null, vectorScore: null };

interface HitScores {
  text: number;
  fused: Explanation['fusion'];
  score: number;
}

function sidesOf({ mode, alpha }: SearchQuery, { text, fused, score }: HitScores): SideScores {
  if (mode === 'keyword') return { keywordScore: text, vectorScore: null };
  if (mode === 'vector') return { keywordScore: null, vectorScore: score };
  const { weight, value } = fused?.neighbours ?? { weight: 0, value: 0 };
  return {
    keywordScore: (1 - weight) * (1 - alpha) * (fused?.keyword.value ?? 0),
    // What stands near to it is a matter of meaning.
    vectorScore: (1 - weight) * alpha * (fused?.vector.value ?? 0) + weight * value,
  };
}

/** What both sides do not explain of a score is what the hits near to it have added. */
function lifted(fused: Explanation['fusion'], score: number, weight: number): Explanation['fusion'] {
  if (fused === null || weight === 0) return fused;
  const { alpha, keyword, vector } = fused;
  const own = (1 - weight) * ((1 - alpha) * keyword.value + alpha * vector.value);
  const value = (score - own) / weight;
  return { ...fused, neighbours: { weight, value: value < roundingMost ? 0 : value } };
}

function similarityAt(
  { vector, neighbours }: Findings,
  ordinal: number,
): Omit<ExplainedSimilarity, 'distance'> | null {
  const similarity = vector?.similarityOf(ordinal) ?? Number.NEGATIVE_INFINITY;
  if (similarity === Number.NEGATIVE_INFINITY) return null;
  return { similarity, isNeighbour: neighbours.has(ordinal) };
}
