import { describe, expect, test } from 'vitest';
import { FieldNameError, SearchIndex } from '../../search-index.ts';
import { document, indexOf, searchFor, smallSettings } from '../../testing/fixtures.ts';
import type { SearchQuery } from '../../types.ts';

const documents = [
  document('1', { title: 'Solaris', year: 1961, author: { name: 'Lem' } }),
  document('2', { title: 'Fiasco', releaseDate: '1986-01-01', tags: ['space'] }),
];
const settings = { ...smallSettings, fields: [{ name: 'price', type: 'number' as const }] };

const by = (field: string): Partial<SearchQuery> => ({ sort: [{ field, descending: false }] });
const counted = (field: string): Partial<SearchQuery> => ({ facets: [{ field, ranges: [] }] });
const grouped = (field: string): Partial<SearchQuery> => ({
  group: { fields: [field], limit: 3, joinsMissing: true },
});
const within = (...names: string[]): Partial<SearchQuery> => ({
  fields: names.map((name) => ({ name, weight: 1 })),
});

/** What is said of a search's names; null: it is answered. */
function faultOf(index: SearchIndex, query: Partial<SearchQuery>) {
  try {
    index.search(searchFor({ text: 'solaris', ...query }));
    return null;
  } catch (error) {
    if (error instanceof FieldNameError) return { part: error.part, fault: error.fault };
    throw error;
  }
}

describe('the fields that a search names', () => {
  const index = indexOf(documents, settings);

  test.each<[string, Partial<SearchQuery>, string, string]>([
    ['a letter is missing', within('title', 'titel'), 'fields', '"titel" is unknown; the nearest is "title"'],
    ['another case', by('releasedate'), 'sort', '"releasedate" is unknown; the nearest is "releaseDate"'],
    ['an object', counted('author'), 'facets', '"author" is unknown; the nearest is "author.name"'],
    ['the end of a path', within('name'), 'fields', '"name" is unknown; the nearest is "author.name"'],
    ['a declared one is meant', by('prize'), 'sort', '"prize" is unknown; the nearest is "price"'],
    ['groups by a misspelt one', grouped('titles'), 'group', '"titles" is unknown; the nearest is "title"'],
    [
      'a facet query asks of another field than is counted',
      { ...counted('tags'), facetQuery: 'title:sol' },
      'facetQuery',
      '"title" is none',
    ],
    [
      'a facet query has a typo in its field',
      { ...counted('tags'), facetQuery: 'tag:sp' },
      'facetQuery',
      '"tag" is none; the nearest is "tags"',
    ],
    ['a score is no facet', counted('_score'), 'facets', '"_score" is unknown'],
    [
      'nothing is near',
      by('zzzzzzzzzz'),
      'sort',
      'it has "author.name", "price", "releaseDate", "tags", "title" and others',
    ],
  ])('%s', (_, query, part, message) => {
    expect(faultOf(index, query)).toEqual({ part, fault: expect.stringContaining(message) });
  });

  test('are known where documents have them, where they are declared, and where they are none', () => {
    for (const query of [
      within('title', 'tags', 'price', 'author.name'),
      by('price'),
      by('id'),
      by('_score'),
    ])
      expect(faultOf(index, query)).toBeNull();
    expect(faultOf(index, counted('tags'))).toBeNull();
    // A value may have a colon of its own.
    for (const facetQuery of ['tags:sp', 're: zero', ':x', 'space'])
      expect(faultOf(index, { ...counted('tags'), facetQuery })).toBeNull();
  });

  test('a collection without documents knows its declared fields only', () => {
    const empty = indexOf(documents, settings);
    empty.apply({ version: 2, puts: [], deletes: ['1', '2'] });
    for (const each of [SearchIndex.create(settings), empty])
      expect(faultOf(each, by('anything'))).toBeNull();
  });

  test('a field that only deleted documents had is unknown', () => {
    const fewer = indexOf(documents, settings);
    fewer.apply({ version: 2, puts: [], deletes: ['2'] });
    expect(faultOf(fewer, counted('tags'))).not.toBeNull();
  });

  test('words of fields beyond those that have columns are searched', () => {
    const wide = indexOf([
      document('1', Object.fromEntries(Array.from({ length: 999 }, (_, i) => [`f${i}`, i]))),
      document('2', { last: 'x', beyond: 'solaris' }),
    ]);
    expect(wide.search(searchFor({ text: 'solaris', ...within('beyond') })).found).toBe(1);
    expect(faultOf(wide, within('beyonds'))).not.toBeNull();
  });

  test('long names are compared by their beginning', () => {
    const long = indexOf([document('1', { [`${'x'.repeat(80)}1`]: 'a' })]);
    expect(faultOf(long, by(`${'x'.repeat(80)}2`))?.fault).toContain(`the nearest is "${'x'.repeat(80)}1"`);
  });
});
