import type { WalkPlace } from '#server/engine/search-index.ts';
import type { Pin } from '#server/engine/types.ts';
import { GroupedHits } from './grouped-hits.ts';
import { othersOfPage, pinnedPlaces } from './pinned-places.ts';
import { type SearchParts, sidesPartsOf } from './prepare-search.ts';
import { allOf, among, type Query } from './query.ts';
import type { FoundHit, Ranked } from './ranked.ts';
import { rankedPage } from './ranked-page.ts';
import { hitsOf } from './ranked-words.ts';
import { afterOf, nextPlace, startOf } from './walk-places.ts';

/** A hit where the page shows it. */
export type PlacedHit = FoundHit & {
  isPinned: boolean;
  /** From 1, where it is to stand; null: nowhere. */
  pinnedAt: number | null;
};

/** A page with its pins, as hits or as groups. */
export interface ListedPage {
  page: PlacedHit[];
  /** How many documents each group has, and how many of the page's hits; null: hits are not grouped. */
  groups: { found: number; hits: number }[] | null;
  found: number;
  foundDocuments: number;
  next: WalkPlace | null;
}

/** Pins that pass, each once, by position. */
export async function passingPins({ asked, query }: SearchParts, passing: Query): Promise<Pin[]> {
  if (query.pins.length === 0) return [];
  const ids = query.pins.map(({ id }) => id);
  const [reply] = await asked.ask([{ size: ids.length, query: allOf([passing, among('id', ids)]) }]);
  const there = new Set(hitsOf(reply).map(({ _id }) => _id));
  const first = new Map<string, Pin>();
  for (const pin of query.pins.toSorted((a, b) => a.position - b.position))
    if (there.has(pin.id) && !first.has(pin.id)) first.set(pin.id, pin);
  return [...first.values()];
}

/** @throws AppError UNPROCESSABLE: there are too many groups */
export async function listPage(parts: SearchParts, ranked: Ranked, pins: Pin[]): Promise<ListedPage> {
  const placed = (hit: FoundHit): PlacedHit => {
    const pin = pins.find(({ id }) => id === hit.id);
    return { ...hit, isPinned: pin !== undefined, pinnedAt: pin?.position ?? null };
  };
  const grouped = await groupsOf(parts, ranked, pins);
  const list = await cutPage(parts, grouped?.heads ?? ranked, grouped?.pins ?? pins);
  const { found, next } = list;
  if (grouped === null)
    return { page: list.page.map(placed), groups: null, found, foundDocuments: found, next };
  const groups = await grouped.fill(list.page);
  return {
    page: groups.flatMap(({ hits }) => hits.map(placed)),
    groups: groups.map((group) => ({ found: group.found, hits: group.hits.length })),
    found,
    foundDocuments: grouped.foundDocuments,
    next,
  };
}

/** Null: hits are not grouped. */
export async function groupsOf(
  { asked: { ask }, query }: SearchParts,
  ranked: Ranked,
  pins: Pin[],
): Promise<GroupedHits | null> {
  const { group } = query;
  return group === null ? null : await GroupedHits.of({ ask, query: { ...query, group }, ranked, pins });
}

async function cutPage(parts: SearchParts, ranked: Ranked, pins: Pin[]) {
  const { query } = parts;
  const { ask, plan } = sidesPartsOf(parts);
  const without = pins.map(({ id }) => id);
  const { limit } = query;
  const offset = startOf(query);
  const after = afterOf(query, plan);
  const isPinned = new Set(without);
  const none = { offset: 0, limit: 0, without, after: null };
  // How many others there are says where pins behind the end stand; without pins a page is asked for at once.
  const others = pins.length === 0 ? 0 : (await rankedPage(ask, ranked, none)).found;
  const places = pinnedPlaces(pins, others);
  const part = othersOfPage(places, { offset, limit });
  const own = await rankedPage(ask, ranked, { offset: part.offset, limit: part.limit, without, after });
  const rest = own.hits.values();
  const pinned = part.within.length === 0 ? [] : await ranked.these(part.within.map(({ id }) => id));
  const pinnedAt = new Map(part.within.map(({ place }, i) => [place - offset, pinned[i]]));
  const page = Array.from({ length: own.hits.length + pinnedAt.size }, (_, i) => {
    return pinnedAt.get(i) ?? rest.next().value ?? null;
  }).filter((hit) => hit !== null);
  const found = own.found + pins.length;
  const told = page.map(({ id }) => ({ id, isPinned: isPinned.has(id) }));
  return { page, found, next: nextPlace(query, { page: told, others: own.hits, found, after }) };
}
