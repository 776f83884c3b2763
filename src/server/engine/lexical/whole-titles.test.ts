import { describe, expect, it, vi } from 'vitest';
import { toRanking } from '#server/indexes/search/to-ranking.ts';
import { document, idsFound, indexOf, searchFor, titles } from '../testing/fixtures.ts';
import type { SearchQuery } from '../types.ts';
import { FieldLengths } from './field-lengths.ts';

/** One document is called so; the others hold the words more often. */
function called(title: string, words: string) {
  const others = Array.from({ length: 20 }, (_, i) =>
    document(`other${i}`, { title: `${words} again`, text: `${words} ${words} ${words}` }),
  );
  const filler = Array.from({ length: 60 }, (_, i) => document(`filler${i}`, { title: 'Something else' }));
  return indexOf([
    ...others,
    document('own', { title, text: 'a long story of other things than that '.repeat(9) }),
    ...filler,
  ]);
}

const first = (index: ReturnType<typeof called>, query: Partial<SearchQuery>) => idsFound(index, query)[0];
const ranking = toRanking({ whole_title_weight: 0 });

describe('a document that is called what was asked for', () => {
  it.each([
    ['Heat', 'heat'],
    ['The Heat of the Night', 'heat night'],
    ['Heat, Night', 'night heat'],
    ['The Elephant Man', 'elephont man'],
    ['The Elephant Man', 'man eleph'],
    ['Love Love', 'love love'],
    // The word that is being typed is one, too.
    ['The Mysterious Island', 'mysterious isl'],
    ['John and Mary', 'john mar'],
  ])('“%s” comes first for “%s”', (title, text) => {
    const index = called(title, text.replace('elephont', 'elephant'));
    expect(first(index, { text })).toBe('own');
    expect(first(index, { text, ranking })).toMatch(/^other/);
  });

  it.each([
    ['Heat Wave', 'heat'],
    ['Heat', 'heat heat'],
    ['Love', 'love night'],
    ['Dreamer', 'dream'],
    ['Lone Dreamer', 'dream'],
  ])('“%s” is not called “%s”', (title, text) => {
    const index = called(title, text);
    expect(first(index, { text, match: 'any' })).toMatch(/^other/);
  });

  it('may have another word than one that others hold, where nobody holds all', () => {
    const many = (name: string, title: string) =>
      Array.from({ length: 20 }, (_, i) => document(`${name}${i}`, { title, text: `${title} `.repeat(9) }));
    const index = indexOf([
      ...many('girl', 'old girl again'),
      document('pairs', { title: 'pairs of shoes' }),
      ...many('filler', 'something else'),
      document('own', { title: 'The Old Girl of Paris', text: 'a long story of other things '.repeat(9) }),
    ]);
    expect(first(index, { text: 'old girl pairs' })).toBe('own');
    expect(first(index, { text: 'old girl pairs', ranking })).not.toBe('own');
  });

  it('may end with any of the few words that one begins which others hold, and of many with none', () => {
    const begun = (count: number) =>
      indexOf([
        ...Array.from({ length: 20 }, (_, i) =>
          document(`arm${i}`, { title: 'war arm again', text: 'war arm' }),
        ),
        ...Array.from({ length: count }, (_, i) => document(`f${i}`, { text: `arm${i.toString(36)}x` })),
        document('own', { title: 'War army', text: 'a long story of other things '.repeat(9) }),
      ]);
    expect(first(begun(100), { text: 'war arm' })).toBe('own');
    expect(first(begun(200), { text: 'war arm' })).toMatch(/^arm/);
  });

  it('is one that is searched by its title', () => {
    const index = called('Heat', 'heat');
    expect(first(index, { text: 'heat', fields: [{ name: 'title', weight: 1 }] })).toBe('own');
    const byText = idsFound(index, { text: 'heat', fields: [{ name: 'text', weight: 1 }] });
    expect(byText).not.toContain('own');
  });

  it('is not what begins as it does, where a beginning counts for nothing', () => {
    const index = indexOf([document('own', { title: 'Houses' }, [[1, 0]])]);
    const asked = { text: 'hou', mode: 'hybrid' as const, vector: Float32Array.of(1, 0) };
    const textMatchWith = (weight: number) =>
      index.search(searchFor({ ...asked, ranking: toRanking({ prefix_weight: weight }) })).hits[0]?.textMatch;
    expect(textMatchWith(0.5)).toBeGreaterThan(0);
    expect(textMatchWith(0)).toBe(null);
  });

  it('earns as much as the words weigh, which the explanation tells', () => {
    const index = titles('Heat', 'Heat wave');
    const { hits } = index.search(searchFor({ text: 'heat', isExplained: true }));
    const [own, other] = hits.map(({ explanation }) => explanation?.words);
    expect(own?.wholeTitle).toBeCloseTo(own?.words[0]?.weight ?? 0, 12);
    expect(own?.score).toBeCloseTo((own?.wholeTitle ?? 0) + (own?.words[0]?.score ?? 0), 12);
    expect(other?.wholeTitle).toBe(0);
  });

  it('is looked for among those that hold the rarest word in a title alone', () => {
    const index = indexOf([
      ...Array.from({ length: 500 }, (_, i) => document(`${i}`, { title: 'common', text: 'rare' })),
      ...Array.from({ length: 9 }, (_, i) => document(`more${i}`, { title: 'common' })),
      document('own', { title: 'rare common' }),
    ]);
    const look = vi.spyOn(FieldLengths.prototype, 'inField');
    expect(first(index, { text: 'rare common' })).toBe('own');
    expect(look).toHaveBeenCalledTimes(1);
    look.mockRestore();
  });
});
