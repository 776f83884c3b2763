import { afterAll, expect, it, vi } from 'vitest';
import { runSteps } from '../../steps.ts';
import { readsSoFar } from '../../testing/checked-reads.ts';
import { madeVectors } from '../../testing/made-vectors.ts';

/** Of a byte each; by SIMD sixteen are read at once, so this is a tenth of a millisecond. */
const readsMax = 2_500_000;

afterAll(() => vi.unstubAllGlobals());

it('between two pauses of making lists little is done: kernels in JavaScript count what they read', async () => {
  vi.stubGlobal('WebAssembly', undefined);
  const { VectorTable } = await import('../vector-table.ts');
  const count = 3_000;
  const table = new VectorTable(32, 'cosine', count);
  for (const [ordinal, vector] of madeVectors('clustered', count, 32).entries())
    runSteps(table.add(ordinal, vector, new Int32Array(3)));
  let [most, pieces] = [0, 0];
  for (let before = readsSoFar(), isMore = true; isMore; pieces += 1) {
    isMore = table.upkeep(1);
    const now = readsSoFar();
    most = Math.max(most, now - before);
    before = now;
  }
  expect(table.scanned.scan).not.toBe('bits');
  expect(pieces).toBeGreaterThan(100);
  expect(most).toBeLessThan(readsMax);
}, 60_000);
