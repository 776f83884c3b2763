import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SearchIndex } from '#server/engine/search-index.ts';
import { decodeWhole, encodeSnapshot } from '#server/engine/snapshot.ts';
import { runSteps } from '#server/engine/steps.ts';
import type { IndexSettings } from '#server/engine/types.ts';
import { readWhole, sourceOf } from '#server/testing/snapshot-sources.ts';
import { SnapshotFiles } from './snapshot-files.ts';

const owner = { collectionId: 7, createdAtMicros: '100' };
const settings: IndexSettings = { dimension: 4_096, metric: 'cosine', fields: [] };
const documents = 2_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vectora-reuse-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const word = (i: number) => `w${((i * 2_654_435_761) >>> 12).toString(36)}`;

function put(i: number) {
  const text = Array.from({ length: 40 }, (_, at) => word((i * 31 + at * at) % 40_000)).join(' ');
  const vectors = Float32Array.from({ length: settings.dimension }, (_, at) => Math.sin((i + 1) * (at + 1)));
  const source = JSON.stringify({ id: `d${i}`, title: word(i), text, year: 1900 + (i % 100) });
  return { id: `d${i}`, source, vectors, spans: Int32Array.of(-1, 0, 0) };
}

it('of a large index a few more documents write its changed parts alone', async () => {
  const files = new SnapshotFiles(folder);
  const chunks = path.join(folder, '7-100.chunks');
  const index = SearchIndex.create(settings);
  let before = new Set<string>();
  const save = async () => {
    const snapshot = runSteps(encodeSnapshot(index));
    await files.write(owner, sourceOf(snapshot));
    const names = await readdir(chunks);
    const sizes = names
      .filter((name) => !before.has(name))
      .map(async (name) => (await stat(path.join(chunks, name))).size);
    before = new Set(names);
    const total = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0);
    return {
      files: sizes.length,
      written: total(await Promise.all(sizes)),
      bytes: total([...snapshot.values()].map(({ length }) => length)),
    };
  };
  const add = (from: number, count: number, version: number) =>
    index.apply({ version, puts: Array.from({ length: count }, (_, i) => put(from + i)), deletes: [] });

  for (let from = 0; from < documents; from += 500) add(from, 500, 1);
  const first = await save();
  expect(first.written).toBe(first.bytes);
  // Nothing has changed.
  expect(await save()).toMatchObject({ files: 0, written: 0 });
  add(documents, 20, 2);
  const second = await save();
  expect(second.bytes).toBeGreaterThan(40e6);
  expect(second.written).toBeLessThan(second.bytes / 4);
  expect(second.files).toBeLessThan(first.files / 2);
  index.apply({ version: 3, puts: [], deletes: ['d17'] });
  const third = await save();
  expect(third.written).toBeLessThan(third.bytes / 4);

  const read = await readWhole(files, owner);
  if (!read || 'refused' in read) throw new Error(read?.refused);
  const decoded = runSteps(decodeWhole(read.snapshot, settings));
  if ('refused' in decoded) throw new Error(decoded.refused);
  expect(decoded.index.stats()).toMatchObject({ documentCount: documents + 19, version: 3 });
  const again = runSteps(encodeSnapshot(decoded.index));
  for (const [name, piece] of runSteps(encodeSnapshot(index)))
    expect(Buffer.compare(piece, again.get(name) ?? Buffer.of()), name).toBe(0);
});
