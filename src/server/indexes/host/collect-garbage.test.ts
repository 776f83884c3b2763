import { expect, test } from 'vitest';
import { createGarbageCollector } from './collect-garbage.ts';

test('what nobody uses is given back at once', async () => {
  const collect = createGarbageCollector();
  // Too little for the engine to collect by itself.
  let arrays: Uint8Array[] = Array.from({ length: 16 }, () => new Uint8Array(1024).fill(1));
  const buffers = arrays.map(({ buffer }) => new WeakRef(buffer));
  const left = () => buffers.filter((buffer) => buffer.deref() !== undefined).length;
  expect(left()).toBe(16);
  arrays = [];
  // A turn ends the use of what was on the stack.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  expect(left()).toBe(0);
  expect(arrays).toEqual([]);
});
