import { describe, expect, it } from 'vitest';
import { FieldNameError } from '../../query/names/field-name-error.ts';
import { SearchIndex } from '../../search-index.ts';
import { runSteps } from '../../steps.ts';
import { document, indexOf } from '../../testing/fixtures.ts';
import { longestStep } from '../../testing/longest-step.ts';
import type { IndexedDocument } from '../../types.ts';
import type { DocumentSample, SampleAsked } from './sample-documents.ts';

const everything: SampleAsked = {
  filter: null,
  limit: 1_000,
  titleFields: ['title', 'name'],
  colorField: null,
  componentsMax: 256,
  withVectors: true,
};

const sampleOf = (index: SearchIndex, asked: Partial<SampleAsked> = {}): DocumentSample =>
  runSteps(index.sample({ ...everything, ...asked }, { part: null }));

/** The vector of the i-th as it was sent. */
const vectorAt = ({ rows, scales, components }: DocumentSample, i: number): number[] =>
  Array.from(rows.subarray(i * components, (i + 1) * components), (byte) => byte * (scales[i] ?? 0));

const numbered = (count: number): IndexedDocument[] =>
  Array.from({ length: count }, (_, i) => document(`${i}`, { year: i }, [[Math.cos(i), Math.sin(i)]]));

describe('what is drawn', () => {
  it('is all that pass and have a vector, and how many there are', () => {
    const index = indexOf([
      document('a', { year: 1 }, [[1, 0]]),
      document('b', { year: 1 }),
      document('c', { year: 2 }, [[0, 1]]),
    ]);
    const all = sampleOf(index);
    expect([all.found, all.withVector, all.ids.toSorted()]).toEqual([3, 2, ['a', 'c']]);
    const one = sampleOf(index, { filter: 'year:1' });
    expect([one.found, one.withVector, one.ids]).toEqual([2, 1, ['a']]);
    expect(sampleOf(indexOf([])).ids).toEqual([]);
  });

  it('is spread evenly over ids that follow each other', () => {
    const { ids, withVector } = sampleOf(indexOf(numbered(20_000)), { limit: 2_000 });
    expect(withVector).toBe(20_000);
    expect(new Set(ids).size).toBe(2_000);
    const tenths = Array.from({ length: 10 }, (_, tenth) =>
      ids.filter((id) => Math.floor(Number(id) / 2_000) === tenth),
    );
    // 200 are expected of each; five standard deviations are some 67.
    for (const { length } of tenths) expect(Math.abs(length - 200)).toBeLessThan(67);
  });

  it('is the same whatever batches and deletions brought the documents, and nearly the same after a few more', () => {
    const documents = numbered(3_000);
    const ids = sampleOf(indexOf(documents), { limit: 500 }).ids;
    const other = SearchIndex.create({ dimension: 2, metric: 'cosine', fields: [] });
    const backwards = documents.toReversed();
    other.apply({ version: 1, puts: backwards.slice(0, 1_700), deletes: [] });
    other.apply({ version: 2, puts: backwards.slice(1_000), deletes: ['17', '2999'] });
    other.apply({
      version: 3,
      puts: [documents[2_999], documents[17]].flatMap((one) => one ?? []),
      deletes: [],
    });
    expect(sampleOf(other, { limit: 500 }).ids).toEqual(ids);
    other.apply({ version: 4, puts: [document('new', {}, [[1, 0]])], deletes: [ids[0] ?? ''] });
    const after = new Set(sampleOf(other, { limit: 500 }).ids);
    expect(ids.filter((id) => after.has(id)).length).toBeGreaterThanOrEqual(498);
  });

  it('has the beginning of a larger sample', () => {
    const index = indexOf(numbered(500));
    expect(sampleOf(index, { limit: 50 }).ids).toEqual(sampleOf(index, { limit: 200 }).ids.slice(0, 50));
  });
});

describe('what is told of a document', () => {
  const index = indexOf([
    document('a', { title: ['', 'Metropolis'], name: 'other', year: [1927, 1], tags: ['silent', 'city'] }, [
      [3, 4],
    ]),
    document('b', { name: 'Named', on: '2020-02-01', good: false, title: 'x'.repeat(300) }, [[0, -2]]),
    document('c', {}, [[0, 0]]),
  ]);
  const told = (colorField: string) => {
    const { ids, values } = sampleOf(index, { colorField });
    return Object.fromEntries(ids.map((id, i) => [id, values[i]]));
  };

  it('is its title, a long one by its beginning', () => {
    const { ids, titles } = sampleOf(index);
    const byId = Object.fromEntries(ids.map((id, i) => [id, titles[i]]));
    expect(byId).toEqual({ a: 'other', b: `${'x'.repeat(64)}…`, c: null });
  });

  it('is the first value of the field to color by, as it stands in the document', () => {
    expect(told('year')).toEqual({ a: 1927, b: null, c: null });
    expect(told('tags')).toEqual({ a: 'silent', b: null, c: null });
    expect(told('good')).toEqual({ a: null, b: false, c: null });
    expect(told('on')).toEqual({ a: null, b: Date.parse('2020-02-01') / 1_000, c: null });
    expect([
      sampleOf(index, { colorField: 'on' }).isDate,
      sampleOf(index, { colorField: 'year' }).isDate,
    ]).toEqual([true, false]);
  });

  it('is not the value of a field that is unknown', () => {
    expect(() => sampleOf(index, { colorField: 'yaer' })).toThrow(FieldNameError);
    expect(() => sampleOf(index, { colorField: 'yaer' })).toThrow(/nearest is "year"/);
    expect(sampleOf(indexOf([]), { colorField: 'yaer' }).values).toEqual([]);
  });

  it('is its vector, to a hundredth of its largest component', () => {
    const sample = sampleOf(index);
    for (const [id, vector] of [
      ['a', [3, 4]],
      ['b', [0, -2]],
      ['c', [0, 0]],
    ] as const) {
      const sent = vectorAt(sample, sample.ids.indexOf(id));
      for (const [i, component] of vector.entries())
        expect(Math.abs((sent[i] ?? 9) - component)).toBeLessThanOrEqual(0.02);
    }
    expect(sampleOf(index, { withVectors: false })).toMatchObject({
      ids: sample.ids,
      rows: new Int8Array(0),
    });
  });

  it('is the mean of the vectors of its passages', () => {
    const passages = indexOf([
      document('a', {}, [
        [1, 0],
        [0, 1],
        [1, 1],
      ]),
    ]);
    const [x = 0, y = 0] = vectorAt(sampleOf(passages), 0);
    expect([x, y]).toEqual([expect.closeTo(2 / 3, 2), expect.closeTo(2 / 3, 2)]);
  });
});

it('folds long vectors so that what is near stays near', () => {
  const dimension = 600;
  const wave = (phase: number, faster = 1) =>
    Array.from({ length: dimension }, (_, i) => Math.sin(((i + 1) * faster) / 7 + phase + (i % 13) ** 2));
  const index = indexOf(
    [document('a', {}, [wave(0)]), document('near', {}, [wave(0.3)]), document('far', {}, [wave(1, 3)])],
    { dimension, metric: 'cosine', fields: [] },
  );
  const sample = sampleOf(index, { componentsMax: 256 });
  expect([sample.components, sample.rows.length]).toEqual([256, 3 * 256]);
  const of = (id: string) => vectorAt(sample, sample.ids.indexOf(id));
  const dot = (a: number[], b: number[]) => a.reduce((sum, component, i) => sum + component * (b[i] ?? 0), 0);
  const cosine = (a: number[], b: number[]) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
  for (const id of ['near', 'far']) {
    const exact = cosine(wave(0), id === 'near' ? wave(0.3) : wave(1, 3));
    expect(Math.abs(cosine(of('a'), of(id)) - exact)).toBeLessThan(0.15);
  }
  expect(cosine(of('a'), of('near'))).toBeGreaterThan(cosine(of('a'), of('far')) + 0.3);
});

it('pauses often', () => {
  const dimension = 64;
  const puts = Array.from({ length: 4_000 }, (_, i) =>
    document(`document ${i}`, { title: `Title ${i}` }, [
      Array.from({ length: dimension }, (_v, k) => Math.sin(i * k)),
    ]),
  );
  const index = indexOf(puts, { dimension, metric: 'cosine', fields: [] });
  const { reads, steps } = longestStep(index.sample({ ...everything, limit: 3_000 }, { part: null }));
  expect(steps).toBeGreaterThan(10);
  expect(reads).toBeLessThan(100_000);
});
