import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ErrorBody } from '#shared/errors.ts';
import { mergedSearchItem } from '#shared/search.ts';
import { searchParameters } from '#shared/search-parameters.ts';
import { call, createCollection, createKey, createProject, must, signUp } from '../testing/callers.ts';
import { type Kit, startKit } from '../testing/kit.ts';

/** Whatever the parameters of a search are, it answers or says what is wrong with them. */
let kit: Kit;
let key: string;

beforeAll(async () => {
  kit = await startKit();
  const owner = await signUp(kit);
  const { id: projectId } = await createProject(kit, owner);
  for (const name of ['one', 'two']) {
    await createCollection(kit, owner, { projectId, name, dimension: 8 });
    const body = Array.from({ length: 30 }, (_, i) => ({
      id: `${name}${i}`,
      title: `word${i % 7} same thing ${name}`,
      tags: ['a', `b${i % 3}`],
      year: 1990 + i,
      in_stock: i % 2 === 0,
      author: { name: i % 2 ? 'Ada' : null },
    }));
    const path = `/api/collections/${name}/documents/import`;
    await must(call(kit, { method: 'POST', path, body, as: owner.as }));
  }
  ({ key } = await createKey(kit, owner, { projectId }));
});

afterAll(async () => {
  expect(kit.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  await kit.close();
});

const numbers = fc.oneof(
  fc.constantFrom(0, -0, 1, 2, 10, 250, 251, 10_000, 1e9, 1e305, -1, 0.5, 2 ** 53, 5e-324),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const fields = fc.constantFrom(
  'title',
  'tags',
  'year',
  'in_stock',
  'author.name',
  'author',
  'id',
  'none',
  '',
);
const anyText = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fields,
  fc.constantFrom('*', 'same word1', 'thng'),
);
const filter = fc
  .array(
    fc.constantFrom(
      'title',
      'year',
      'id',
      'none',
      ':',
      ':=',
      ':>',
      '[',
      ']',
      '..',
      ',',
      '5',
      'same',
      '&&',
      '||',
      '!',
      '(',
      ')',
      '`',
      '"',
      '*',
      ' ',
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));
const sort = fc
  .array(
    fc.tuple(
      fc.oneof(fields, fc.constantFrom('_score', '_text_match', '_vector_distance')),
      fc.constantFrom('', ':asc', ':desc', ':up'),
    ),
    { maxLength: 4 },
  )
  .map((keys) => keys.map((key) => key.join('')).join(','));
const facet = fc
  .array(fc.tuple(fields, fc.constantFrom('', '(low:[0..1995], high:[1995..])', '(:[..])', '(')), {
    maxLength: 3,
  })
  .map((each) => each.map((one) => one.join('')).join(','));
const vector = fc.oneof(
  fc.array(numbers, { maxLength: 9 }),
  fc.array(fc.float({ noNaN: true, min: -1, max: 1 }), { minLength: 8, maxLength: 8 }),
  fc.record(
    { vector: fc.array(numbers, { minLength: 8, maxLength: 8 }), k: numbers, distance_threshold: numbers },
    { requiredKeys: [] },
  ),
  fc.constantFrom(
    'embedding:([0.1, 0.2], k:10)',
    'embedding:([1,2,3,4,5,6,7,8], k:3, distance_threshold:0.4)',
    '[',
    '{}',
    'embedding:(',
  ),
);

/** What is at home in a parameter, beside anything at all. */
const athome: Record<string, fc.Arbitrary<unknown>> = {
  query: anyText,
  q: anyText,
  query_by: fc.array(fields, { maxLength: 3 }),
  query_by_weights: fc.array(numbers, { maxLength: 3 }),
  filter_by: filter,
  sort_by: sort,
  facet_by: facet,
  facet_query: anyText,
  facet_mode: fc.constantFrom('conjunctive', 'disjunctive'),
  group_by: fc.array(fields, { maxLength: 3 }),
  group_missing_values: fc.boolean(),
  cursor: fc.constantFrom('', '', 'abc', 'AAAAAAAAAAAAAAAAWzAsbnVsbCxudWxsXQ'),
  match: fc.constantFrom('auto', 'all', 'any'),
  prefix: fc.boolean(),
  include_fields: fc.array(fields, { maxLength: 3 }),
  exclude_fields: fc.array(fields, { maxLength: 3 }),
  highlight_fields: fc.array(fields, { maxLength: 3 }),
  vector_query: vector,
  fusion: fc.constantFrom('weighted', 'rrf'),
  alpha: fc.double({ min: 0, max: 1, noNaN: true }),
};

/** A few parameters, nearly all of their own kind: one that is refused hides what the others do. */
function parametersOf(names: string[]) {
  const one = (name: string) => {
    const own = athome[name] ?? fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 20 }) }, numbers);
    return fc.oneof(
      { weight: 120, arbitrary: fc.constant(undefined) },
      { weight: 39, arbitrary: own },
      { weight: 1, arbitrary: fc.jsonValue() },
    );
  };
  return fc.record(Object.fromEntries(names.map((name) => [name, one(name)]))).map(
    (given): Record<string, unknown> => ({
      query: 'same word1',
      ...withoutAbsent({ ...given, ...weighted(given) }),
    }),
  );
}

/** A weight for each field that is searched. */
function weighted({
  query_by: fields = ['title', 'tags'],
  query_by_weights: weights,
}: Record<string, unknown>) {
  if (!Array.isArray(weights) || !Array.isArray(fields)) return {};
  return { query_by: fields, query_by_weights: fields.map((_, i) => weights[i] ?? 1) };
}

function withoutAbsent(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

const names = Object.keys(searchParameters.shape);
const ways = fc.constantFrom('search', 'vector-search', 'hybrid-search', 'similar');

async function expectAnswer(request: { method: string; path: string; body?: unknown }) {
  const { status, body } = await call<
    ErrorBody & { results?: { error?: ErrorBody }[]; failures?: { error: ErrorBody }[] }
  >(kit, { ...request, as: { key } });
  const said = `${request.path} ${JSON.stringify(request.body)}: ${JSON.stringify(body).slice(0, 500)}`;
  expect([200, 400, 404, 422], said).toContain(status);
  if (status !== 200)
    expect(body, said).toMatchObject({ message: expect.any(String), code: expect.any(String) });
  const inPlace = [...(body.results ?? []), ...(body.failures ?? [])].flatMap(({ error }) => error ?? []);
  expect(
    inPlace.map(({ code }) => code),
    said,
  ).not.toContain('INTERNAL');
  const sentences = [body, ...inPlace].flatMap(({ details = [] }) => details.map(({ message }) => message));
  expect(sentences.join('\n'), said).not.toMatch(validatorsWords);
}

const validatorsWords = /Invalid (?:input|option)|Too (?:small|big)/;

const runs = { numRuns: 300, interruptAfterTimeLimit: 60_000, markInterruptAsFailure: false };

test.each([
  ['POST', 'multi-search', { searches: [] }, 'searches: must have at least 1 item'],
  ['POST', 'multi-search', {}, 'searches: is required'],
  ['POST', 'collections/one/search', { query: 'a', match: 'some' }, 'match: must be auto, all or any'],
  ['DELETE', 'collections/one/documents', undefined, 'filter_by: is required'],
  ['PUT', 'collections/one', { isActive: 'maybe' }, 'isActive: must be true or false'],
])('a refusal is a sentence: %s %s %j', async (method, path, body, message) => {
  const { body: said } = await call<ErrorBody>(kit, { method, path: `/api/${path}`, body, as: { key } });
  expect(said.message).toBe(message);
});

describe('any parameters are answered or refused with a reason', () => {
  test('in a body', () =>
    fc.assert(
      fc.asyncProperty(ways, parametersOf(names), async (way, parameters) => {
        const body = way === 'similar' ? { id: 'one3', ...parameters } : parameters;
        await expectAnswer({ method: 'POST', path: `/api/collections/one/${way}`, body });
      }),
      runs,
    ));

  test('in a query string', () =>
    fc.assert(
      fc.asyncProperty(ways, parametersOf(names), async (way, parameters) => {
        // An object may say of itself what no text is.
        const written = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
        const query = new URLSearchParams(
          Object.entries(parameters).map(([name, value]) => [
            name,
            Array.isArray(value) ? value.map(written).join(',') : written(value),
          ]),
        );
        await expectAnswer({ method: 'GET', path: `/api/collections/one/${way}?${query}` });
      }),
      runs,
    ));

  test('in several searches, apart and as one list', () =>
    fc.assert(
      fc.asyncProperty(
        parametersOf(Object.keys(mergedSearchItem.shape).filter((name) => !name.startsWith('collection'))),
        fc.constantFrom('keyword', 'vector', 'hybrid'),
        fc.option(fc.record({ page: numbers, per_page: fc.nat(260) }, { requiredKeys: [] }), {
          nil: undefined,
        }),
        async (parameters, mode, merge) => {
          const targets = merge ? [{ collections: '*' }] : [{ collection: 'one' }, { collection: 'two' }];
          const searches = targets.map((target) => ({ ...parameters, mode, ...target }));
          await expectAnswer({ method: 'POST', path: '/api/multi-search', body: { searches, merge } });
        },
      ),
      runs,
    ));
});

test.each([['1e305'], ['0.0000001'], ['-1'], ['1001'], ['x']])(
  'a weight of %s is a 400 that names it',
  async (weight) => {
    const path = `/api/collections/one/search?q=same&query_by=title&query_by_weights=${weight}`;
    const { status, body } = await call<ErrorBody>(kit, { method: 'GET', path, as: { key } });
    expect([status, body.details?.[0]?.path]).toEqual([400, 'query_by_weights']);
  },
);

test.each([['0.001'], ['1000'], ['1']])('with a weight of %s the field is searched', async (weight) => {
  const path = `/api/collections/one/search?q=same&query_by=title&query_by_weights=${weight}`;
  const { body } = await call<{ found: number }>(kit, { method: 'GET', path, as: { key } });
  expect(body.found).toBe(30);
});

test('a parameter that there is not is refused with the nearest that there is, in an address and in a body', async () => {
  const path = '/api/collections/one/search';
  const asked = [
    { method: 'GET', path: `${path}?query=word&querry_by=title` },
    { method: 'POST', path, body: { query: 'word', querry_by: 'title' } },
  ];
  for (const request of asked) {
    const { status, body } = await call<ErrorBody>(kit, { ...request, as: { key } });
    expect(status).toBe(400);
    expect(body.message).toBe('querry_by: is not a known field; the nearest is "query_by"');
  }
});
