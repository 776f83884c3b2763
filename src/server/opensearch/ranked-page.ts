import { compareHits } from './hit-order.ts';
import { type AskSearches, counted, totalOf } from './multi-search.ts';
import { allOf, among, noneOf, type Query } from './query.ts';
import type { After, ClusterOrdered, FoundHit, Ranked } from './ranked.ts';
import { hitsOf } from './ranked-words.ts';

interface PageAsked {
  offset: number;
  limit: number;
  /** These ids are left out. */
  without: string[];
  /** In place of `offset`. */
  after: After | null;
  /** Absent: how many there are is told. */
  isCounted?: boolean;
}

/** A part of the candidates in their order, and how many there are. */
export async function rankedPage(
  ask: AskSearches,
  { known, others, order }: Pick<Ranked, 'known' | 'others' | 'order'>,
  { offset, limit, without, after, isCounted = true }: PageAsked,
): Promise<{ found: number; hits: FoundHit[] }> {
  const isOut = new Set(without);
  const left = without.length === 0 ? known : known.filter(({ id }) => !isOut.has(id));
  const behind = after === null ? left : left.filter((hit) => compareHits(order, hit, after) > 0);
  const first = after === null ? offset : 0;
  if (others === null) return { found: left.length, hits: behind.slice(first, first + limit) };
  const isAlone = known.length === 0;
  const [from, size] = isAlone ? [first, limit] : [0, first + limit];
  const own = await clusterPage(ask, others, { from, size, without, after, isCounted });
  const found = left.length + own.found;
  if (isAlone) return { found, hits: own.hits };
  const hits = [...behind, ...own.hits].sort((a, b) => compareHits(order, a, b));
  return { found, hits: hits.slice(first, first + limit) };
}

async function clusterPage(
  ask: AskSearches,
  others: ClusterOrdered,
  {
    from,
    size,
    without,
    after,
    isCounted,
  }: { from: number; size: number; isCounted: boolean } & Pick<PageAsked, 'without' | 'after'>,
) {
  const start = after?.own ?? null;
  const search = {
    ...(start === null ? { from } : { search_after: start.sort }),
    size,
    query: others.scored(leaving(others.candidates, without)),
    sort: others.sort,
    track_scores: true,
  };
  const [reply] = await ask([isCounted ? counted(search) : search]);
  const before = start === null ? from : start.rank;
  return {
    found: isCounted ? totalOf(reply) : 0,
    hits: hitsOf(reply).map((hit, place) => others.toHit(hit, before + place + 1)),
  };
}

/** Candidates without these. */
export function leaving(candidates: Query, without: readonly string[]): Query {
  return without.length === 0 ? candidates : allOf([candidates, noneOf([among('id', without)])]);
}
