import { expect, test } from 'vitest';
import type { CollectionHandle } from '#server/indexes/indexes.ts';
import { createLog } from '#server/log.ts';
import { gate } from '#server/testing/gate.ts';
import { Renewals } from './renewals.ts';

const collection = (id: number) => ({ id }) as CollectionHandle;

function held() {
  const begun: number[] = [];
  const gates = new Map<number, ReturnType<typeof gate>>();
  const ending = new AbortController();
  const renewals = new Renewals({
    log: createLog('silent'),
    ending: ending.signal,
    async renew({ id }) {
      begun.push(id);
      const own = gate();
      gates.set(id, own);
      await own.pass();
    },
  });
  const begin = (id: number, isUrgent: boolean) => renewals.begin(collection(id), { isUrgent });
  return { begun, begin, end: (id: number) => gates.get(id)?.open(), ending };
}

test('two are under way, the next one as one of them is over; what is urgent does not wait, also where it waited before', async () => {
  const { begun, begin, end } = held();
  const all = [2, 4, 6, 8].map((id) => begin(id, false));
  await Promise.resolve();
  expect(begun).toEqual([2, 4]);
  const urgent = begin(3, true);
  expect(begun).toEqual([2, 4, 3]);
  const now = begin(8, true);
  await expect.poll(() => begun).toEqual([2, 4, 3, 8]);
  expect(begin(8, false)).toBe(now);
  for (const id of [8, 3]) end(id);
  await Promise.all([urgent, now]);
  expect(begun).toHaveLength(4);
  end(2);
  await expect.poll(() => begun).toEqual([2, 4, 3, 8, 6]);
  for (const id of [4, 6]) end(id);
  await Promise.all(all);
});

test('as the server ends, what has not begun never does', async () => {
  const { begun, begin, end, ending } = held();
  const all = [1, 2, 3].map((id) => begin(id, false));
  await expect.poll(() => begun).toEqual([1, 2]);
  ending.abort();
  for (const id of [1, 2]) end(id);
  await Promise.all(all);
  expect(begun).toEqual([1, 2]);
});
