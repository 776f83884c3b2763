import { expect, it } from 'vitest';
import { scratchBytes, shrinkScratch } from '#server/engine/memory/search-scratch.ts';
import { plainQuery } from '../search/query.ts';
import { EngineCallHandler } from './engine-calls.ts';
import { packBatch } from './packed-batch.ts';

const settings = { dimension: 2, metric: 'cosine' as const, fields: [] };

function openWith(handler: EngineCallHandler, id: number, documents: number): void {
  const puts = Array.from({ length: documents }, (_, i) => ({
    id: `d${i}`,
    source: '{"title":"x"}',
    vectors: new Float32Array(0),
    spans: new Int32Array(0),
  }));
  handler.run(id, { call: 'open', settings, snapshot: null });
  handler.run(id, { call: 'apply', batch: packBatch({ version: 1, puts, deletes: [] }) });
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
