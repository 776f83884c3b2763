// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFilter } from '#server/engine/query/filter/filter-parser.ts';
import { filterOf, mergedRequest, searchRequest, typedPosition } from './search-request.ts';
import { openDocument, searchModes, searchState } from './search-state.ts';

const state = (given: object) => searchState(given as Parameters<typeof searchState>[0]);

describe('filterOf', () => {
  it('puts what was typed and what was ticked together', () => {
    const both = state({ filter: 'a:1 || b:2', facets: { brand: ['Acme', 'B & C'], year: ['1999'] } });
    expect(filterOf(both)).toBe('(a:1 || b:2) && brand:=[Acme, `B & C`] && year:=[1999]');
    const spans = state({
      ranges: { year: ['1950', ''], price: ['', '9.5'], at: ['2024-01-01', '2024-02'] },
    });
    expect(filterOf(spans)).toBe('year:>=1950 && price:<=9.5 && at:[2024-01-01..2024-02]');
    expect(parseFilter(filterOf(spans)).diagnostics).toEqual([]);
    expect(filterOf(state({ filter: ' a:1 ' }))).toBe('a:1');
  });

  it('writes every value so that the filter parser reads it', () => {
    // A record cannot hold `__proto__`; no such field is offered.
    const word = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text !== '__proto__');
    fc.assert(
      fc.property(word, fc.array(word, { minLength: 1, maxLength: 5 }), (field, values) => {
        const { filter, diagnostics } = parseFilter(filterOf(state({ facets: { [field]: values } })));
        expect(diagnostics).toEqual([]);
        expect(JSON.stringify(filter)).toContain(JSON.stringify(values[0]));
      }),
    );
  });
});

describe('typedPosition', () => {
  it('points into the box, not into what was sent', () => {
    expect(typedPosition(state({ filter: '  a:[1' }), 4)).toBe(6);
    expect(typedPosition(state({ filter: 'a:[1', facets: { b: ['2'] } }), 5)).toBe(4);
    expect(typedPosition(state({ filter: 'a', facets: { b: ['2'] } }), 9)).toBe(null);
  });
});

describe('searchRequest', () => {
  it('lists everything where there are no words, without a weight', () => {
    expect(searchRequest(state({ page: 3 }), ['brand'])).toEqual({
      query: '*',
      facet_by: ['brand'],
      max_facet_values: 50,
    });
  });

  it('wants conditions to be read in words, but for those that were taken back', () => {
    expect(searchRequest(state({ q: 'turner 1840', skip: ['1840', 7] }), [])).toMatchObject({
      understand: true,
      understand_skip: ['1840', '7'],
    });
    expect(searchRequest(state({ q: 'turner' }), [])).not.toHaveProperty('understand_skip');
    expect(searchRequest(state({ skip: ['1840'] }), [])).toEqual({ query: '*' });
    expect(searchRequest(state({ q: 'x', tuned: { understand: false } }), []).understand).toBe(false);
  });

  it('sends the weight in hybrid only', () => {
    expect(searchRequest(state({ q: 'x', alpha: 0 }), []).alpha).toBe(0);
    expect(searchRequest(state({ q: 'x' }), [])).not.toHaveProperty('alpha');
    expect(searchRequest(state({ q: 'x', mode: 'vector' }), [])).not.toHaveProperty('alpha');
  });
});

it('counts a ticked field as if it were not', () => {
  expect(searchRequest(state({ facets: { brand: ['Acme'] } }), ['brand']).facet_mode).toBe('disjunctive');
  expect(searchRequest(state({ ranges: { year: ['1', '2'] } }), ['brand']).facet_mode).toBe('disjunctive');
  expect(searchRequest(state({ facets: { brand: ['Acme'] } }), [])).not.toHaveProperty('facet_mode');
});

it('opens the document that the address names', () => {
  expect(openDocument(state({ open: '12/a/b' }))).toEqual({ collection: 12, id: 'a/b' });
  expect(openDocument(state({ open: 'a/b' }))).toBe(null);
});

describe('mergedRequest', () => {
  it('is one search and its page, without what only a single collection has', () => {
    const all = state({ q: 'x', mode: 'keyword', facets: { brand: ['Acme'] }, sort: 'price:asc', page: 3 });
    expect(mergedRequest(all, [1, 2])).toEqual({
      searches: [{ collections: [1, 2], mode: 'keyword', query: 'x' }],
      merge: { page: 3, per_page: 10 },
    });
  });
});

describe('searchState', () => {
  it('reads any address', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('q', 'mode', 'collection', 'filter', 'facets', 'ranges', 'page', 'alpha', 'open'),
          fc.anything(),
        ),
        (given) => {
          const read = state(given);
          expect(state(read)).toEqual(read);
          expect(searchModes).toContain(read.mode);
          expect(Number.isInteger(read.page) && read.page >= 1).toBe(true);
          expect(parseFilter(filterOf({ ...read, filter: '' })).diagnostics).toEqual([]);
        },
      ),
    );
  });
});
