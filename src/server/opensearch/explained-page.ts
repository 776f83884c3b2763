import type { Explanation, FusedSide } from '#server/engine/search-index.ts';
import type { EngineHit, SearchQuery } from '#server/engine/types.ts';
import { wordScores } from './explained-words.ts';
import type { PlacedHit } from './placed-hits.ts';
import type { SearchParts } from './prepare-search.ts';

/** What a pin alone has brought in, which no side of the search puts forward. */
export const isOnlyPinned = ({ isPinned, score, fused }: PlacedHit) =>
  isPinned && score === 0 && fused === undefined;

/**
 * What an embedded index of the page's documents says of their words, with the cluster's scores in place of its own; and the sides as they were fused: they add
 * up to the scores of the hits.
 */
export async function explainPage(
  parts: SearchParts,
  page: PlacedHit[],
  hits: (EngineHit | null)[],
): Promise<void> {
  const scores = await wordScores(
    parts,
    page.map(({ id }) => id),
  );
  for (const [place, hit] of hits.entries()) {
    const placed = page[place];
    if (hit?.explanation === undefined || placed === undefined) continue;
    const words = scores.explained(placed, hit.explanation.words);
    hit.explanation = {
      ...hit.explanation,
      ...sidesOf(parts.query, placed, words?.score ?? 0),
      words,
      pinnedAt: placed.pinnedAt,
    };
  }
}

function sidesOf(
  { mode, alpha, fusion: method }: SearchQuery,
  hit: PlacedHit,
  text: number,
): Pick<Explanation, 'keywordScore' | 'vectorScore' | 'fusion'> {
  const none = { keywordScore: null, vectorScore: null, fusion: null };
  if (isOnlyPinned(hit)) return none;
  if (mode === 'keyword') return { ...none, keywordScore: text };
  if (mode === 'vector') return { ...none, vectorScore: hit.score };
  const absent: FusedSide = { value: 0, rank: null };
  const { keyword, vector, support } = hit.fused ?? { keyword: absent, vector: absent, support: 0 };
  const keywordScore = (1 - support) * (1 - alpha) * keyword.value;
  const vectorScore = (1 - support) * alpha * vector.value;
  const fusion = { method, alpha, keyword, vector };
  if (support === 0) return { keywordScore, vectorScore, fusion };
  const value = (hit.score - keywordScore - vectorScore) / support;
  const neighbours = { weight: support, value: value < roundingMost ? 0 : value };
  // What stands near to it is a matter of meaning.
  return {
    keywordScore,
    vectorScore: vectorScore + support * neighbours.value,
    fusion: { ...fusion, neighbours },
  };
}

/** Of a sum, in its last digits. */
const roundingMost = 1e-9;
