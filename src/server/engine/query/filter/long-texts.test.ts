import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  document,
  fromSnapshot,
  indexOf,
  searchFor,
  smallSettings,
  snapshotOf,
} from '../../testing/fixtures.ts';
import { longestStep } from '../../testing/longest-step.ts';

const sentence = 'A quiet tale of the river and the stone houses beside it. ';
const prose = (ending: string) => `${sentence.repeat(6)}${ending}`;

const index = indexOf([
  document('fox', { text: prose('The fox ran.') }),
  document('FOX', { text: prose('The fox ran.').toUpperCase() }),
  document('dog', { text: [prose('The dog slept.'), 'short'] }),
  document('short', { text: 'The fox ran.' }),
  document('other', { text: `Another. ${prose('foxes')}` }),
]);
const passing = (filter: string) => index.ids(filter);

describe('long texts', () => {
  it('are found by words, words that begin so, beginning and whole', () => {
    expect(passing('text:fox')).toEqual(['FOX', 'fox', 'short']);
    expect(passing('text:fox*')).toEqual(['FOX', 'fox', 'other', 'short']);
    expect(passing('text:"stone fo"*')).toEqual(['FOX', 'fox', 'other']);
    expect(passing('text:="A quiet tale"*')).toEqual(['FOX', 'dog', 'fox']);
    expect(passing(`text:="${prose('The fo')}"*`)).toEqual(['FOX', 'fox']);
    expect(passing(`text:="${prose('The fox ran.')}"`)).toEqual(['FOX', 'fox']);
    expect(passing(`text:="${sentence.slice(0, 64)}"`)).toEqual([]);
    expect(passing('text:!=short')).toEqual(['FOX', 'fox', 'other', 'short']);
    expect(passing('text:[slept, foxes]')).toEqual(['dog', 'other']);
  });

  it('have their beginning as facet value, with an ellipsis', () => {
    const { facets } = index.search(searchFor({ text: '*', facets: [{ field: 'text', ranges: [] }] }));
    expect(facets[0]?.counts).toContainEqual({ value: `${sentence.repeat(2).slice(0, 64)}…`, count: 2 });
    expect(facets[0]?.counts).toContainEqual({ value: 'The fox ran.', count: 1 });
  });

  it('are sorted by their beginning', () => {
    const { hits } = index.search(searchFor({ text: '*', sort: [{ field: 'text', descending: false }] }));
    expect(hits.map((hit) => hit.id)).toEqual(['FOX', 'dog', 'fox', 'other', 'short']);
  });

  it('answer the same after a snapshot and after a delete', () => {
    const decoded = fromSnapshot(snapshotOf(index), smallSettings);
    if ('refused' in decoded) throw new Error(decoded.refused);
    for (const filter of ['text:fox', `text:="${prose('The fox ran.')}"`])
      expect(decoded.index.ids(filter)).toEqual(passing(filter));
    decoded.index.apply({ version: 2, puts: [document('fox', { text: 'gone' })], deletes: ['dog'] });
    expect(decoded.index.ids('text:fox')).toEqual(['FOX', 'short']);
  });

  it('take no more memory for being longer', () => {
    const many = (length: number) =>
      indexOf(Array.from({ length: 50 }, (_, i) => document(`${i}`, { text: `${i} ${'x'.repeat(length)}` })));
    const sources = (length: number) => 50 * length;
    const grown = many(20_000).stats().memoryBytes - many(2_000).stats().memoryBytes;
    // The stored sources' last chunk may be half empty.
    expect(grown).toBeLessThan(2.5 * (sources(20_000) - sources(2_000)));
  });

  it('are held by the documents that a reading of each would find', () => {
    const ending = fc.array(
      fc.constantFrom('fox', 'foxes', 'Fox', 'dog', 'straße', 'STRASSE', '東京', 'é', 'e\u0301'),
      {
        maxLength: 3,
      },
    );
    const operand = fc.constantFrom('fox', 'fo', 'strasse', 'dog', '京', 'é', 'stone dog', 'stone fo');
    fc.assert(
      fc.property(fc.array(ending, { maxLength: 6 }), operand, fc.boolean(), (endings, wanted, isPrefix) => {
        const star = isPrefix ? '*' : '';
        const filter = `text:"${wanted}"${star}`;
        const long = indexOf(endings.map((each, i) => document(String(i), { text: prose(each.join(' ')) })));
        // The same values kept short: those are compared in the dictionary.
        const short = indexOf(
          endings.map((each, i) => document(String(i), { text: `${sentence}${each.join(' ')}` })),
        );
        expect(long.ids(filter)).toEqual(short.ids(filter));
      }),
    );
  });
});

describe('a document of tens of thousands of words', () => {
  const wordsOf = (letter: string) => Array.from({ length: 40_000 }, (_, i) => `${letter}${i.toString(36)}`);
  const large = indexOf([
    // Of several texts one must hold all the words, which the inverted index does not tell.
    document('ascii', { text: [`${wordsOf('k').join(' ')} fox foxes`, 'short'] }),
    document('other', { text: [`${wordsOf('ж').join(' ')} fox foxes`, 'short'] }),
  ]);
  const nine = Array.from({ length: 9 }, (_, i) => `fox k${i}`).join(', ');

  it.each([
    ['text:"fox foxes"', ['ascii', 'other']],
    ['text:"k1 fo"*', ['ascii']],
    ['text:"ж1 fo"*', ['other']],
    [`text:[${nine}]`, ['ascii']],
  ])('is read in small steps for %s', (filter, ids) => {
    const { result, reads } = longestStep(large.idSteps({ filter }, { part: null }));
    expect(result).toEqual(ids);
    expect(reads).toBeLessThan(50_000);
  });
});
