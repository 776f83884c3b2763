import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { document, idsFound, indexOf, searchFor, titles } from '../testing/fixtures.ts';

describe('what counts as a match', () => {
  const index = titles('red fox', 'red dog', 'blue dog', 'green cat');

  it('all: every word', () => {
    expect(idsFound(index, { text: 'red dog', match: 'all' })).toEqual(['1']);
    expect(index.search(searchFor({ text: 'red cat', match: 'all', typosMax: 0 })).found).toBe(0);
  });

  it('any: one word', () => {
    expect(idsFound(index, { text: 'red cat', match: 'any' }).sort()).toEqual(['0', '1', '3']);
  });

  it('auto: all while that finds enough, else what covers most of the weight', () => {
    const all = index.search(searchFor({ text: 'red dog' }));
    expect([all.matchRule, all.found]).toEqual(['all', 1]);
    const most = index.search(searchFor({ text: 'green cat dog', typosMax: 0 }));
    expect([most.matchRule, most.hits.map((hit) => hit.id)]).toEqual(['most', ['3']]);
    expect(most.droppedTokens).toEqual(['dog']);
  });

  it('auto: never drops words when the threshold is 0', () => {
    const answer = index.search(searchFor({ text: 'red cat', dropTokensThreshold: 0, typosMax: 0 }));
    expect([answer.matchRule, answer.found]).toEqual(['all', 0]);
  });

  it('auto: a sentence finds the documents that cover most of it', () => {
    const films = titles(
      'the lord of the rings the fellowship of the ring',
      'ring',
      'lord jim',
      'a fellowship of fools',
    );
    const answer = films.search(
      searchFor({ text: 'that film about the fellowship, a lord and some rings of power' }),
    );
    expect(answer.matchRule).toBe('most');
    expect(answer.hits[0]?.id).toBe('0');
    expect(answer.droppedTokens).toContain('film');
  });

  it('uses stop words only if there is nothing else', () => {
    const films = titles('it', 'the who', 'rain');
    expect(idsFound(films, { text: 'It' })).toEqual(['0']);
    expect(idsFound(films, { text: 'the rain' })).toEqual(['2']);
  });

  it('finds nothing without words and everything for *', () => {
    expect(index.search(searchFor({ text: '🎬 !?' })).found).toBe(0);
    expect(index.search(searchFor({ text: '*' }))).toMatchObject({ found: 4, matchRule: null });
    expect(index.search(searchFor({ text: ' ' })).found).toBe(4);
  });

  it('finds words by their stem, in any case and accent, in any script', () => {
    const mixed = titles('Les Misérables', 'Straße', '東京物語', 'running');
    expect(idsFound(mixed, { text: 'MISERABLES' })).toEqual(['0']);
    expect(idsFound(mixed, { text: 'strasse' })).toEqual(['1']);
    expect(idsFound(mixed, { text: '物語' })).toEqual(['2']);
    expect(idsFound(mixed, { text: '京' })).toEqual(['2']);
    expect(idsFound(mixed, { text: 'runs' })).toEqual(['3']);
  });

  it('a filter never adds a match', () => {
    const word = fc.constantFrom('alpha', 'alphas', 'beta', 'betas', 'gamma', 'alpba');
    const corpus = fc.array(fc.record({ title: fc.array(word, { maxLength: 4 }), n: fc.nat(3) }), {
      maxLength: 10,
    });
    fc.assert(
      fc.property(corpus, fc.array(word, { maxLength: 4 }), (documents, query) => {
        const any = indexOf(documents.map((fields, i) => document(String(i), fields)));
        const text = query.join(' ');
        const all = new Set(idsFound(any, { text }));
        for (const id of idsFound(any, { text, filter: 'n:<2' })) expect(all).toContain(id);
      }),
    );
  });
});

describe('prefixes', () => {
  const index = titles('car', 'carpet', 'cart wheel', 'wheel');

  it('complete the last word only, the word itself first', () => {
    expect(idsFound(index, { text: 'car' })).toEqual(['0', '1', '2']);
    expect(idsFound(index, { text: 'car wheel', match: 'all', typosMax: 0 })).toEqual([]);
    expect(idsFound(index, { text: 'wheel car', match: 'all' })).toEqual(['2']);
    expect(idsFound(index, { text: 'car', prefix: false, typosMax: 0 })).toEqual(['0']);
  });

  it('end with a sentence', () => {
    expect(idsFound(index, { text: 'Car.' })).toEqual(['0']);
  });
});

describe('typos', () => {
  const films = titles('the matrix', 'inception', 'the mattress', 'form', 'from dusk till dawn');

  it('are forgiven and named', () => {
    const answer = films.search(searchFor({ text: 'matrxi' }));
    expect(answer.hits.map((hit) => hit.id)).toEqual(['0']);
    expect(answer.correctedTokens).toEqual([{ from: 'matrxi', to: 'matrix' }]);
    expect(answer.hits[0]?.highlights[0]?.snippet).toBe('the <mark>matrix</mark>');
    expect(idsFound(films, { text: 'incetpoin' })).toEqual(['1']);
  });

  it('are not forgiven beyond num_typos, in short words, or in the first letter of a short one', () => {
    expect(idsFound(films, { text: 'matrxi', typosMax: 0 })).toEqual([]);
    expect(idsFound(films, { text: 'incetpoin', typosMax: 1 })).toEqual([]);
    expect(idsFound(films, { text: 'natrix' })).toEqual([]);
    expect(idsFound(titles('cadbury', 'cap'), { text: 'cup' })).toEqual([]);
  });

  it('a real word does not block its neighbour, and comes before it', () => {
    expect(idsFound(films, { text: 'form' })).toEqual(['3', '4']);
    expect(films.search(searchFor({ text: 'form' })).correctedTokens).toEqual([]);
  });

  it('are not tried when the words as typed find enough', () => {
    const many = titles(...Array.from({ length: 6 }, () => 'form'), 'from');
    expect(idsFound(many, { text: 'form' })).not.toContain('6');
  });

  it('an exact word outranks its neighbours in documents of one length, whatever their frequency', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 40 }), (times, others) => {
        const filler = Array.from({ length: 4 - times }, () => 'filler').join(' ');
        const index = titles(
          `rattle filler filler filler`,
          `${'battle '.repeat(times)}${filler}`,
          `${'rattler '.repeat(times)}${filler}`,
          ...Array.from({ length: others }, () => 'filler up'),
        );
        expect(idsFound(index, { text: 'rattle', match: 'any' })[0]).toBe('0');
      }),
    );
  });
});
