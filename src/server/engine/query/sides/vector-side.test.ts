import { expect, test } from 'vitest';
import { drawnMax } from '../../documents/document-draw.ts';
import { DocumentTable } from '../../documents/document-table.ts';
import { SearchScratch } from '../../memory/search-scratch.ts';
import { runSteps, type Steps } from '../../steps.ts';
import { madeVectors } from '../../testing/made-vectors.ts';
import type { BestPassage, Compared } from '../../vector/compared.ts';
import { VectorTable } from '../../vector/vector-table.ts';
import { joinedSpread, spreadOf } from './spread-of.ts';
import { VectorSide } from './vector-side.ts';

const dimension = 16;

/** Counts the rows of the documents whose similarities are asked for. */
class CountingTable extends VectorTable {
  rows = 0;
  /** Documents that are compared as they are. */
  compares = 0;

  override similaritiesOf(compared: Compared[], ordinals: Int32Array, into: Float64Array): Steps<void> {
    for (const ordinal of ordinals) this.rows += this.countOf(ordinal);
    return super.similaritiesOf(compared, ordinals, into);
  }

  override bestPassage(compared: Compared[], ordinal: number): BestPassage {
    this.compares += 1;
    return super.bestPassage(compared, ordinal);
  }
}

/** Documents with so many passages each, and what a search by meaning knows of them. */
function open(count: number, passagesOf: (i: number) => number, isExact = false) {
  const documents = new DocumentTable();
  const vectors = new CountingTable(dimension, 'cosine');
  const total = Array.from({ length: count }, (_, i) => passagesOf(i)).reduce((sum, each) => sum + each, 0);
  const made = madeVectors('clustered', total + 1, dimension);
  let next = 0;
  for (let i = 0; i < count; i += 1) {
    const ordinal = documents.add(`id ${i}`, '{}');
    const own = made.slice(next, next + passagesOf(i));
    next += own.length;
    const flat = Float32Array.from(own.flatMap((each) => [...each]));
    runSteps(vectors.add(ordinal, flat, new Int32Array(3 * own.length)));
  }
  const vector = made[total] ?? new Float32Array(dimension);
  const side = new VectorSide(
    { documents, vectors, scratch: new SearchScratch() },
    { mode: 'vector', vector, metric: null, isExact },
    documents.live,
  );
  return { documents, vectors, side };
}

const similaritiesOf = ({ side }: Pick<ReturnType<typeof open>, 'side'>, ordinals: Int32Array) =>
  Float64Array.from(ordinals, (ordinal) => side.similarityOf(ordinal));

test.each([
  ['no vector, or one', (i: number) => i % 2, 2_000],
  ['one', () => 1, 1_300],
  ['four, all of them', () => 4, drawnMax],
])('the spread of documents with %s is that of all that are drawn', (_, passagesOf, count) => {
  const world = open(count, passagesOf);
  const { ordinals, weight } = runSteps(world.documents.drawn());
  const spread = runSteps(world.side.spread());
  expect(spread).toEqual(spreadOf(similaritiesOf(world, ordinals), weight));
});

test.each([
  ['hundreds of long documents', 500, () => 40],
  ['thousands of long documents', 3_000, () => 12],
  ['some long among short ones', 1_500, (i: number) => (i % 5 === 0 ? 40 : 1)],
])('of %s as many are compared as have two thousand vectors, and tell the same', (_, count, passagesOf) => {
  const world = open(count, passagesOf);
  const spread = runSteps(world.side.spread());
  const compared = world.vectors.rows;
  expect(compared).toBeLessThanOrEqual(2_048);
  // No fewer than half of that, but for chance.
  expect(compared).toBeGreaterThan(2_048 / 3);
  const all = Int32Array.from({ length: count }, (__, ordinal) => ordinal);
  const found = joinedSpread([spread]);
  const exact = joinedSpread([spreadOf(similaritiesOf(world, all), 1)]);
  expect(Math.abs(found.count - count) / count).toBeLessThan(0.4);
  expect(Math.abs(found.mean - exact.mean) / exact.deviation).toBeLessThan(0.5);
  expect(Math.abs(found.deviation - exact.deviation) / exact.deviation).toBeLessThan(0.3);
});

test('one document with more vectors than are compared is compared all the same', () => {
  const world = open(3, (i) => (i === 0 ? 3_000 : 0));
  expect(runSteps(world.side.spread()).count).toBeGreaterThan(0);
});

test('a search computes the similarity of a document once', () => {
  const world = open(600, () => 1);
  const { ordinals, similarities } = runSteps(world.side.nearest(100));
  world.vectors.compares = 0;
  const again = new Float64Array(100);
  runSteps(world.side.scoresOf(ordinals, again));
  expect(again).toEqual(similarities);
  expect(world.vectors.compares).toBe(0);
  const all = Int32Array.from({ length: 600 }, (_, ordinal) => ordinal);
  runSteps(world.side.scoresOf(all, new Float64Array(600)));
  expect(world.vectors.compares).toBe(500);
  runSteps(world.side.spread());
  expect(world.vectors.compares).toBe(500);
});

test('a search that is to be exact compares every document as it is, any other one few of them', () => {
  const count = 3_000;
  const [exact, usual] = [true, false].map((isExact) => open(count, () => 1, isExact));
  if (exact === undefined || usual === undefined) throw new Error('there are two');
  for (const { vectors } of [exact, usual]) runSteps(vectors.settle());
  exact.vectors.compares = 0;
  const found = runSteps(exact.side.nearest(10));
  expect(exact.vectors.compares).toBe(count);
  const all = similaritiesOf(
    exact,
    Int32Array.from({ length: count }, (_, i) => i),
  );
  expect([...found.similarities]).toEqual([...all].sort((a, b) => b - a).slice(0, 10));
  usual.vectors.compares = 0;
  runSteps(usual.side.nearest(10));
  expect(usual.vectors.compares).toBeLessThan(count / 10);
});

test('a search that compares every document pauses among those that have many vectors', () => {
  const world = open(400, () => 64, true);
  runSteps(world.vectors.settle());
  world.vectors.compares = 0;
  const atOnce: number[] = [];
  const steps = world.side.nearest(10);
  for (let before = 0, isDone = false; !isDone; before = world.vectors.compares) {
    isDone = steps.next().done === true;
    atOnce.push(world.vectors.compares - before);
  }
  expect(world.vectors.compares).toBe(400);
  // Of one word of the set of documents, and of what was done since the pause before it.
  expect(Math.max(...atOnce)).toBeLessThan(100);
});
