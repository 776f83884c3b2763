import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toRanking } from '#server/indexes/search/to-ranking.ts';
import { document, idsFound, indexOf, searchFor, titles } from '../testing/fixtures.ts';
import { breakCharactersMax } from './word-breaks.ts';

/** Words that are written in one or in two. */

const whole = { prefix: false, limit: 250 } as const;
const times = (count: number, title: string): string[] => Array.from({ length: count }, () => title);

describe('two words', () => {
  it('find what is written in one, behind what is written as they are', () => {
    const index = titles('cheap notebook', 'cheap note book', 'cheap radio');
    expect(idsFound(index, { ...whole, text: 'note book' })).toEqual(['1', '0']);
    expect(idsFound(index, { ...whole, text: 'note book', match: 'all' })).toEqual(['1', '0']);
    expect(idsFound(titles('notebook', 'radio'), { ...whole, text: 'Note Books' })).toEqual(['0']);
  });

  it('come first as they were typed, though that text is longer', () => {
    for (const b of [0, 0.6, 0.99]) {
      const index = titles('notebook', 'note book', 'a long title without either');
      const given = { ...whole, text: 'note book', ranking: toRanking({ b }) };
      expect(idsFound(index, given)).toEqual(['1', '0']);
    }
  });

  it('are not joined to what is written with a hyphen alone: that is found as it is', () => {
    const { hits } = titles('note-book').search(
      searchFor({ ...whole, text: 'note book', isExplained: true }),
    );
    const kinds = hits[0]?.explanation?.words?.words.map(({ matches }) => matches.map(({ kind }) => kind));
    expect(kinds).toEqual([['word'], ['word']]);
  });

  it('are joined in a long query where more documents hold that word than the rarer of them', () => {
    const found = (count: number) => {
      const index = titles(...times(count, 'notebook'), 'note', 'book');
      return idsFound(index, { ...whole, text: 'note book quartz falcon meadow', match: 'any' }).length;
    };
    expect([found(1), found(2)]).toEqual([2, 4]);
  });

  it('are not joined where less than four letters come together', () => {
    const found = (word: string, text: string) => idsFound(titles(word), { ...whole, text, match: 'any' });
    expect([found('ieg', 'i eg'), found('email', 'e mail')]).toEqual([[], ['0']]);
  });

  it('are joined only where they were typed one behind the other', () => {
    const index = titles('notebook');
    for (const text of ['book note', 'note a book', 'note red book', '"note" book', 'note "x" book'])
      expect(idsFound(index, { ...whole, text, match: 'any' })).toEqual([]);
    expect(idsFound(index, { ...whole, text: 'note book note', match: 'any' })).toEqual(['0']);
  });

  it('find codes that are written with a hyphen, or in one', () => {
    const index = titles('drill XJ-200', 'drill xj200', 'drill');
    for (const text of ['xj 200', 'xj200', 'XJ-200'])
      expect(idsFound(index, { ...whole, text, match: 'all' }).sort()).toEqual(['0', '1']);
  });
});

describe('a word', () => {
  it('finds what is written in two, one behind the other, behind what is written as it is', () => {
    const index = indexOf([
      document('two', { title: 'cheap note book' }),
      document('one', { title: 'cheap notebook' }),
      document('apart', { title: 'cheap note of a book' }),
      document('turned', { title: 'cheap book note' }),
      document('fields', { title: 'note', text: 'book' }),
    ]);
    for (const match of ['auto', 'all', 'any'] as const)
      expect(idsFound(index, { ...whole, text: 'notebook', match })).toEqual(['one', 'two']);
    const fields = [{ name: 'text', weight: 1 }];
    expect(idsFound(index, { ...whole, text: 'notebook', fields })).toEqual([]);
  });

  it('is neither dropped nor corrected then', () => {
    const { correctedTokens, droppedTokens } = titles('note book', 'notebrook').search(
      searchFor({ ...whole, text: 'notebook' }),
    );
    expect([correctedTokens, droppedTokens]).toEqual([[], []]);
    const without = titles('note of a book', 'notebrook').search(searchFor({ ...whole, text: 'notebook' }));
    expect(without.correctedTokens).toEqual([{ from: 'notebook', to: 'notebrook' }]);
  });

  it('is cut where the rarer part is the most frequent', () => {
    // Cut behind the third letter the rarer part is in two documents, behind the fourth in one.
    const index = titles('abc defg', 'abc', 'defg', 'abcd efg', ...times(9, 'abcd'));
    expect(idsFound(index, { ...whole, text: 'abcdefg' })).toEqual(['0']);
  });

  it('is not cut into stop words or single letters', () => {
    const index = titles('is land', 'l and', 'z ebra');
    expect(idsFound(index, { ...whole, text: 'island' })).toEqual([]);
    expect(idsFound(index, { ...whole, text: 'zebra' })).toEqual([]);
  });

  it('is not cut where too much would be read', () => {
    const found = (length: number) => {
      const source = { title: 'note book', filler: 'x'.repeat(length) };
      return idsFound(indexOf([document('long', source)]), { ...whole, text: 'notebook' });
    };
    expect(found(breakCharactersMax - 100)).toEqual(['long']);
    expect(found(breakCharactersMax)).toEqual([]);
  });
});

describe('what is written otherwise', () => {
  it('is looked for while few documents are found, and in a long query none', () => {
    const found = (count: number, ranking = toRanking()) =>
      idsFound(titles('notebook', ...times(count, 'note book')), { ...whole, text: 'note book', ranking });
    expect([found(29).includes('0'), found(30).includes('0')]).toEqual([true, false]);
    expect(found(1, toRanking({ few_matches: 1 }))).toEqual(['1']);
    const text = 'notebook quartz falcon meadow';
    const long = (...others: string[]) => idsFound(titles('note book', ...others), { ...whole, text });
    expect(long('quartz')).toContain('0');
    expect(long('quartz', 'notebook')).not.toContain('0');
  });

  it('is not looked for in a text of more than 1,000 characters', () => {
    const found = (spaces: number) =>
      idsFound(titles('notebook'), { ...whole, text: `note${' '.repeat(spaces)}book`, match: 'any' });
    expect([found(992), found(993)]).toEqual([['0'], []]);
  });

  it('is not looked for where typos are not, and never in quotation marks or for exclusions', () => {
    const index = titles('notebook', 'note book', 'radio');
    expect(idsFound(index, { ...whole, text: 'notebook', typosMax: 0 })).toEqual(['0']);
    expect(idsFound(index, { ...whole, text: '"note book"' })).toEqual(['1']);
    expect(idsFound(index, { ...whole, text: '"notebook"' })).toEqual(['0']);
    expect(idsFound(index, { ...whole, text: '-notebook' }).sort()).toEqual(['1', '2']);
  });

  it('is marked and explained as a synonym is', () => {
    const index = titles('a note book, no book', 'the notebook');
    const search = (text: string) => index.search(searchFor({ ...whole, text, isExplained: true })).hits;
    const two = search('notebook').find(({ id }) => id === '0');
    expect(two?.highlights[0]?.snippet).toBe('a <mark>note</mark> <mark>book</mark>, no book');
    expect(two?.explanation?.words?.words[0]?.matches).toMatchObject([{ kind: 'synonym', share: 0.5 }]);
    const one = search('note book').find(({ id }) => id === '1');
    expect(one?.highlights[0]?.snippet).toBe('the <mark>notebook</mark>');
    expect(one?.explanation?.words?.words.map(({ matches }) => matches)).toMatchObject([
      [{ kind: 'synonym', share: 0.5 }],
      [{ kind: 'synonym', share: 0.5 }],
    ]);
  });

  const part = fc.constantFrom('ab', 'cd', 'abc', 'dab');
  const word = fc.oneof(
    part,
    fc.tuple(part, part).map((parts) => parts.join('')),
  );
  const title = fc.array(word, { minLength: 1, maxLength: 4 });

  it('is what a plain reimplementation of the rule finds', () => {
    fc.assert(
      fc.property(fc.array(title, { minLength: 1, maxLength: 8 }), word, word, (texts, first, second) => {
        const index = titles(...texts.map((text) => text.join(' ')));
        const holders = (own: string) => texts.filter((text) => text.includes(own)).length;
        const cutOf = (own: string) => {
          let best = { rarer: 0, parts: [own] };
          for (let end = 2; end <= own.length - 2; end += 1) {
            const parts = [own.slice(0, end), own.slice(end)];
            const rarer = Math.min(...parts.map(holders));
            if (rarer > best.rarer) best = { rarer, parts };
          }
          return best.parts;
        };
        const stands = (text: string[], phrase: string[]) =>
          text.some((_, i) => phrase.every((each, j) => text[i + j] === each));
        const holds = (text: string[], own: string, joined: string) =>
          text.includes(own) || text.includes(joined) || stands(text, cutOf(own));
        const joined = first + second;
        const expected = texts.flatMap((text, i) =>
          holds(text, first, joined) && holds(text, second, joined) ? [String(i)] : [],
        );
        // No typos: what nobody holds would be read as a neighbour.
        const ranking = toRanking({ few_documents: 0 });
        const found = idsFound(index, { ...whole, text: `${first} ${second}`, match: 'all', ranking });
        expect(found.sort()).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});

describe('when words are joined and split', () => {
  const index = () => titles(...times(31, 'note book'), 'notebook', 'radio');
  const count = (given: Parameters<typeof searchFor>[0]) =>
    idsFound(index(), { ...whole, match: 'all', ...given }).length;

  it('is said by the search: never, while few documents are found, or always', () => {
    const found = (text: string) =>
      (['off', 'fallback', 'always'] as const).map((wordBreaks) => count({ text, wordBreaks }));
    expect(found('note book')).toEqual([31, 31, 32]);
    expect(found('notebook')).toEqual([1, 32, 32]);
  });

  it('is never without typos, unless it is always', () => {
    const found = (['off', 'fallback', 'always'] as const).map((wordBreaks) =>
      count({ text: 'notebook', typosMax: 0, wordBreaks }),
    );
    expect(found).toEqual([1, 1, 32]);
  });

  it('is in a long query always too, though fewer documents hold the joined word than its parts', () => {
    const text = 'note book quartz falcon meadow';
    const holders = (wordBreaks: 'fallback' | 'always') => count({ text, match: 'any', wordBreaks });
    expect([holders('fallback'), holders('always')]).toEqual([31, 32]);
  });
});
