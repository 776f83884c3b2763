import { expect, it } from 'vitest';
import { runSteps } from '#server/engine/steps.ts';
import { createGarbageCollector } from '../host/collect-garbage.ts';
import type { WritableCollection } from '../indexes.ts';
import { Batch } from './batch.ts';

const megabyte = 1024 * 1024;
const collection: WritableCollection = {
  id: 1,
  for: { tenant: 't', caller: 'c' },
  dimension: 3,
  metric: 'cosine',
  metadata: null,
  rulesVersion: 0,
};

it('holds a large document that many rows change once', () => {
  const collectGarbage = createGarbageCollector();
  const heldBytes = () => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const batch = new Batch(collection, 'none', 'emplace');
  const add = (change: object) =>
    runSteps(batch.addMerged({ document: { id: 'one', ...change }, embedding: null }, new Map()));
  add({ text: 'x'.repeat(megabyte) });
  const before = heldBytes();
  for (let n = 1; n < 64; n += 1) add({ n });
  expect(heldBytes() - before).toBeLessThan(8 * megabyte);
  const outcomes = batch.outcomes(new Set(['one']), new Set(['one']));
  expect(outcomes).toEqual(Array.from({ length: 64 }, (_, n) => ({ id: 'one', created: n === 0 })));
  expect(batch.drafts.get('one')?.document['n']).toBe(63);
});
