import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Placement } from './placement.ts';

const counts = (threads: (number | null)[], length: number) =>
  Array.from({ length }, (_, thread) => threads.filter((each) => each === thread).length);

it('spreads indexes evenly, and leaves each where it is', () => {
  const placement = new Placement(4);
  const ids = Array.from({ length: 400 }, (_, i) => i * 4 + 1);
  const placed = ids.map((id) => placement.place(id));
  expect(counts(placed, 4)).toEqual([100, 100, 100, 100]);
  expect(ids.map((id) => placement.place(id))).toEqual(placed);
  expect(ids.map((id) => placement.find(id))).toEqual(placed);
});

it('goes by the lot, not by the id', () => {
  const first = new Placement(4, () => 0);
  const last = new Placement(4, (below) => below - 1);
  const ids = [8, 12, 16, 20];
  expect(ids.map((id) => first.place(id))).toEqual([0, 1, 2, 3]);
  expect(ids.map((id) => last.place(id))).toEqual([3, 2, 1, 0]);
});

it('gives the place of a closed index to the next one', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 20 })), (ids) => {
      const placement = new Placement(3);
      const open = new Set<number>();
      for (const id of ids) {
        if (open.delete(id)) placement.forget(id);
        else open.add(id) && placement.place(id);
      }
      for (const id of ids) expect(placement.find(id) !== null).toBe(open.has(id));
      for (let id = 100; id < 160; id += 1) placement.place(id);
      const all = [...open, ...Array.from({ length: 60 }, (_, i) => 100 + i)];
      const loads = counts(
        all.map((id) => placement.find(id)),
        3,
      );
      expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(1);
    }),
  );
});

it('knows nothing of what was forgotten', () => {
  const placement = new Placement(2);
  placement.forget(5);
  placement.place(5);
  placement.forget(5);
  placement.forget(5);
  expect(placement.find(5)).toBeNull();
});
