import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bitset } from '../bits/bitset.ts';
import { SectionWriter } from '../memory/sections.ts';
import { runSteps } from '../steps.ts';
import { readerOf, writtenBy } from '../testing/fixtures.ts';
import { madeTopics, madeVectors, normals } from '../testing/made-vectors.ts';
import { runs } from '../testing/runs.ts';
import type { Metric } from '../types.ts';
import { VectorTable } from './vector-table.ts';

const isBefore = (a: number, b: number) => a < b;
const noSpans = new Int32Array(3_000);

function tableOf(vectors: Float32Array[], metric: Metric = 'cosine'): VectorTable {
  const table = new VectorTable(vectors[0]?.length ?? 1, metric);
  for (const [ordinal, vector] of vectors.entries()) runSteps(table.add(ordinal, vector, noSpans));
  return table;
}

function nearest(
  table: VectorTable,
  query: Float32Array,
  asked: { passes: Bitset; k: number; surely?: number; isExact?: boolean; metric?: Metric },
) {
  const { isExact = false, metric = null, ...among } = asked;
  return runSteps(table.nearest(table.compared(query, metric), { ...among, isBefore, isExact }));
}

/** Of the ten nearest among documents of which one in so many passes; `k`: as many are asked for, and ten of them surely. */
function recallAmong(
  table: VectorTable,
  queries: Float32Array[],
  { count, every, k = 10 }: { count: number; every: number; k?: number },
) {
  const passes = new Bitset(count);
  for (let ordinal = 0; ordinal < count; ordinal += every) passes.add(ordinal);
  let [hits, all] = [0, 0];
  for (const query of queries) {
    const truth = nearest(table, query, { passes, k: 10, isExact: true });
    const { ordinals } = nearest(table, query, { passes, k, surely: 10 });
    hits += ordinals.filter((ordinal) => truth.ordinals.includes(ordinal)).length;
    all += truth.ordinals.length;
  }
  return hits / all;
}

describe.each(['cosine', 'euclidean'] as const)('by %s', (metric) => {
  it('compares vectors themselves where bytes tell too little: all lie far from zero, beside each other', () => {
    const vectors = madeVectors('uniform', 3_020, 32).map((vector) =>
      vector.map((value) => value * 10 + 100),
    );
    const table = tableOf(vectors.slice(0, 3_000), metric);
    runSteps(table.settle());
    expect(table.scanned).toMatchObject({ scan: 'exact', recall: 1 });
    expect(recallAmong(table, vectors.slice(3_000), { count: 3_000, every: 1 })).toBe(1);
  });
});

describe.each(['uniform', 'clustered'] as const)('among %s vectors', (kind) => {
  const count = 20_000;
  const dimension = 96;
  const vectors = madeVectors(kind, count + 40, dimension);
  const table = tableOf(vectors.slice(0, count));
  runSteps(table.settle());

  it('finds 99 of 100 neighbours whatever share of the documents passes, and says so', () => {
    const queries = vectors.slice(count);
    for (const every of [1, 2, 5, 10, 50, 100, 1_000, 10_000])
      expect(recallAmong(table, queries, { count, every }), `one in ${every}`).toBeGreaterThanOrEqual(0.99);
    for (const every of [1, 10])
      expect(recallAmong(table, queries, { count, every, k: 100 }), 'of 100').toBeGreaterThanOrEqual(0.99);
    const { scan, recall } = table.scanned;
    expect(recall).toBeGreaterThanOrEqual(0.99);
    expect(scan).toBe(kind === 'uniform' ? 'int8' : 'bits');
  }, 120_000);
});

it('finds 97 of 100 neighbours where a filter leaves out thousands that are nearer', () => {
  const count = 20_000;
  const vectors = madeTopics(count + 12, 96);
  const table = tableOf(vectors.slice(0, count));
  runSteps(table.settle());
  expect(table.scanned.scan).toBe('bits');
  const found = [
    { left: 1_000, k: 10 },
    { left: 6_000, k: 10 },
    { left: 6_000, k: 100 },
    { left: 12_000, k: 10 },
  ].map(({ left, k }) => {
    let hits = 0;
    const queries = vectors.slice(count);
    for (const query of queries) {
      const passes = new Bitset(0).fill(count);
      for (const ordinal of nearest(table, query, { passes, k: left, isExact: true }).ordinals)
        passes.remove(ordinal);
      const truth = nearest(table, query, { passes, k, isExact: true });
      const { ordinals } = nearest(table, query, { passes, k });
      hits += ordinals.filter((ordinal) => truth.ordinals.includes(ordinal)).length;
    }
    return hits / (queries.length * k);
  });
  for (const recall of found) expect(recall, String(found)).toBeGreaterThanOrEqual(0.97);
}, 60_000);

it('does not compare all vectors where hundreds of the nearest are passages of one document', () => {
  const count = 20_000;
  const dimension = 96;
  const [query = new Float32Array(dimension), ...vectors] = madeTopics(count + 1, dimension);
  const next = normals(5);
  const passages = Float32Array.from({ length: 1_200 * dimension }, (_, i) => {
    const far = Math.floor(i / dimension) / 1_200;
    return (query[i % dimension] ?? 0) + far * next();
  });
  const table = tableOf(vectors);
  runSteps(table.add(count, passages, new Int32Array(3 * 1_200)));
  runSteps(table.settle());
  expect(table.scanned.scan).toBe('bits');
  const passes = new Bitset(0).fill(count + 1);
  const truth = nearest(table, query, { passes, k: 10, isExact: true });
  const pauses = (isExact: boolean) => {
    let pauses = 0;
    const steps = table.nearest(table.compared(query, null), { passes, k: 10, isBefore, isExact });
    let step = steps.next();
    for (; !step.done; step = steps.next()) pauses += 1;
    expect(step.value.ordinals).toEqual(truth.ordinals);
    return pauses;
  };
  expect(pauses(false)).toBeLessThan(pauses(true) / 2);
}, 60_000);

describe('a table of many vectors', () => {
  const count = 1_500;
  const vectors = madeVectors('clustered', count, 20);
  const all = new Bitset(0).fill(count);

  it.each(['cosine', 'euclidean', 'dotproduct'] as const)(
    'finds the same as one that compares all: %s',
    (metric) => {
      const table = tableOf(vectors, metric);
      const next = normals(3);
      for (const asked of ['cosine', 'euclidean', 'dotproduct'] as const) {
        for (let i = 0; i < 20; i += 1) {
          const query = Float32Array.from({ length: i % 2 === 0 ? 20 : 40 }, next);
          const found = nearest(table, query, { passes: all, k: 10, metric: asked });
          expect(found).toEqual(nearest(table, query, { passes: all, k: 10, metric: asked, isExact: true }));
        }
      }
    },
  );

  it('of equal documents finds those whose ids come first', () => {
    const table = tableOf(Array.from({ length: 3_000 }, (_, i) => Float32Array.of(i % 3, 1, 2, 3)));
    const passes = new Bitset(0).fill(3_000);
    const { ordinals } = nearest(table, Float32Array.of(0, 1, 2, 3), { passes, k: 5 });
    expect([...ordinals]).toEqual([0, 3, 6, 9, 12]);
  });

  it('finds k documents where many passages of a few are nearest', () => {
    const table = new VectorTable(4, 'cosine');
    const near = Float32Array.from({ length: 800 * 4 }, (_, i) => 1 + (i % 7) / 100);
    runSteps(table.add(0, near, noSpans));
    for (let ordinal = 1; ordinal < 1_000; ordinal += 1)
      runSteps(table.add(ordinal, Float32Array.of(1, -ordinal / 1_000, 0, 0), noSpans));
    const passes = new Bitset(0).fill(1_000);
    const { ordinals } = nearest(table, Float32Array.of(1, 1, 1, 1), { passes, k: 5 });
    expect([...ordinals]).toEqual([0, 1, 2, 3, 4]);
  });

  it('finds no row whose document has lost its vectors, though the document passes', () => {
    const table = tableOf(vectors.slice(0, 2_000));
    const query = vectors[7] ?? new Float32Array(20);
    const passes = new Bitset(0).fill(2_000);
    for (const ordinal of nearest(table, query, { passes, k: 20 }).ordinals) table.remove(ordinal);
    const found = nearest(table, query, { passes, k: 10 });
    expect(found).toEqual(nearest(table, query, { passes, k: 10, isExact: true }));
  });

  it('knows vectors of zeros, and very large and small ones', () => {
    const table = tableOf(
      Array.from({ length: 600 }, (_, i) =>
        Float32Array.of(i === 7 ? 1e18 : 0, i === 8 ? 1e-18 : 0, i === 9 ? -1 : 0),
      ),
    );
    const passes = new Bitset(0).fill(600);
    const { ordinals, similarities } = nearest(table, Float32Array.of(1, 0.5, 0), { passes, k: 600 });
    expect([...ordinals.subarray(0, 3)]).toEqual([7, 8, 0]);
    expect(similarities.at(-1)).toBe(0);
  });

  it('is the same after any adds and removals, in memory and from its bytes', () => {
    const changes = fc.array(fc.record({ at: fc.nat(count - 1), passages: fc.nat(2) }), { maxLength: 300 });
    fc.assert(
      fc.property(changes, (history) => {
        const table = tableOf(vectors.slice(0, 700));
        const held = new Map(vectors.slice(0, 700).entries());
        for (const { at, passages } of history) {
          table.remove(at);
          const own = Float32Array.from(vectors.slice(at, at + passages).flatMap((vector) => [...vector]));
          runSteps(table.add(at, own, noSpans));
          held.set(at, own);
        }
        const writer = new SectionWriter();
        table.encode(writer);
        const again = runSteps(VectorTable.decode(readerOf(writtenBy(writer)), 20, 'cosine'));
        const moved = runSteps(table.compacted(Int32Array.from({ length: count }, (_, i) => i)));
        for (const each of [table, again, moved]) {
          for (const [ordinal, vector] of held) expect(each.vectorsOf(ordinal)).toEqual(vector);
          const query = vectors.at(-1) ?? new Float32Array(20);
          const found = nearest(each, query, { passes: all, k: 10 });
          expect(found).toEqual(nearest(table, query, { passes: all, k: 10, isExact: true }));
        }
      }),
      { numRuns: runs(15) },
    );
  }, 60_000);
});
