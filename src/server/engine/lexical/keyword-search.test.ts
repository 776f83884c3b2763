import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toRanking } from '#server/indexes/search/to-ranking.ts';
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
    const all = index.search(searchFor({ text: 'red dog', ranking: toRanking({ few_matches: 1 }) }));
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

  it('auto: a typo in a word that documents hold never makes all of them enough', () => {
    const films = titles(
      'a robot in love',
      'robots',
      'learning to read',
      'he earned love',
      ...Array.from({ length: 5 }, () => 'filler'),
    );
    const answer = films.search(searchFor({ text: 'earned robots' }));
    expect([answer.matchRule, answer.found]).toEqual(['most', 3]);
    const learned = films.search(searchFor({ text: 'robots learning to love' }));
    expect(learned.matchRule).toBe('most');
    expect(learned.hits[0]?.id).toBe('0');
    expect(learned.hits.map((hit) => hit.id)).toEqual(expect.arrayContaining(['0', '1', '2']));
    expect([learned.droppedTokens, learned.correctedTokens]).toEqual([[], []]);
  });

  it('auto: a word nobody has is read as its neighbour, and the rest must be there', () => {
    const films = titles('star wars', 'star of war', 'star', 'wars', 'he was a star');
    const answer = films.search(searchFor({ text: 'star wasr', ranking: toRanking({ few_matches: 1 }) }));
    expect([answer.matchRule, answer.hits.map((hit) => hit.id)]).toEqual(['all', ['0', '1']]);
    expect(answer.correctedTokens).toEqual([{ from: 'wasr', to: 'wars' }]);
  });

  it('auto: a guess by two typos leaves room for documents with the other words', () => {
    const films = titles('inception of love', 'love', 'other');
    expect(idsFound(films, { text: 'incetpoin love' })).toEqual(['0', '1']);
  });

  it('equals the rules in plain words, on any documents', () => {
    const word = fc.constantFrom('ax', 'bo', 'cu', 'dy', 'ef');
    const text = fc.array(word, { maxLength: 4 });
    const match = fc.constantFrom('all', 'any', 'auto');
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 12 }),
        fc.uniqueArray(word, { minLength: 1, maxLength: 5 }),
        match,
        fc.nat(3),
        fc.nat(4),
        (texts, query, rule, threshold, few) => {
          const documents = texts.map((words) => new Set<string>(words));
          const idf = (each: string) => {
            const n = documents.filter((words) => words.has(each)).length;
            return n === 0 ? 0 : Math.log(1 + (documents.length - n + 0.5) / (n + 0.5));
          };
          const covered = documents.map((words) =>
            query.reduce((sum, each) => sum + (words.has(each) ? idf(each) : 0), 0),
          );
          const full = documents.map((words) => query.every((each) => words.has(each)));
          const enough =
            query.length <= 3 &&
            full.filter(Boolean).length >= (threshold === 0 ? 0 : Math.max(threshold, few));
          const least = Math.max(...covered) * (query.length <= 3 ? 0.4 : 0.25);
          const isIn = (i: number) => {
            if (rule === 'any') return (covered[i] ?? 0) > 0;
            if (rule === 'all' || enough) return full[i] === true;
            return (covered[i] ?? 0) > 0 && (covered[i] ?? 0) >= least - 1e-9;
          };
          const found = idsFound(titles(...texts.map((words) => words.join(' '))), {
            text: query.join(' '),
            match: rule,
            dropTokensThreshold: threshold,
            ranking: toRanking({ few_matches: few }),
            prefix: false,
            typosMax: 0,
          });
          expect(found.toSorted()).toEqual(
            texts
              .map((_, i) => String(i))
              .filter((_, i) => isIn(i))
              .sort(),
          );
        },
      ),
    );
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
    expect(idsFound(titles('matrx', 'cap'), { text: 'natrx' })).toEqual([]);
    expect(idsFound(titles('cadbury', 'cap', 'cup'), { text: 'cup' })).toEqual(['2']);
    expect(idsFound(titles('at', 'i5'), { text: 'ad i6' })).toEqual([]);
  });

  it('a word that resembles nothing may have one from 3 letters, two from 6', () => {
    expect(idsFound(films, { text: 'natrix' })).toEqual(['0']);
    expect(idsFound(titles('cadbury', 'cap'), { text: 'cup' })).toEqual(['1']);
    expect(idsFound(films, { text: 'natrix', typosMax: 1 })).toEqual([]);
  });

  it('are never guessed to be stop words', () => {
    expect(idsFound(titles('this', 'thin'), { text: 'thiz' })).toEqual(['1']);
  });

  it('a real word does not block its neighbour, and comes before it', () => {
    expect(idsFound(films, { text: 'form' })).toEqual(['3', '4']);
    expect(films.search(searchFor({ text: 'form' })).correctedTokens).toEqual([]);
  });

  it('are not looked for in a word that many documents hold', () => {
    const index = titles(...Array.from({ length: 6 }, () => 'machine learning'), 'robot', 'robot lanning');
    const { hits, correctedTokens } = index.search(searchFor({ text: 'robot learning', limit: 20 }));
    expect(correctedTokens).toEqual([]);
    expect(hits.flatMap((hit) => hit.highlights).map(({ snippet }) => snippet)).not.toContainEqual(
      expect.stringContaining('<mark>lanning</mark>'),
    );
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

it('a word that no document holds any more leaves no trace in the scores of what it begins', () => {
  const index = titles('runner', 'other');
  index.apply({ version: 2, puts: [document('gone', { title: 'runn' })], deletes: [] });
  index.apply({ version: 3, puts: [], deletes: ['gone'] });
  const scores = (each: typeof index) =>
    each.search(searchFor({ text: 'runn' })).hits.map(({ score }) => score);
  expect(scores(index)).toEqual(scores(titles('runner', 'other')));
});

it.each([1e305, 1e-9, Number.MIN_VALUE])(
  'a field of weight %d is searched, and its scores are numbers',
  (weight) => {
    const { hits } = titles('red fox', 'red').search(
      searchFor({ text: 'red', fields: [{ name: 'title', weight }] }),
    );
    expect(hits.map(({ score }) => score > 0 && score < 10)).toEqual([true, true]);
  },
);
