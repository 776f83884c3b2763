import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IndexesWorld, openIndexesWorld } from '#server/testing/open-indexes.ts';
import { searchModes } from '#shared/search.ts';
import type { RuleDraft } from '#shared/search-preview.ts';
import type { Indexes, WritableCollection } from '../indexes.ts';
import { comparedQuery, compareQueries, type Ways } from './compare-queries.ts';
import { figuresOf } from './list-figures.ts';

const ids = fc.uniqueArray(fc.constantFrom(...'abcdefghijklm'), { maxLength: 10 });
const grades = fc
  .dictionary(fc.constantFrom(...'abcdefghijklm'), fc.nat(3), { minKeys: 1 })
  .map((given) => new Map([...Object.entries(given), ['relevant', 1] as const]));
const top = (found: string[]) => ({ found, error: null });

describe('a query between two lists', () => {
  test('is of the kind that its lists and figures say, and knows where what is judged stood', () => {
    fc.assert(
      fc.property(ids, ids, grades, (before, after, given) => {
        const query = { query: 'q', grades: given };
        const compared = comparedQuery(query, top(before), top(after));
        const change = figuresOf(after, given).ndcg - figuresOf(before, given).ndcg;
        const isAlike = before.join() === after.join();
        const kinds = {
          emptied: before.length > 0 && after.length === 0,
          rescued: before.length === 0 && after.length > 0,
          lost: change < 0,
          gained: change > 0,
          moved: !isAlike,
          same: isAlike,
        };
        expect(compared.kind).toBe(Object.entries(kinds).find(([, is]) => is)?.[0]);
        expect(compared.change).toBe(change);
        for (const { document, grade, ...places } of compared.judged) {
          expect(grade).toBe(given.get(document));
          expect(before[(places.before ?? 0) - 1]).toBe(places.before === null ? undefined : document);
          expect(places.before === null).toBe(!before.includes(document));
          expect(places.after === null).toBe(!after.includes(document));
        }
        expect(compared.judged).toHaveLength(given.size);
      }),
    );
  });

  test('the other way round the change is the opposite', () => {
    const opposite = {
      emptied: 'rescued',
      rescued: 'emptied',
      lost: 'gained',
      gained: 'lost',
      moved: 'moved',
      same: 'same',
    };
    fc.assert(
      fc.property(ids, ids, grades, (before, after, given) => {
        const query = { query: 'q', grades: given };
        const there = comparedQuery(query, top(before), top(after));
        const back = comparedQuery(query, top(after), top(before));
        expect([back.kind, back.change]).toEqual([opposite[there.kind], 0 - there.change]);
      }),
    );
  });
});

describe('over a collection', () => {
  let world: IndexesWorld;
  let indexes: Indexes;
  let collection: WritableCollection;
  beforeAll(async () => {
    world = await openIndexesWorld('bundled');
    indexes = world.openIndexes();
    collection = await world.newCollection();
    for (const id of ['red', 'green', 'blue', 'yellow'])
      await indexes.write(collection, {
        action: 'create',
        document: { id, title: `A ${id} door`, note: 'wood' },
      });
  });
  afterAll(() => world.close());

  const signal = new AbortController().signal;
  const judged = ['red', 'green door', 'a blue', 'doors of wood', 'yelow'].map((query) => ({
    query,
    grades: new Map([['red', 2]]),
  }));
  const ways = async (): Promise<Ways> => ({
    before: await indexes.drafted(collection, { draft: {} }),
    after: await indexes.drafted(collection, { draft: { settings: { num_typos: 0 } } }),
  });

  test('a draft without a change changes no query, in any mode', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...searchModes),
        fc.constantFrom<RuleDraft[]>({}, { synonyms: { put: [], remove: ['unknown'] } }, { settings: {} }),
        fc.subarray(judged, { minLength: 1 }),
        async (mode, draft, some) => {
          const before = await indexes.drafted(collection, { draft: {} });
          const after = await indexes.drafted(collection, { draft });
          const compared = await compareQueries({ before, after }, { mode, judged: some }, { signal });
          expect(compared.map(({ query, kind, change }) => [query, kind, change])).toEqual(
            some.map(({ query }) => [query, 'same', 0]),
          );
        },
      ),
      { numRuns: 12 },
    );
  });

  test('each query is asked twice, once each way', async () => {
    const asked: string[] = [];
    const { before, after } = await ways();
    const counted: Ways = {
      before: (search, given) => {
        asked.push(`${search.query} before`);
        return before(search, given);
      },
      after: (search, given) => {
        asked.push(`${search.query} after`);
        return after(search, given);
      },
    };
    const compared = await compareQueries(counted, { mode: 'keyword', judged }, { signal });
    expect(asked.toSorted()).toEqual(
      judged.flatMap(({ query }) => [`${query} after`, `${query} before`]).toSorted(),
    );
    expect(compared.find(({ query }) => query === 'yelow')?.kind).toBe('emptied');
  });

  test('whoever hangs up is asked for no further', async () => {
    const caller = new AbortController();
    let done = 0;
    const tell = () => {
      done += 1;
      caller.abort(new Error('gone'));
    };
    const comparing = compareQueries(
      await ways(),
      { mode: 'keyword', judged },
      { signal: caller.signal, tell },
    );
    await expect(comparing).rejects.toThrow('gone');
    expect(done).toBeLessThanOrEqual(2);
  });
});
