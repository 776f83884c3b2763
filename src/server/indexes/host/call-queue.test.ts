import { expect, it } from 'vitest';
import { createCallQueue, type QueuedCall } from './call-queue.ts';

/** Whose turns the next so many are, each a millisecond, while all have more to ask. */
function turns(calls: Record<string, QueuedCall>, count: number): Record<string, number> {
  const queue = createCallQueue<QueuedCall & { name: string }>();
  const had: Record<string, number> = {};
  for (const [name, call] of Object.entries(calls)) {
    had[name] = 0;
    for (let i = 0; i < count; i += 1) queue.add({ ...call, name });
  }
  for (let i = 0; i < count; i += 1) {
    const next = queue.takeNext();
    if (next === null) throw new Error('nobody waits');
    had[next.name] = (had[next.name] ?? 0) + 1;
    queue.charge(next, 1);
  }
  return had;
}

const search = (tenant: string, weight?: number): QueuedCall => ({
  collection: { id: tenant.length, for: { tenant, caller: 'key', ...(weight !== undefined && { weight }) } },
  request: { call: 'search' },
});

it('gives tenants the same time, and one of a smaller weight less', () => {
  expect(turns({ a: search('a'), other: search('other') }, 100)).toEqual({ a: 50, other: 50 });
  const beside = turns({ a: search('a'), demo: search('demo', 1 / 4) }, 100);
  expect(beside).toEqual({ a: 80, demo: 20 });
});

it.each(['ids', 'lines', 'sample'] as const)('counts what is done in bulk four times: %s', (call) => {
  const bulk: QueuedCall = { ...search('other'), request: { call } };
  expect(turns({ a: search('a'), bulk }, 100)).toEqual({ a: 80, bulk: 20 });
});

it('saves and closes an index as fast as if its owner asked nothing else', () => {
  const owners = Object.fromEntries(
    ['x', 'y', 'z'].map((caller): [string, QueuedCall] => [
      caller,
      { collection: { id: 1, for: { tenant: 'a', caller } }, request: { call: 'ids' } },
    ]),
  );
  for (const call of ['snapshot', 'close'] as const) {
    const closing: QueuedCall = { collection: search('a').collection, request: { call } };
    expect(turns({ ...owners, closing }, 100)['closing']).toBe(80);
  }
});
