// @vitest-environment node
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFilter } from '#server/engine/query/filter/filter-parser.ts';
import { suggestFilter } from './suggest-filter.ts';

const fields = ['year', 'genre', 'in_stock', 'price', 'author.name'];

describe('suggestFilter', () => {
  it.each([
    ['year > 2000', 'year:>2000'],
    ['year>=2000', 'year:>=2000'],
    ['year=2000', 'year:=2000'],
    ['year == 2000', 'year:=2000'],
    ['year:2000..2010', 'year:[2000..2010]'],
    ['year between 2000 and 2010', 'year:[2000..2010]'],
    ['year after 2000', 'year:>2000'],
    ['price under 30', 'price:<30'],
    ['year:[1990..', 'year:[1990..]'],
    ['yeer:>2015', 'year:>2015'],
    ['Year:>2015', 'year:>2015'],
    ['yeer > 2015', 'year:>2015'],
    ['year > 2000 and genre is Noir', 'year:>2000 && genre:=Noir'],
    ['year:>2000 genre:Noir', 'year:>2000 && genre:Noir'],
    ['genre = "Film noir', 'genre:="Film noir"'],
    ['genre in (Noir, Drama)', 'genre:[Noir, Drama]'],
    ['genre:Noir or not in_stock:true', 'genre:Noir || !in_stock:true'],
    ['genre != Noir &&', 'genre:!=Noir'],
    ['(year:>2000 || genre:Noir', '(year:>2000 || genre:Noir)'],
    ['genre:"a > b" & year ≤ 3', 'genre:"a > b" && year:<=3'],
  ])('%s is %s', (typed, meant) => {
    expect(suggestFilter(typed, fields)).toBe(meant);
    expect(parseFilter(meant).diagnostics).toEqual([]);
  });

  it.each(['year:>', 'year', '!', '', 'year:>2000', 'id:[a]'])('knows nothing better than %j', (typed) => {
    expect(suggestFilter(typed, fields)).toBe(null);
  });

  it('leaves what can be read as it is', () => {
    const clause = fc.constantFrom(
      'year:>2000',
      'genre:=[Noir, `B & C`]',
      '!in_stock:true',
      'price:[1..2]',
      'id:[a]',
    );
    const text = fc.array(clause, { minLength: 1, maxLength: 4 }).map((clauses) => clauses.join(' && '));
    fc.assert(fc.property(text, (filter) => suggestFilter(filter, fields) === null));
  });

  it('ends, whatever is typed', () => {
    fc.assert(fc.property(fc.string({ maxLength: 200 }), (typed) => void suggestFilter(typed, fields)));
  });
});
