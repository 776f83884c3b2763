import { describe, expect, it } from 'vitest';
import { Bitset } from '../../bits/bitset.ts';
import { SectionWriter } from '../../memory/sections.ts';
import { runSteps } from '../../steps.ts';
import { readerOf, writtenBy } from '../../testing/fixtures.ts';
import { madeTopics, madeVectors } from '../../testing/made-vectors.ts';
import type { Metric } from '../../types.ts';
import { VectorTable } from '../vector-table.ts';

const isBefore = (a: number, b: number) => a < b;
const dimension = 96;
const listsMin = 10_000;
const noSpans = new Int32Array(300);

function tableOf(vectors: Float32Array[], metric: Metric): VectorTable {
  const table = new VectorTable(dimension, metric, listsMin);
  for (const [ordinal, vector] of vectors.entries()) runSteps(table.add(ordinal, vector, noSpans));
  return table;
}

function nearest(
  table: VectorTable,
  query: Float32Array,
  asked: { passes: Bitset; k?: number; isExact?: boolean },
) {
  const { passes, k = 10, isExact = false } = asked;
  return runSteps(table.nearest(table.compared(query, null), { passes, k, isBefore, isExact }));
}

function recallAmong(table: VectorTable, queries: Float32Array[], passes: Bitset, k = 10): number {
  let [hits, all] = [0, 0];
  for (const query of queries) {
    const truth = nearest(table, query, { passes, k, isExact: true });
    const { ordinals } = nearest(table, query, { passes, k });
    hits += ordinals.filter((ordinal) => truth.ordinals.includes(ordinal)).length;
    all += truth.ordinals.length;
  }
  return hits / all;
}

function passingOf(count: number, every: number): Bitset {
  const passes = new Bitset(count);
  for (let ordinal = 0; ordinal < count; ordinal += every) passes.add(ordinal);
  return passes;
}

const count = 20_000;
const topics = madeTopics(count + 40, dimension);

describe.each(['cosine', 'euclidean', 'dotproduct'] as const)('a large table, %s', (metric) => {
  const table = tableOf(topics.slice(0, count), metric);
  while (table.upkeep(1_000));

  it('finds 97 of 100 neighbours whatever share of the documents passes, and says so', () => {
    const { scan, recall } = table.scanned;
    if (metric === 'cosine') expect(scan).toBe('lists');
    expect(recall).toBeGreaterThanOrEqual(0.97);
    for (const every of [1, 2, 5, 10, 100, 1_000, 10_000])
      expect(
        recallAmong(table, topics.slice(count), passingOf(count, every)),
        `one in ${every}`,
      ).toBeGreaterThanOrEqual(0.97);
    expect(recallAmong(table, topics.slice(count), passingOf(count, 1), 200)).toBeGreaterThanOrEqual(0.97);
  }, 60_000);

  if (metric === 'cosine')
    it('finds them where hardly anything passes in the nearest lists', () => {
      const query = topics[count] ?? new Float32Array(dimension);
      const passes = passingOf(count, 1);
      for (const ordinal of nearest(table, query, { passes, k: 6_000, isExact: true }).ordinals)
        passes.remove(ordinal);
      expect(recallAmong(table, [query], passes, 100)).toBeGreaterThanOrEqual(0.97);
    });
});

it('vectors without structure are scanned all', () => {
  const vectors = madeVectors('uniform', 12_020, dimension);
  const table = tableOf(vectors.slice(0, 12_000), 'cosine');
  while (table.upkeep(1_000));
  expect(table.scanned.scan).not.toBe('lists');
  expect(recallAmong(table, vectors.slice(12_000), passingOf(12_000, 1))).toBeGreaterThanOrEqual(0.99);
}, 60_000);

describe('what is written while lists are made, and after', () => {
  const table = tableOf(topics.slice(0, 12_000), 'cosine');
  const queries = topics.slice(count);
  // Those of other rows than theirs, with two passages each.
  let piece = 0;
  for (
    let ordinal = 12_000;
    table.upkeep(3) || ordinal < 15_000;
    ordinal = Math.min(ordinal + 1, count - 1)
  ) {
    if (table.has(ordinal)) continue;
    const [one, other] = [topics[ordinal], topics[ordinal - 6_000]];
    if (one === undefined || other === undefined) throw new Error('there are too few');
    const removed = ordinal - 9_000 + (piece % 7) * 100;
    table.remove(removed);
    runSteps(table.add(ordinal, Float32Array.from([...one, ...other]), noSpans));
    if (piece % 100 === 0) nearest(table, one, { passes: passingOf(count, 1) });
    piece += 1;
  }

  it('is found', () => {
    expect(table.scanned.scan).toBe('lists');
    for (const ordinal of [12_000, 13_333, 14_999]) {
      const [vector] = [topics[ordinal] ?? new Float32Array(dimension)];
      expect([...nearest(table, vector, { passes: passingOf(count, 1), k: 1 }).ordinals]).toEqual([ordinal]);
    }
    expect(recallAmong(table, queries, passingOf(count, 1))).toBeGreaterThanOrEqual(0.97);
  });

  it('is the same from its bytes, and compacted', () => {
    const writer = new SectionWriter();
    table.encode(writer);
    const reader = readerOf(writtenBy(writer));
    const again = runSteps(VectorTable.decode(reader, dimension, 'cosine'));
    reader.end();
    const moved = runSteps(table.compacted(Int32Array.from({ length: count }, (_, i) => i)));
    for (const each of [again, moved]) {
      expect(each.scanned).toEqual(table.scanned);
      for (const query of queries)
        expect(nearest(each, query, { passes: passingOf(count, 1) })).toEqual(
          nearest(table, query, { passes: passingOf(count, 1) }),
        );
    }
  });
});
