import type { Candidates, PickedCandidates } from '#server/engine/merged-types.ts';

/** Candidates at these places. */
export function picked(
  { ids, scores, relevances, textMatches, coverages, areNeighbours, fits }: Candidates,
  places: number[],
): PickedCandidates {
  return {
    ids: places.map((at) => ids[at] ?? ''),
    scores: Float64Array.from(places, (at) => scores[at] ?? 0),
    relevances: Float64Array.from(places, (at) => relevances[at] ?? Number.NaN),
    textMatches: Float64Array.from(places, (at) => textMatches[at] ?? 0),
    coverages: Float64Array.from(places, (at) => coverages[at] ?? 0),
    areNeighbours: Uint8Array.from(places, (at) => areNeighbours[at] ?? 0),
    fits: fits && places.map((at) => fits[at] ?? null),
  };
}
