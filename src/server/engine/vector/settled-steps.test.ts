import { expect, it } from 'vitest';
import { Bitset } from '../bits/bitset.ts';
import { runSteps } from '../steps.ts';
import { madeVectors } from '../testing/made-vectors.ts';
import { VectorTable } from './vector-table.ts';

const dimension = 96;
const count = 24_000;
const vectors = madeVectors('clustered', count + 20, dimension);

const isBefore = (a: number, b: number) => a < b;
const passes = new Bitset(count).fill(count);
function nearest(table: VectorTable, query: Float32Array, isExact: boolean) {
  const asked = { passes, k: 10, isBefore, isExact };
  return [...runSteps(table.nearest(table.compared(query, null), asked)).ordinals];
}

it('a table that has doubled is measured in parts behind the writes that come, and found in all the while', () => {
  const table = new VectorTable(dimension, 'cosine');
  let most = 0;
  let hits = 0;
  let looks = 0;
  for (const [ordinal, vector] of vectors.slice(0, count).entries()) {
    runSteps(table.add(ordinal, vector, new Int32Array(3)));
    let pauses = 0;
    for (const steps = table.settle(); !steps.next().done; ) pauses += 1;
    // What is measured at once has a quarter of a million components.
    if (ordinal * dimension > 1 << 18) most = Math.max(most, pauses);
    if (ordinal % 100 !== 0 || ordinal < 12_000) continue;
    const query = vectors[count + (looks % 20)] ?? vector;
    const truth = nearest(table, query, true);
    hits += nearest(table, query, false).filter((each) => truth.includes(each)).length;
    looks += 1;
  }
  expect(most).toBeLessThanOrEqual(10);
  expect(hits / looks / 10).toBeGreaterThanOrEqual(0.99);
  while (table.upkeep(100));
  expect(table.scanned).toMatchObject({ scan: 'bits' });
  expect(table.scanned.recall).toBeGreaterThanOrEqual(0.99);
}, 60_000);
