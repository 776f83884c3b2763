import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runSteps } from '#server/engine/steps.ts';
import { runs } from '#server/engine/testing/runs.ts';
import type { IndexedDocument } from '#server/engine/types.ts';
import { AppError } from '#server/errors.ts';
import { asRead, parameters, testRequester } from '#server/testing/open-indexes.ts';
import type { Override } from '#shared/overrides.ts';
import type { GroupedAnswer, SearchAnswer, SearchHit } from '#shared/search.ts';
import type { ExplainAnswer } from '#shared/standing.ts';
import { SearchTimeoutError } from '../../host/call-errors.ts';
import { EngineCallHandler } from '../../host/engine-call-handler.ts';
import { packBatch } from '../../host/packed-batch.ts';
import { nothingStored, Rules, type StoredRules } from '../../rules/rules.ts';
import type { Reader } from '../merged-members.ts';
import { Searcher } from '../searcher.ts';
import { explainDocument } from './explainer.ts';

/** Explained searches beside the searches themselves, down to the engine and without a record. */

const dimension = 3;
/** Any vector will do, as long as equal words have equal ones. */
function vectorOf(text: string): Float32Array {
  const sum = [...text].reduce((total, letter, i) => total + (letter.codePointAt(0) ?? 0) * (i + 1), 0);
  return Float32Array.from({ length: dimension }, (_, i) => Math.sin((i + 1) * sum) + i / dimension);
}

interface Doc {
  title: string;
  text: string;
  year: number;
  at?: [lat: number, lng: number];
  vector: readonly number[];
}

function indexed({ vector, ...fields }: Doc, i: number): IndexedDocument {
  return {
    id: `d${i}`,
    source: JSON.stringify({ id: `d${i}`, ...fields }),
    vectors: Float32Array.from(vector),
    spans: vector.length > 0 ? Int32Array.of(0, 0, 1) : new Int32Array(0),
  };
}

function worldOf(documents: Doc[], stored: Partial<StoredRules> = {}, before = (_call: string): void => {}) {
  const engine = new EngineCallHandler();
  const fields = [
    { name: 'title', type: 'string' as const },
    { name: 'text', type: 'string' as const },
    { name: 'year', type: 'number' as const },
    { name: 'at', type: 'geopoint' as const },
  ];
  engine.run(1, { call: 'open', settings: { dimension, metric: 'cosine', fields }, snapshot: null });
  engine.run(1, {
    call: 'apply',
    batch: packBatch({ version: 1, puts: documents.map(indexed), deletes: [] }),
  });
  const collection = { id: 1, for: testRequester, dimension, metric: 'cosine' as const, rulesVersion: 0 };
  const registry = {
    read: async (_: unknown, request: Parameters<typeof engine.run>[1]) => {
      before(request.call);
      return structuredClone(engine.run(1, structuredClone(request)));
    },
  } as Reader;
  const parts = {
    registry,
    rules: { of: async () => runSteps(Rules.of({ ...nothingStored, ...stored })) },
    vocabularies: { of: async () => ({ values: new Map(), numbers: [] }) },
    clock: () => new Date('2026-01-01'),
    embedder: { embedQuery: async (text: string) => vectorOf(text), knowsWord: () => false },
    tierOf: () => 'static' as const,
  };
  const searcher = new Searcher({ ...parts, registry: plainRegistry(engine), answerBytesMax: 32e6 });
  return {
    search: async (given: Record<string, unknown>): Promise<SearchAnswer | GroupedAnswer> =>
      asRead(await searcher.search(collection, parameters(given))),
    explain: async ({ id, ...given }: Record<string, unknown>): Promise<ExplainAnswer> =>
      asRead(await explainDocument(parts, collection, { ...parameters(given), id: String(id) })),
  };
}

/** Hits come as bytes that stay where they are. */
function plainRegistry(engine: EngineCallHandler): Reader {
  return {
    read: async (_: unknown, request: Parameters<typeof engine.run>[1]) => engine.run(1, request),
  } as Reader;
}

type World = ReturnType<typeof worldOf>;

/** Each place of a list: a hit, or the hits of a group. */
function placesOf(answer: SearchAnswer | GroupedAnswer): SearchHit[][] {
  return 'hits' in answer ? answer.hits.map((hit) => [hit]) : answer.grouped_hits.map(({ hits }) => hits);
}

/** Of every page, and of groups all that they have. */
async function allPlaces({ search }: World, given: Record<string, unknown>): Promise<SearchHit[][]> {
  const { page: _, cursor: __, ...asked } = given;
  return placesOf(await search({ ...asked, per_page: 250, group_limit: 99 }));
}

const idsOf = (places: SearchHit[][]) => places.flat().map(({ id }) => id);

/** The same search, at its second page by a cursor, where it has one. */
async function secondPage({ search }: World, given: Record<string, unknown>) {
  const { page: _, ...asked } = given;
  const { next_cursor } = await search({ ...asked, cursor: '' });
  return next_cursor ? { ...asked, cursor: next_cursor } : given;
}

const word = fc.constantFrom(
  'robot',
  'robots',
  'love',
  'glove',
  'learning',
  'earning',
  'the',
  'iron',
  'warsaw',
);
const typed = fc.oneof(
  { weight: 3, arbitrary: word },
  {
    weight: 1,
    arbitrary: fc.constantFrom('robto', 'lvoe', 'irn', 'learnign', 'xyz', 'rob', 'machine', 'pet'),
  },
);
const wordsOf = (of: fc.Arbitrary<string>, minLength: number, maxLength: number) =>
  fc.array(of, { minLength, maxLength }).map((each) => each.join(' '));
const component = fc.double({ min: -1, max: 1, noNaN: true });
const documents = fc.array(
  fc.record({
    title: wordsOf(word, 1, 3),
    text: wordsOf(word, 0, 6),
    year: fc.integer({ min: 1990, max: 1995 }),
    at: fc.constantFrom<[number, number]>([48, 16], [48.01, 16.02], [-1, 179.9], [0, -179.9], [90, 7]),
    vector: fc.oneof(
      { weight: 6, arbitrary: fc.tuple(component, component, component).map((each) => [...each]) },
      { weight: 1, arbitrary: fc.constant([]) },
    ),
  }),
  { minLength: 1, maxLength: 16 },
);
const override = (rest: Partial<Override>, query = 'robot'): Override => ({
  id: 'a',
  rule: { query, match: 'contains' },
  active: true,
  ...rest,
});
const overrides = fc.constantFrom<Override[]>(
  [],
  [override({ excludes: [{ id: 'd0' }], includes: [{ id: 'd1', position: 2 }] })],
  [override({ filter_by: 'year:>1991', excludes: [{ id: 'd2' }] })],
  [override({ replace_query: 'iron love', sort_by: 'year:desc' })],
);
const manySided = fc.record(
  {
    mode: fc.constantFrom('keyword', 'vector', 'hybrid'),
    query: wordsOf(typed, 1, 4),
    query_by: fc.constantFrom('title', 'title,text'),
    filter_by: fc.constantFrom(
      'year:>1992',
      'year:[1990..1993] && title:love',
      '(year:1990 && text:iron) || (year:1991 && !title:robot)',
      '!(year:1992 || text:*)',
      'at:(48, 16, 1 km) && year:<1994',
      '!at:(0, 180, 200 km) && (at:(48, 16, 900 m) || year:1990)',
      'at:(-5, 175, 5, 175, 5, -175)',
    ),
    sort_by: fc.constantFrom('year:desc', '_score:asc', 'at(0, -179):desc'),
    per_page: fc.constantFrom(0, 1, 3, 10, 10),
    page: fc.constantFrom(1, 1, 1, 2, 4),
    num_typos: fc.constantFrom(0, 1),
    prefix: fc.boolean(),
    match: fc.constantFrom('all', 'any', 'any'),
    k: fc.integer({ min: 1, max: 6 }),
    vector_query: fc.constantFrom(
      [0.1, 0.7, -0.3],
      { distance_threshold: 0.2 },
      'embedding:([1, 0.2, 0.1], k:2, distance_threshold:0.9)',
    ),
    alpha: fc.constantFrom(0, 0.3, 1),
    enable_synonyms: fc.boolean(),
    stop_words: fc.constantFrom('none', ['iron']),
    group_by: fc.constantFrom('year', 'year,title'),
    group_limit: fc.constantFrom(1, 2),
    group_missing_values: fc.boolean(),
  },
  { requiredKeys: ['mode', 'query'] },
);
/** Of which some documents stand behind others of their group, whatever else is rare. */
const grouped = fc.record({
  mode: fc.constant('keyword'),
  query: wordsOf(typed, 1, 4),
  match: fc.constant('any'),
  group_by: fc.constant('year'),
  group_limit: fc.constant(1),
});
const searches = fc.oneof({ weight: 4, arbitrary: manySided }, { weight: 1, arbitrary: grouped });
const synonyms = [{ id: 's', root: null, synonyms: ['machine', 'robot'] }];

const changed = (given: Record<string, unknown>, { changes }: ExplainAnswer): Record<string, unknown> => ({
  ...given,
  ...Object.fromEntries(changes.map(({ parameter, value }) => [parameter, value])),
});

describe('where a document stands', () => {
  test('is where the pages show it, and what is told to change shows it', async () => {
    const seen = { there: 0, lost: 0, byOne: 0, bySeveral: 0, walked: 0 };
    const steps = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        documents,
        overrides,
        searches,
        fc.nat(16),
        fc.boolean(),
        async (docs, rules, first, n, walks) => {
          const world = worldOf(docs, { overrides: rules, synonyms });
          const id = `d${n}`;
          const given: Record<string, unknown> = walks ? await secondPage(world, first) : first;
          const told = await world.explain({ ...given, id });
          const places = await allPlaces(world, given);
          const at = places.findIndex((hits) => hits.some((hit) => hit.id === id));
          const within = places[at]?.findIndex((hit) => hit.id === id) ?? -1;
          expect([told.rank, told.found]).toEqual([at < 0 ? null : at + 1, places.length]);
          expect(told.group?.rank ?? 1).toBe(Math.max(0, within) + 1);
          expect(told.group?.found ?? 1).toBe(places[at]?.length ?? 1);
          expect(told.score).toBe(places[at]?.[within]?.score);
          const isThere = idsOf(placesOf(await world.search(given))).includes(id);
          expect(told.lost === null).toBe(isThere);
          if (told.lost !== null) steps.add(told.lost.step);
          if (given['cursor'] !== undefined) seen.walked += 1;
          if (n >= docs.length) expect([told.lost?.step, told.changes]).toEqual(['document', []]);
          if (isThere) {
            expect(told.changes).toEqual([]);
            seen.there += 1;
            return;
          }
          // What has no vector can only be found by words.
          const mayCome = n < docs.length && (first.mode !== 'vector' || docs[n]?.vector.length !== 0);
          if (mayCome) expect(told.changes.length).toBeGreaterThan(0);
          if (told.changes.length === 0) return;
          seen.lost += 1;
          seen[told.changes.length === 1 ? 'byOne' : 'bySeveral'] += 1;
          expect(idsOf(placesOf(await world.search(changed(given, told))))).toContain(id);
        },
      ),
      { numRuns: 400 },
    );
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
    expect([...steps]).toEqual(
      // Rarer ones have tests of their own.
      expect.arrayContaining(['document', 'filter', 'word']),
    );
  });

  test('several changes are told only where none suffices alone', async () => {
    const single = [
      { num_typos: 1 },
      { num_typos: 2 },
      { prefix: true },
      { match: 'any' },
      { filter_by: '' },
      { enable_overrides: false },
      { query: '*' },
      { page: 1 },
      { page: 2 },
      { k: 100 },
    ];
    await fc.assert(
      fc.asyncProperty(documents, overrides, searches, fc.nat(15), async (docs, rules, asked, n) => {
        const { group_by: _, ...given } = asked;
        const world = worldOf(docs, { overrides: rules, synonyms });
        const id = `d${n}`;
        const { changes } = await world.explain({ ...given, id, per_page: 250, page: 1 });
        if (changes.length < 2) return;
        for (const change of single) {
          // There is nothing to compare then, or the rule that acts on these words does not act on others.
          const hasRule = changes.some(({ parameter }) => parameter === 'enable_overrides');
          if ('query' in change && (given.mode === 'vector' || hasRule)) continue;
          const answer = await world.search({ ...given, per_page: 250, page: 1, ...change });
          // Fields and weights, or a vector and its `k`, say one thing together.
          const alone = `${JSON.stringify(change)} beside ${JSON.stringify(changes)}`;
          expect(idsOf(placesOf(answer)), alone).not.toContain(id);
        }
      }),
      { numRuns: 60 },
    );
  });

  const byScore = { base: -2, score: 4, words: 0, nearest: 0 };
  const relevance = { keyword: byScore, vector: byScore, hybrid: byScore };

  test('of what is not relevant enough it is told, with how much is, and of what is lost before, how it comes all the same', async () => {
    const steps = new Set<string>();
    const asked = fc.record({
      mode: fc.constantFrom('keyword', 'vector', 'hybrid'),
      query: wordsOf(typed, 1, 3),
      min_relevance: fc.constantFrom(0.3, 0.6, 1),
      match: fc.constantFrom('all', 'any'),
      filter_by: fc.constantFrom('', 'year:>1992'),
      per_page: fc.constant(50),
    });
    await fc.assert(
      fc.asyncProperty(documents, overrides, asked, fc.nat(15), async (docs, rules, given, n) => {
        const world = worldOf(docs, { overrides: rules, synonyms, relevance });
        const id = `d${n}`;
        const told = await world.explain({ ...given, id });
        const { min_relevance, ...plain } = given;
        const [hits, all] = await Promise.all([allPlaces(world, given), allPlaces(world, plain)]);
        expect(told.rank !== null).toBe(idsOf(hits).includes(id));
        const own = all.flat().find((hit) => hit.id === id);
        const isBeneath = own !== undefined && !own.curated && (own.relevance ?? 1) < min_relevance;
        expect(told.lost?.step === 'relevance').toBe(isBeneath);
        if (told.lost !== null) steps.add(told.lost.step);
        if (isBeneath) expect(told.changes).toHaveLength(1);
        if (told.changes.length > 0)
          expect(idsOf(placesOf(await world.search(changed(given, told))))).toContain(id);
      }),
      { numRuns: runs(200) },
    );
    expect([...steps]).toEqual(expect.arrayContaining(['relevance', 'filter']));
  });

  const films: Doc[] = [
    { title: 'Metropolis', text: 'a city and its machines', year: 1927, vector: [1, 0, 0] },
    { title: 'Solaris', text: 'a thinking ocean', year: 1972, vector: [0, 1, 0] },
    { title: 'Stalker', text: 'the zone and a metropolis', year: 1979, vector: [0, 0, 1] },
  ];

  test('the condition is named that keeps it out, with its place', async () => {
    const { explain } = worldOf(films);
    const filter_by = 'year:<1980 && (title:solaris || year:>1975) && text:machines';
    expect(await explain({ id: 'd0', query: '*', filter_by })).toMatchObject({
      rank: null,
      lost: { step: 'filter', clauses: [{ clause: 'title:solaris || year:>1975', position: 15 }] },
      changes: [{ parameter: 'filter_by', value: 'year:<1980 && text:machines' }],
    });
  });

  test('the least relevance is named that it lies below, and the one with which it comes', async () => {
    const { explain, search } = worldOf(films, { relevance });
    const asked = { query: 'metropolis', min_relevance: 0.8 };
    const found = await search({ query: 'metropolis' });
    const own =
      placesOf(found)
        .flat()
        .find(({ id }) => id === 'd2')?.relevance ?? 0;
    expect(own).toBeLessThan(0.8);
    const told = await explain({ id: 'd2', ...asked });
    expect(told).toMatchObject({
      rank: null,
      lost: { step: 'relevance', message: expect.stringContaining('below min_relevance, 0.8') },
      changes: [{ parameter: 'min_relevance', value: Math.floor(own * 1e3) / 1e3 }],
    });
    expect((await explain({ id: 'd2', query: 'metropolis' })).relevance).toBe(own);
    // Other fields make other scores, by which no relevance is told.
    const byTitle = worldOf(films, { relevance, settings: { query_by: ['title'] } });
    expect((await byTitle.explain({ id: 'd2', ...asked, min_relevance: 0.1 })).changes).toEqual([
      { parameter: 'query_by', value: ['title', 'text'] },
      { parameter: 'min_relevance', value: 0 },
    ]);
  });

  test('it is named also where trying changes takes more than a search may compute', async () => {
    let asked = 0;
    const { explain } = worldOf(films, {}, (call) => {
      if (call === 'standing') asked += 1;
      const cause = new SearchTimeoutError('filter', 2_000);
      if (asked > 1) throw new AppError('UNPROCESSABLE', 'takes more than 2 s', { cause });
    });
    expect(await explain({ id: 'd0', query: '*', filter_by: 'year:>1980' })).toMatchObject({
      rank: null,
      lost: { step: 'filter', clauses: [{ clause: 'year:>1980' }] },
      changes: [],
    });
    expect(asked).toBe(2);
  });

  test('a circle is named that it lies beside, and how wide it has to be', async () => {
    const { explain } = worldOf([
      { title: 'Paris', text: '', year: 1, at: [48.8566, 2.3522], vector: [1, 0, 0] },
      { title: 'nowhere', text: '', year: 1, vector: [0, 1, 0] },
    ]);
    const asked = { id: 'd0', query: '*', sort_by: 'at(51.5074, -0.1278):asc' };
    const london = 'at:(51.5074, -0.1278, 5 km)';
    const changed = 'year:<2 && at:(51.5074, -0.1278, 343.557 km)';
    expect(await explain({ ...asked, filter_by: `year:<2 && ${london}` })).toMatchObject({
      lost: { step: 'filter', clauses: [{ clause: london, position: 11 }] },
      changes: [{ parameter: 'filter_by', value: changed }],
    });
    expect(await explain({ ...asked, filter_by: changed })).toMatchObject({
      rank: 1,
      lost: null,
      geo_distance_meters: { at: expect.closeTo(343_556, -1) },
    });
    const valueFor = async (given: Record<string, unknown>) =>
      (await explain({ ...asked, ...given })).changes.map(({ value }) => value);
    // Narrower where it must not lie inside; without the condition where no radius would do.
    expect(await valueFor({ filter_by: '!at:(48.8566, 2.4, 4 mi)' })).toEqual([
      '!at:(48.8566, 2.4, 2.172 mi)',
    ]);
    expect(await valueFor({ filter_by: '!at:(48.8566, 2.3522, 4 m)' })).toEqual(['']);
    expect(await valueFor({ filter_by: 'at:(0, 0, 0, 1, 1, 1) && year:1' })).toEqual(['year:1']);
    expect(await valueFor({ id: 'd1', filter_by: `${london} && year:1` })).toEqual(['year:1']);
  });

  test('the words are named that it does not hold, and where it holds them after all', async () => {
    const { explain } = worldOf(films);
    const asked = { id: 'd2', query: 'metropolis', query_by: 'title' };
    expect(await explain(asked)).toMatchObject({
      lost: { step: 'word', words: [{ word: 'metropolis', other_fields: ['text'] }] },
      changes: [{ parameter: 'query_by', value: ['title', 'text'] }],
    });
    expect(await explain({ id: 'd1', query: 'solarsi', num_typos: 0 })).toMatchObject({
      lost: { step: 'typo_limit', words: [{ word: 'solarsi', near: { word: 'solaris', typos: 1 } }] },
      changes: [{ parameter: 'num_typos', value: 1 }],
    });
    expect(await explain({ id: 'd1', query: 'the ocean machines', match: 'all' })).toMatchObject({
      lost: { step: 'word', words: [{ word: 'machines' }] },
      changes: [{ parameter: 'match', value: 'any' }],
    });
  });

  test('its place among the nearest is told, and the k or the threshold that reach it', async () => {
    const { explain } = worldOf(films);
    const asked = { id: 'd2', mode: 'vector', query: 'x', vector_query: [1, 0.5, 0] };
    expect(await explain({ ...asked, k: 1 })).toMatchObject({
      lost: { step: 'neighbours', nearest: 3, vector_distance: 1 },
      changes: [{ parameter: 'vector_query', value: { k: 3 } }],
    });
    const near = { vector: [1, 0.5, 0], distance_threshold: 0.3 };
    expect((await explain({ ...asked, vector_query: near })).changes).toEqual([
      { parameter: 'vector_query', value: { vector: [1, 0.5, 0], k: 10, distance_threshold: 1 } },
    ]);
  });

  test('an override that hides it, replaces the query or filters it out is told', async () => {
    const acting: Partial<Override>[] = [
      { excludes: [{ id: 'd1' }] },
      { replace_query: 'city' },
      { filter_by: 'year:<1950' },
    ];
    for (const rest of acting) {
      const { explain } = worldOf(films, { overrides: [override(rest, 'ocean')] });
      const { lost, changes } = await explain({ id: 'd1', query: 'ocean' });
      expect(lost?.step).toBe('replace_query' in rest ? 'word' : 'rule');
      expect(changes).toEqual([{ parameter: 'enable_overrides', value: false }]);
    }
  });

  test('a hit on another page has its rank, its page and what its score is made of', async () => {
    const { explain } = worldOf(films);
    const told = await explain({ id: 'd2', query: '*', sort_by: 'year:asc', per_page: 1 });
    expect(told).toMatchObject({
      rank: 3,
      page: 3,
      found: 3,
      lost: { step: 'rank' },
      changes: [{ parameter: 'page', value: 3 }],
      explain: { parts: { keyword: 0 } },
    });
    const there = await explain({ id: 'd2', query: '*', sort_by: 'year:asc', per_page: 1, page: 3 });
    expect([there.lost, there.changes]).toEqual([null, []]);
  });

  test('within its group its place is told, and the limit that shows it; on another page both', async () => {
    const { explain } = worldOf([...films, { ...films[1], title: 'Solaris again' } as Doc]);
    const asked = { query: '*', group_by: 'year', group_limit: 1, per_page: 1, sort_by: 'year:asc' };
    expect(await explain({ id: 'd3', ...asked, page: 2 })).toMatchObject({
      rank: 2,
      found: 3,
      found_docs: 4,
      group: { group_key: [1972], found: 2, rank: 2 },
      lost: { step: 'group' },
      changes: [{ parameter: 'group_limit', value: 2 }],
    });
    const { lost, also_lost, changes } = await explain({ id: 'd3', ...asked });
    expect([lost?.step, also_lost?.map(({ step }) => step)]).toEqual(['rank', ['group']]);
    expect(changes).toEqual([
      { parameter: 'page', value: 2 },
      { parameter: 'group_limit', value: 2 },
    ]);
  });

  test('with a cursor its page is the one that counts, and what is changed begins anew', async () => {
    const { explain, search } = worldOf(films);
    const asked = { query: '*', sort_by: 'year:asc', per_page: 1 };
    const { next_cursor: cursor } = await search({ ...asked, cursor: '' });
    expect(await explain({ id: 'd1', ...asked, cursor })).toMatchObject({ rank: 2, lost: null, changes: [] });
    expect((await explain({ id: 'd0', ...asked, cursor })).changes).toEqual([
      { parameter: 'cursor', value: '' },
    ]);
    await expect(explain({ id: 'd0', ...asked, query: 'zone', cursor })).rejects.toThrow(/^cursor: /);
  });

  test('the document that the others are compared with is told so', async () => {
    const { explain } = worldOf(films);
    expect(await explain({ id: 'd1', mode: 'vector', vector_query: { id: 'd1' } })).toMatchObject({
      rank: null,
      lost: { step: 'neighbours', message: expect.stringContaining('compared with') },
      changes: [],
    });
  });

  test('a misspelt field is a fault, as it is in the search', async () => {
    const { explain } = worldOf(films);
    await expect(explain({ id: 'd1', query: 'x', sort_by: 'yaer' })).rejects.toThrow(/the nearest is "year"/);
  });
});

describe('a query with operators', () => {
  const docs: Doc[] = ['red wine', 'wine red', 'red war'].map((title) => ({
    title,
    text: '',
    year: 2000,
    vector: [],
  }));

  test('says what was read, and which of it a document does not meet', async () => {
    const world = worldOf(docs);
    const given = { query: '"red wine" -war', mode: 'keyword' };
    const { found, request } = await world.search(given);
    expect([found, request.phrases, request.excluded]).toEqual([1, ['red wine'], ['war']]);
    const turned = await world.explain({ ...given, id: 'd1' });
    expect(turned.lost?.step).toBe('phrase');
    expect(turned.changes).toEqual([{ parameter: 'query', value: 'red wine -"war"' }]);
    const excluded = await world.explain({ query: 'red -war', mode: 'keyword', id: 'd2' });
    expect(excluded.lost?.step).toBe('exclusion');
    expect(excluded.changes).toEqual([{ parameter: 'query', value: 'red' }]);
  });

  test('keeps its exclusions where an override replaces it', async () => {
    const { search } = worldOf(docs, { overrides: [override({ replace_query: 'red' }, 'claret')] });
    const answer = await search({ query: 'claret -war', mode: 'keyword' });
    expect([answer.found, answer.request.excluded]).toEqual([2, ['war']]);
  });

  test('has no more of them than are allowed', async () => {
    const query = '-war '.repeat(101);
    await expect(worldOf(docs).search({ query, mode: 'keyword' })).rejects.toThrow(AppError);
  });
});
