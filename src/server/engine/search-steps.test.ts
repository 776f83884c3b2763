import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { SearchIndex } from './search-index.ts';
import { runSteps, type Steps } from './steps.ts';
import { searchFor } from './testing/fixtures.ts';
import { longestStep } from './testing/longest-step.ts';
import { runs } from './testing/runs.ts';
import type { IndexedDocument, SearchProgress, SearchQuery } from './types.ts';

const dimension = 8;
const size = 6_000;

/** The same numbers in every run. */
function* numbers(seed: number): Generator<number, never, void> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

/** Documents of some of 5,000 words, half of which begin with "w". */
function indexOf(seed: number): SearchIndex {
  const random = numbers(seed);
  const next = () => random.next().value;
  const word = () =>
    `${next() < 0.5 ? 'w' : 'v'}${Math.floor(next() ** 3 * 2_500).toString(5)}ol`.replace(
      /\d/g,
      (digit) => 'aeiou'[Number(digit)] ?? '',
    );
  const puts = Array.from({ length: size }, (_, i): IndexedDocument => {
    const fields = {
      title: `${word()} ${word()} common`,
      text: Array.from({ length: 8 }, word).join(' '),
      tag: `tag ${Math.floor(next() * 50)}`,
      price: Math.floor(next() * 1_000),
      at: [((i * 7) % 180) - 90, ((i * 13) % 360) - 180],
    };
    return {
      id: `d${(i * 7_919) % size}`,
      source: JSON.stringify({ id: String(i), ...fields }),
      vectors: Float32Array.from({ length: dimension }, () => next() - 0.5),
      spans: Int32Array.of(-1, 0, 0),
    };
  });
  const fields = [{ name: 'at', type: 'geopoint' as const }];
  const index = SearchIndex.create({ dimension, metric: 'cosine', fields });
  index.apply({ version: 1, puts, deletes: [] });
  return index;
}

const vector = Float32Array.from({ length: dimension }, (_, i) => i - 3);
const facets = [{ field: 'tag', ranges: [] }];
const lastOf = (value: number | string) => ({
  id: 'd700',
  seal: 0,
  values: [{ class: typeof value === 'string' ? 3 : 0, value }],
});
const sortBy = (field: string) => ({ sort: [{ field, descending: true }], text: 'common' });

/** A star with so many corners. */
const starOf = (corners: number): string =>
  Array.from({ length: corners }, (_, i) => {
    const angle = (i / corners) * 2 * Math.PI;
    return `${(60 + (i % 2)) * Math.sin(angle)}, ${(100 + (i % 2)) * Math.cos(angle)}`;
  }).join(', ');

const model = { base: -2, score: 4, words: 1, nearest: 0.1 };
const queries: Record<string, Partial<SearchQuery>> = {
  'a common word': { text: 'common', limit: 250 },
  'three words': { text: 'wael vi wolo', match: 'any' },
  'a long query': { text: 'we wi wo wu va ve vi vo vu wae wai', match: 'any' },
  'a single letter': { text: 'w', limit: 100 },
  typos: { text: 'waeilo veaiolu' },
  everything: { text: '*' },
  'a far page': { text: '*', offset: size - 20 },
  'a filter': { text: 'common', filter: 'price:[100..700] && tag:tag' },
  'a distance': { text: 'common', filter: 'at:(10, 10, 8000 km)' },
  'a polygon with many corners': { text: 'common', filter: `at:(${starOf(100)})` },
  facets: { text: 'common', facets },
  'the order of a number': sortBy('price'),
  'the order of a text': sortBy('title'),
  'the order of the distances': {
    text: 'common',
    sort: [{ field: 'at', descending: false, from: { lat: 10, lng: 10 } }],
  },
  'the order of the ids': sortBy('id'),
  'the order of the scores': sortBy('_text_match'),
  'the nearest': { mode: 'vector', vector, k: 2_000, limit: 250 },
  both: { mode: 'hybrid', vector, text: 'common wael', k: 500 },
  synonyms: {
    text: 'weol',
    prefix: false,
    match: 'all',
    synonyms: [{ words: ['weol'], alternatives: [['viol'], ['waol', 'common'], ['waol', 'veol']] }],
  },
  pins: {
    text: 'common',
    pins: Array.from({ length: 50 }, (_, i) => ({ id: `d${i}`, position: 2 * i + 1 })),
  },
  groups: { text: 'common', group: { fields: ['tag'], limit: 3, joinsMissing: true }, limit: 250 },
  'groups by score, of two fields': {
    mode: 'hybrid',
    vector,
    text: 'common wael',
    k: 5_000,
    group: { fields: ['price', 'tag'], limit: 2, joinsMissing: false },
  },
  'groups in an order': {
    ...sortBy('title'),
    group: { fields: ['price', 'title'], limit: 99, joinsMissing: true },
  },
  'a walk': { text: 'common', walk: { from: { shown: 10, pin: null, last: lastOf(0.001) } }, limit: 250 },
  'a walk in an order': {
    ...sortBy('title'),
    walk: { from: { shown: 10, pin: null, last: lastOf('waol') } },
  },
  'facets without their filters': {
    text: 'common',
    filter: 'price:>100 && tag:"tag 7"',
    facets: [...facets, { field: 'price', ranges: [] }],
    areFacetsDisjunctive: true,
  },
  'relevance by words, of some too little': { text: 'common', relevance: { model, min: 0.5 } },
  'relevance of both, of facets without their filters too': {
    mode: 'hybrid',
    vector,
    text: 'common wael',
    k: 5_000,
    filter: 'price:>100 && tag:"tag 7"',
    facets,
    areFacetsDisjunctive: true,
    relevance: { model, min: 0.5 },
  },
  'both by rank': { mode: 'hybrid', vector, text: 'common', k: 5_000, fusion: 'rrf' },
};

let index: SearchIndex;
let other: SearchIndex;
beforeAll(() => {
  index = indexOf(1);
  other = indexOf(2);
}, 60_000);

function document(id: string, title: string): IndexedDocument {
  const source = JSON.stringify({ id, title });
  return { id, source, vectors: new Float32Array(0), spans: new Int32Array(0) };
}

const stepsOf = (of: SearchIndex, query: Partial<SearchQuery>) =>
  of.searchSteps(searchFor(query), { part: null });

/** Both in turns, a step each as `turns` says. */
function interleaved<A, B>(a: Steps<A>, b: Steps<B>, turns: () => boolean): [A, B] {
  let first = a.next();
  let second = b.next();
  while (!first.done && !second.done) {
    if (turns()) first = a.next();
    else second = b.next();
  }
  return [first.done ? first.value : runSteps(a), second.done ? second.value : runSteps(b)];
}

describe('a search that pauses', () => {
  it('answers as one that does not, whatever another index is asked meanwhile', () => {
    const any = fc.constantFrom(...Object.values(queries));
    fc.assert(
      fc.property(any, any, fc.infiniteStream(fc.boolean()), (one, two, turns) => {
        const [a, b] = interleaved(stepsOf(index, one), stepsOf(other, two), () => turns.next().value);
        expect(a).toEqual(index.search(searchFor(one)));
        expect(b).toEqual(other.search(searchFor(two)));
      }),
      { numRuns: runs(60) },
    );
  });

  it('leaves the index as it was when it is ended on the way', () => {
    const before = index.search(searchFor({ text: 'common', limit: 50 }));
    for (const query of Object.values(queries)) {
      for (const end of [1, 5, 30]) {
        const steps = stepsOf(index, query);
        for (let i = 0; i < end && !steps.next().done; i += 1);
        steps.return(undefined as never);
      }
    }
    expect(index.search(searchFor({ text: 'common', limit: 50 }))).toEqual(before);
  });

  it('says what it is at', () => {
    const progress: SearchProgress = { part: null };
    const met: (string | null)[] = [];
    Object.defineProperty(progress, 'part', { set: (part) => met.push(part) });
    runSteps(
      index.searchSteps(
        searchFor({ mode: 'hybrid', text: 'common', vector, filter: 'price:>5', facets }),
        progress,
      ),
    );
    expect(met).toEqual(['filter', 'words', 'vector', 'ranking', 'highlights', 'facets']);
    met.length = 0;
    const group = { fields: ['tag'], limit: 3, joinsMissing: true };
    runSteps(index.searchSteps(searchFor({ text: 'common', group, isExplained: true }), progress));
    expect(met).toEqual(['filter', 'words', 'ranking', 'groups', 'highlights', 'explain']);
  });
});

describe('once there was a search, another one', () => {
  it.each<[string, Partial<SearchQuery>]>([
    ['with words', { text: 'common wael' }],
    ['with a vector', { mode: 'vector', vector }],
    ['with both', { mode: 'hybrid', vector, text: 'common' }],
    ['with both by rank', { mode: 'hybrid', vector, text: 'wael', fusion: 'rrf' }],
    ['that is hybrid and has no vector', { mode: 'hybrid', vector: null, text: 'common' }],
    ['that is hybrid and has no words', { mode: 'hybrid', vector, text: '' }],
    ['with groups', { text: 'common', group: { fields: ['tag'], limit: 3, joinsMissing: true } }],
    ['of a walk', { text: 'common', walk: { from: { shown: 1, pin: null, last: lastOf(0.001) } } }],
    ['for nothing', { mode: 'vector', vector: null }],
    ['for everything', { text: '*' }],
  ])('%s needs no new array with a number for each document', (_, query) => {
    const expected = index.search(searchFor(query));
    let largest = 0;
    const counting = <Kind extends Float64ArrayConstructor | Int32ArrayConstructor>(kind: Kind): Kind =>
      new Proxy(kind, {
        construct(target, [given, ...more]) {
          if (typeof given === 'number') largest = Math.max(largest, given);
          return Reflect.construct(target, [given, ...more]) as object;
        },
      });
    vi.stubGlobal('Float64Array', counting(Float64Array));
    vi.stubGlobal('Int32Array', counting(Int32Array));
    try {
      expect(index.search(searchFor(query))).toEqual(expected);
    } finally {
      vi.unstubAllGlobals();
    }
    expect(largest).toBeLessThan(size / 2);
  });
});

describe('between two pauses', () => {
  /** Some tenths of a millisecond. The dearest unit is an ordinal that a heap compares by its id. */
  const readsMax = 160_000;

  it.each(Object.entries(queries))('little is done: %s', (_, query) => {
    const { reads } = longestStep(stepsOf(index, query));
    expect(reads).toBeGreaterThan(100);
    expect(reads).toBeLessThan(readsMax);
  });

  it('little is done: what is searched for stands in other fields than the searched one', () => {
    const wordOf = (i: number) =>
      `w${i.toString(26).replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '')}`;
    const near = Array.from('bcdfghjklmnpqstvwz', (letter) => `qua${letter}ry`);
    // As many fields as there may be, each with all of these words.
    const fieldsOf = (doc: number) =>
      Array.from({ length: doc < 5 ? 900 : 0 }, (_, i) => [`f${doc * 900 + i}`, near.join(' ')]);
    const puts = Array.from({ length: 70 }, (_, doc) => {
      const text = Array.from({ length: 900 }, (_, i) => wordOf(doc * 900 + i)).join(' ');
      const fields = { title: doc === 0 ? near[0] : 'common', text, ...Object.fromEntries(fieldsOf(doc)) };
      return { ...document(`d${doc}`, ''), source: JSON.stringify({ id: `d${doc}`, ...fields }) };
    });
    const many = SearchIndex.create({ dimension, metric: 'cosine', fields: [] });
    many.apply({ version: 1, puts, deletes: [] });
    // Words that begin so, and words one typo away.
    for (const [text, found] of [
      ['w', 0],
      ['quaxry', 1],
    ] as const) {
      const fields = [{ name: 'title', weight: 1 }];
      const { reads, result } = longestStep(stepsOf(many, { text, fields }));
      expect(result.found, text).toBe(found);
      expect(reads, text).toBeLessThan(readsMax);
    }
  }, 60_000);

  it('a small search has no pause', () => {
    const few = SearchIndex.create({ dimension, metric: 'cosine', fields: [] });
    few.apply({ version: 1, puts: [document('a', 'red wine'), document('b', 'old wine')], deletes: [] });
    const steps = Array.from({ length: 100 }, () => longestStep(stepsOf(few, { text: 'wine' })).steps);
    // Whatever was done before counts until the next pause.
    expect(steps.filter((count) => count > 2).length).toBeLessThan(20);
  });

  it('a hit whose document is small takes no steps', () => {
    const generators: Generator = Object.getPrototypeOf(Object.getPrototypeOf((function* () {})()));
    const stepsFor = (limit: number) => {
      const next = vi.spyOn(generators, 'next');
      expect(index.search(searchFor({ text: 'common', limit })).hits).toHaveLength(limit);
      const count = next.mock.calls.length;
      next.mockRestore();
      return count;
    };
    const few = stepsFor(10);
    expect(few).toBeGreaterThan(10);
    expect(stepsFor(50) - few).toBeLessThan(20);
  });

  it('little is done: all ids', () => {
    const { reads } = longestStep(index.idSteps({ filter: 'price:>10' }, { part: null }));
    expect(reads).toBeLessThan(readsMax);
  });
});
