import type { Scale } from '#server/engine/merged-types.ts';
import { type BothParts, bestMax, bestOfBoth, scaleOfBest, spreadIn } from './both-sides.ts';
import { byScore } from './hit-order.ts';
import type { Near } from './nearest.ts';
import { nearestPassing, neighboursOf } from './neighbours.ts';
import { among, nothing, type Query } from './query.ts';
import type { FoundHit, Ranked } from './ranked.ts';
import { ownPlace, plainHit } from './ranked-words.ts';
import { toldRelevance } from './told-relevance.ts';

/** A search by vector alone. `given`: by what relevance is told; null: by this index's own. */
export async function rankedVectors(parts: BothParts, passing: Query, given: Scale | null): Promise<Ranked> {
  const { query, plan } = parts;
  const isTold = Boolean(query.relevance) && query.vector !== null;
  const isScaled = isTold && given === null;
  // The graph is walked once for both.
  const finding = nearestPassing(parts, passing, isScaled ? Math.max(query.k, bestMax(query)) : query.k);
  const [near, own] = await Promise.all([finding, isScaled ? ownScale(parts, finding) : null]);
  const all = neighboursOf(parts, near);
  const scale = isTold ? (given ?? own) : null;
  const told = toldRelevance(query, { reading: null, scale });
  const neighbours = all.filter(({ similarity }) => told?.isEnough(similarity) ?? true);
  const ids = neighbours.map(({ id }) => id);
  const hits = new Map(neighbours.map((near) => [near.id, toHit(near)]));
  const naming = (named: readonly string[]) => among('id', named);
  const candidates = naming(ids);
  const others = {
    candidates,
    named: ids,
    naming,
    scored: (left: Query) => left,
    sort: plan.clauses,
    toHit: (hit: { _id: string; _score: number | null; sort?: unknown[] }, rank: number): FoundHit => ({
      ...(hits.get(hit._id) ?? plainHit(hit._id, 0)),
      sort: plan.toSort(hit.sort ?? []),
      own: ownPlace(hit, rank),
    }),
  };
  const isSorted = query.sort.length > 0 && ids.length > 0;
  return {
    candidates,
    known: isSorted ? [] : [...hits.values()],
    others: isSorted ? others : null,
    order: isSorted ? plan.order : byScore,
    scale,
    told,
    these: async (ids) => ids.map((id) => hits.get(id) ?? plainHit(id, 0)),
  };
}

async function ownScale(parts: BothParts, near: Promise<Near[]>): Promise<Scale> {
  const most = near.then((all) => all.slice(0, bestMax(parts.query)));
  const [best, spread] = await Promise.all([bestOfBoth(parts, nothing, most), spreadIn(parts)]);
  return scaleOfBest(parts, best, spread);
}

function toHit({ id, similarity }: Near): FoundHit {
  return {
    ...plainHit(id, 0),
    score: similarity,
    isNeighbour: true,
    sort: [similarity, id],
  };
}
