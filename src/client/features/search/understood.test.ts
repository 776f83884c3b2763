// @vitest-environment node
import { expect, it } from 'vitest';
import { demandsOf, takenBack, understoodLabel, withoutDemand } from './understood.ts';

it.each([
  ['price', 'price:<30', 'price < 30'],
  ['price', 'price:>=9.5', 'price ≥ 9.5'],
  ['year', 'year:[1980..1989]', 'year: 1980 to 1989'],
  ['acquisition_year', 'acquisition_year:1990', 'acquisition_year: 1990'],
  ['artist', 'artist:Turner', 'artist: Turner'],
  ['genres', 'genres:=`Science Fiction`', 'genres: Science Fiction'],
  ['a:b', '`a:b`:=`say ``hi```', 'a:b: say `hi`'],
])('%s %s is %s', (field, filter_by, label) => {
  expect(understoodLabel({ phrase: '', field, filter_by })).toBe(label);
});

it('tells what was taken back only while it is in the query', () => {
  expect(takenBack({ q: 'turner at sea', skip: ['Turner', 'under 30'] })).toEqual(['Turner']);
});

it.each([
  ['"space station" moon', 'phrase', 'space station', 'space station moon'],
  ['moon “space station”', 'phrase', 'space station', 'moon space station'],
  ['-"war" "war" film', 'phrase', 'war', '-"war" war film'],
  ['robot -war now', 'exclusion', 'war', 'robot now'],
  ['war -war', 'exclusion', 'war', 'war'],
  ['robot -"star wa', 'exclusion', 'star wa', 'robot'],
  ['-"star wars" robot', 'exclusion', 'star wars', 'robot'],
  ['robot', 'phrase', 'war', 'robot'],
] as const)('%s without the %s of %s is %s', (q, kind, text, rest) => {
  expect(withoutDemand(q, { kind, text })).toBe(rest);
});

it('lists what is demanded', () => {
  expect(demandsOf({})).toEqual([]);
  expect(demandsOf({ phrases: ['a b'], excluded: ['c'] })).toEqual([
    { kind: 'phrase', text: 'a b' },
    { kind: 'exclusion', text: 'c' },
  ]);
});
