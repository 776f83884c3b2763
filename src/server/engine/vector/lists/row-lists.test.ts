import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Bitset } from '../../bits/bitset.ts';
import { popcount } from '../../bits/popcount.ts';
import { codeShapeOf } from '../kernels/code-shape.ts';
import { LowestRows } from '../row-selection.ts';
import { RowLists } from './row-lists.ts';

const shape = codeShapeOf(70);
const rowsMax = 1_024;
const words = shape.bitStride / 4;

it('hold what was added and not removed, and find those of a mask that are near', () => {
  const change = fc.record({
    row: fc.nat(rowsMax - 1),
    list: fc.nat(2),
    code: fc.nat(0xffff),
    isRemoval: fc.boolean(),
  });
  const changes = fc.array(change, { minLength: 200, maxLength: 1_500, size: 'max' });
  const passes = fc.array(fc.nat(0xffff_ffff), { minLength: rowsMax / 32, maxLength: rowsMax / 32 });
  fc.assert(
    fc.property(changes, passes, fc.nat(0xffff), fc.nat(16), (history, mask, query, most) => {
      const lists = new RowLists(shape, { lists: 3, ordinalsMax: rowsMax });
      const held = new Map<number, { list: number; code: number }>();
      for (const { row, list, code, isRemoval } of history) {
        lists.remove(row);
        held.delete(row);
        if (isRemoval) continue;
        const bits = new Uint32Array(words);
        bits[words - 1] = code;
        expect(lists.add(list, { row, owner: row ^ 5, bits })).toBe(true);
        held.set(row, { list, code });
      }
      const bits = new Uint8Array(shape.bitStride);
      new Uint32Array(bits.buffer)[words - 1] = query;
      const passes = new Bitset(rowsMax);
      passes.words.set(mask);
      lists.ask({ query: { bits }, passes });
      const isIn = (row: number) => passes.has(row ^ 5);
      for (const list of [0, 1, 2]) {
        const near = new LowestRows(rowsMax, shape.bitStride * 8);
        near.most = most;
        const passed = lists.scan(list, near);
        const expected = [...held].filter(([row, each]) => each.list === list && isIn(row));
        expect(passed).toBe(expected.length);
        expect(lists.sizeOf(list)).toBe([...held.values()].filter((each) => each.list === list).length);
        const { rows, values } = near.sorted();
        const found = Array.from(rows, (row, i) => [row, values[i]] as const).sort(([a], [b]) => a - b);
        const nearest = expected
          .map(([row, { code }]) => [row, popcount((code ^ query) >>> 0)] as const)
          .filter(([, distance]) => distance <= most)
          .sort(([a], [b]) => a - b);
        expect(found).toEqual(nearest);
      }
    }),
    { numRuns: 30 },
  );
});

it('have no room for documents beyond their mask', () => {
  const lists = new RowLists(shape, { lists: 1, ordinalsMax: 128 });
  const bits = new Uint32Array(words);
  expect(lists.add(0, { row: 1, owner: 127, bits })).toBe(true);
  expect(lists.add(0, { row: 2, owner: 128, bits })).toBe(false);
});
