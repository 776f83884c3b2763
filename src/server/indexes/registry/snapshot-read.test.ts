import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sourceOf } from '#server/testing/snapshot-sources.ts';
import { SnapshotFiles } from './snapshot-files.ts';
import { chunkBytes } from './snapshot-format.ts';

const other = { collectionId: 9, createdAtMicros: '100' };
const begin = async () => {};

function bytesOf(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  // Each chunk is another.
  for (let i = 0; i < length; i += 1) bytes[i] = i * 7 + (i >>> 20);
  return bytes;
}

describe('the chunks of a snapshot', () => {
  let folder: string;
  let files: SnapshotFiles;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'vectora-snapshots-'));
    files = new SnapshotFiles(folder);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('are read in their order into the memory of three chunks, which is theirs until they are taken', async () => {
    const bytes = bytesOf(20 * chunkBytes + 5);
    await files.write(other, sourceOf(new Map([['large', bytes]])));
    const memories = new Set<ArrayBufferLike>();
    let begun = 0;
    let underWay = 0;
    const last = await files.read(other, {
      begin: async (named) => expect(named).toEqual([{ name: 'large', length: bytes.length }]),
      async take(part) {
        memories.add(part.buffer);
        const from = begun;
        begun += part.length;
        underWay += 1;
        expect(underWay).toBeLessThanOrEqual(3);
        await new Promise((resolve) => setTimeout(resolve, from % (3 * chunkBytes) === 0 ? 20 : 1));
        expect(Buffer.compare(part, bytes.subarray(from, from + part.length))).toBe(0);
        underWay -= 1;
        return from + part.length === bytes.length ? from : null;
      },
    });
    expect(last).toBe(20 * chunkBytes);
    expect(memories.size).toBe(3);
  });

  it('are read no further once they are answered, or fail to be taken', async () => {
    await files.write(other, sourceOf(new Map([['large', bytesOf(20 * chunkBytes)]])));
    let taken = 0;
    const answered = files.read(other, { begin, take: async () => (++taken === 2 ? 'enough' : null) });
    expect(await answered).toBe('enough');
    expect(taken).toBeLessThanOrEqual(4);
    taken = 0;
    const take = async () => {
      taken += 1;
      if (taken === 2) throw new TypeError('planted');
      return null;
    };
    await expect(files.read(other, { begin, take })).rejects.toThrow(TypeError);
    expect(taken).toBeLessThanOrEqual(4);
    const unanswered = await files.read(other, { begin, take: async () => null });
    expect(unanswered).toEqual({ refused: 'it ends early' });
  });

  it('are refused by what failed first, though others fail because of it', async () => {
    await files.write(other, sourceOf(new Map([['large', bytesOf(4 * chunkBytes)]])));
    let fail = (_: Error) => {};
    const lost = new Promise<null>((_, reject) => {
      fail = reject;
    });
    let taken = 0;
    const take = async () => {
      taken += 1;
      if (taken < 3) return lost;
      setImmediate(() => fail(new RangeError('lost with it')));
      throw new TypeError('planted');
    };
    await expect(files.read(other, { begin, take })).rejects.toThrow(TypeError);
  });

  it('with a chunk that is damaged give none of what comes behind it', async () => {
    const bytes = bytesOf(8 * chunkBytes);
    await files.write(other, sourceOf(new Map([['large', bytes]])));
    const own = path.join(folder, '9-100.chunks');
    for (const place of [7, 3, 0]) {
      const name = createHash('sha256').update(bytes.subarray(place * chunkBytes, (place + 1) * chunkBytes));
      await truncate(path.join(own, name.digest('hex')), chunkBytes - 1);
      let taken = 0;
      const read = await files.read(other, {
        begin,
        async take() {
          taken += 1;
          return null;
        },
      });
      expect(read).toEqual({ refused: expect.stringContaining('is damaged') });
      expect(taken).toBeLessThanOrEqual(place);
      expect(await readdir(own)).toHaveLength(7);
      await files.write(other, sourceOf(new Map([['large', bytes]])));
    }
  });
});
