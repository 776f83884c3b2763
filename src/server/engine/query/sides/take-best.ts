/**
 * The best of several lists that are sorted best first: answers, for each of the `count` best, the number of the list it comes from.
 * Equal values come from the earlier list. O(count · lists), which for the few hundred lists there may be is less than sorting them.
 */
export function takeBest(lists: ArrayLike<number>[], count: number): Int32Array {
  const next = new Int32Array(lists.length);
  const size = lists.reduce((sum, { length }) => sum + length, 0);
  const taken = new Int32Array(Math.min(count, size));
  for (let i = 0; i < taken.length; i += 1) {
    const list = bestNext(lists, next);
    taken[i] = list;
    next[list] = (next[list] ?? 0) + 1;
  }
  return taken;
}

function bestNext(lists: ArrayLike<number>[], next: Int32Array): number {
  let best = -1;
  let most = 0;
  for (let list = 0; list < lists.length; list += 1) {
    const value = lists[list]?.[next[list] ?? 0];
    if (value === undefined || (best >= 0 && value <= most)) continue;
    best = list;
    most = value;
  }
  return best;
}
