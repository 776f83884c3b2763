import { expect, test } from 'vitest';
import { asRead, testRequester } from '#server/testing/open-indexes.ts';
import type { SearchAnswer } from '#shared/search.ts';
import { EngineCallHandler } from '../host/engine-call-handler.ts';
import { packBatch } from '../host/packed-batch.ts';
import { noRules } from '../rules/rules.ts';
import type { Reader } from './merged-members.ts';
import { Searcher } from './searcher.ts';

test('what is like any of the vectors that a document has is like the document', async () => {
  const engine = new EngineCallHandler();
  engine.run(1, { call: 'open', settings: { dimension: 2, metric: 'cosine', fields: [] }, snapshot: null });
  const document = (id: string, ...rows: number[][]) => ({
    id,
    source: JSON.stringify({ id, text: id }),
    vectors: Float32Array.from(rows.flat()),
    spans: Int32Array.from(rows.flatMap((_, i) => [0, i, i + 1])),
  });
  const puts = [
    document('both', [1, 0], [0, 1]),
    document('first', [1, 0.2]),
    document('second', [0.1, 1]),
    document('neither', [-1, -1]),
  ];
  engine.run(1, { call: 'apply', batch: packBatch({ version: 1, puts, deletes: [] }) });
  const registry = {
    read: async (_: unknown, request: Parameters<typeof engine.run>[1]) => engine.run(1, request),
  } as Reader;
  const searcher = new Searcher({
    registry,
    rules: { of: async () => noRules },
    vocabularies: { of: async () => ({ values: new Map(), numbers: [] }) },
    clock: () => new Date(),
    embedder: { embedQuery: async () => new Float32Array(2), knowsWord: () => false },
    tierOf: () => 'static' as const,
    answerBytesMax: 32e6,
  });
  const collection = { id: 1, for: testRequester, dimension: 2, metric: 'cosine' as const, rulesVersion: 0 };
  const { hits }: SearchAnswer = asRead(await searcher.similar(collection, { id: 'both' }));
  expect(hits.map(({ id }) => id)).toEqual(['second', 'first', 'neither']);
  expect(hits[0]?.vector_distance).toBeCloseTo(1 - 1 / Math.hypot(1, 0.1));
  const near: SearchAnswer = asRead(
    await searcher.similar(collection, { id: 'both', distance_threshold: 0.01 }),
  );
  expect(near.hits.map(({ id }) => id)).toEqual(['second']);
});
