import { beforeAll, describe, expect, it } from 'vitest';
import { SearchIndex } from './search-index.ts';
import { decodeWhole, encodeSnapshot } from './snapshot.ts';
import { readsSoFar } from './testing/checked-reads.ts';
import { idsFound, searchFor } from './testing/fixtures.ts';
import { longestStep } from './testing/longest-step.ts';
import type { IndexedDocument, IndexSettings, WriteBatch } from './types.ts';

const settings: IndexSettings = {
  dimension: 8,
  metric: 'cosine',
  fields: [{ name: 'places', type: 'geopoint' }],
};
const size = 6_000;

/** Some tenths of a millisecond. */
const readsMax = 100_000;

/** The same numbers in every run. */
function* numbers(seed: number): Generator<number, never, void> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

const random = numbers(1);
const below = (limit: number): number => Math.floor(random.next().value * limit);
const times = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

const put = (id: string, fields: Record<string, unknown>): IndexedDocument => ({
  id,
  source: JSON.stringify({ id, ...fields }),
  vectors: Float32Array.from(times(8, () => random.next().value)),
  spans: Int32Array.of(-1, 0, 0),
});

const small = (i: number) =>
  put(`d${i}`, {
    title: `Title ${i * 7} of ${below(5_000).toString(36)}`,
    text: times(6, () => below(9_000).toString(36)).join(' '),
    year: 1900 + below(120),
  });

const word = () => `w${below(1e9).toString(36)}`;
const ideograph = () => String.fromCharCode(0x4e00 + below(20_000));
const valuesMax = 30_000;

/** Documents that are as large as few are, each in its own way. */
const large: Record<string, () => Record<string, unknown>> = {
  'Chinese without spaces': () => ({ text: times(60_000, ideograph).join('') }),
  'words that are all different': () => ({ text: times(40_000, word).join(' ') }),
  'one word': () => ({ text: 'x'.repeat(400_000) }),
  'a list of texts': () => ({ tags: times(valuesMax, word) }),
  'a list of numbers': () => ({ counts: times(valuesMax, () => random.next().value) }),
  'a list of objects': () => ({ rows: times(valuesMax / 2, () => ({ a: below(1e9), b: word() })) }),
  'a list of points': () => ({ places: times(valuesMax, () => [below(9e6) / 1e5, below(18e6) / 1e5]) }),
  'many fields': () => Object.fromEntries(times(1_000, (i) => [`f${i}`, times(30, word).join(' ')])),
};

function newIndex(): SearchIndex {
  const index = SearchIndex.create(settings);
  index.apply({ version: 1, puts: times(size, small), deletes: [] });
  return index;
}

const batch = (puts: IndexedDocument[], deletes: string[] = []): WriteBatch => ({
  version: 1,
  puts,
  deletes,
});

describe('between two pauses little is done', () => {
  let index: SearchIndex;
  beforeAll(() => {
    index = newIndex();
  }, 60_000);

  it.each(Object.entries(large))(
    'of a document that is written, replaced and deleted: %s',
    (name, fields) => {
      const first = longestStep(index.applySteps(batch([put(name, fields())])));
      const second = longestStep(index.applySteps(batch([put(name, fields())])));
      const third = longestStep(index.applySteps(batch([], [name])));
      for (const { reads } of [first, second, third]) expect(reads).toBeLessThan(readsMax);
      // So that there is something to pause in.
      expect(first.steps + second.steps).toBeGreaterThan(50);
      expect(index.stats().documentCount).toBe(size);
    },
  );

  it('of an order of texts that was not made yet, and of one that new texts came to', () => {
    const sorted = searchFor({ text: '*', sort: [{ field: 'title', descending: false }] });
    const first = longestStep(index.searchSteps(sorted, { part: null }));
    index.apply(batch([put('new', { title: 'Title 0' })]));
    const second = longestStep(index.searchSteps(sorted, { part: null }));
    for (const { reads } of [first, second]) expect(reads).toBeLessThan(readsMax);
    expect(second.result.hits[0]?.id).toBe('new');
    index.apply(batch([], ['new']));
  });

  it('of a snapshot that is made and opened, and of a compaction', () => {
    index.apply(batch([put('large', { text: times(40_000, word).join(' '), tags: times(5_000, word) })]));
    const snapshot = longestStep(encodeSnapshot(index));
    const opened = longestStep(decodeWhole(snapshot.result, settings));
    if (!('index' in opened.result)) throw new Error(opened.result.refused);
    const copy = opened.result.index;
    expect(copy.stats()).toMatchObject({ documentCount: size + 1 });
    const deleted = times(3_200, (i) => `d${i}`);
    const deletion = longestStep(copy.applySteps(batch([], deleted)));
    for (const { reads } of [snapshot, opened, deletion]) expect(reads).toBeLessThan(readsMax);
    // Pieces of a millisecond, between calls.
    let pieces = 1;
    for (let before = readsSoFar(); copy.upkeep(); pieces += 1) {
      const now = readsSoFar();
      expect(now - before).toBeLessThan(8 * readsMax);
      before = now;
    }
    expect(pieces).toBeGreaterThan(10);
    expect(copy.capacity).toBe(size + 1 - deleted.length);
    expect(idsFound(copy, { text: 'title', sort: [{ field: 'id', descending: false }], limit: 1 })).toEqual([
      'd3200',
    ]);
  });
});
