import { mergeOrder } from '../bits/merge-order.ts';
import { sortSteps } from '../bits/sort-steps.ts';
import type { BytesList } from '../memory/bytes-list.ts';
import { type Steps, stepUnits } from '../steps.ts';

/** The order of the first strings with the others in it. Most differ in their first bytes, so those are compared as one number. */
export function* withNewStrings(strings: BytesList, sorted: Int32Array): Steps<Int32Array<ArrayBuffer>> {
  const known = sorted.length;
  const added = new Int32Array(strings.count - known);
  const beginnings = new Float64Array(added.length);
  for (let i = 0; i < added.length; i += 1) {
    added[i] = known + i;
    beginnings[i] = strings.beginningAt(known + i);
    if ((i + 1) % stepUnits === 0) yield;
  }
  yield* sortSteps(
    added,
    (a, b) => (beginnings[a - known] ?? 0) - (beginnings[b - known] ?? 0) || strings.compare(a, b),
  );
  return yield* mergeOrder(sorted, added, (a, b) => strings.compare(a, b));
}
