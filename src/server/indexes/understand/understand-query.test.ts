import { expect, it, test } from 'vitest';
import { runSteps } from '#server/engine/steps.ts';
import { understandQuery } from './understand-query.ts';
import { familyNames, knownValues, type NumberField } from './vocabulary.ts';

const number = (path: string, min: number, max: number): NumberField => ({
  path,
  words: path.split('_'),
  unit: 'number',
  min,
  max,
});

const facets = [
  {
    field_name: 'genres',
    counts: [
      { value: 'Drama', count: 30 },
      { value: 'Science Fiction', count: 20 },
    ],
  },
  { field_name: 'artist', counts: [{ value: 'Joseph Mallord William Turner', count: 9 }] },
  { field_name: 'made of', counts: [{ value: 'Öl `auf` Holz', count: 3 }] },
];
const documents = new Map([['genres', 50]]);
const values = runSteps(knownValues(facets, documents)).set('turner', {
  field: 'artist',
  clause: 'artist:Turner',
});
const shop = {
  values,
  numbers: [number('price', 1, 900), number('rating', 1, 5), number('runtime_minutes', 1, 300)],
};
const films = {
  values,
  numbers: [number('acquisition_year', 1880, 2020), number('year', 1901, 2023)],
};

const read = (text: string, vocabulary: typeof shop = shop, skipped: string[] = []) => {
  const { text: left, parts } = understandQuery(text, vocabulary, skipped);
  return [left, ...parts.map(({ filter_by }) => filter_by)];
};

it.each([
  ['gift under 30 dollars', 'gift', 'price:<30'],
  ['gift under $30 for a friend', 'gift for a friend', 'price:<30'],
  ['gift below 1,250.50 €', 'gift', 'price:<1250.5'],
  ['lamp for at most 30', 'lamp for', 'price:<=30'],
  ['lamps between 20 and 30 euros', 'lamps', 'price:[20..30]'],
  ['lamps $20-$30', 'lamps', 'price:[20..30]'],
  ['lamps cheaper than 9,99', 'lamps', 'price:<9.99'],
  ['price < 30 lamp', 'lamp', 'price:<30'],
  ['chair rating over 4', 'chair', 'rating:>4'],
  ['stories under 90 minutes', 'stories', 'runtime_minutes:<90'],
])('reads an amount: %s', (text, left, clause) => {
  expect(read(text)).toEqual([left, clause]);
});

it.each([
  ['over 50 shades of grey'],
  ['100x faster'],
  ['the 39 steps'],
  ['30'],
  ['under'],
  ['between 30 and'],
  ['over 30 years old'],
])('leaves alone what is no amount of the collection: %s', (text) => {
  expect(read(text)).toEqual([text]);
});

it.each([
  ['robots 1994', 'robots', 'year:1994'],
  ['robots in 1994', 'robots', 'year:1994'],
  ['robots of the 1980s', 'robots', 'year:[1980..1989]'],
  ["robots from the 80's", 'robots', 'year:[1980..1989]'],
  ['robots since 2010', 'robots', 'year:>=2010'],
  ['robots before 1950 ', 'robots', 'year:<1950'],
  ['robots 1990-1999', 'robots', 'year:[1990..1999]'],
  ['robots between 2010 and 2100', 'robots', 'year:[2010..2100]'],
  ['robots acquisition year 1990', 'robots', 'acquisition_year:1990'],
])('reads a year: %s', (text, left, clause) => {
  expect(read(text, films)).toEqual([left, clause]);
});

test('a year that no document has around it is a word', () => {
  expect(read('blade runner 2049', films)).toEqual(['blade runner 2049']);
  expect(read('robots 1994', shop)).toEqual(['robots 1994']);
});

test('of dates a year is a span', () => {
  const dates = { values, numbers: [{ ...number('released', 0, 0), unit: 'date' as const }] };
  expect(read('robots 1994', dates)).toEqual(['robots', 'released:[1994-01-01..1994-12-31]']);
  expect(read('robots after 1994', dates)).toEqual(['robots', 'released:>1994-12-31']);
  expect(read('robots since 1994', dates)).toEqual(['robots', 'released:>=1994-01-01']);
});

it.each([
  ['Turner sunset', 'sunset', 'artist:Turner'],
  ['sunsets by turner', 'sunsets', 'artist:Turner'],
  ['joseph mallord william TURNER sunset', 'sunset', 'artist:=`Joseph Mallord William Turner`'],
  ['science-fiction drama robots', 'robots', 'genres:=`Science Fiction`', 'genres:=Drama'],
  ['ol auf holz landscape', 'landscape', '`made of`:=`Öl ``auf`` Holz`'],
])('reads values of fields: %s', (text, left, ...clauses) => {
  expect(read(text)).toEqual([left, ...clauses]);
});

test('where nothing else is typed values are words, and of amounts alone all is listed', () => {
  expect(read('Turner')).toEqual(['Turner']);
  expect(read('drama, turner')).toEqual(['drama, turner']);
  expect(read('drama under $30')).toEqual(['drama', 'price:<30']);
  expect(read('under $30')).toEqual(['*', 'price:<30']);
});

test('a word among many of a document is a tag, unless it is written as a name', () => {
  const counts = [
    { value: 'gift', count: 9 },
    { value: 'Noir', count: 9 },
    { value: 'noise cancelling', count: 2 },
  ];
  const known = (of: number) => [
    ...runSteps(knownValues([{ field_name: 'tags', counts }], new Map([['tags', of]]))).keys(),
  ];
  expect(known(10)).toEqual(['noir', 'noise cancelling']);
  expect(known(20)).toEqual(['gift', 'noir', 'noise cancelling']);
});

test('what stands in quotes, and what is skipped, means its words', () => {
  expect(read('"drama" turner')).toEqual(['"drama"', 'artist:Turner']);
  expect(read('Turner  Sunset drama', shop, ['turner'])).toEqual(['Turner Sunset', 'genres:=Drama']);
  expect(read('sunset by turner', shop, ['by Turner'])).toEqual(['sunset by turner']);
  expect(read('gift under 30 dollars', shop, ['Under 30 dollars'])).toEqual(['gift under 30 dollars']);
});

test('says what was typed for each condition', () => {
  expect(understandQuery('Gift by Turner under $30', shop, []).parts).toEqual([
    { phrase: 'by Turner', field: 'artist', filter_by: 'artist:Turner' },
    { phrase: 'under $30', field: 'price', filter_by: 'price:<30' },
  ]);
});

test('long values, numbers and single words of fields with many values are no values', () => {
  const many = Array.from({ length: 101 }, (_, i) => ({ value: `word${i}`, count: 2 }));
  const told = [
    { field_name: 'tag', counts: [...many, { value: 'two words', count: 2 }] },
    { field_name: 'code', counts: [{ value: '1994', count: 5 }] },
    { field_name: 'text', counts: [{ value: 'one two three four five six seven', count: 5 }] },
  ];
  const known = runSteps(knownValues(told, new Map(told.map(({ field_name }) => [field_name, 1_000]))));
  expect([...known.keys()]).toEqual(['two words']);
});

test('values are cut into words with pauses between', () => {
  const counts = Array.from({ length: 1_000 }, (_, i) => ({ value: `Anna Berg${i}`, count: 2 }));
  const told = ['artist', 'owner'].map((field_name) => ({ field_name, counts }));
  for (const steps of [knownValues(told, new Map()), familyNames(told)]) {
    let pauses = 0;
    while (!steps.next().done) pauses += 1;
    expect(pauses).toBeGreaterThan(50);
  }
});

test('family names are those of fields that name people', () => {
  const people = Array.from({ length: 25 }, (_, i) => ({
    value: `Anna ${'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[i]}berg`,
    count: 1,
  }));
  const told = [
    {
      field_name: 'cast',
      counts: [...people, { value: 'Greta Berg', count: 4 }, { value: 'Ingrid Berg', count: 2 }],
    },
    { field_name: 'medium', counts: people.map(({ count }, i) => ({ value: `Oil paint on ${i}`, count })) },
    { field_name: 'brand', counts: [{ value: 'Nordic Peak', count: 3 }] },
  ];
  const names = runSteps(familyNames(told));
  expect(names.find(({ word }) => word === 'berg')).toEqual({
    word: 'berg',
    field: 'cast',
    clause: 'cast:Berg',
    count: 6,
  });
  expect(names).toHaveLength(26);
});
