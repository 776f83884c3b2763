import { mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Snapshot } from '#server/engine/types.ts';
import { SnapshotFiles } from './snapshot-files.ts';

const owner = { collectionId: 7, createdAtMicros: '100' };
const slice = 1024 * 1024;
const pieces: Snapshot = new Map([
  ['header', new TextEncoder().encode('{"layout":1}')],
  ['empty', new Uint8Array(0)],
  ['large', Uint8Array.from({ length: slice * 2 + 5 }, (_, i) => i * 7)],
]);

describe('snapshot files', () => {
  let directory: string;
  let files: SnapshotFiles;
  let file: string;
  let bytes: Buffer;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'vectora-snapshots-'));
    files = new SnapshotFiles(path.join(directory, 'indexes'));
    await files.write(owner, pieces);
    const [name = ''] = await readdir(path.join(directory, 'indexes'));
    file = path.join(directory, 'indexes', name);
    bytes = await readFile(file);
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  const refused = async (content: Uint8Array) => {
    await writeFile(file, content);
    const found = await files.read(owner);
    return found && 'refused' in found ? found.refused : found;
  };

  it('give back the pieces in their order', async () => {
    await writeFile(file, bytes);
    const found = await files.read(owner);
    if (!found || 'refused' in found) throw new Error(found?.refused);
    expect([...found.snapshot.keys()]).toEqual([...pieces.keys()]);
    for (const [name, piece] of pieces) {
      expect(Buffer.compare(found.snapshot.get(name) ?? Buffer.of(1), piece), name).toBe(0);
    }
    expect(await files.read({ ...owner, createdAtMicros: '101' })).toBeNull();
  });

  const header = 'VECTORA\n'.length + 12;

  it('tell what they take before they are read', async () => {
    const total = [...pieces.values()].reduce((sum, { length }) => sum + length, 0);
    expect(await files.bytes(owner)).toEqual({ bytes: total });
    expect(await files.bytes({ ...owner, createdAtMicros: '101' })).toBeNull();
    await writeFile(file, bytes.subarray(0, -1));
    expect(await files.bytes(owner)).toEqual({ refused: 'it ends early' });
    await writeFile(file, bytes);
  });

  it('leave a turn to others with each megabyte that is written and read', async () => {
    const large: Snapshot = new Map([['large', new Uint8Array(20 * slice)]]);
    const other = { ...owner, collectionId: 9 };
    const turnsOf = async (task: Promise<unknown>) => {
      let turns = 0;
      let isOver = false;
      const counting = (async () => {
        for (; !isOver; turns += 1) await new Promise((resolve) => setImmediate(resolve));
      })();
      await task;
      isOver = true;
      await counting;
      return turns;
    };
    expect(await turnsOf(files.write(other, large))).toBeGreaterThan(20);
    expect(await turnsOf(files.read(other))).toBeGreaterThan(20);
    await files.remove(other.collectionId);
  });

  it('cut anywhere are refused', async () => {
    for (const length of [0, 7, 8, 12, header - 1, header, header + 1, header + 90, bytes.length - 1]) {
      expect(await refused(bytes.subarray(0, length)), `cut at ${length}`).toEqual(expect.any(String));
    }
  });

  it('with any one bit changed are refused', async () => {
    const expectRefused = async (whole: Buffer, place: number) => {
      const flipped = Uint8Array.from(whole);
      flipped[place] = (flipped[place] ?? 0) ^ (1 << (place % 8));
      expect(flipped).not.toEqual(Uint8Array.from(whole));
      expect(await refused(flipped), `bit of byte ${place}`).toEqual(expect.any(String));
    };
    for (const place of [slice, slice * 2, bytes.length - 1]) await expectRefused(bytes, place);
    await files.write(owner, new Map([['small', new TextEncoder().encode('a few bytes')]]));
    const small = await readFile(file);
    for (let place = 0; place < small.length; place += 1) await expectRefused(small, place);
  });

  it('that are something else are refused, with the reason', async () => {
    expect(await refused(Buffer.from(''))).toBe('it ends within its first bytes');
    expect(await refused(Buffer.from('x'.repeat(1000)))).toBe('it is not a snapshot');
    const older = Buffer.from(bytes);
    older.writeUInt32LE(2, 8);
    expect(await refused(older)).toBe('format 2 is unknown');
    expect(await refused(Buffer.concat([bytes, Buffer.of(0)]))).toBe('there is more than it says');
    await files.write({ ...owner, collectionId: 8 }, pieces);
    expect(await refused(await readFile(path.join(path.dirname(file), '8-100.snapshot')))).toBe(
      'it belongs to another collection',
    );
  });

  it('larger than one call of the file system can read are no error', async () => {
    await writeFile(file, bytes);
    // Sparse: it takes no room on the disk.
    await truncate(file, 2 ** 31 + 1);
    expect(await files.read(owner)).toEqual({ refused: 'there is more than it says' });
  });

  it('that cannot be read, as one in whose place lies a folder, are no error', async () => {
    await rm(file);
    await mkdir(file);
    expect(await files.read(owner)).toEqual({ refused: expect.stringContaining('EISDIR') });
    await rm(file, { recursive: true });
  });

  it('are written again once a folder can be made that could not be', async () => {
    const blocked = path.join(directory, 'blocked');
    await writeFile(blocked, '');
    const later = new SnapshotFiles(path.join(blocked, 'indexes'));
    await expect(later.write(owner, pieces)).rejects.toThrow();
    await rm(blocked);
    await later.write(owner, pieces);
    expect(await later.read(owner)).toHaveProperty('snapshot');
  });
});
