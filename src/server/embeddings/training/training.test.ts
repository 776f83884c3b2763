import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { RandomNumbers } from '#server/random-numbers.ts';
import { CosineLoss } from './cosine-loss.ts';
import { principalAxes, secondMoments } from './principal-axes.ts';
import { roundRows } from './round-rows.ts';
import { RowAdam } from './row-adam.ts';
import { sourceDocuments } from './source-documents.ts';
import { startTable } from './start-table.ts';
import { bagOf, countTokens } from './token-bag.ts';
import { meanCosine, rateAt, trainTable } from './train-table.ts';
import { trainingTexts } from './training-texts.ts';

const randomRows = (count: number, dims: number, seed: number) => {
  const random = new RandomNumbers(seed);
  return Float32Array.from({ length: count * dims }, () => random.next() - 0.5);
};

const unitRows = (count: number, dims: number, seed: number) => {
  const rows = randomRows(count, dims, seed);
  for (let from = 0; from < rows.length; from += dims) {
    const row = rows.subarray(from, from + dims);
    row.set(row.map((x) => x / Math.hypot(...row)));
  }
  return rows;
};

describe('fitting a table', () => {
  const dims = 6;
  const bags = [[1, 2, 2, 3], [3, 4, 4, 4, 0], [2]].map((ids) => bagOf(ids, [0]));

  it('counts tokens, without those that add nothing', () => {
    expect(bags[1]).toEqual({ ids: Int32Array.of(3, 4), counts: Float32Array.of(1, 3) });
    expect([...countTokens(bags, 6)]).toEqual([0, 1, 3, 2, 3, 0]);
  });

  it('has the gradient that small differences of the loss have', () => {
    const table = randomRows(6, dims, 1);
    const targets = unitRows(bags.length, dims, 2);
    const weights = [1, 0.5, 2];
    const lossOf = (values: Float32Array) => {
      const loss = new CosineLoss(values, dims);
      return bags.reduce((sum, bag, i) => sum + (weights[i] ?? 0) * loss.of(bag, targets, i * dims), 0);
    };
    const loss = new CosineLoss(table, dims);
    for (const [i, bag] of bags.entries()) loss.add(bag, targets, i * dims, weights[i] ?? 0);
    expect([...loss.touched].sort()).toEqual([1, 2, 3, 4]);
    const h = 1e-2;
    for (let i = 0; i < table.length; i++) {
      const [up, down] = [h, -h].map((by) => lossOf(table.map((x, at) => (at === i ? x + by : x)))) as [
        number,
        number,
      ];
      expect(loss.gradients[i]).toBeCloseTo((up - down) / (2 * h), 3);
    }
    loss.clear();
    expect(loss.gradients.every((x) => x === 0)).toBe(true);
    expect(loss.add(bagOf([0], [0]), targets, 0, 1)).toBe(0);
  });

  it('moves touched rows alone, each by its own count of steps', () => {
    const values = new Float32Array(6);
    const gradients = Float32Array.of(3, -2, 0.01, 0, 5, 5);
    const adam = new RowAdam(3, 2);
    adam.step(values, gradients, [0, 1], 0.1);
    // A first step is as long as the rate, whatever the gradient's size.
    expect([...values].map((x) => Number(x.toFixed(4)))).toEqual([-0.1, 0.1, -0.1, 0, 0, 0]);
    adam.step(values, gradients, [0], 0.1);
    adam.step(values, Float32Array.of(0, 0, 0, 0, 5, 0), [2], 0.1);
    expect([...values].map((x) => Number(x.toFixed(4)))).toEqual([-0.2, 0.2, -0.1, 0, -0.1, 0]);
    const turned = new RowAdam(1, 1);
    const value = Float32Array.of(0);
    turned.step(value, Float32Array.of(1), [0], 1);
    turned.step(value, Float32Array.of(-3), [0], 1);
    // By hand: m = .9·.1 − .3 = −.21, v = .99·.01 + .09 = .0999; −1 + (.21/.19)/√(.0999/.0199).
    expect(value[0]).toBeCloseTo(-1 + 0.21 / 0.19 / Math.sqrt(0.0999 / 0.0199), 5);
  });

  it('warms up, and ends at a fiftieth of its rate', () => {
    const settings = { steps: 1_000, batch: 1, rate: 0.1, warmUpSteps: 100, seed: 1 };
    const rates = [0, 49, 99, 100, 550, 1_000].map((step) => Number(rateAt(step, settings).toFixed(5)));
    expect(rates).toEqual([0.001, 0.05, 0.1, 0.1, 0.051, 0.002]);
  });

  it('comes near what a table of the teacher’s would say, with the same bytes for the same seed', () => {
    const rows = 40;
    const random = new RandomNumbers(3);
    const texts = Array.from({ length: 400 }, () =>
      bagOf(
        Array.from({ length: 6 }, () => 1 + random.below(rows - 1)),
        [0],
      ),
    );
    const taught = randomRows(rows, dims, 4);
    const targets = new Float32Array(texts.length * dims);
    for (const [i, { ids, counts }] of texts.entries()) {
      const row = targets.subarray(i * dims, (i + 1) * dims);
      for (const [place, id] of ids.entries())
        row.set(row.map((x, at) => x + (counts[place] ?? 0) * (taught[id * dims + at] ?? 0)));
      row.set(row.map((x) => x / Math.hypot(...row)));
    }
    const fitted = (seed: number) => {
      const table = startTable({
        vectors: unitRows(rows, dims, 5),
        dims,
        occurrences: countTokens(texts, rows),
        zeroRows: [0],
      });
      const before = meanCosine(table, { bags: texts, targets, dims });
      const settings = { steps: 300, batch: 64, rate: 0.02, warmUpSteps: 20, seed };
      const losses = [...trainTable(table, { bags: texts, targets, dims }, settings)];
      expect(losses).toHaveLength(300);
      return { before, after: meanCosine(table, { bags: texts, targets, dims }), ...roundRows(table, dims) };
    };
    const first = fitted(7);
    expect(first.before).toBeLessThan(0.3);
    expect(first.after).toBeGreaterThan(0.97);
    expect(fitted(7)).toEqual(first);
    expect(fitted(8).rows).not.toEqual(first.rows);
  });

  it('starts with rows of mean length 1 that have nothing in common, frequent ones shorter', () => {
    const occurrences = Float64Array.from({ length: 20 }, (_, row) => (row === 1 ? 1_000 : 1));
    const table = startTable({ vectors: unitRows(20, dims, 6), dims, occurrences, zeroRows: [0] });
    const lengths = Array.from({ length: 20 }, (_, row) =>
      Math.hypot(...table.subarray(row * dims, (row + 1) * dims)),
    );
    expect(lengths[0]).toBe(0);
    expect(lengths.reduce((sum, x) => sum + x, 0) / 19).toBeCloseTo(1, 5);
    expect(lengths[1]).toBeLessThan(0.05);
  });

  it('rounds a row within half of its scale, and a row of zeros to zeros', () => {
    const values = randomRows(5, dims, 9).fill(0, 0, dims);
    const { rows, scales } = roundRows(values, dims);
    expect([...rows.subarray(0, dims)]).toEqual(Array(dims).fill(0));
    for (const [i, value] of values.entries()) {
      const scale = scales[Math.floor(i / dims)] ?? 0;
      expect(Math.abs(value - scale * (rows[i] ?? 0))).toBeLessThanOrEqual(scale / 2 + 1e-7);
    }
    for (let row = 1; row < 5; row++)
      expect(Math.max(...rows.subarray(row * dims, (row + 1) * dims).map(Math.abs))).toBe(127);
  });
});

it('finds orthonormal axes in the order of their energy', () => {
  const dims = 5;
  const vectors = randomRows(300, dims, 11).map((x, i) => x * ([1, 4, 0.5, 2, 0.1][i % dims] ?? 0) + 0.3);
  const moments = secondMoments(vectors, dims);
  const { axes, energies } = principalAxes(moments, dims);
  const whole = Array.from({ length: dims }, (_, i) => moments[i * (dims + 1)] ?? 0).reduce(
    (sum, x) => sum + x,
    0,
  );
  for (let a = 0; a < dims; a++) {
    const axis = axes.subarray(a * dims, (a + 1) * dims);
    for (let b = 0; b < dims; b++) {
      const product = axis.reduce((sum, x, i) => sum + x * (axes[b * dims + i] ?? 0), 0);
      expect(product).toBeCloseTo(a === b ? 1 : 0, 8);
    }
    for (let row = 0; row < dims; row++) {
      const image = axis.reduce((sum, x, i) => sum + x * (moments[row * dims + i] ?? 0), 0);
      expect(image).toBeCloseTo((energies[a] ?? 0) * whole * (axis[row] ?? 0), 8);
    }
  }
  expect([...energies].sort((a, b) => b - a)).toEqual([...energies]);
  expect(energies.reduce((sum, x) => sum + x, 0)).toBeCloseTo(1, 8);
});

describe('texts to train on', () => {
  const sources = [
    Array.from({ length: 50 }, (_, i) => ({
      title: `Title ${i}`,
      text: `First ${i} sentence here. Then the second one follows. `.repeat(8),
    })),
    [{ title: 'A lone title', text: '' }],
  ];

  it('are distinct, of the documents and made up, and the same for the same seed', () => {
    const texts = trainingTexts(sources, { texts: 1_500, seed: 1 });
    expect(new Set(texts).size).toBe(1_500);
    expect(trainingTexts(sources, { texts: 1_500, seed: 1 })).toEqual(texts);
    expect(trainingTexts(sources, { texts: 1_500, seed: 2 })).not.toEqual(texts);
    expect(texts).toContain('A lone title');
    const made = texts.filter(
      (text) => !/Title|title|sentence|second|follows|First|Then|here|one/.test(text),
    );
    expect(made.length).toBeGreaterThan(100);
    expect(Math.max(...texts.map((text) => text.split(/\s+/).length))).toBeLessThanOrEqual(90);
    expect(trainingTexts([[{ title: 'only', text: '' }]], { texts: 10, seed: 1 })).toContain('only');
  });

  async function folderWith(files: Record<string, string | Uint8Array>): Promise<string> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'texts-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
    return folder;
  }
  const lines = (count: number) =>
    Array.from({ length: count }, (_, i) =>
      JSON.stringify({ _id: `d${i}`, title: `t${i}`, text: '', source: i < 30 ? 'a' : 'b' }),
    ).join('\n');

  it('leave out what is judged, and refuse a judged set', async () => {
    const judged = 'query-id\tcorpus-id\tscore\nq1\td3\t1\nq2\td40\t1\n';
    const folder = await folderWith({ 'corpus.jsonl.gz': gzipSync(lines(100)), 'qrels.tsv': judged });
    const read = await sourceDocuments(folder, { documentsMax: 50, seed: 1 });
    expect(read.map(({ length }) => length)).toEqual([29, 50]);
    expect(read.flat().filter(({ title }) => title === 't3' || title === 't40')).toEqual([]);
    expect(await sourceDocuments(folder, { documentsMax: 50, seed: 1 })).toEqual(read);
    const small = await folderWith({ 'corpus.jsonl': lines(10), 'qrels.tsv': judged });
    await expect(sourceDocuments(small, { documentsMax: 50, seed: 1 })).rejects.toThrow('is a judged set');
    await expect(
      sourceDocuments(await folderWith({ 'a.txt': '' }), { documentsMax: 1, seed: 1 }),
    ).rejects.toThrow('has none of');
  });
});
