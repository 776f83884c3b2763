import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { inflated } from './inflated.ts';

const chunkBytes = 16 * 1024;

test('no more of a packed body is read than its reader takes', async () => {
  // What cannot be packed, so that so much has to be read as is taken.
  const packed = gzipSync(randomBytes(4 * 1024 * 1024));
  let readBytes = 0;
  async function* chunks() {
    for (let from = 0; from < packed.length; from += chunkBytes) {
      const chunk = packed.subarray(from, from + chunkBytes);
      readBytes += chunk.length;
      yield chunk;
    }
  }
  let takenBytes = 0;
  for await (const piece of inflated(chunks())) {
    takenBytes += piece.length;
    // Whatever would go on by itself has its turns.
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    expect(readBytes).toBeLessThan(takenBytes + 256 * 1024);
  }
  expect(takenBytes).toBe(4 * 1024 * 1024);
});

test('who takes no more lets its sender go', async () => {
  let isLetGo = false;
  async function* chunks() {
    try {
      const packed = gzipSync(randomBytes(1024 * 1024));
      for (let from = 0; from < packed.length; from += chunkBytes)
        yield packed.subarray(from, from + chunkBytes);
    } finally {
      isLetGo = true;
    }
  }
  for await (const _ of inflated(chunks())) break;
  await expect.poll(() => isLetGo).toBe(true);
});
