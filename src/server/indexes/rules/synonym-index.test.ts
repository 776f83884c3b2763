import { describe, expect, it } from 'vitest';
import { runSteps } from '#server/engine/steps.ts';
import { limits } from '#shared/limits.ts';
import type { Synonym } from '#shared/synonyms.ts';
import { SynonymIndex } from './synonym-index.ts';

const tv: Synonym = { id: 'tv', synonyms: ['TV', 'television', 'idiot box'], root: null };
const nyc: Synonym = { id: 'nyc', synonyms: ['nyc', 'big apple'], root: 'New York' };
const widened = (synonyms: Synonym[], text: string) =>
  runSteps(SynonymIndex.of(synonyms))
    .widen(text)
    .synonyms.map(({ words, alternatives }) => [
      words.join(' '),
      alternatives.map((words) => words.join(' ')),
    ]);

describe('synonyms', () => {
  it('without a root each stand for all others', () => {
    expect(widened([tv], 'Tv stand')).toEqual([['tv', ['television', 'idiot box']]]);
    expect(widened([tv], 'the idiot box')).toEqual([['idiot box', ['tv', 'television']]]);
    expect(widened([tv], 'box idiot')).toEqual([]);
  });

  it('with a root only the root is widened', () => {
    expect(widened([nyc], 'new york hotel')).toEqual([['new york', ['nyc', 'big apple']]]);
    expect(widened([nyc], 'nyc hotel')).toEqual([]);
    const withRoot = { ...nyc, synonyms: ['new york', 'nyc'] };
    expect(widened([withRoot], 'new york')).toEqual([['new york', ['nyc']]]);
  });

  it('are compared as words of texts are: whatever their inflection', () => {
    expect(widened([{ id: 'a', synonyms: ['sneakers', 'trainer'], root: null }], 'red sneaker')).toEqual([
      ['sneaker', ['trainer']],
    ]);
  });

  it('of several words are the words of texts, without what is joined of them', () => {
    const dev: Synonym = { id: 'dev', synonyms: ['programmer', 'C++ developer', 'c++'], root: null };
    expect(widened([dev], 'programmer')).toEqual([['programmer', ['c developer', 'c++']]]);
  });

  it('act several at once, of one word too', () => {
    const cheap: Synonym = { id: 'cheap', synonyms: ['cheap', 'budget'], root: null };
    const other: Synonym = { id: 'other', synonyms: ['tv', 'telly'], root: null };
    expect(widened([cheap, tv, other], 'cheap tv cheap')).toEqual([
      ['cheap', ['budget']],
      ['tv', ['television', 'idiot box']],
      ['tv', ['telly']],
    ]);
    const { acting } = runSteps(SynonymIndex.of([cheap, tv])).widen('tv');
    expect(acting).toEqual([{ id: 'tv', word: 'TV', alternatives: ['television', 'idiot box'] }]);
  });

  it('widen one search by so many alternatives and no more', () => {
    const many = Array.from(
      { length: 10 },
      (_, i): Synonym => ({
        id: String(i),
        synonyms: ['tv', ...Array.from({ length: 49 }, (_, j) => `word${i}x${j}`)],
        root: null,
      }),
    );
    const count = runSteps(SynonymIndex.of(many))
      .widen('tv')
      .synonyms.reduce((sum, { alternatives }) => sum + alternatives.length, 0);
    expect(count).toBe(limits.synonymAlternativesMax);
  });

  it('without words are none', () => {
    expect(widened([{ id: 'a', synonyms: ['!', 'tv'], root: null }], 'tv !')).toEqual([]);
  });
});
