import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '#server/log.ts';
import type { EngineRequest } from '../host/engine-calls.ts';
import type { EngineHost } from '../host/engine-host.ts';
import { IndexLostError } from '../host/index-lost-error.ts';
import { packBatch } from '../host/packed-batch.ts';
import { withSnapshot } from '../host/snapshot-source.ts';
import { createWorkerHost, startEngineWorker } from '../host/worker-host.ts';
import { plainQuery } from '../search/query.ts';
import { SnapshotFiles, type SnapshotOwner } from './snapshot-files.ts';

const settings = { dimension: 1_024, metric: 'cosine' as const, fields: [] };
const documents = 3_000;
const owner = { collectionId: 1, createdAtMicros: '1' };
const collection = (id: number) => ({ id, for: { tenant: `t${id}`, caller: 'c' } });

function batch(count: number) {
  const puts = Array.from({ length: count }, (_, i) => ({
    id: `d${i}`,
    source: JSON.stringify({ title: `stone ${i}`, text: `river ${'long '.repeat(200)}` }),
    vectors: Float32Array.from({ length: settings.dimension }, (_, at) => Math.sin((i + 1) * (at + 1))),
    spans: Int32Array.of(-1, 0, 0),
  }));
  return packBatch({ version: 1, puts, deletes: [] });
}

/** From files to a real thread, which decodes what has been read while more is. */
describe('a snapshot that is opened', () => {
  let folder: string;
  let files: SnapshotFiles;
  let host: EngineHost;
  let worker: Worker;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'vectora-opening-'));
    files = new SnapshotFiles(folder);
    startHost();
    await host.call(collection(1), { call: 'open', settings, snapshot: null });
    await host.call(collection(1), { call: 'apply', batch: batch(documents) });
    await withSnapshot(host, collection(1), async (source) => {
      await files.write(owner, source);
      await files.write({ ...owner, collectionId: 2 }, source);
    });
  });
  beforeEach(async () => {
    await host.stop();
    startHost();
  });
  afterAll(async () => {
    await host.stop();
    await rm(folder, { recursive: true, force: true });
  });

  function startHost(): void {
    host = createWorkerHost({
      workers: 1,
      log: createLog('silent'),
      budgetMs: 60_000,
      startWorker: (memory) => {
        worker = startEngineWorker(memory);
        return worker;
      },
    });
  }

  const search = async (id: number) => {
    const query = plainQuery(undefined, { text: 'river stone', limit: 1 });
    return (await host.call(collection(id), { call: 'search', query, shown: {}, bytesMax: 1e6 })).found;
  };
  const opened = (whose: SnapshotOwner, before: () => unknown = () => undefined) => {
    const to = collection(whose.collectionId);
    return files.read<object>(whose, {
      begin: (snapshot) => host.call(to, { call: 'open', settings, snapshot }),
      take: async (bytes) => {
        await before();
        const request: EngineRequest<'openBytes'> = { call: 'openBytes', bytes };
        return host.call(to, request);
      },
    });
  };

  it('is the index that it was made of, chunk by chunk', async () => {
    let chunks = 0;
    expect(await opened(owner, () => (chunks += 1))).toMatchObject({ documentCount: documents, version: 1 });
    expect(chunks).toBe((await readdir(path.join(folder, '1-1.chunks'))).length);
    expect(chunks).toBeGreaterThan(6);
    expect(await search(1)).toBe(documents);
  });

  it('leaves its thread to another one that is opened, and to searches of a third', async () => {
    await host.call(collection(3), { call: 'open', settings, snapshot: null });
    await host.call(collection(3), { call: 'apply', batch: batch(10) });
    let isOver = false;
    /** Of all chunks, those at which a search was answered that was asked at the chunk before. */
    let chunks = 0;
    const searchedAt = new Set<number>();
    const searching = (async () => {
      while (!isOver) {
        expect(await search(3)).toBe(10);
        searchedAt.add(chunks);
      }
    })();
    const note = () => {
      chunks += 1;
    };
    const both = [opened(owner, note), opened({ ...owner, collectionId: 2 }, note)];
    for (const each of await Promise.all(both)) expect(each).toMatchObject({ documentCount: documents });
    isOver = true;
    await searching;
    expect(searchedAt.size).toBeGreaterThan(chunks / 4);
    expect([await search(1), await search(2)]).toEqual([documents, documents]);
  });

  it('is lost with a thread that ends meanwhile, or that is stopped, and opened again by the next', async () => {
    for (const end of [() => worker.terminate(), () => host.stop()]) {
      let chunks = 0;
      const before = async () => {
        chunks += 1;
        if (chunks === 3) await end();
      };
      await expect(opened(owner, before)).rejects.toThrow(IndexLostError);
      await expect(search(1)).rejects.toThrow(IndexLostError);
      expect(await opened(owner)).toMatchObject({ documentCount: documents });
      expect(await search(1)).toBe(documents);
    }
  });

  it('is lost where its collection is closed meanwhile', async () => {
    let chunks = 0;
    const before = async () => {
      chunks += 1;
      if (chunks === 3) await host.call(collection(1), { call: 'close' });
    };
    await expect(opened(owner, before)).rejects.toThrow(IndexLostError);
  });

  it('is refused with any chunk damaged, and there is no index', async () => {
    const chunks = path.join(folder, '1-1.chunks');
    const manifest = await readFile(path.join(folder, '1-1.snapshot'), 'latin1');
    const named = [...manifest.matchAll(/"name":"([0-9a-f]{64})"/g)].map(([, name = '']) => name);
    for (const name of [named[0], named[named.length >> 1], named.at(-1)]) {
      const chunk = path.join(chunks, name ?? expect.fail());
      const bytes = await readFile(chunk);
      const changed = Uint8Array.from(bytes);
      changed[bytes.length - 1] = (changed[bytes.length - 1] ?? 0) ^ 1;
      await writeFile(chunk, changed);
      expect(await opened(owner)).toEqual({ refused: `chunk ${name?.slice(0, 8)} is damaged` });
      await expect(search(1)).rejects.toThrow(IndexLostError);
      expect(await opened(owner)).toEqual({ refused: `chunk ${name?.slice(0, 8)} is missing` });
      await writeFile(chunk, bytes);
      expect(await opened(owner)).toMatchObject({ documentCount: documents });
    }
  });

  it('is refused as soon as its header is, without the rest', async () => {
    let chunks = 0;
    const read = await files.read<object>(owner, {
      begin: (snapshot) =>
        host.call(collection(1), { call: 'open', settings: { ...settings, dimension: 3 }, snapshot }),
      take: (bytes) => {
        chunks += 1;
        return host.call(collection(1), { call: 'openBytes', bytes });
      },
    });
    expect(read).toEqual({ refused: 'the collection has other settings now' });
    expect(chunks).toBeLessThanOrEqual(4);
  });
});
