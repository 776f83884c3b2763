import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { loopTurns } from '#server/admission/loop-turns.ts';
import type { Tier } from '#server/embeddings/embedder.ts';
import { runSteps } from '#server/engine/steps.ts';
import { runs } from '#server/engine/testing/runs.ts';
import type { IndexedDocument, Metric } from '#server/engine/types.ts';
import { asRead, parameters, testRequester } from '#server/testing/open-indexes.ts';
import { limits } from '#shared/limits.ts';
import type { MergedSearchAnswer, SearchAnswer, SearchHit } from '#shared/search.ts';
import type { Synonym } from '#shared/synonyms.ts';
import { EngineCallHandler } from '../host/engine-call-handler.ts';
import { packBatch } from '../host/packed-batch.ts';
import type { MergedTarget } from '../indexes.ts';
import { nothingStored, Rules, type StoredRules } from '../rules/rules.ts';
import type { Reader } from './merged-members.ts';
import { searchMerged } from './search-merged.ts';
import { Searcher } from './searcher.ts';

/** A search over several collections, down to the engine and without a record. */

const dimension = 3;
/** Any vector will do, as long as equal words have equal ones. */
function vectorOf(text: string, width = dimension): Float32Array {
  const sum = [...text].reduce((total, letter, i) => total + (letter.codePointAt(0) ?? 0) * (i + 1), 0);
  return Float32Array.from({ length: width }, (_, i) => Math.sin((i + 1) * sum) + i / width);
}
const embedder = {
  knowsWord: (text: string) => text === 'wert',
  embedQuery: async (text: string) => vectorOf(text),
  readQuery: async (text: string) => ({ toVector: async (width: number) => vectorOf(text, width) }),
};

interface Doc {
  id: string;
  title: string;
  text: string;
  year: number;
  vector: readonly number[];
}

function indexed({ vector, ...fields }: Doc): IndexedDocument {
  return {
    id: fields.id,
    source: JSON.stringify(fields),
    vectors: Float32Array.from(vector),
    spans: Int32Array.of(0, 0, fields.title.length),
  };
}

/** Collections with these documents, numbered from 1. */
function collectionsOf(parts: Doc[][], metrics: Metric[] = [], dimensions: number[] = []) {
  const engine = new EngineCallHandler();
  const collections = parts.map((documents, i) => {
    const id = i + 1;
    const metric = metrics[i] ?? 'cosine';
    const width = dimensions[i] ?? dimension;
    engine.run(id, { call: 'open', settings: { dimension: width, metric, fields: [] }, snapshot: null });
    const batch = packBatch({ version: 1, puts: documents.map(indexed), deletes: [] });
    engine.run(id, { call: 'apply', batch });
    const of = { id, for: testRequester, name: `c${id}` };
    return { ...of, dimension: width, metric, rulesVersion: 0 };
  });
  const registry = {
    read: async (collection: { id: number }, request: Parameters<typeof engine.run>[1]) =>
      engine.run(collection.id, structuredClone(request)),
  };
  return { collections, engine, registry: registry as Reader };
}

type World = Pick<ReturnType<typeof collectionsOf>, 'collections' | 'registry'> & {
  stored?: Partial<StoredRules>;
  /** Of a query; absent: any that will do. */
  queryVector?: Float32Array;
  /** Of a collection; absent: the table. */
  tierOf?: (collectionId: number) => Tier;
};

/** The same of every collection. */
const partsWith = (stored: Partial<StoredRules>) => ({
  rules: { of: async () => runSteps(Rules.of({ ...nothingStored, ...stored })) },
  vocabularies: { of: async () => ({ values: new Map(), numbers: [] }) },
  clock: () => new Date(),
  embedder,
  tierOf: () => 'static' as const,
});

const embedsTo = (vector: Float32Array) => ({
  embedder: { ...embedder, readQuery: async () => ({ toVector: async () => vector }) },
});

async function merged(
  { collections, registry, stored = {}, queryVector, tierOf = () => 'static' }: World,
  given: Record<string, unknown>,
  merge: { page?: number; per_page?: number } = {},
): Promise<Omit<MergedSearchAnswer, 'failures'>> {
  const targets = collections.map((collection): MergedTarget => {
    return { index: 0, reference: collection.name, collection, search: parameters(given) };
  });
  const page = { page: 1, per_page: 10, answerBytesMax: 32e6, ...merge };
  const { answer, failed } = await searchMerged(
    { registry, ...partsWith(stored), ...(queryVector && embedsTo(queryVector)), tierOf },
    targets,
    page,
  );
  if (failed.length > 0) throw failed[0]?.error;
  return asRead(answer);
}

/** The first collection, searched for itself. */
async function searched(
  { collections, registry, stored = {} }: World,
  given: Record<string, unknown>,
): Promise<SearchAnswer> {
  const [collection] = collections;
  if (collection === undefined) throw new Error('there is no collection');
  const searcher = new Searcher({ registry, ...partsWith(stored), answerBytesMax: 32e6 });
  return asRead(await searcher.search(collection, parameters({ ...given, per_page: 50 })));
}

const words = [
  'robot',
  'robots',
  'love',
  'loved',
  'glove',
  'learning',
  'earning',
  'star',
  'stars',
  'wars',
  'warsaw',
  'the',
  'iron',
  'pan',
  'irony',
  'kitchen',
  'cast',
  'ironpan',
  'iron-pan',
  'starwars',
];
const word = fc.constantFrom(...words);
const component = fc.double({ min: -1, max: 1, noNaN: true });
const doc = fc.record({
  title: fc.array(word, { minLength: 1, maxLength: 4 }).map((each) => each.join(' ')),
  text: fc.array(word, { maxLength: 12 }).map((each) => each.join(' ')),
  year: fc.integer({ min: 1990, max: 1995 }),
  vector: fc.oneof(
    { weight: 5, arbitrary: fc.tuple(component, component, component).map((each) => [...each]) },
    { weight: 1, arbitrary: fc.constant([]) },
  ),
});
/** Words as they are, mistyped, or begun. */
const typed = fc.oneof(
  word,
  fc.constantFrom(
    'robto',
    'lvoe',
    'staz',
    'irn',
    'warz',
    'learnign',
    'xyz',
    'rob',
    'kit',
    'lov',
    'sta',
    'loveglove',
    'panstar',
  ),
);
const query = fc.record({
  mode: fc.constantFrom('keyword', 'vector', 'hybrid'),
  query: fc.oneof(
    { weight: 9, arbitrary: fc.array(typed, { minLength: 1, maxLength: 5 }).map((each) => each.join(' ')) },
    { weight: 1, arbitrary: fc.constant('*') },
  ),
  match: fc.constantFrom('auto', 'auto', 'all', 'any'),
  prefix: fc.boolean(),
  num_typos: fc.constantFrom(0, 2, 2),
  split_join_tokens: fc.constantFrom('off', 'fallback', 'always'),
  drop_tokens_threshold: fc.nat(4),
  k: fc.integer({ min: 1, max: 12 }),
  alpha: fc.constantFrom(0, 0.3, 0.5, 1),
  filter_by: fc.constantFrom('', '', 'year:>1991'),
  stop_words: fc.constantFrom('default', 'none', ['iron']),
  ranking: fc.constantFrom({}, { k1: 1.5, b: 0, synonym_weight: 1, short_query_words: 2, few_documents: 1 }),
});
const synonyms = fc.constantFrom<Synonym[]>(
  [],
  [
    { id: 'a', synonyms: ['robot', 'love'], root: null },
    { id: 'b', synonyms: ['iron pan', 'kitchen'], root: null },
    { id: 'c', synonyms: ['warsaw star', 'glove'], root: 'star' },
  ],
);

/** Of sums of floating-point numbers the last digits depend on their order; near nothing, all do. */
const rounded = (score: number) => Math.round(score * 1e9) / 1e9 + 0;
const roundedAll = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, each) => (typeof each === 'number' ? rounded(each) : each));
function ranking(hits: SearchHit[]) {
  return hits.map(({ id, score, fits, text_match = 0, vector_distance = 9, highlights, explain }) => ({
    fits,
    id,
    score: rounded(score),
    text_match: rounded(text_match),
    vector_distance: rounded(vector_distance),
    highlights,
    explain: roundedAll(explain),
  }));
}

/** Ids begin with the number of their collection, so that ties are in one order. */
test('documents spread over collections rank, and are explained, as if they were in one', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(doc, fc.nat(4)), { minLength: 1, maxLength: 30 }),
      query,
      synonyms,
      async (spread, given, all) => {
        const documents = spread.map(([each, part], i) => ({ part, each: { id: `${part}-${i}`, ...each } }));
        const parts = [0, 1, 2, 3, 4].map((part) =>
          documents.filter((one) => one.part === part).map(({ each }) => each),
        );
        const search = given.mode === 'vector' && given.query === '*' ? { ...given, query: 'love' } : given;
        const asked = { ...search, facet_by: 'year', explain: true };
        const stored = { synonyms: all };
        const alone = { ...collectionsOf([documents.map(({ each }) => each)]), stored };
        const one = await searched(alone, asked);
        const many = await merged({ ...collectionsOf(parts), stored }, asked, { per_page: 50 });
        expect(ranking(many.hits)).toEqual(ranking(one.hits));
        expect(one.hits.every(({ explain }) => explain !== undefined)).toBe(true);
        expect([many.found, many.out_of]).toEqual([one.found, one.out_of]);
        expect(many.facet_counts).toEqual(one.facet_counts);
        // Filters may differ between the searches of one list.
        const { rules, ...request } = many.request;
        expect(request).toEqual({ ...one.request, filter_by: undefined, synonyms: undefined });
        const acting = [...new Set(one.request.synonyms?.map(({ id }) => id))];
        const told = (rules ?? []).map((each) => each.synonyms);
        expect(told).toEqual(acting.length > 0 ? parts.map(() => acting) : []);
      },
    ),
    { numRuns: runs(200) },
  ));

const weight = fc.double({ min: -2, max: 2, noNaN: true });
const model = fc.record({
  base: weight,
  score: fc.double({ min: 0, max: 6, noNaN: true }),
  words: weight,
  nearest: weight,
});

test('relevance is told, and too little of it left out, as if all documents were in one collection', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(doc, fc.nat(4)), { minLength: 1, maxLength: 30 }),
      query,
      model,
      fc.constantFrom(undefined, 0.2, 0.4, 0.6),
      async (spread, { alpha: _, ranking: __, ...given }, weights, min_relevance) => {
        const documents = spread.map(([each, part], i) => ({ part, each: { id: `${part}-${i}`, ...each } }));
        const parts = [0, 1, 2, 3, 4].map((part) =>
          documents.filter((one) => one.part === part).map(({ each }) => each),
        );
        const search = given.mode === 'vector' && given.query === '*' ? { ...given, query: 'love' } : given;
        const asked = { ...search, facet_by: 'year', min_relevance };
        const stored = { relevance: { keyword: weights, vector: weights, hybrid: weights } };
        const one = await searched({ ...collectionsOf([documents.map(({ each }) => each)]), stored }, asked);
        const many = await merged({ ...collectionsOf(parts), stored }, asked, { per_page: 50 });
        const told = ({ hits }: { hits: SearchHit[] }) =>
          hits.map(({ id, relevance }) => [id, relevance === undefined ? null : Math.round(relevance * 1e5)]);
        expect(told(many)).toEqual(told(one));
        expect([many.found, many.facet_counts]).toEqual([one.found, one.facet_counts]);
        expect(one.found).toBe(one.hits.length);
        if (search.query !== '*')
          expect(one.hits.every(({ relevance }) => relevance !== undefined)).toBe(true);
      },
    ),
    { numRuns: runs(150) },
  ));

test('of several collections those that are not calibrated tell no relevance, and cannot be asked for any', async () => {
  const world = collectionsOf([[filler('a')], [filler('b')]]);
  const of = async ({ id }: { id: number }) =>
    runSteps(
      Rules.of({
        ...nothingStored,
        relevance: id === 1 ? { keyword: { base: 0, score: 1, words: 0, nearest: 0 } } : {},
      }),
    );
  const targets = (given: object) =>
    world.collections.map((collection) => ({
      index: 0,
      reference: collection.name,
      collection,
      search: parameters({ query: 'iron', ...given }),
    }));
  const parts = { ...partsWith({}), registry: world.registry, rules: { of } };
  const page = { page: 1, per_page: 10, answerBytesMax: 32e6 };
  const told = await searchMerged(parts, targets({}), page);
  const { hits }: Pick<MergedSearchAnswer, 'hits'> = asRead(told.answer);
  expect(hits.map(({ id, relevance }) => [id, relevance !== undefined])).toEqual([
    ['a', true],
    ['b', false],
  ]);
  const cut = await searchMerged(parts, targets({ min_relevance: 0.1 }), page);
  expect(cut.answer.found).toBe(1);
  expect(cut.failed.map(({ target, error }) => [target.reference, String(error)])).toEqual([
    ['c2', expect.stringContaining('min_relevance')],
  ]);
});

test.each([merged, searched])(
  '%o tells of a word that was read as another whether it may be meant',
  async (ask) => {
    const world = collectionsOf([[{ ...filler('a'), title: 'west stars' }]]);
    const correctedOf = async (query: string) => (await ask(world, { query })).request.corrected_tokens;
    expect(await correctedOf('wert')).toEqual([{ from: 'wert', to: 'west', known: true }]);
    expect(await correctedOf('sters')).toEqual([{ from: 'sters', to: 'stars' }]);
  },
);

/** Small numbers, so that sums of them are exact. */
const exact = fc.integer({ min: -6, max: 6 });
const exactDoc = fc.record({
  title: fc.array(word, { minLength: 1, maxLength: 4 }).map((each) => each.join(' ')),
  text: fc.constant(''),
  year: fc.constant(1990),
  vector: fc.tuple(exact, exact, exact),
});
const meant = fc.record({
  mode: fc.constantFrom('vector', 'hybrid'),
  query: fc.array(word, { minLength: 1, maxLength: 3 }).map((each) => each.join(' ')),
  k: fc.integer({ min: 1, max: 12 }),
  alpha: fc.constantFrom(0.3, 0.5, 1),
  ranking: fc.constantFrom({}, { similarity_deviations: 0 }),
});
const listed = ({ hits }: { hits: (SearchHit & { collection: { id: number } })[] }) =>
  hits.map(({ id, collection, score }) => ({ id, collection: collection.id, score }));
/** Documents of five collections, numbered from 1. */
const spreadOver = (count: number, spread: [Omit<Doc, 'id'>, number][]) =>
  Array.from({ length: count }, (_, part) =>
    spread.flatMap(([each, of], i): Doc[] => (of === part ? [{ id: `${i}`, ...each }] : [])),
  );

test('where the vectors of all collections are of one model, it does not matter which', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(doc, fc.nat(2)), { minLength: 1, maxLength: 20 }),
      meant,
      async (spread, search) => {
        const world = collectionsOf(spreadOver(3, spread));
        const before = listed(await merged(world, search));
        // Built-in models are trusted less where words are misspelt, which counts beside words alone.
        if (search.mode === 'vector')
          expect(listed(await merged({ ...world, tierOf: () => 'service' }, search))).toEqual(before);
        const both = (id: number) => (id === 1 ? 'transformer' : 'static');
        expect(listed(await merged({ ...world, tierOf: both }, search))).toEqual(before);
        // Another model's collection without a vector has no say.
        const others = collectionsOf([...spreadOver(3, spread), []]);
        const tierOf = (id: number) => (id === 4 ? 'service' : 'static');
        expect(listed(await merged({ ...others, tierOf }, search))).toEqual(before);
      },
    ),
    { numRuns: runs(40) },
  ));

test('a model whose similarities are all higher, or lie closer together, moves no document of another one', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(exactDoc, fc.nat(3)), { minLength: 2, maxLength: 30 }),
      meant,
      fc.constantFrom(0.25, 0.5, 4),
      fc.constantFrom(-16, 0, 32),
      fc.tuple(exact, exact),
      async (spread, search, slope, shift, [x, y]) => {
        // Of one model alone similarities are as they are.
        fc.pre(new Set(spread.map(([, part]) => part % 2)).size === 2);
        const queryVector = Float32Array.of(x, y, 1);
        const of = (documents: [Omit<Doc, 'id'>, number][]) => {
          const metrics = new Array<Metric>(4).fill('dotproduct');
          const world = collectionsOf(spreadOver(4, documents), metrics);
          const tierOf = (id: number) => (id % 2 === 0 ? ('service' as const) : ('static' as const));
          return { ...world, tierOf, queryVector };
        };
        const changed = spread.map(([each, part]): [Omit<Doc, 'id'>, number] => {
          const [a = 0, b = 0, c = 0] = each.vector;
          const vector = [slope * a, slope * b, slope * c + shift];
          return [part % 2 === 1 ? { ...each, vector } : each, part];
        });
        const page = { per_page: 50 };
        // Its documents lie otherwise to each other.
        const alike = { ...search, ranking: { neighbours_weight: 0 } };
        const before = listed(await merged(of(spread), alike, page));
        const after = listed(await merged(of(changed), alike, page));
        const isTie = (score: number, at: number) => Math.abs(score - at) < 1e-5;
        const least = before.at(-1)?.score ?? 0;
        // Which of equals are among the nearest may change with the last digit.
        const sure = (hits: typeof before) =>
          new Map(hits.filter(({ score }) => !isTie(score, least)).map(({ id, score }) => [id, score]));
        const [was, is] = [sure(before), sure(after)];
        expect([...is.keys()].sort()).toEqual([...was.keys()].sort());
        for (const [id, score] of is) expect(score).toBeCloseTo(was.get(id) ?? Number.NaN, 4);
        for (const [i, { score }] of after.entries())
          expect(score).toBeLessThanOrEqual((after[i - 1]?.score ?? score) + 1e-9);
      },
    ),
    { numRuns: runs(40) },
  ));

test('a list of one collection ranks as it does alone, page by page, and of a list 50 vectors at most are told', async () => {
  const documents = Array.from({ length: 130 }, (_, i): Doc => {
    const own = [1, 3, 7].map((step) => words[(i * step) % 6] ?? '');
    const vector = [1, 2, 3].map((part) => Math.sin(part * i) + 0.8);
    return { id: `d${i}`, title: own[0] ?? '', text: own.join(' '), year: 1990, vector };
  });
  const asked = { mode: 'hybrid', query: 'robots loved glove xylophone', match: 'any', k: 90 };
  const scored = (hits: SearchHit[]) => hits.map(({ id, score }) => [id, score]);
  const world = collectionsOf([documents]);
  const alone = await searched(world, asked);
  const plain = await searched(world, { ...asked, ranking: { neighbours_weight: 0 } });
  expect(scored(alone.hits)).not.toEqual(scored(plain.hits));
  const pages = await Promise.all([1, 2, 3].map((page) => merged(world, asked, { page, per_page: 20 })));
  expect(pages.flatMap(({ hits }) => scored(hits)).slice(0, 50)).toEqual(scored(alone.hits));
  // Of nine collections.
  const spread = collectionsOf(
    Array.from({ length: 9 }, (_, part) => documents.filter((_, i) => i % 9 === part)),
  );
  const told: string[] = [];
  const registry: Reader = {
    read(collection, request, signal) {
      if (request.call === 'firstVectors' && 'ids' in request) told.push(...request.ids);
      return spread.registry.read(collection, request, signal);
    },
  };
  const rounding = (hits: SearchHit[]) => new Map(hits.map(({ id, score }) => [id, rounded(score)]));
  const many = await merged({ ...spread, registry }, asked, { per_page: 50 });
  expect(rounding(many.hits)).toEqual(rounding(alone.hits));
  expect(told).toHaveLength(50);
});

test('the nearest of each model come first, not all of the one whose similarities are higher', async () => {
  const near = (id: string, cosine: number): Doc => ({
    ...filler(id),
    vector: [cosine, Math.sqrt(1 - cosine ** 2), 0],
  });
  // One model's cosines lie from .7 to .9, the other's from 0 to .5: each has one that stands out.
  const high = [0.7, 0.71, 0.72, 0.71, 0.7, 0.72, 0.9].map((each, i) => near(`high-${i}`, each));
  const low = [0, 0.02, 0.04, 0.02, 0, 0.04, 0.5].map((each, i) => near(`low-${i}`, each));
  const world = collectionsOf([high, low]);
  const queryVector = Float32Array.of(1, 0, 0);
  const first = async (tierOf: (id: number) => Tier) => {
    const answer = await merged(
      { ...world, queryVector, tierOf },
      { mode: 'vector', query: 'any' },
      { per_page: 2 },
    );
    return listed(answer).map(({ id }) => id);
  };
  expect(await first(() => 'static')).toEqual(['high-6', 'high-2']);
  expect(new Set(await first((id) => (id === 1 ? 'static' : 'service')))).toEqual(
    new Set(['high-6', 'low-6']),
  );
});

const filler = (id: string, title = 'iron'): Doc => ({ id, title, text: '', year: 1990, vector: [1, 0, 0] });

test('pages follow each other without a gap or a repeat, however far down and however uneven the collections', async () => {
  const size = [700, 3, 0, 40];
  const world = collectionsOf(
    size.map((count, part) =>
      Array.from({ length: count }, (_, i) =>
        filler(`${part}-${String(i).padStart(3, '0')}`, i % 7 ? 'iron' : 'iron pan'),
      ),
    ),
  );
  const all = (
    await Promise.all([1, 2, 3].map((page) => merged(world, { query: 'iron' }, { page, per_page: 250 })))
  ).flatMap(({ hits }) => hits);
  expect(new Set(all.map(({ id }) => id)).size).toBe(743);
  const inOrder = all.toSorted(
    (a, b) => b.score - a.score || a.collection.id - b.collection.id || (a.id < b.id ? -1 : 1),
  );
  expect(all.map(({ id }) => id)).toEqual(inOrder.map(({ id }) => id));
  for (const page of [1, 5, 37, 53, 54, 106, 107]) {
    const { hits, found } = await merged(world, { query: 'iron' }, { page, per_page: 7 });
    expect(found).toBe(743);
    expect(hits.map(({ id }) => id)).toEqual(all.slice((page - 1) * 7, page * 7).map(({ id }) => id));
  }
});

test.each([
  ['documents deleted', { deletes: [0, 600], puts: [700, 700] }],
  ['documents deleted and others written', { deletes: [0, 600], puts: [700, 800] }],
  ['better ones written', { deletes: [0, 0], puts: [-100, 0] }],
])('a list is made whole with %s meanwhile, and no document is in it twice', async (_, changes) => {
  const idsOf = ([from = 0, to = 0]: readonly number[]) =>
    Array.from({ length: to - from }, (_, i) => `0-${String(from + i + 100).padStart(4, '0')}`);
  // Of the others each could have a share of the page, so the first is not asked for all of it at once.
  const others = [1, 2, 3, 4, 5, 6, 7].map((part) => [filler(`${part}-0`, 'pan')]);
  const world = collectionsOf([idsOf([0, 700]).map((id) => filler(id)), ...others]);
  const { engine } = world;
  let rounds = 0;
  const read: Reader['read'] = async (collection, request, ...others) => {
    if (collection.id === 1 && request.call === 'rankShared' && ++rounds === 2) {
      const puts = idsOf(changes.puts).map((id) => indexed(filler(id)));
      const deletes = idsOf(changes.deletes);
      engine.run(1, { call: 'apply', batch: packBatch({ version: 2, puts, deletes }) });
    }
    if (rounds > 20) throw new Error('asked again and again');
    return world.registry.read(collection, request, ...others);
  };
  const { hits } = await merged({ ...world, registry: { read } }, { query: 'iron' }, { per_page: 500 });
  expect(rounds).toBeGreaterThan(1);
  expect(new Set(hits.map(({ id }) => id)).size).toBe(hits.length);
});

test('equal scores: by collection, then by id', async () => {
  const world = collectionsOf([
    [filler('b'), filler('a')],
    [filler('c'), filler('a')],
  ]);
  const { hits } = await merged(world, { query: '*' });
  expect(hits.map(({ collection, id }) => [collection.id, id])).toEqual([
    [1, 'a'],
    [1, 'b'],
    [2, 'a'],
    [2, 'c'],
  ]);
});

test('vectors of collections with different metrics are compared by cosine', async () => {
  const vector = [0.2, 0.4, 0.1];
  const far = { ...filler('far'), vector: vector.map((each) => each * 50) };
  const near = { ...filler('near'), vector };
  const search = { mode: 'vector', vector_query: [2, 4, 1] };
  const metrics: Metric[] = ['cosine', 'euclidean', 'dotproduct'];
  const { hits } = await merged(collectionsOf([[far], [near], [far]], metrics), search);
  expect(hits.map(({ vector_distance }) => rounded(1 + (vector_distance ?? 9)))).toEqual([1, 1, 1]);
  const alike = await merged(collectionsOf([[far], [near]], ['euclidean', 'euclidean']), search);
  expect(alike.hits.map(({ id }) => id)).toEqual(['near', 'far']);
});

test('facets of all collections are added up, with statistics', async () => {
  const year = (id: string, each: number) => ({ ...filler(id), year: each });
  const world = collectionsOf([[year('a', 1990), year('b', 1992)], [year('c', 1992)], []]);
  const { facet_counts } = await merged(world, { query: '*', facet_by: 'year,title', max_facet_values: 1 });
  expect(facet_counts).toEqual([
    {
      field_name: 'year',
      counts: [{ value: '1992', count: 2 }],
      stats: { min: 1990, max: 1992, avg: expect.closeTo(1991.333, 3), sum: 5974 },
    },
    { field_name: 'title', counts: [{ value: 'iron', count: 3 }] },
  ]);
});

test('no values are wanted of a facet: its statistics are told all the same', async () => {
  const year = (id: string, each: number) => ({ ...filler(id), year: each });
  const world = collectionsOf([[year('a', 1990)], [year('b', 1992)]]);
  const { facet_counts } = await merged(world, { query: '*', facet_by: 'year', max_facet_values: 0 });
  expect(facet_counts).toEqual([
    { field_name: 'year', counts: [], stats: { min: 1990, max: 1992, avg: 1991, sum: 3982 } },
  ]);
});

test.each([
  [5, 50, 50_000],
  [limits.mergedCollectionsMax, 1, 50_000],
  [limits.mergedCollectionsMax, limits.facetsMax, 50_000],
  [5, 2, 10 * limits.facetValuesMax],
  [5, 2, 0, 0],
])(
  '%i collections with %i facets are asked for %i values together',
  async (count, fields, values, max_facet_values = 10) => {
    const world = collectionsOf(Array.from({ length: count }, () => []));
    let told = 0;
    const read: Reader['read'] = async (collection, request, ...others) => {
      if (request.call === 'rankShared' && 'query' in request) {
        told += request.query.facets.length * request.query.facetValuesMax;
      }
      return world.registry.read(collection, request, ...others);
    };
    const facet_by = Array.from({ length: fields }, (_, i) => `field${i}`).join(',');
    await merged({ ...world, registry: { read } }, { query: '*', facet_by, max_facet_values });
    expect(told).toBe(values);
  },
);

test('words are read once for all collections, and made a vector once for each dimension, others having their turns in between', async () => {
  const dimensions = Array.from({ length: 30 }, (_, i) => 1 + (i % 20));
  const { collections, registry } = collectionsOf(
    dimensions.map(() => []),
    [],
    dimensions,
  );
  const targets = collections.map((collection): MergedTarget => {
    return {
      index: 0,
      reference: collection.name,
      collection,
      search: parameters({ mode: 'vector', query: 'iron' }),
    };
  });
  let time = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  const turns = vi.spyOn(loopTurns, 'next');
  const made: number[] = [];
  let reads = 0;
  const slow = {
    ...embedder,
    readQuery: async (text: string) => {
      reads += 1;
      return {
        toVector: async (width: number) => {
          made.push(width);
          time += 1;
          return vectorOf(text, width);
        },
      };
    },
  };
  const search = (limits: { budgetMs?: number; signal?: AbortSignal }) => {
    const page = { page: 1, per_page: 10, answerBytesMax: 32e6, signal: limits.signal };
    return searchMerged(
      { registry, ...partsWith({}), embedder: slow, budgetMs: limits.budgetMs },
      targets,
      page,
    );
  };
  try {
    expect((await search({})).failed).toEqual([]);
    expect(reads).toBe(1);
    expect(made.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(turns.mock.calls.length).toBeGreaterThanOrEqual(5);

    made.length = 0;
    const { failed } = await search({ budgetMs: 8 });
    expect(failed.map(({ error }) => error)).toContainEqual(
      expect.objectContaining({ code: 'UNPROCESSABLE' }),
    );
    expect(made.length).toBeLessThan(16);

    made.length = 0;
    const caller = new AbortController();
    turns.mockImplementationOnce(async () => caller.abort(new Error('gone')));
    await expect(search({ signal: caller.signal })).rejects.toThrow('gone');
    expect(made.length).toBeLessThan(8);
  } finally {
    vi.restoreAllMocks();
  }
});
