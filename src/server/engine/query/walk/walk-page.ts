/**
 * A page of a walk over all hits: what comes behind the place that the page before has left, so that each page costs the same and
 * documents that come and go meanwhile shift nothing. Pins stand where they would in the whole list; each is shown once, since those up to
 * the last one shown are passed over. O(n) and a heap of the page's size.
 */
import { TopK } from '../../bits/top-k.ts';
import type { Steps } from '../../steps.ts';
import type { Pin } from '../../types.ts';
import type { PinnedList } from '../pinned-list.ts';
import { type HitOrder, type Ordering, placeOf } from './hit-order.ts';
import type { WalkPlace } from './walk-place.ts';

export interface WalkedPage {
  page: Int32Array;
  /** Null: there is no more. */
  next: WalkPlace | null;
}

interface Walked {
  list: PinnedList;
  /** Of the search, whatever has become of their documents. */
  pins: readonly Pin[];
  ordering: Ordering;
  /** Of all in the list but pins, and maybe of more. */
  order: HitOrder;
}

export function* walkPage(
  { list, pins, ordering, order }: Walked,
  from: WalkPlace,
  limit: number,
): Steps<WalkedPage> {
  const isBehind = from.last === null ? () => true : yield* order.behind(from.last);
  // One more says whether there is another page.
  const top = new TopK(limit + 1, order.isBefore);
  yield* list.others.visit((ordinal) => {
    if (isBehind(ordinal)) top.offer(ordinal, 0);
  });
  const { ordinals: others } = yield* top.sorted();
  const waiting = pinsBehind(from.pin, { list, pins, documents: ordering.documents });
  const page: number[] = [];
  let [taken, pinned] = [0, 0];
  while (page.length < limit) {
    const pin = waiting[pinned];
    const isPinsTurn = pin !== undefined && pin.position - 1 <= from.shown + page.length;
    if (pin !== undefined && (isPinsTurn || taken === others.length)) {
      page.push(pin.ordinal);
      pinned += 1;
    } else if (taken < others.length) {
      page.push(others[taken] ?? 0);
      taken += 1;
    } else break;
  }
  const hasMore = taken < others.length || pinned < waiting.length;
  if (!hasMore) return { page: Int32Array.from(page), next: null };
  const lastPin = waiting[pinned - 1];
  const lastOther = taken === 0 ? undefined : others[taken - 1];
  return {
    page: Int32Array.from(page),
    next: {
      shown: from.shown + page.length,
      pin: lastPin === undefined ? from.pin : ordering.documents.idOf(lastPin.ordinal),
      last: lastOther === undefined ? from.last : yield* placeOf(lastOther, ordering),
    },
  };
}

/** Where a walk goes on behind a page that was cut out by its offset. `others`: all but pins up to its end, in order. */
export function* placeBehind(
  { list, ordering }: Pick<Walked, 'list' | 'ordering'>,
  end: number,
  others: Int32Array,
): Steps<WalkPlace | null> {
  if (end >= list.all.count()) return null;
  const pin = list.lastBefore(end);
  const last = others.at(-1);
  return {
    shown: end,
    pin: pin === null ? null : ordering.documents.idOf(pin),
    last: last === undefined ? null : yield* placeOf(last, ordering),
  };
}

/** Those whose turn comes after the last one shown. */
function pinsBehind(
  shown: string | null,
  { list, pins, documents }: Pick<Walked, 'list' | 'pins'> & Pick<Ordering, 'documents'>,
): PinnedList['pinned'] {
  if (shown === null) return list.pinned;
  const turns = new Map<string, number>();
  for (const [turn, { id }] of pins.toSorted((a, b) => a.position - b.position).entries())
    if (!turns.has(id)) turns.set(id, turn);
  const last = turns.get(shown) ?? -1;
  return list.pinned.filter(({ ordinal }) => (turns.get(documents.idOf(ordinal)) ?? 0) > last);
}
