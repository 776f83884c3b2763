import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keptNeighbours } from '#client/testing/kept-neighbours.ts';
import { nearestRows, rankExactly, squaredDistance } from './nearest-rows.ts';
import { principalComponents, type Rows } from './principal-components.ts';
import { type Projected, projectVectors } from './project-vectors.ts';
import { randomNumbers } from './random-numbers.ts';
import { unpackRows } from './unpack-rows.ts';

const copyOf = (rows: Rows): Rows => ({ ...rows, values: rows.values.slice() });

/** Of the normal distribution (Box and Muller). */
function gaussians(seed: number): () => number {
  const next = randomNumbers(seed);
  return () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}

/** Clouds around centres that lie in many directions: two axes cannot part them. */
function clouds({ count, clusters, size }: { count: number; clusters: number; size: number }) {
  const draw = gaussians(7);
  const centers = Array.from({ length: clusters * size }, draw);
  const clusterOf = Array.from({ length: count }, (_, row) => row % clusters);
  const values = new Float32Array(count * size);
  for (let row = 0; row < count; row += 1)
    for (let i = 0; i < size; i += 1)
      values[row * size + i] = (centers[(clusterOf[row] ?? 0) * size + i] ?? 0) + 0.35 * draw();
  return { rows: { values, count, size }, clusterOf };
}

function project(rows: Rows) {
  const pictures: Projected[] = [];
  const steps = projectVectors(copyOf(rows));
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done)
      return { pictures, neighbours: step.value, last: pictures.at(-1)?.positions ?? new Float32Array() };
    pictures.push(step.value);
  }
}

describe('a map', () => {
  const { rows, clusterOf } = clouds({ count: 600, clusters: 30, size: 40 });
  const { pictures, last, neighbours } = project(rows);

  it('begins with the axes in which vectors differ most, and comes to its end', () => {
    const shares = pictures.map(({ share }) => share);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect([shares.length, shares.at(-1)]).toEqual([31, 1]);
    const along = principalComponents(copyOf(rows), 2);
    expect(pictures[0]?.positions).toEqual(along.values);
  });

  it('keeps neighbours better than those axes do', () => {
    const first = keptNeighbours(rows, pictures[0]?.positions ?? last);
    const map = keptNeighbours(rows, last);
    expect(1 - map.trustworthiness).toBeLessThan((1 - first.trustworthiness) / 2);
    expect(map.trustworthiness).toBeGreaterThan(0.9);
    expect(map.kept).toBeGreaterThan(first.kept * 1.5);
  });

  it('has each cloud in one place', () => {
    const points = { values: last, count: rows.count, size: 2 };
    const near = nearestRows(points, 5);
    const isSame = Array.from(near.rows, (other, i) => clusterOf[other] === clusterOf[Math.floor(i / 5)]);
    expect(isSame.filter(Boolean).length / isSame.length).toBeGreaterThan(0.97);
  });

  it('knows the nearest of each', () => {
    expect(Array.from(neighbours.rows)).toEqual(Array.from(nearestRows(rows, neighbours.size).rows));
  });

  it('is the same each time', () => {
    expect(project(rows).last).toEqual(last);
  });

  it('has finite places, whatever the vectors are', () => {
    const vector = fc.array(fc.integer({ min: -128, max: 127 }), { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(vector, { minLength: 1, maxLength: 40 }), (vectors) => {
        const rows = unpackRows({
          rows: Int8Array.from(vectors.flat()),
          scales: new Float32Array(vectors.length).fill(0.01),
          components: 4,
          isNormalized: true,
        });
        const { last: places } = project(rows);
        expect(places).toHaveLength(2 * vectors.length);
        expect(places.every(Number.isFinite)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });
});

it('finds the axes in which vectors differ most, at right angles', () => {
  const draw = gaussians(3);
  const spreads = [1, 9, 0.1, 3];
  const values = Float32Array.from({ length: 2_000 * 4 }, (_, i) => 5 + draw() * (spreads[i % 4] ?? 0));
  const { values: along, size } = principalComponents({ values: values.slice(), count: 2_000, size: 4 }, 3);
  const column = (matrix: Float32Array, of: number, at: number) =>
    Array.from({ length: 2_000 }, (_, row) => matrix[row * of + at] ?? 0);
  const mean = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  const correlation = (a: number[], b: number[]) => {
    const [meanA, meanB] = [mean(a), mean(b)];
    const product = (x: number[], mx: number, y: number[], my: number) =>
      mean(x.map((one, i) => (one - mx) * ((y[i] ?? 0) - my)));
    return product(a, meanA, b, meanB) / Math.sqrt(product(a, meanA, a, meanA) * product(b, meanB, b, meanB));
  };
  // Components 1, 3 and 0 of the vectors, by how much they spread.
  for (const [axis, component] of [1, 3, 0].entries())
    expect(correlation(column(along, size, axis), column(values, 4, component))).toBeGreaterThan(0.99);
  expect(Math.abs(correlation(column(along, size, 0), column(along, size, 1)))).toBeLessThan(0.02);
});

it('finds the nearest rows as a plain comparison of all does', () => {
  const draw = gaussians(5);
  const rows = { values: Float32Array.from({ length: 150 * 7 }, draw), count: 150, size: 7 };
  const found = rankExactly(rows, nearestRows(rows, 12), 9);
  for (let row = 0; row < rows.count; row += 1) {
    const others = Array.from({ length: rows.count }, (_, other) => other).filter((other) => other !== row);
    const distanceTo = (other: number) => squaredDistance(rows.values, row * 7, other * 7, 7);
    const nearest = others.toSorted((a, b) => distanceTo(a) - distanceTo(b)).slice(0, 9);
    expect(Array.from(found.rows.subarray(row * 9, (row + 1) * 9))).toEqual(nearest);
  }
});

it('gives bytes their length back, or the length of one', () => {
  const packed = {
    rows: Int8Array.of(127, 0, 0, -64, 0, 0),
    scales: Float32Array.of(2, 0.5, 0),
    components: 2,
  };
  expect(unpackRows({ ...packed, isNormalized: false })).toEqual({
    values: Float32Array.of(254, 0, 0, -32, 0, 0),
    count: 3,
    size: 2,
  });
  expect(unpackRows({ ...packed, isNormalized: true }).values).toEqual(Float32Array.of(1, 0, 0, -1, 0, 0));
});
