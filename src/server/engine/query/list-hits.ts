/** From the candidates to a page of them: in their order with the pins between, as hits or as groups, by its offset or where a walk goes on. */
import type { Steps } from '../steps.ts';
import type { EngineAnswer, SearchQuery } from '../types.ts';
import { GroupedList } from './groups/grouped-list.ts';
import type { PinnedList } from './pinned-list.ts';
import { HitOrder, type IsBefore, type Ordering } from './walk/hit-order.ts';
import { orderedHits } from './walk/ordered-hits.ts';
import { placeBehind, type WalkedPage, walkPage } from './walk/walk-page.ts';

interface ListedHits extends Pick<EngineAnswer, 'found' | 'groups' | 'next'> {
  page: Int32Array;
}

/** @throws TooDearError */
export function* listHits(pins: PinnedList, query: SearchQuery, ordering: Ordering): Steps<ListedHits> {
  const { group, walk } = query;
  const from = walk?.from ?? null;
  if (group === null && from === null) {
    const { page, next } = yield* pageAt(pins, query, ordering);
    return { page, next, groups: null, found: pins.all.count() };
  }
  const order = yield* HitOrder.of(pins.others, ordering);
  const { documents, scratch, source } = ordering;
  const parts = {
    columns: source.columns,
    scratch,
    capacity: documents.capacity,
    isBefore: order.isBefore,
  };
  const grouped = group === null ? null : yield* GroupedList.of(pins, group, parts);
  const list = grouped?.heads ?? pins;
  const { page, next } =
    from === null
      ? yield* pageAt(list, query, { ...ordering, isBefore: order.isBefore })
      : yield* walkPage({ list, pins: query.pins, ordering, order }, from, query.limit);
  const found = list.all.count();
  if (grouped === null || group === null) return { page, next, groups: null, found };
  const { hits, groups } = yield* grouped.fill(page, group, parts);
  return { page: hits, next, groups, found };
}

/** A page by its offset. `isBefore`: the order, where it is known already. */
function* pageAt(
  list: PinnedList,
  query: SearchQuery,
  ordering: Ordering & { isBefore?: IsBefore },
): Steps<WalkedPage> {
  const { offset, limit, before, within } = list.partOf(query);
  const isWalk = query.walk !== null;
  const first = offset - before;
  const count = limit - within.length;
  // A walk goes on behind the last hit up to here, which may stand before the page.
  const asked = isWalk ? { offset: 0, limit: first + count } : { offset: first, limit: count };
  const others = yield* orderedHits(list.others, asked, ordering);
  const page = list.between(isWalk ? others.subarray(first) : others, { offset, within });
  if (!isWalk) return { page, next: null };
  return { page, next: yield* placeBehind({ list, ordering }, offset + page.length, others) };
}
