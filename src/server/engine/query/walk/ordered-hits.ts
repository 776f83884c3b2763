import type { Bitset } from '../../bits/bitset.ts';
import { TopK } from '../../bits/top-k.ts';
import type { Steps } from '../../steps.ts';
import { sortOrdinals } from '../sort/sort-ordinals.ts';
import { HitOrder, type IsBefore, type Ordering, readsScores } from './hit-order.ts';

/** Above this share of the candidates a heap of the first few takes longer than to sort all. */
const fewShare = 1 / 5;

/**
 * A part of the candidates in their order. `isBefore`: that order, where more than the candidates has been put into it; another `HitOrder` would
 * spoil it.
 */
export function* orderedHits(
  candidates: Bitset,
  { offset, limit }: { offset: number; limit: number },
  ordering: Ordering & { isBefore?: IsBefore },
): Steps<Int32Array> {
  const { documents, sort, scoreOf, source } = ordering;
  const end = offset + limit;
  const count = candidates.count();
  // A page behind the last hit needs no order.
  if (limit === 0 || offset >= count) return new Int32Array(0);
  const isSorted = sort.length > 0;
  if (!isSorted && ordering.best !== null)
    return (yield* ordering.best(end, candidates)).ordinals.subarray(offset, end);
  if (isSorted && readsScores(ordering)) yield* ordering.know(candidates);
  if (isSorted && end > count * fewShare) {
    const sorted = yield* sortOrdinals(yield* candidates.ordinals(), sort, source);
    return sorted.subarray(offset, end);
  }
  const bySort = isSorted ? (ordering.isBefore ?? (yield* HitOrder.of(candidates, ordering)).isBefore) : null;
  const top = new TopK(end, bySort ?? documents.isBefore);
  yield* candidates.visit((ordinal) => {
    top.offer(ordinal, isSorted ? 0 : scoreOf(ordinal));
  });
  return (yield* top.sorted()).ordinals.subarray(offset, end);
}
