import type { SortValue, WalkPlace } from '#server/engine/search-index.ts';
import type { SearchQuery } from '#server/engine/types.ts';
import type { FoundHit } from './found-page.ts';

/** Of a sort value that a cursor keeps: nothing, a number, a text. */
const nothing = 255;
const number = 0;
const text = 3;

/** Behind what a walk goes on, as the cluster takes it; null: it begins, or has shown pins alone. */
export function afterOf({ walk }: Pick<SearchQuery, 'walk'>): unknown[] | null {
  const last = walk?.from?.last ?? null;
  if (last === null) return null;
  return [...last.values.map(({ class: kind, value }) => (kind === nothing ? null : value)), last.id];
}

/** Where a walk goes on; null: there is none, or this was its last page. `others`: of the page, those that are no pins. */
export function nextPlace(
  { walk, offset }: Pick<SearchQuery, 'walk' | 'offset'>,
  { page, others, found }: { page: { id: string; isPinned: boolean }[]; others: FoundHit[]; found: number },
): WalkPlace | null {
  const shown = offset + page.length;
  if (walk === null || page.length === 0 || shown >= found) return null;
  const hit = others.at(-1);
  const last = hit ? { id: hit.id, seal: 0, values: valuesOf(hit) } : (walk.from?.last ?? null);
  const pin = page.findLast(({ isPinned }) => isPinned)?.id ?? walk.from?.pin ?? null;
  return { shown, pin, last };
}

function valuesOf({ sort = [] }: FoundHit): SortValue[] {
  return sort.slice(0, -1).map((value): SortValue => {
    if (typeof value === 'number') return { class: number, value };
    return typeof value === 'string' ? { class: text, value } : { class: nothing, value: 0 };
  });
}
