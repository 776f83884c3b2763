// @vitest-environment node
import { expect, it } from 'vitest';
import { takenBack, understoodLabel } from './understood.ts';

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
