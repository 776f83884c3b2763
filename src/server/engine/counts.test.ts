import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toRanking } from '#server/indexes/search/to-ranking.ts';
import { SearchIndex } from './search-index.ts';
import { searchFor } from './testing/fixtures.ts';
import type {
  EngineAnswer,
  EngineHit,
  IndexedDocument,
  IndexSettings,
  Pin,
  SearchQuery,
  Synonym,
} from './types.ts';

/** One truth for counts: `found`, the pages and the facets speak of the same candidates, in every mode. */

const dimension = 4;
const word = fc.constantFrom('red', 'wine', 'old', 'house', 'river', 'houses', 'reds', 'stone');
const component = fc.integer({ min: -2, max: 2 });

interface Source {
  title?: string;
  tags?: string[];
  price?: number;
  on?: boolean;
}

interface Given {
  source: Source;
  vectors: number[][];
}

const given: fc.Arbitrary<Given> = fc.record({
  source: fc.record(
    {
      title: fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' ')),
      tags: fc.array(fc.constantFrom('a', 'b', 'A b'), { maxLength: 3 }),
      price: fc.integer({ min: 0, max: 9 }),
      on: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  vectors: fc.array(fc.array(component, { minLength: dimension, maxLength: dimension }), { maxLength: 2 }),
});

const query: fc.Arbitrary<SearchQuery> = fc.record({
  mode: fc.constantFrom('keyword' as const, 'vector' as const, 'hybrid' as const),
  text: fc.oneof(
    { weight: 1, arbitrary: fc.constantFrom('', '*') },
    { weight: 4, arbitrary: fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')) },
  ),
  fields: fc.constantFrom(null, [{ name: 'title', weight: 1 }]),
  vector: fc.option(
    fc
      .array(component, { minLength: dimension, maxLength: dimension })
      .map((components) => Float32Array.from(components)),
  ),
  filter: fc.constantFrom(
    null,
    'price:[2..7]',
    'tags:=b || on:true',
    '!tags:b',
    'title:red',
    'price:*',
    'price:>9',
  ),
  sort: fc.constantFrom(
    [],
    [{ field: 'price', descending: true }],
    [
      { field: 'on', descending: false },
      { field: '_score', descending: true },
    ],
    [{ field: '_vector_distance', descending: false }],
  ),
  facets: fc.constant([
    { field: 'tags', ranges: [] },
    { field: 'price', ranges: [] },
    { field: 'on', ranges: [] },
    {
      field: 'price',
      ranges: [
        { label: 'low', from: 0, to: 5 },
        { label: 'high', from: 5, to: null },
      ],
    },
  ]),
  facetQuery: fc.constant(null),
  facetValuesMax: fc.constant(1_000),
  offset: fc.constant(0),
  limit: fc.integer({ min: 1, max: 12 }),
  prefix: fc.boolean(),
  typosMax: fc.constantFrom(0, 2),
  dropTokensThreshold: fc.constantFrom(0, 1, 10),
  match: fc.constantFrom('auto' as const, 'all' as const, 'any' as const),
  k: fc.integer({ min: 1, max: 30 }),
  metric: fc.constant(null),
  distanceThreshold: fc.constantFrom(null, 0.5),
  alpha: fc.constantFrom(0, 0.5, 1),
  fusion: fc.constantFrom('weighted' as const, 'rrf' as const),
  highlightFields: fc.constant(null),
  excludeIds: fc.constantFrom([], ['3', 'nobody']),
  ruleFilter: fc.constantFrom(null, null, 'price:<8', 'on:true'),
  stopWords: fc.constantFrom(null, ['old']),
  synonyms: fc.constantFrom<Synonym[]>(
    [],
    [
      { words: ['red'], alternatives: [['stone'], ['old', 'house']] },
      { words: ['old', 'house'], alternatives: [['river']] },
    ],
  ),
  pins: fc.oneof(
    fc.constant<Pin[]>([]),
    fc.array(
      fc.record({
        id: fc.nat(32).map(String),
        position: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constant(99)),
      }),
      { maxLength: 6 },
    ),
  ),
  ranking: fc.constantFrom(
    searchFor({}).ranking,
    toRanking({ k1: 0, rrf_constant: 0, short_query_words: 1 }),
  ),
});

/** Declared, so that filters name known fields whatever the documents have. */
const fields: IndexSettings['fields'] = [
  { name: 'title', type: 'string' },
  { name: 'tags', type: 'string' },
  { name: 'price', type: 'number' },
  { name: 'on', type: 'boolean' },
];

const documentOf = ({ source, vectors }: Given, id: number): IndexedDocument => ({
  id: String(id),
  source: JSON.stringify({ id: String(id), ...source }),
  vectors: Float32Array.from(vectors.flat()),
  spans: Int32Array.from(vectors.flatMap(() => [-1, 0, 0])),
});

/** Some documents replaced and some deleted, so that there are tombstones. */
function indexOf(documents: Given[], again: number[], gone: number[]): SearchIndex {
  const index = SearchIndex.create({ dimension, metric: 'cosine', fields });
  index.apply({ version: 1, puts: documents.map(documentOf), deletes: [] });
  const puts = documents.flatMap((each, id) => (again.includes(id) ? [documentOf(each, id)] : []));
  index.apply({ version: 2, puts, deletes: [] });
  index.apply({ version: 3, puts: [], deletes: gone.map(String) });
  return index;
}

/** Page after page until one is empty; one page more than there can be would be an endless search. */
function allPages(index: SearchIndex, asked: SearchQuery): { hits: EngineHit[]; answers: EngineAnswer[] } {
  const answers: EngineAnswer[] = [];
  const hits: EngineHit[] = [];
  for (let offset = 0; answers.length < 100; offset += asked.limit) {
    const answer = index.search({ ...asked, offset });
    answers.push(answer);
    hits.push(...answer.hits);
    if (answer.hits.length === 0) break;
    if (answer.hits.length > asked.limit) throw new Error('a page is longer than asked for');
  }
  return { hits, answers };
}

function recount(
  hits: EngineHit[],
  labels: (source: Source) => unknown[],
): { value: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { source } of hits) {
    const own = labels(JSON.parse(new TextDecoder().decode(source)) as Source).filter(
      (label) => label !== undefined,
    );
    for (const label of new Set(own.map(String))) counts.set(label, (counts.get(label) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

const rangeOf = (price: number | undefined): string[] => {
  if (price === undefined) return [];
  return [price < 5 ? 'low' : 'high'];
};

test('the pages together are what was found, no hit twice, and the facets count them', {
  timeout: 60_000,
}, () => {
  const someIds = fc.uniqueArray(fc.nat(30), { maxLength: 8 });
  fc.assert(
    fc.property(
      fc.array(given, { maxLength: 30 }),
      someIds,
      someIds,
      fc.array(query, { minLength: 1, maxLength: 4 }),
      (documents, again, gone, queries) => {
        const index = indexOf(documents, again, gone);
        const withRed = documents.flatMap(({ source }, id) =>
          source.title?.split(' ').includes('red') && !gone.includes(id) ? [String(id)] : [],
        );
        expect(new Set(index.ids('title:red'))).toEqual(new Set(withRed));
        for (const asked of queries) {
          const { hits, answers } = allPages(index, asked);
          const ids = hits.map(({ id }) => id);
          expect(new Set(ids).size).toBe(ids.length);
          expect(ids.filter((id) => asked.excludeIds.includes(id) || gone.includes(Number(id)))).toEqual([]);
          for (const answer of answers) {
            expect(answer.found).toBe(hits.length);
            expect(answer.facets).toEqual(answers[0]?.facets);
          }
          expect(answers[0]?.facets.map(({ counts }) => counts)).toEqual([
            recount(hits, ({ tags }) => tags ?? []),
            recount(hits, ({ price }) => [price]),
            recount(hits, ({ on }) => [on]),
            recount(hits, ({ price }) => rangeOf(price)),
          ]);
          expect(
            hits.filter(({ isPinned, id }) => isPinned !== asked.pins.some((pin) => pin.id === id)),
          ).toEqual([]);
          const inRule = new Set(index.ids(asked.ruleFilter));
          const inFilter = new Set(index.ids(asked.filter).filter((id) => inRule.has(id)));
          expect(ids.filter((id) => !inFilter.has(id))).toEqual([]);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('without words and without a limit on neighbours every document of the filter is found, in every mode that has them', () => {
  const documents: Given[] = Array.from({ length: 25 }, (_, i) => ({
    source: { title: 'red wine', price: i % 10 },
    vectors: [[1, i, 0, 1]],
  }));
  const index = indexOf(documents, [1, 2], [5]);
  for (const mode of ['keyword', 'vector', 'hybrid'] as const) {
    const vector = Float32Array.of(1, 0, 0, 0);
    const answer = index.search(searchFor({ mode, text: '*', vector, filter: 'price:<5', k: 100 }));
    expect(answer.found).toBe(index.ids('price:<5').length);
    expect(answer.outOf).toBe(24);
  }
});
