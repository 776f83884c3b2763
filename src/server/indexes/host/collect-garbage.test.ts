import { expect, test } from 'vitest';
import { createGarbageCollector } from './collect-garbage.ts';

test('what nobody uses is given back at once', async () => {
  const collect = createGarbageCollector();
  const before = process.memoryUsage().arrayBuffers;
  let arrays: Uint8Array[] = Array.from({ length: 16 }, () => new Uint8Array(4 * 1024 * 1024).fill(1));
  expect(process.memoryUsage().arrayBuffers - before).toBeGreaterThan(60 * 1024 * 1024);
  arrays = [];
  // A turn ends the use of what was on the stack; the arrays are swept in another thread.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  await expect.poll(() => process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * 1024 * 1024);
  expect(arrays).toEqual([]);
});
