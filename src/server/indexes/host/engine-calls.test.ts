import { expect, it } from 'vitest';
import { scratchBytes, shrinkScratch } from '#server/engine/memory/search-scratch.ts';
import { joined, openFrom, sourceOf, wholeOf } from '#server/testing/snapshot-sources.ts';
import { plainQuery } from '../search/query.ts';
import { EngineCallHandler } from './engine-call-handler.ts';
import { IndexLostError } from './index-lost-error.ts';
import { createLocalHost } from './local-host.ts';
import { packBatch } from './packed-batch.ts';
import { withSnapshot } from './snapshot-source.ts';
import { UpkeepTurns } from './upkeep-turns.ts';

const settings = { dimension: 2, metric: 'cosine' as const, fields: [] };

const putsOf = (documents: number) =>
  Array.from({ length: documents }, (_, i) => ({
    id: `d${i}`,
    source: '{"title":"x"}',
    vectors: new Float32Array(0),
    spans: new Int32Array(0),
  }));

function openWith(handler: EngineCallHandler, id: number, documents: number): void {
  const batch = packBatch({ version: 1, puts: putsOf(documents), deletes: [] });
  handler.run(id, { call: 'open', settings, snapshot: null });
  handler.run(id, { call: 'apply', batch });
}

const search = (handler: EngineCallHandler, id: number) =>
  handler.run(id, {
    call: 'search',
    query: plainQuery(undefined, { text: 'x', limit: 1 }),
    shown: {},
    bytesMax: 1e6,
  });

it('gives up what searches of a large index have left once it is closed', () => {
  shrinkScratch(0);
  // What is there beside the arrays of an index, from all searches of this process.
  const others = scratchBytes();
  const handler = new EngineCallHandler();
  openWith(handler, 1, 20_000);
  openWith(handler, 2, 10);
  expect(search(handler, 1).found).toBe(20_000);
  const large = scratchBytes();
  expect(large - others).toBeGreaterThan(20_000 * 8);
  handler.run(2, { call: 'close' });
  expect(scratchBytes()).toBe(large);
  openWith(handler, 2, 10);
  handler.run(1, { call: 'close' });
  expect(scratchBytes() - others).toBeLessThan((large - others) / 10);
  expect(search(handler, 2).found).toBe(10);
});

it('copies a snapshot part by part, between which searches are answered', async () => {
  const collection = { id: 1, for: { tenant: 'account:1', workspace: 'w', caller: 'key:1' } };
  const host = createLocalHost();
  const puts = Array.from({ length: 3_000 }, (_, i) => ({
    id: `d${i}`,
    source: JSON.stringify({ title: `x ${'long '.repeat(1_000)}${i}` }),
    vectors: new Float32Array(0),
    spans: new Int32Array(0),
  }));
  await host.call(collection, { call: 'open', settings, snapshot: null });
  await host.call(collection, { call: 'apply', batch: packBatch({ version: 1, puts, deletes: [] }) });
  const alone = await withSnapshot(host, collection, wholeOf);
  const asked: string[] = [];
  const searchedBetween: typeof host.call = async (to, request, signal) => {
    asked.push(request.call);
    const query = plainQuery(undefined, { text: 'x long', limit: 1 });
    const between = { call: 'search', query, shown: {}, bytesMax: 1e6 } as const;
    expect((await host.call(to, between)).found).toBe(3_000);
    return host.call(to, request, signal);
  };
  const copied = await withSnapshot({ call: searchedBetween }, collection, wholeOf);
  // 15 MB of texts, two of them at once.
  expect(asked.length).toBeGreaterThan(6);
  expect([asked[0], asked.at(-1)]).toEqual(['snapshot', 'endSnapshot']);
  expect([...copied.keys()]).toEqual([...alone.keys()]);
  for (const [name, bytes] of alone) expect(Buffer.compare(bytes, copied.get(name) ?? Buffer.of())).toBe(0);
  const reopened = await openFrom(host, { ...collection, id: 2 }, { settings, snapshot: copied });
  expect(reopened).toMatchObject({ documentCount: 3_000 });
});

it('opens no index before the last bytes of its snapshot have come, and none that is refused, closed or never began', async () => {
  const collection = { id: 1, for: { tenant: 'account:1', workspace: 'w', caller: 'key:1' } };
  const host = createLocalHost();
  await host.call(collection, { call: 'open', settings, snapshot: null });
  await host.call(collection, {
    call: 'apply',
    batch: packBatch({ version: 1, puts: putsOf(300), deletes: [] }),
  });
  const snapshot = await withSnapshot(host, collection, wholeOf);
  const handler = new EngineCallHandler();
  const { pieces } = sourceOf(snapshot);
  const bytes = joined(snapshot);
  const openBytes = (part: Uint8Array) => handler.run(2, { call: 'openBytes', bytes: part });
  expect(() => openBytes(bytes)).toThrow(IndexLostError);
  handler.run(2, { call: 'open', settings, snapshot: pieces });
  for (const [from, to] of [
    [0, 0],
    [0, 1],
    [1, 4_000],
    [4_000, bytes.length - 1],
  ]) {
    expect(openBytes(bytes.subarray(from, to))).toBeNull();
    expect(() => search(handler, 2)).toThrow(IndexLostError);
  }
  expect(openBytes(bytes.subarray(-1))).toMatchObject({ documentCount: 300, version: 1 });
  expect(search(handler, 2).found).toBe(300);
  handler.run(2, { call: 'open', settings, snapshot: pieces });
  expect(() => search(handler, 2)).toThrow(IndexLostError);
  openBytes(bytes.subarray(0, 4_000));
  handler.run(2, { call: 'close' });
  expect(() => openBytes(bytes.subarray(4_000))).toThrow(IndexLostError);
  handler.run(2, { call: 'open', settings: { ...settings, dimension: 3 }, snapshot: pieces });
  const refused = { refused: 'the collection has other settings now' };
  // Its parts were on their way.
  expect([openBytes(bytes.subarray(0, 4_000)), openBytes(bytes.subarray(4_000))]).toEqual([refused, refused]);
  expect(() => search(handler, 2)).toThrow(IndexLostError);
});

it('copies nothing of an index that has changed since it was gathered', () => {
  const handler = new EngineCallHandler();
  openWith(handler, 1, 10);
  const part = { call: 'snapshotBytes', name: 'documents', from: 0, length: 100 } as const;
  handler.run(1, { call: 'snapshot' });
  expect(handler.run(1, part)).toHaveLength(100);
  handler.run(1, { call: 'apply', batch: packBatch({ version: 2, puts: [], deletes: ['d1'] }) });
  expect(() => handler.run(1, part)).toThrow(IndexLostError);
  handler.run(1, { call: 'snapshot' });
  handler.run(1, { call: 'endSnapshot' });
  expect(() => handler.run(1, part)).toThrow(IndexLostError);
});

it('keeps up no index that is being copied, and does so afterwards', () => {
  const turns = new UpkeepTurns();
  const kept: number[] = [];
  const handler = new EngineCallHandler({
    add: (id) => turns.add(id),
    run: (indexOf) =>
      turns.run((id) => {
        const index = indexOf(id);
        if (index) kept.push(id);
        return index;
      }),
  });
  openWith(handler, 1, 10);
  handler.run(1, { call: 'snapshot' });
  while (handler.upkeep());
  expect(kept).toEqual([]);
  handler.run(1, { call: 'endSnapshot' });
  while (handler.upkeep());
  expect(kept).not.toEqual([]);
});
