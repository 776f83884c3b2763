import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { document, indexOf, searchFor } from '../testing/fixtures.ts';
import type { Pin } from '../types.ts';

const documents = Array.from({ length: 12 }, (_, i) =>
  document(String.fromCodePoint(97 + i), {
    title: i < 8 ? `fox${' fox'.repeat(i)}` : 'dog',
    kind: i % 2 === 0 ? 'even' : 'odd',
  }),
);
const index = indexOf(documents);
const asked = { text: 'fox', prefix: false, typosMax: 0 } as const;
const idsOf = (pins: Pin[], given: object = {}) =>
  index.search(searchFor({ ...asked, limit: 50, pins, ...given })).hits.map(({ id }) => id);

/** The list written plainly: pins first, the others into what is left free, and no gaps. */
function plainList(others: string[], pins: Pin[]): string[] {
  const places: (string | undefined)[] = [];
  for (const { id, position } of pins.toSorted((a, b) => a.position - b.position)) {
    let place = position - 1;
    while (places[place] !== undefined) place += 1;
    places[place] = id;
  }
  let next = 0;
  for (const id of others) {
    while (places[next] !== undefined) next += 1;
    places[next] = id;
  }
  return places.filter((id) => id !== undefined);
}

describe('pins', () => {
  it('stand at their places on every page, whatever their scores, and the list is the same however it is cut', () => {
    const pin = fc.record({
      id: fc.constantFrom(...'abcdefghijklz'),
      position: fc.oneof(fc.integer({ min: 1, max: 15 }), fc.constant(500)),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(pin, { maxLength: 6, selector: ({ id }) => id }),
        fc.uniqueArray(fc.constantFrom(...'abcjk'), { maxLength: 3 }),
        fc.constantFrom(null, 'kind:even'),
        fc.integer({ min: 1, max: 7 }),
        (pins, excludeIds, filter, limit) => {
          const given = { excludeIds, filter };
          const shown = pins.filter(
            ({ id }) =>
              id !== 'z' && !excludeIds.includes(id) && (filter === null || index.ids(filter).includes(id)),
          );
          const own = idsOf([], given).filter((id) => !shown.some((each) => each.id === id));
          const expected = plainList(own, shown);
          const paged: string[] = [];
          for (let offset = 0; offset < expected.length + limit; offset += limit) {
            const page = index.search(searchFor({ ...asked, ...given, pins, offset, limit }));
            expect(page.found).toBe(expected.length);
            expect(page.hits.length).toBe(Math.max(0, Math.min(limit, expected.length - offset)));
            paged.push(...page.hits.map(({ id }) => id));
          }
          expect(paged).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('have no score where the search does not find them, and say that they are pinned', () => {
    const pins = [
      { id: 'j', position: 1 },
      { id: 'a', position: 2 },
    ];
    const { hits, found } = index.search(searchFor({ ...asked, pins }));
    expect(found).toBe(9);
    expect(hits.slice(0, 3).map(({ id, isPinned }) => [id, isPinned])).toEqual([
      ['j', true],
      ['a', true],
      ['h', false],
    ]);
    expect(hits[0]?.score).toBe(0);
    expect(hits[1]?.score).toBeGreaterThan(0);
    expect(hits[0]?.textMatch).toBeNull();
  });

  it('keep their places under a sort and in a hybrid search without a vector', () => {
    const pins = [{ id: 'k', position: 2 }];
    const sort = [{ field: 'kind', descending: true }];
    expect(idsOf(pins, { sort })[1]).toBe('k');
    const hybrid = index.search(searchFor({ ...asked, mode: 'hybrid', vector: null, pins }));
    expect(hybrid.hits[1]).toMatchObject({ id: 'k', score: 0, isPinned: true });
    expect(idsOf(pins, { text: '*' })[1]).toBe('k');
  });

  it('that a filter excludes stay out, and the others keep their positions', () => {
    const pins = [
      { id: 'j', position: 1 },
      { id: 'k', position: 3 },
    ];
    expect(idsOf(pins, { filter: 'kind:even' }).indexOf('k')).toBe(2);
    expect(idsOf(pins, { ruleFilter: 'kind:even' }).indexOf('k')).toBe(2);
    expect(idsOf(pins, { filter: 'kind:even' })).not.toContain('j');
  });
});
