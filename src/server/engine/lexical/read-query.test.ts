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

  it('match by themselves only while fewer than five documents have one typo', () => {
    const found = (surely: number) =>
      idsFound(index(surely), { text: 'elephont', prefix: false }).includes('0');
    expect([found(4), found(5)]).toEqual([true, false]);
  });
});
