import { distanceOf } from '#server/engine/search-index.ts';
import type { SortKey } from '#server/engine/types.ts';
import { limits } from '#shared/limits.ts';
import type { BothParts } from './both-sides.ts';
import { compareHits, type HitOrder } from './hit-order.ts';
import { similarityOf, similaritySearch } from './nearest.ts';
import { nearestAsked } from './neighbours.ts';
import { notBuilt } from './not-built.ts';
import { among } from './query.ts';
import type { FoundHit, Ranked } from './ranked.ts';
import { rankedPage } from './ranked-page.ts';
import { hitsOf } from './ranked-words.ts';
import { sortPlan } from './sort-plan.ts';

const scoreKinds = ['_score', '_text_match', '_vector_distance'];
const isScoreKind = ({ field }: SortKey) => scoreKinds.includes(field);

/** Whether a search is ordered by scores that the cluster does not know. */
export const readsOwnScores = ({ mode, sort }: BothParts['query']): boolean =>
  mode !== 'keyword' && sort.some(isScoreKind);

/** Candidates that are in the order of their scores, in the order of the search. @throws AppError UNPROCESSABLE: they are too many */
export async function orderedHere(parts: BothParts, ranked: Ranked): Promise<Ranked> {
  const { ask, query } = parts;
  const most = limits.pagedHitsMax;
  const all = { offset: 0, limit: most, without: [], after: null };
  const { found, hits } = await rankedPage(ask, ranked, all);
  if (found > most) {
    const kind = query.sort.find(isScoreKind)?.field ?? '';
    throw notBuilt(`An order by "${kind}" of more than ${most} hits in a search with meaning`, 'sort_by');
  }
  const ids = hits.map(({ id }) => id);
  const [fields, distances] = await Promise.all([fieldValues(parts, ids), distancesOf(parts, ids)]);
  const order: HitOrder = { areDescending: query.sort.map(({ descending }) => descending) };
  const known = hits.map((hit): FoundHit => {
    const own = fields.get(hit.id)?.values();
    const values = query.sort.map((key) =>
      isScoreKind(key) ? scoreAt(hit, key.field, distances) : (own?.next().value ?? null),
    );
    return { ...hit, sort: [...values, hit.id], own: null };
  });
  known.sort((a, b) => compareHits(order, a, b));
  return { ...ranked, known, others: null, order };
}

function scoreAt(
  { id, score, textMatch }: FoundHit,
  field: string,
  distances: Map<string, number>,
): number | null {
  if (field === '_score') return score;
  if (field === '_text_match') return textMatch > 0 ? textMatch : null;
  return distances.get(id) ?? null;
}

/** By id, of the other keys. */
async function fieldValues(
  { ask, query, hasPoints }: BothParts,
  ids: string[],
): Promise<Map<string, unknown[]>> {
  const sort = query.sort.filter((key) => !isScoreKind(key));
  if (sort.length === 0 || ids.length === 0) return new Map();
  const plan = sortPlan({ sort }, hasPoints);
  const [reply] = await ask([{ size: ids.length, query: among('id', ids), sort: plan.clauses }]);
  return new Map(hitsOf(reply).map((hit) => [hit._id, plan.toSort(hit.sort ?? [])]));
}

async function distancesOf(parts: BothParts, ids: string[]): Promise<Map<string, number>> {
  const asked = nearestAsked(parts);
  const isAsked = parts.query.sort.some(({ field }) => field === '_vector_distance');
  if (asked === null || !isAsked || ids.length === 0) return new Map();
  const [reply] = await parts.ask([similaritySearch(asked, ids)]);
  return new Map(
    hitsOf(reply).map(({ _id, _score }) => [_id, distanceOf(asked.by, similarityOf(asked.by, _score ?? 0))]),
  );
}
