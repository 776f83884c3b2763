import type { Requester } from '#server/admission/requester.ts';
import type { GivenSupport } from '#server/engine/merged-types.ts';
import { supportedMax, supportedScores, supportWeight } from '#server/engine/search-index.ts';
import type { SearchQuery } from '#server/engine/types.ts';
import { stepsInTurns } from '#server/indexes/write/steps-in-turns.ts';
import { byScore, compareHits } from './hit-order.ts';
import type { FoundHit, Reading } from './ranked.ts';

export interface LiftParts {
  requester: Requester;
  /** By id, those that have one; the record is asked once. */
  firstVectors: (ids: string[]) => Promise<Map<string, Float32Array>>;
}

type Asked = LiftParts & { query: SearchQuery; reading: Reading };

/** How the best of fused hits lift each other, by the embedded engine's own code. `hits`: the best first. Null: they do not. */
export async function supportAmong(
  { requester, firstVectors, query, reading }: Asked,
  hits: FoundHit[],
): Promise<GivenSupport | null> {
  const weight = supportWeight(query, { words: reading?.words ?? [], totals: reading?.totals ?? null });
  if (weight === 0) return null;
  const best = hits.slice(0, supportedMax);
  const ids = best.map(({ id }) => id);
  const known = await firstVectors(ids);
  const vectors = ids.map((id) => known.get(id) ?? noVector);
  const own = Float64Array.from(best, ({ score }) => score);
  const scores = await stepsInTurns(requester, supportedScores({ scores: own, vectors }, weight));
  return { weight, ids, scores };
}

const noVector = new Float32Array(0);

/** With the scores that they have then, the best first; what does not lift others keeps the rest of its own. */
export function liftedHits(hits: FoundHit[], support: GivenSupport | null): FoundHit[] {
  if (support === null) return hits;
  const { weight, ids, scores } = support;
  const lifted = new Map(ids.map((id, place) => [id, scores[place] ?? 0]));
  return hits
    .map((hit): FoundHit => {
      const { id, fused } = hit;
      const score = lifted.get(id) ?? (1 - weight) * hit.score;
      return { ...hit, score, sort: [score, id], ...(fused && { fused: { ...fused, support: weight } }) };
    })
    .sort((a, b) => compareHits(byScore, a, b));
}
