import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EngineGroup, Grouping } from './query/groups/grouping.ts';
import type { WalkPlace } from './query/walk/walk-place.ts';
import { SearchIndex } from './search-index.ts';
import {
  documentOf,
  filters,
  type Given,
  given,
  indexOf,
  query,
  type Source,
} from './testing/candidate-searches.ts';
import { document, searchFor } from './testing/fixtures.ts';
import { runs } from './testing/runs.ts';
import type { EngineAnswer, EngineHit, IndexedDocument, SearchQuery } from './types.ts';

/** Groups, walks and facets without their own filters, each beside a plain twin made of ungrouped searches that are one page long. */

const someIds = fc.uniqueArray(fc.nat(30), { maxLength: 8 });
const grouping: fc.Arbitrary<Grouping> = fc.record({
  fields: fc.uniqueArray(fc.constantFrom('tags', 'price', 'on', 'title', 'nothing'), {
    minLength: 1,
    maxLength: 3,
  }),
  limit: fc.constantFrom(1, 2, 3, 99),
  joinsMissing: fc.boolean(),
});

const everything = { offset: 0, limit: 1_000 };
const idsOf = ({ hits }: Pick<EngineAnswer, 'hits'>): string[] => hits.map(({ id }) => id);
const sourceOf = ({ source }: EngineHit): Source => JSON.parse(new TextDecoder().decode(source)) as Source;

/** Pages from the first on, or behind one, until none follows. */
function walk(
  index: SearchIndex,
  asked: SearchQuery,
  { from = null, between = () => {} }: { from?: WalkPlace | null; between?: () => void } = {},
): EngineAnswer[] {
  const pages: EngineAnswer[] = [];
  for (let place = from; ; ) {
    const page = index.search({ ...asked, walk: { from: place } });
    pages.push(page);
    if (page.next === null) return pages;
    if (pages.length > 1_000) throw new Error('the walk has no end');
    // As a cursor it leaves the process and comes back.
    place = JSON.parse(JSON.stringify(page.next)) as WalkPlace;
    between();
  }
}

interface PlainGroup {
  key: EngineGroup['key'];
  pins: EngineHit[];
  others: EngineHit[];
}

type Value = string | number | boolean;

function valueIn(source: Source, field: string): EngineGroup['key'][number] {
  const held = (source as Record<string, Value | Value[] | undefined>)[field];
  const values = [...new Set(held === undefined ? [] : [held].flat())].sort();
  const [first = null] = values;
  return values.length > 1 ? values : first;
}

/** The hits put together by what they have in the fields, one after the other. */
function plainGroups(hits: EngineHit[], { pins }: SearchQuery, { fields, joinsMissing }: Grouping) {
  const byKey = new Map<string, PlainGroup>();
  const positionOf = ({ id }: EngineHit) =>
    Math.min(...pins.filter((pin) => pin.id === id).map(({ position }) => position));
  for (const hit of hits) {
    const key = fields.map((field) => valueIn(sourceOf(hit), field));
    const isAlone = !joinsMissing && key.every((value) => value === null);
    const name = isAlone ? `alone ${hit.id}` : JSON.stringify(key);
    const group = byKey.get(name) ?? { key, pins: [], others: [] };
    group[hit.isPinned ? 'pins' : 'others'].push(hit);
    byKey.set(name, group);
  }
  const groups = [...byKey.values()];
  const pinned = hits.flatMap((hit) => {
    const group = groups.find((each) => each.pins[0] === hit);
    return group === undefined ? [] : [{ group, position: positionOf(hit) }];
  });
  const list = groups.filter((group) => group.pins.length === 0);
  let last = 0;
  for (const { group, position } of pinned) {
    last = Math.max(last + 1, position);
    list.splice(last - 1, 0, group);
  }
  return list;
}

/** What is shown of the groups of an answer: key, size, ids. */
function shownGroups({ groups, hits }: EngineAnswer) {
  let end = 0;
  return (groups ?? []).map(({ key, found, hits: count }) => {
    end += count;
    return { key, found, ids: hits.slice(end - count, end).map(({ id }) => id) };
  });
}

const requests = fc.array(fc.tuple(query, grouping), { minLength: 1, maxLength: 3 });
const often = { numRuns: runs(200) };

/** Random documents, some written again and some gone, and random searches among them. */
function forRandomSearches(check: (index: SearchIndex, asked: SearchQuery, group: Grouping) => void): void {
  fc.assert(
    fc.property(
      fc.array(given, { maxLength: 30 }),
      someIds,
      someIds,
      requests,
      (documents, again, gone, asked) => {
        const index = indexOf(documents, again, gone);
        for (const [each, group] of asked) check(index, each, group);
      },
    ),
    often,
  );
}

test('a walk gives each hit once, in the order of the pages, wherever it begins', () => {
  forRandomSearches((index, asked) => {
    const all = index.search({ ...asked, ...everything });
    const pages = walk(index, asked);
    expect(pages.flatMap(idsOf)).toEqual(idsOf(all));
    expect(new Set(pages.map(({ found }) => found))).toEqual(new Set([all.found]));
    const offset = 2 * asked.limit;
    const later = index.search({ ...asked, offset, walk: { from: null } });
    const rest = later.next === null ? [] : walk(index, asked, { from: later.next });
    expect([later, ...rest].flatMap(idsOf)).toEqual(idsOf(all).slice(offset));
  });
});

test('groups are the hits put together by what they have in the fields', () => {
  forRandomSearches((index, asked, group) => {
    const all = index.search({ ...asked, ...everything });
    const expected = plainGroups(all.hits, asked, group).map(({ key, pins, others }) => ({
      key,
      found: pins.length + others.length,
      ids: [...pins, ...others].slice(0, group.limit).map(({ id }) => id),
    }));
    const grouped = index.search({ ...asked, ...everything, group });
    expect(shownGroups(grouped)).toEqual(expected);
    expect([grouped.found, grouped.foundDocuments]).toEqual([expected.length, all.found]);
    expect(expected.reduce((sum, { found }) => sum + found, 0)).toBe(all.found);
    expect(grouped.facets).toEqual(all.facets);
    const scores = new Map(all.hits.map(({ id, score, isPinned }) => [id, [score, isPinned]]));
    for (const { id, score, isPinned } of grouped.hits) expect([score, isPinned]).toEqual(scores.get(id));
    // Whether it is cut by offsets or walked.
    const pages = Array.from({ length: Math.ceil(expected.length / asked.limit) }, (_, page) =>
      index.search({ ...asked, group, offset: page * asked.limit }),
    );
    expect(pages.flatMap(shownGroups)).toEqual(expected);
    expect(walk(index, { ...asked, group }).flatMap(shownGroups)).toEqual(expected);
  });
});

test('a facet without its own filter counts what a search without it does', () => {
  forRandomSearches((index, asked) => {
    const without = filters.find(({ text }) => text === asked.filter)?.without ?? {};
    const twins = asked.facets.map((facet) => {
      const filter = facet.field in without ? (without[facet.field] ?? null) : asked.filter;
      return index.search({ ...asked, filter, facets: [facet], limit: 0 }).facets[0];
    });
    const { facets, ...answer } = index.search({ ...asked, areFacetsDisjunctive: true });
    expect(facets).toEqual(twins);
    const { facets: _, ...usual } = index.search(asked);
    expect(answer).toEqual(usual);
  });
});

describe('while documents are written', () => {
  /** Those that stay as they are have even numbers. */
  const writes = fc.array(fc.record({ id: fc.nat(19).map((id) => 2 * id + 1), to: fc.option(given) }), {
    maxLength: 3,
  });
  const sort = fc.constantFrom<SearchQuery['sort']>(
    [],
    [{ field: 'price', descending: false }],
    [
      { field: 'on', descending: true },
      { field: 'title', descending: true },
    ],
    [{ field: 'title', descending: false }],
    [{ field: 'tags', descending: true }],
    [{ field: 'id', descending: true }],
    [{ field: 'at', descending: false, from: { lat: 1, lng: 179 } }],
    [
      { field: 'at', descending: true, from: { lat: 48, lng: 16 } },
      { field: 'price', descending: true },
    ],
  );
  const pins = fc.array(fc.record({ id: fc.nat(30).map(String), position: fc.constantFrom(1, 3, 4, 99) }), {
    maxLength: 4,
  });
  const mode = fc.constantFrom('keyword' as const, 'vector' as const);
  const filter = fc.constantFrom(null, 'price:[2..7]', '!tags:b', 'at:(0, 180, 500 km)');
  const isStable = (id: string): boolean => Number(id) % 2 === 0;

  /** Batches one after the other, as long as there are some. */
  function writer(index: SearchIndex, batches: { id: number; to: Given | null }[][]): () => void {
    let version = index.stats().version;
    const left = batches.values();
    return () => {
      const batch = left.next().value ?? [];
      version += 1;
      const puts = batch.flatMap(({ id, to }): IndexedDocument[] =>
        to === null ? [] : [documentOf(to, id)],
      );
      const deletes = batch.flatMap(({ id, to }) => (to === null ? [String(id)] : []));
      index.apply({ version, puts, deletes });
    };
  }

  test('a walk gives each document that stays as it is exactly once', () => {
    const asked = fc.record({ mode, sort, pins, filter, limit: fc.integer({ min: 1, max: 5 }) });
    fc.assert(
      fc.property(
        fc.array(given, { maxLength: 30 }),
        fc.array(writes, { maxLength: 20 }),
        asked,
        (documents, batches, { mode: asMode, ...more }) => {
          const index = indexOf(documents, [], []);
          const vector = Float32Array.of(1, 2, 0, -1);
          const search = searchFor({ mode: asMode, text: '*', vector, k: 10_000, ...more });
          const stable = idsOf(index.search({ ...search, ...everything })).filter(isStable);
          const pages = walk(index, search, { between: writer(index, batches) });
          expect(pages.flatMap(idsOf).filter(isStable).sort()).toEqual(stable.sort());
        },
      ),
      { numRuns: runs(400) },
    );
  });

  test('it goes on behind the last hit also when all scores are others by then', () => {
    const titles = Array.from({ length: 12 }, (_, i) => document(String(2 * i), { title: 'red wine' }));
    const index = SearchIndex.create({ dimension: 4, metric: 'cosine', fields: [] });
    index.apply({ version: 1, puts: titles, deletes: [] });
    const asked = searchFor({ text: 'red', limit: 5 });
    const [best] = index.search(asked).hits;
    let odd = 1;
    const between = () => {
      const puts = [
        document(String(odd), { title: 'white water' }),
        document(String(odd + 2), { title: 'no' }),
      ];
      odd += 4;
      index.apply({ version: index.stats().version + 1, puts, deletes: [] });
    };
    const pages = walk(index, asked, { between });
    expect(pages.map(({ hits }) => hits.length)).toEqual([5, 5, 2]);
    expect(pages[2]?.hits[0]?.score).not.toBe(best?.score);
    expect(new Set(pages.flatMap(idsOf)).size).toBe(12);
  });

  test('where the last hit is gone it goes on where that stood', () => {
    const prices = [5, 3, 8, 1, 9];
    const index = SearchIndex.create({ dimension: 4, metric: 'cosine', fields: [] });
    const puts = prices.map((price, i) => document(`d${i}`, { price, name: `name ${price}` }));
    for (const field of ['price', 'name']) {
      index.apply({ version: index.stats().version + 1, puts, deletes: [] });
      const asked = searchFor({ text: '*', sort: [{ field, descending: false }], limit: 2 });
      const between = () => {
        // First d3 and d1 were shown, then d0 and d2.
        const deletes = ['d1', 'd2'];
        index.apply({ version: index.stats().version + 1, puts: [], deletes });
      };
      expect(walk(index, asked, { between }).map(idsOf)).toEqual([
        ['d3', 'd1'],
        ['d0', 'd4'],
      ]);
    }
  });
});

test('the first page, and one behind ten thousand hits, take as many steps as the second one', () => {
  const index = SearchIndex.create({ dimension: 4, metric: 'cosine', fields: [] });
  const count = 10_400;
  const puts = Array.from({ length: count }, (_, i) => document(`d${i}`, { price: i % 97 }));
  index.apply({ version: 1, puts, deletes: [] });
  for (const sort of [[], [{ field: 'price', descending: true }]]) {
    const asked = searchFor({ text: '*', sort, limit: 250 });
    const pages = walk(index, asked);
    expect(new Set(pages.flatMap(idsOf)).size).toBe(count);
    const stepsOf = (given: Partial<SearchQuery>): number => {
      const steps = index.searchSteps({ ...asked, ...given }, { part: null });
      let taken = 0;
      while (!steps.next().done) taken += 1;
      return taken;
    };
    const stepsFrom = (place: WalkPlace | null = null) => stepsOf({ walk: { from: place } });
    const [second, far] = [stepsFrom(pages[0]?.next), stepsFrom(pages[40]?.next)];
    expect(pages[40]?.next?.shown).toBe(10_250);
    expect(far).toBeLessThan(1.5 * second + 2);
    // The first page is not cut out of a whole list in order.
    expect(stepsOf({ limit: 10 })).toBeLessThan(1.5 * second + 2);
  }
});

test('a group is what facets count: spellings, types, written dates and long texts apart', () => {
  const index = SearchIndex.create({
    dimension: 4,
    metric: 'cosine',
    fields: [{ name: 'at', type: 'date' }],
  });
  const long = 'word '.repeat(60);
  const values = ['Red', 'red', 5, '5', true, ['b', 'a'], ['a', 'b', 'a'], [], null, `${long}x`, `${long}y`];
  const dates = ['2024-01-01', 1_704_067_200, '2024-01-01', ['2024-01-01', 1_704_067_200], 7, [7, 8]];
  const puts = values.map((value, i) => document(`v${i}`, { value, at: dates[i] }));
  index.apply({ version: 1, puts, deletes: [] });
  const keysOf = (field: string) =>
    shownGroups(
      index.search(
        searchFor({ text: '*', group: { fields: [field], limit: 1, joinsMissing: true }, limit: 99 }),
      ),
    ).map(({ key: [key], found }) => [key, found]);
  expect(keysOf('value')).toEqual([
    ['Red', 1],
    ['red', 1],
    [`${long.slice(0, 64)}…`, 2],
    [5, 1],
    ['5', 1],
    [true, 1],
    [['a', 'b'], 2],
    [null, 2],
  ]);
  expect(keysOf('at')).toEqual([
    ['2024-01-01', 3],
    [1_704_067_200, 1],
    [null, 5],
    [7, 1],
    [[7, 8], 1],
  ]);
});

test('a page without hits ends no walk, and does not move it', () => {
  const index = indexOf(
    [
      { source: {}, vectors: [] },
      { source: {}, vectors: [] },
      { source: {}, vectors: [] },
    ],
    [],
    [],
  );
  const asked = searchFor({ text: '*', limit: 1 });
  const walked = (from: WalkPlace | null, limit: number) => index.search({ ...asked, limit, walk: { from } });
  const nothing = walked(null, 0);
  const first = walked(nothing.next, 1);
  const between = walked(first.next, 0);
  const rest = walked(between.next, 5);
  expect([nothing, first, between, rest].map((page) => idsOf(page).length)).toEqual([0, 1, 0, 2]);
  expect(new Set([...idsOf(first), ...idsOf(rest)]).size).toBe(3);
  expect([rest.next, walked(first.next, 5).next]).toEqual([null, null]);
});
