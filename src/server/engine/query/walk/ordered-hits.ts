import type { Bitset } from '../../bits/bitset.ts';
import { TopK } from '../../bits/top-k.ts';
import type { Steps } from '../../steps.ts';
import { sortOrdinals } from '../sort/sort-ordinals.ts';
import type { Ordering } from './hit-order.ts';

/** A part of the candidates in their order. */
export function* orderedHits(
  candidates: Bitset,
  { offset, limit }: { offset: number; limit: number },
  { documents, sort, scoreOf, source }: Ordering,
): Steps<Int32Array> {
  const end = offset + limit;
  // A page behind the last hit needs no order.
  if (limit === 0 || offset >= candidates.count()) return new Int32Array(0);
  if (sort.length > 0) {
    const sorted = yield* sortOrdinals(yield* candidates.ordinals(), sort, source);
    return sorted.subarray(offset, end);
  }
  const top = new TopK(end, documents.isBefore);
  yield* candidates.visit((ordinal) => {
    top.offer(ordinal, scoreOf(ordinal));
  });
  return (yield* top.sorted()).ordinals.subarray(offset, end);
}
