import { describe, expect, it } from 'vitest';
import { idsFound, searchFor, titles } from '../testing/fixtures.ts';

/** How the words of a query are read: the numbers that the README names, from both sides. */

const times = (count: number, title: string): string[] => Array.from({ length: count }, () => title);

describe('typo neighbours', () => {
  it('are at most a hundred, the nearest first, then those that more documents hold', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
    const word = 'brqstvxx';
    const oneAway = [1, 2, 3, 4, 5].flatMap((place) =>
      letters
        .filter((letter) => letter !== word[place])
        .map((letter) => word.slice(0, place) + letter + word.slice(place + 1)),
    );
    const twoAway = letters.slice(0, 18).map((letter) => `brq${letter}${letter}vxx`);
    const common = oneAway.slice(-30);
    const index = titles(...oneAway, ...twoAway, ...common);
    const found = index.search(searchFor({ text: word, match: 'any', prefix: false, limit: 250 }));
    // A hundred words, of which thirty are in two documents.
    expect(found.found).toBe(130);
    const texts = found.hits.map(({ source }) => new TextDecoder().decode(source));
    for (const each of common) expect(texts.filter((text) => text.includes(`"${each}"`))).toHaveLength(2);
    for (const each of twoAway) expect(texts.join()).not.toContain(`"${each}"`);
  });

  it('are looked for in all but common words while nothing is found: held by one document in a hundred', () => {
    const found = (holders: number) => {
      const index = titles('falcom meadow', ...times(holders, 'falcon'), ...times(999 - holders, 'filler'));
      return idsFound(index, { text: 'falcon meadow', match: 'all', prefix: false });
    };
    expect(found(9)).toEqual(['0']);
    expect(found(10)).toEqual([]);
  });

  it('are looked for in rare words while few documents are found: fewer than five', () => {
    const found = (holders: number) =>
      idsFound(titles('from', ...times(holders, 'form')), { text: 'form', prefix: false }).includes('0');
    expect([found(4), found(5)]).toEqual([true, false]);
  });
});

describe('typos of a long query', () => {
  it('are looked for in the first twelve words that nobody holds', () => {
    const letters = 'abcdefghijklmnop'.split('');
    const words = letters.map((letter) => `${letter}${letter}${letter}${letter}xy`);
    const index = titles(...words);
    const mistyped = (count: number) => words.slice(0, count).map((word) => word.replace('xy', 'xz'));
    const corrected = (count: number) =>
      index.search(searchFor({ text: mistyped(count).join(' '), match: 'any', prefix: false }))
        .correctedTokens;
    expect(corrected(12)).toHaveLength(12);
    expect(corrected(16).map(({ to }) => to)).toEqual(words.slice(0, 12));
  });
});

describe('what covers enough', () => {
  it('a neighbour of a word that others hold covers a quarter of its weight', () => {
    // The best document covers quartz and falcon, two weights w; meadow weighs .61 w in 10 documents, .54 w in 13.
    const found = (meadows: number) => {
      const documents = ['falcom meadow', 'quartz falcon', 'quartz falcon', ...times(meadows - 1, 'meadow')];
      const index = titles(...documents, ...times(100 - documents.length, 'filler'));
      const { matchRule, hits } = index.search(searchFor({ text: 'quartz falcon meadow', prefix: false }));
      return [matchRule, hits.map((hit) => hit.id).sort()];
    };
    expect(found(10)).toEqual(['most', ['0', '1', '2']]);
    expect(found(13)).toEqual(['most', ['1', '2']]);
  });
});

describe('two typos in a word that nobody holds', () => {
  const index = (surely: number) => titles('eleprant', ...times(surely, 'elephant'));

  it('match where all words are wanted in any variant, however many documents have one typo', () => {
    for (const surely of [4, 5, 50])
      expect(idsFound(index(surely), { text: 'elephont', match: 'all', prefix: false })).toContain('0');
  });

  it('match by themselves only while fewer than thirty documents have one typo', () => {
    const found = (surely: number) =>
      idsFound(index(surely), { text: 'elephont', prefix: false }).includes('0');
    expect([found(29), found(30)]).toEqual([true, false]);
  });
});

describe('short queries', () => {
  it('want all words once thirty documents have them; else those match too that cover .4 of what the best covers', () => {
    const found = (both: number) => {
      const index = titles(
        ...times(both, 'red quartz'),
        'quartz',
        ...times(60, 'red'),
        ...times(200, 'filler'),
      );
      const { matchRule, found: count } = index.search(searchFor({ text: 'red quartz', prefix: false }));
      return [matchRule, count];
    };
    expect(found(30)).toEqual(['all', 30]);
    // Red alone covers less than .4 of both.
    expect(found(29)).toEqual(['most', 30]);
    expect(found(1)).toEqual(['most', 2]);
  });

  it('want all words where none may be left out', () => {
    const index = titles('red quartz', 'quartz', ...times(60, 'red'));
    const search = searchFor({ text: 'red quartz', dropTokensThreshold: 0 });
    expect(index.search(search)).toMatchObject({ matchRule: 'all', found: 1 });
  });
});

describe('the last word that was typed', () => {
  const films = titles(
    'Batman Begins',
    'Batman Forever',
    'Batman and Robin',
    'Carpet of roses',
    'Car of them',
  );
  const first = (text: string) => idsFound(films, { text })[0];

  it('is unfinished, also where it is a stop word so far', () => {
    for (const text of ['batman b', 'batman be', 'batman beg']) expect(first(text)).toBe('0');
    expect(first('batman for')).toBe('1');
  });

  it('leaves the word before it whole', () => {
    expect(idsFound(films, { text: 'car of the' })).toEqual(['4']);
  });

  it('need not be there as a stop word, and stands for no other stop word', () => {
    expect(idsFound(films, { text: 'batman the' }).length).toBe(3);
    expect(idsFound(titles('there', 'theory', 'rain'), { text: 'rain the' })).toEqual(['2']);
    expect(films.search(searchFor({ text: 'batman the' })).droppedTokens).toEqual([]);
  });
});

describe('words that tell little', () => {
  const corpus = titles(
    'what have you about robots learning to dance in factories',
    'robots learning dance factories',
    ...times(20, 'what have you about'),
    ...times(20, 'filler'),
  );

  it('count a fifth in a query that has more than three others, and need not be there', () => {
    const text = 'what have you about robots learning dance factories';
    const { hits, droppedTokens } = corpus.search(searchFor({ text, isExplained: true, prefix: false }));
    expect(hits.map(({ id }) => id).sort()).toEqual(['0', '1']);
    expect(droppedTokens).toEqual([]);
    const words = hits.find(({ id }) => id === '0')?.explanation?.words?.words ?? [];
    const weight = (word: string) => words.find((each) => each.word === word)?.weight ?? 0;
    expect(weight('what')).toBeCloseTo(0.2 * Math.log(1 + 21.5 / 21.5), 9);
    expect(weight('robots')).toBeCloseTo(Math.log(1 + 40.5 / 2.5), 9);
    expect(idsFound(corpus, { text, match: 'all', prefix: false })).toEqual(['0']);
  });

  it('are words like others in a short query, and where the stop words are the collection’s own', () => {
    expect(idsFound(corpus, { text: 'what have you', prefix: false })).toHaveLength(21);
    const text = 'what robots learning dance factories';
    const own = corpus.search(searchFor({ text, stopWords: ['to'], isExplained: true, prefix: false }));
    const whole = own.hits.find(({ id }) => id === '0')?.explanation?.words;
    const what = whole?.words.find(({ word }) => word === 'what');
    expect(what?.weight).toBeCloseTo(Math.log(1 + 21.5 / 21.5), 9);
  });
});
