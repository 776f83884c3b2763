import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Snapshot } from '#server/engine/types.ts';
import { readWhole, sourceOf } from '#server/testing/snapshot-sources.ts';
import type { SnapshotSource } from '../host/snapshot-source.ts';
import { SnapshotFiles } from './snapshot-files.ts';
import { chunkBytes } from './snapshot-format.ts';

const owner = { collectionId: 7, createdAtMicros: '100' };
const megabyte = 1024 * 1024;
const bytesOf = (length: number, factor = 7) => {
  const bytes = new Uint8Array(length);
  // Each chunk is another.
  for (let i = 0; i < length; i += 1) bytes[i] = i * factor + (i >>> 20);
  return bytes;
};
const pieces: Snapshot = new Map([
  ['header', new TextEncoder().encode('{"layout":1}')],
  ['empty', new Uint8Array(0)],
  ['large', bytesOf(chunkBytes * 2 + 5)],
  ['small', bytesOf(1_000)],
  ['larger', bytesOf(chunkBytes * 3, 3)],
]);
/** The header; three of `large`, the last of them with `small`; three of `larger`. */
const chunkCount = 7;

describe('snapshot files', () => {
  let directory: string;
  let saved: string;
  let folder: string;
  let files: SnapshotFiles;
  let manifest: string;
  let chunks: string;

  beforeAll(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'vectora-snapshots-'));
    saved = path.join(directory, 'saved');
    folder = path.join(directory, 'indexes');
    await new SnapshotFiles(saved).write(owner, sourceOf(pieces));
    manifest = path.join(folder, '7-100.snapshot');
    chunks = path.join(folder, '7-100.chunks');
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));
  beforeEach(async () => {
    await rm(folder, { recursive: true, force: true });
    await cp(saved, folder, { recursive: true });
    files = new SnapshotFiles(folder);
  });

  const reasonOf = async () => {
    const found = await readWhole(files, owner);
    return found && 'refused' in found ? found.refused : found;
  };
  const refused = async (content: Uint8Array) => {
    await writeFile(manifest, content);
    return reasonOf();
  };
  const expectWhole = async (expected: Snapshot, whose = owner) => {
    const found = await readWhole(files, whose);
    if (!found || 'refused' in found) throw new Error(found?.refused ?? 'there is none');
    expect([...found.snapshot.keys()]).toEqual([...expected.keys()]);
    for (const [name, piece] of expected)
      expect(Buffer.compare(found.snapshot.get(name) ?? Buffer.of(1), piece), name).toBe(0);
  };
  /** Names, and the moments at which the files were made. */
  const chunkFiles = async () => {
    const names = (await readdir(chunks)).sort();
    const times = names.map(async (name) => [name, (await stat(path.join(chunks, name))).ctimeMs] as const);
    return new Map(await Promise.all(times));
  };
  const written = async (snapshot: Snapshot) => {
    const before = await chunkFiles();
    await files.write(owner, sourceOf(snapshot));
    const names = [...(await chunkFiles())].filter(([name, time]) => before.get(name) !== time);
    const sizes = await Promise.all(names.map(async ([name]) => (await stat(path.join(chunks, name))).size));
    return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  };

  it('give back the pieces in their order', async () => {
    await expectWhole(pieces);
    expect(await readdir(folder)).toEqual(['7-100.chunks', '7-100.snapshot']);
    expect(await readWhole(files, { ...owner, createdAtMicros: '101' })).toBeNull();
  });

  it('tell what they take before they are read', async () => {
    const total = [...pieces.values()].reduce((sum, { length }) => sum + length, 0);
    expect(await files.bytes(owner)).toEqual({ bytes: total });
    expect(await files.bytes({ ...owner, createdAtMicros: '101' })).toBeNull();
    await writeFile(manifest, (await readFile(manifest)).subarray(0, -1));
    expect(await files.bytes(owner)).toEqual({ refused: 'it ends early' });
  });

  it('of what is as it was write no chunk', async () => {
    expect(await chunkFiles()).toHaveProperty('size', chunkCount);
    expect(await written(pieces)).toEqual({ files: 0, bytes: 0 });
    await expectWhole(pieces);
  });

  it('write what has changed, and the ends of what has grown', async () => {
    const grown = new Map(pieces)
      .set('header', new TextEncoder().encode('{"layout":1,"more":true}'))
      .set('larger', Buffer.concat([pieces.get('larger') ?? Buffer.of(), Buffer.of(1, 2, 3)]));
    expect(await written(grown)).toEqual({ files: 2, bytes: 24 + 3 });
    await expectWhole(grown);
    // What was changed is gone.
    expect((await chunkFiles()).size).toBe(chunkCount + 1);
    const changed = Uint8Array.from(pieces.get('large') ?? []);
    changed[chunkBytes] = (changed[chunkBytes] ?? 0) + 1;
    expect(await written(new Map(grown).set('large', changed))).toEqual({ files: 1, bytes: chunkBytes });
    expect((await chunkFiles()).size).toBe(chunkCount + 1);
  });

  it('hold a few chunks at once, however many there are', async () => {
    const large = sourceOf(new Map([['large', bytesOf(20 * chunkBytes)]]));
    const own = path.join(folder, '9-100.chunks');
    let copied = 0;
    let ahead = 0;
    const source: SnapshotSource = {
      ...large,
      async copy(part) {
        const there = (await readdir(own)).filter((name) => !name.endsWith('.part')).length;
        copied += part.length;
        ahead = Math.max(ahead, copied - there * chunkBytes);
        return large.copy(part);
      },
    };
    await files.write({ ...owner, collectionId: 9 }, source);
    expect(copied).toBe(20 * chunkBytes);
    expect(ahead).toBeLessThanOrEqual(3 * chunkBytes);
  });

  it('leave a turn to others with each megabyte that is written and read', async () => {
    const large: Snapshot = new Map([['large', bytesOf(20 * megabyte)]]);
    const other = { ...owner, collectionId: 9 };
    const turnsOf = async (task: () => Promise<unknown>) => {
      let turns = 0;
      let isOver = false;
      const counting = (async () => {
        for (; !isOver; turns += 1) await new Promise((resolve) => setImmediate(resolve));
      })();
      await task();
      isOver = true;
      await counting;
      return turns;
    };
    expect(await turnsOf(() => files.write(other, sourceOf(large)))).toBeGreaterThan(20);
    expect(await turnsOf(() => files.write(other, sourceOf(large)))).toBeGreaterThan(20);
    expect(await turnsOf(() => readWhole(files, other))).toBeGreaterThan(20);
  });

  it('whose manifest is cut anywhere are refused', async () => {
    const bytes = await readFile(manifest);
    const header = 'VECTORA\n'.length + 8 + 32;
    for (const length of [0, 7, 8, 12, header - 1, header, header + 1, header + 90, bytes.length - 1]) {
      expect(await refused(bytes.subarray(0, length)), `cut at ${length}`).toEqual(expect.any(String));
    }
  });

  it('whose manifest has any one bit changed are refused', async () => {
    const bytes = await readFile(manifest);
    for (let place = 0; place < bytes.length; place += 1) {
      const flipped = Uint8Array.from(bytes);
      flipped[place] = (flipped[place] ?? 0) ^ (1 << (place % 8));
      expect(await refused(flipped), `bit of byte ${place}`).toEqual(expect.any(String));
    }
  });

  it('that are something else are refused, with the reason', async () => {
    const bytes = await readFile(manifest);
    expect(await refused(Buffer.from(''))).toBe('it ends within its first bytes');
    expect(await refused(Buffer.from('x'.repeat(1000)))).toBe('it is not a snapshot');
    const newer = Buffer.from(bytes);
    newer.writeUInt32LE(5, 8);
    expect(await refused(newer)).toBe('format 5 is unknown');
    expect(await refused(Buffer.concat([bytes, Buffer.of(0)]))).toBe('there is more than it says');
    await files.write({ ...owner, collectionId: 8 }, sourceOf(pieces));
    expect(await refused(await readFile(path.join(folder, '8-100.snapshot')))).toBe(
      'it belongs to another collection',
    );
  });

  it('of a former format are refused, with the reason, and removed', async () => {
    const older = Buffer.concat([await readFile(manifest), Buffer.alloc(1000)]);
    older.writeUInt32LE(3, 8);
    expect(await refused(older)).toBe('format 3 is unknown');
    expect(await readdir(folder)).toEqual(['7-100.chunks']);
    expect(await readWhole(files, owner)).toBeNull();
    await files.write(owner, sourceOf(pieces));
    await expectWhole(pieces);
  });

  it('with a chunk that is cut, changed, missing or another are refused, until they are written again', async () => {
    const names = [...(await chunkFiles()).keys()];
    for (const [i, name] of names.entries()) {
      const chunk = path.join(chunks, name);
      const bytes = await readFile(chunk);
      const flipped = Uint8Array.from(bytes);
      const place = (i * 977) % bytes.length;
      flipped[place] = (flipped[place] ?? 0) ^ (1 << (i % 8));
      const another = await readFile(path.join(chunks, names[(i + 1) % names.length] ?? ''));
      for (const content of [bytes.subarray(1), bytes.subarray(0, -1), Buffer.of(), flipped, another]) {
        await writeFile(chunk, content);
        expect(await reasonOf()).toBe(`chunk ${name.slice(0, 8)} is damaged`);
        // A later snapshot does not take it for what its name says.
        expect(await reasonOf()).toBe(`chunk ${name.slice(0, 8)} is missing`);
      }
      expect(await written(pieces)).toEqual({ files: 1, bytes: bytes.length });
      await expectWhole(pieces);
    }
  });

  it('larger than one call of the file system can read are no error', async () => {
    // Sparse: they take no room on the disk.
    const [name = ''] = (await chunkFiles()).keys();
    await truncate(path.join(chunks, name), 2 ** 31 + 1);
    expect(await reasonOf()).toBe(`chunk ${name.slice(0, 8)} is damaged`);
    await truncate(manifest, 2 ** 31 + 1);
    expect(await reasonOf()).toBe('there is more than it says');
  });

  it('that cannot be read, as one in whose place lies a folder, are no error', async () => {
    const [name = ''] = (await chunkFiles()).keys();
    await rm(path.join(chunks, name));
    await mkdir(path.join(chunks, name));
    expect(await reasonOf()).toEqual(expect.any(String));
    await rm(manifest);
    await mkdir(manifest);
    expect(await reasonOf()).toContain('EISDIR');
  });

  it('of two collections are written and removed beside each other', async () => {
    const [other, third] = [
      { ...owner, collectionId: 8 },
      { ...owner, collectionId: 71 },
    ];
    const changed = new Map(pieces).set('small', Uint8Array.of(1));
    await Promise.all([
      files.write(owner, sourceOf(changed)),
      files.write(other, sourceOf(pieces)),
      files.write(third, sourceOf(pieces)),
    ]);
    await expectWhole(changed);
    await expectWhole(pieces, other);
    await Promise.all([files.write(owner, sourceOf(pieces)), files.remove(other.collectionId)]);
    await expectWhole(pieces);
    await expectWhole(pieces, third);
    expect(await readWhole(files, other)).toBeNull();
    await files.remove(owner.collectionId);
    expect((await readdir(folder)).sort()).toEqual(['71-100.chunks', '71-100.snapshot']);
  });

  it('are written again once a folder can be made that could not be', async () => {
    const blocked = path.join(directory, 'blocked');
    await writeFile(blocked, '');
    const later = new SnapshotFiles(path.join(blocked, 'indexes'));
    await expect(later.write(owner, sourceOf(pieces))).rejects.toThrow();
    await rm(blocked);
    await later.write(owner, sourceOf(pieces));
    expect(await readWhole(later, owner)).toHaveProperty('snapshot');
  });

  it('of a folder whose chunks cannot be listed leave the former one as it is', async () => {
    const aside = path.join(directory, 'aside');
    await rename(chunks, aside);
    await writeFile(chunks, '');
    await expect(files.write(owner, sourceOf(pieces))).rejects.toThrow();
    await rm(chunks);
    await rename(aside, chunks);
    await expectWhole(pieces);
  });
});
