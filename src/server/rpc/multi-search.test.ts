import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  call,
  createCollection,
  createKey,
  createProject,
  must,
  type SignedUp,
  signUp,
} from '#server/testing/callers.ts';
import { type Kit, startKit } from '#server/testing/kit.ts';
import { statementsOf } from '#server/testing/statements.ts';
import type { Collection } from '#shared/collections.ts';
import type { ErrorBody } from '#shared/errors.ts';
import type { MergedSearchAnswer, MultiSearchAnswer } from '#shared/search.ts';

let kit: Kit;
let owner: SignedUp;
let key: string;
let films: Collection;
let books: Collection;

const documents = {
  films: [
    { id: '1', title: 'The robot who loved' },
    { id: '2', title: 'Android heart' },
  ],
  books: [
    { id: '1', title: 'I, Robot' },
    { id: '3', title: 'Gardens' },
  ],
};

beforeAll(async () => {
  kit = await startKit();
  owner = await signUp(kit);
  const project = await createProject(kit, owner);
  films = await createCollection(kit, owner, { projectId: project.id, name: 'films' });
  books = await createCollection(kit, owner, { projectId: project.id, name: 'books' });
  const idle = await createCollection(kit, owner, { projectId: project.id, name: 'idle' });
  await must(
    call(kit, {
      method: 'PUT',
      path: `/api/collections/${idle.id}`,
      body: { isActive: false },
      as: owner.as,
    }),
  );
  for (const [name, body] of Object.entries(documents)) {
    const path = `/api/collections/${name}/documents/import`;
    await must(call(kit, { method: 'POST', path, body, as: owner.as }));
  }
  ({ key } = await createKey(kit, owner, { projectId: project.id }));
});
afterAll(() => kit.close());

function send<T>(body: unknown, as: { key: string } | { cookie: string } = { key }) {
  return call<T>(kit, { method: 'POST', path: '/api/multi-search', body, as });
}

describe('several searches', () => {
  test('answer in order; one that fails says why in its place', async () => {
    const searches = [
      { collection: 'films', query: 'robot' },
      { collection: 'nowhere', query: 'robot' },
      { collection: 'idle', query: 'robot' },
      { collection: 'films', query: 'robot', filter_by: 'title:' },
      { collection: 'films', query: 'robot', colour: 'red' },
      { query: 'robot' },
      { collection: books.id, query: 'robot' },
    ];
    const { results } = await must(send<MultiSearchAnswer>({ searches }));
    const outcomes = results.map((result) =>
      'error' in result
        ? [result.error.code, result.error.details?.[0]?.path]
        : result.hits.map(({ id }) => id),
    );
    expect(outcomes).toEqual([
      ['1'],
      ['NOT_FOUND', undefined],
      ['FORBIDDEN', undefined],
      ['BAD_REQUEST', 'filter_by'],
      ['BAD_REQUEST', 'colour'],
      ['BAD_REQUEST', 'collection'],
      ['1'],
    ]);
  });
});

describe('one list over several collections', () => {
  test('the hits say where they are from; found and out_of are sums', async () => {
    const searches = [{ collections: ['films', String(books.id)], query: 'robot' }];
    const answer = await must(send<MergedSearchAnswer>({ searches, merge: {} }));
    expect(answer).toMatchObject({ found: 2, out_of: 4, page: 1, per_page: 10, failures: [] });
    expect(answer.hits.map(({ collection, document }) => [collection, document['title']])).toEqual([
      [{ id: books.id, name: 'books' }, 'I, Robot'],
      [{ id: films.id, name: 'films' }, 'The robot who loved'],
    ]);
    const query_id = expect.any(String);
    expect(answer.collection_counts).toEqual([
      { collection: { id: films.id, name: 'films' }, found: 1, out_of: 2, query_id },
      { collection: { id: books.id, name: 'books' }, found: 1, out_of: 2, query_id },
    ]);
  });

  test('what was asked is told also where nothing could be searched', async () => {
    for (const collections of [['nowhere'], ['idle']]) {
      const searches = [{ collections, query: 'robot', mode: 'hybrid' }];
      const answer = await must(send<MergedSearchAnswer>({ searches, merge: {} }));
      expect(answer.failures).toHaveLength(1);
      expect(answer.request).toEqual({ mode: 'hybrid', query: 'robot' });
    }
  });

  test('"*" is every active collection that the caller may see and no search before it has', async () => {
    const stranger = await signUp(kit);
    const foreign = await createProject(kit, stranger);
    await createCollection(kit, stranger, { projectId: foreign.id, name: 'foreign' });
    const searches = [
      { collection: 'films', query: '*', filter_by: 'title:android' },
      { collections: '*', query: '*' },
    ];
    for (const as of [{ key }, owner.as]) {
      const answer = await must(send<MergedSearchAnswer>({ searches, merge: {} }, as));
      const found = answer.collection_counts.map(({ collection, found }) => [collection.name, found]);
      expect([answer.found, found, answer.failures]).toEqual([
        3,
        [
          ['books', 2],
          ['films', 1],
        ],
        [],
      ]);
    }
  });

  test('what cannot be searched is listed; the rest answers', async () => {
    const searches = [
      { collections: ['films', 'nowhere', 'idle'], query: 'robot' },
      { collection: 'films', query: 'robot' },
      { query: 'robot' },
      { collection: 'books', query: 'robot', filter_by: 'colour:red' },
    ];
    const answer = await must(send<MergedSearchAnswer>({ searches, merge: {} }));
    expect(answer.hits.map(({ collection }) => collection.name)).toEqual(['films']);
    expect(answer.failures).toMatchObject([
      { search: 0, reference: 'nowhere', error: { code: 'NOT_FOUND' } },
      { search: 0, reference: 'idle', error: { code: 'FORBIDDEN' } },
      { search: 1, reference: 'films', error: { code: 'BAD_REQUEST', details: [{ path: 'collection' }] } },
      { search: 2, reference: null, error: { code: 'BAD_REQUEST' } },
      {
        search: 3,
        reference: 'books',
        collection: { id: books.id, name: 'books' },
        error: { code: 'BAD_REQUEST', details: [{ path: 'filter_by' }] },
      },
    ]);
  });

  test('what no collection can be asked is refused, not answered with nothing', async () => {
    const refusal = async (search: object, merge = {}) => {
      const { status, body } = await send<ErrorBody>({ searches: [search], merge });
      return [status, body.details?.map(({ path }) => path)];
    };
    const all = { collections: '*', query: 'robot' };
    expect(await refusal({ ...all, filter_by: 'title:>' })).toEqual([400, ['searches.0.filter_by']]);
    expect(await refusal({ ...all, per_page: 3 })).toEqual([400, ['searches.0.per_page']]);
    const unknown = await must(send<MergedSearchAnswer>({ searches: [{ collection: 'no' }], merge: {} }));
    expect(unknown.failures).toMatchObject([{ error: { code: 'NOT_FOUND' } }]);
  });

  test('pages are cut from the one list', async () => {
    const searches = [{ collections: '*', query: '*' }];
    const page = async (number: number) => {
      const merge = { page: number, per_page: 3 };
      const { hits } = await must(send<MergedSearchAnswer>({ searches, merge }));
      return hits.map(({ collection, id }) => `${collection.name}/${id}`);
    };
    expect([...(await page(1)), ...(await page(2))]).toEqual(['films/1', 'films/2', 'books/1', 'books/3']);
    expect(await page(3)).toEqual([]);
  });

  test.each([
    [
      {
        searches: [
          { collections: '*', mode: 'keyword' },
          { collection: 'films', mode: 'hybrid' },
        ],
      },
      'searches.1.mode',
    ],
    [
      {
        searches: [
          { collection: 'books', query: 'a' },
          { collection: 'films', query: 'b' },
        ],
      },
      'searches.1.query',
    ],
    [{ searches: [{ collections: '*', sort_by: 'title:asc' }] }, 'searches.0.sort_by'],
    [{ searches: [{ collections: '*', mode: 'hybrid', fusion: 'rrf' }] }, 'searches.0.fusion'],
  ])('searches that cannot be compared are refused: %j', async (body, parameter) => {
    const { status, body: error } = await send<ErrorBody>({ ...body, merge: {} });
    expect([status, error.details?.[0]?.path]).toEqual([400, parameter]);
  });

  test('references that no list can take are refused before they are looked up', async () => {
    const searches = Array.from({ length: 50 }, (_, search) => ({
      collections: Array.from({ length: 500 }, (_, i) => `unknown-${search}-${i}`),
      query: 'robot',
    }));
    const statements = await statementsOf(kit.deps.record, async () => {
      const { status, body } = await send<ErrorBody>({ searches, merge: {} });
      expect([status, body.details]).toEqual([
        400,
        [{ path: 'searches', message: 'name 25000 collections; one list takes 500' }],
      ]);
    });
    expect(statements.filter((text) => text.includes('"collections"'))).toEqual([]);
    const again = { collections: searches[0]?.collections, query: 'robot' };
    const { failures } = await must(send<MergedSearchAnswer>({ searches: [again, again], merge: {} }));
    expect(failures.length, 'the same ones twice').toBe(1000);
  });

  test('"*" that is too many is refused without reading them all', async () => {
    const project = await createProject(kit, owner, 'Many');
    await kit.deps.record.sql`
      insert into collections (project_id, name, dimension, metric)
      select ${project.id}, 'many-' || n, 8, 'cosine' from generate_series(1, 620) as n`;
    const { key: many } = await createKey(kit, owner, { projectId: project.id });
    const statements = await statementsOf(kit.deps.record, async () => {
      const searches = [{ collections: '*', query: 'robot' }];
      const { status, body } = await send<ErrorBody>({ searches, merge: {} }, { key: many });
      expect([status, body.code]).toEqual([422, 'UNPROCESSABLE']);
      expect(body.message).toContain('more than 500 collections');
    });
    const listed = statements.filter((text) => /from "collections"/.test(text));
    expect(listed.length).toBe(1);
    expect(listed[0]).toMatch(/ limit \$\d+$/);
  });

  test.each([{ page: 0 }, { page: 10_001, per_page: 1 }, { per_page: 251 }, { size: 3 }, 'all'])(
    'merge %j is a 400 that names the place',
    async (merge) => {
      const { status, body } = await send<ErrorBody>({ searches: [{ collections: '*' }], merge });
      expect([status, body.code]).toEqual([400, 'BAD_REQUEST']);
      expect(body.details?.[0]?.path).toMatch(/^(merge|page)/);
    },
  );
});

describe('meaning and words over collections that have nothing to do with each other', () => {
  const shelves = {
    cinema: [
      'The robot who loved',
      'Android heart',
      'A machine learns to feel',
      'Submarine war in the Pacific',
      'The heist of the century',
      'Romance in Paris',
    ],
    kitchen: ['Cast iron pan', 'Wooden spoon', 'Bread knife', 'Stock pot with lid', 'Kettle', 'Salt mill'],
  };
  let shelvesKey: string;

  beforeAll(async () => {
    const project = await createProject(kit, owner, 'Shelves');
    for (const [name, titles] of Object.entries(shelves)) {
      await createCollection(kit, owner, { projectId: project.id, name });
      const body = titles.map((title, i) => ({ id: String(i), title }));
      const path = `/api/collections/${name}/documents/import`;
      await must(call(kit, { method: 'POST', path, body, as: owner.as }));
    }
    ({ key: shelvesKey } = await createKey(kit, owner, { projectId: project.id }));
  });

  test.each(['keyword', 'vector', 'hybrid'])(
    '%s: what is nearest comes first, wherever it is',
    async (mode) => {
      const searches = [{ collections: '*', query: 'robots learning to love', mode }];
      const { hits } = await must(send<MergedSearchAnswer>({ searches, merge: {} }, { key: shelvesKey }));
      const titles = hits.map(({ document }) => String(document['title']));
      expect(titles[0]).toBe('The robot who loved');
      const firstOfKitchen = hits.findIndex(({ collection }) => collection.name === 'kitchen');
      expect(firstOfKitchen === -1 || firstOfKitchen >= 3, titles.join(', ')).toBe(true);
      expect(hits.toSorted((a, b) => b.score - a.score)).toEqual(hits);
    },
  );

  test('ten documents are sent for ten shown, though each collection has more', async () => {
    const searches = [{ collections: '*', query: 'pan', mode: 'hybrid' }];
    const answer = await must(
      send<MergedSearchAnswer>({ searches, merge: { per_page: 5 } }, { key: shelvesKey }),
    );
    expect([answer.hits.length, answer.found]).toEqual([5, 12]);
  });
});
