import type { SortValue, WalkPlace } from '#server/engine/search-index.ts';
import type { SearchQuery } from '#server/engine/types.ts';
import type { After, FoundHit, OwnPlace } from './ranked.ts';
import type { SortPlan } from './sort-plan.ts';

/** Of a sort value that a cursor keeps: nothing, a number, a text. */
const nothing = 255;
const number = 0;
const text = 3;

type Asked = Pick<SearchQuery, 'walk' | 'mode' | 'sort'>;

/** Whether scores are made here and what is behind has the cluster's order: a cursor then says how far it has come there too. */
const hasTwoOrders = ({ mode, sort }: Asked) => mode === 'hybrid' && sort.length === 0;

/** How many hits stand before the page. */
export function startOf({ walk, offset }: Pick<SearchQuery, 'walk' | 'offset'>): number {
  return walk?.from?.shown ?? offset;
}

/** Behind what a walk goes on; null: it begins, or has shown pins alone. */
export function afterOf(query: Asked, plan: SortPlan): After | null {
  const last = query.walk?.from?.last ?? null;
  if (last === null) return null;
  const values = last.values.map(({ class: kind, value }) => (kind === nothing ? null : value));
  if (hasTwoOrders(query)) {
    const [score = null, own, place] = values;
    return {
      sort: [score, last.id],
      own: own == null || typeof place !== 'string' ? null : ownPlaceOf(own, place),
    };
  }
  const sort = [...values, last.id];
  return { sort, own: { rank: 0, sort: plan.toOwn(sort) } };
}

/** Rank and id. */
function ownPlaceOf(score: unknown, place: string): OwnPlace {
  const end = place.indexOf(' ');
  return { rank: Number(place.slice(0, end)), sort: [score, place.slice(end + 1)] };
}

/** Where a walk goes on; null: there is none, or this was its last page. `others`: of the page, those that are no pins. */
export function nextPlace(
  query: Asked & Pick<SearchQuery, 'offset'>,
  {
    page,
    others,
    found,
    after,
  }: { page: { id: string; isPinned: boolean }[]; others: FoundHit[]; found: number; after: After | null },
): WalkPlace | null {
  const { walk } = query;
  const shown = startOf(query) + page.length;
  if (walk === null || page.length === 0 || shown >= found) return null;
  const hit = others.at(-1);
  const own = others.findLast((each) => each.own !== null)?.own ?? after?.own ?? null;
  const last = hit
    ? { id: hit.id, seal: 0, values: valuesOf(hit, hasTwoOrders(query) ? own : null) }
    : (walk.from?.last ?? null);
  const pin = page.findLast(({ isPinned }) => isPinned)?.id ?? walk.from?.pin ?? null;
  return { shown, pin, last };
}

function valuesOf({ sort }: FoundHit, own: OwnPlace | null): SortValue[] {
  const place = own === null ? [] : [own.sort[0], `${own.rank} ${own.sort.at(-1)}`];
  return [...sort.slice(0, -1), ...place].map((value): SortValue => {
    if (typeof value === 'number') return { class: number, value };
    return typeof value === 'string' ? { class: text, value } : { class: nothing, value: 0 };
  });
}
