import { describe, expect, it, test } from 'vitest';
import { document, indexOf, searchFor } from '../../testing/fixtures.ts';
import type { SearchQuery } from '../../types.ts';

const index = indexOf([
  document('word', { title: 'wolves of the forest' }, [[0, 1]]),
  document('near', { title: 'dogs' }, [[1, 0]]),
  document('third', { title: 'lanterns' }, [[0.2, 1]]),
]);

/** Of both sides alone. */
const own = { ...searchFor({}).ranking, neighboursWeight: 0 };

function scoresOf(asked: Partial<SearchQuery>): Record<string, number> {
  const vector = Float32Array.of(1, 0);
  const { hits } = index.search(
    searchFor({ mode: 'hybrid', text: 'wolves', vector, ranking: own, ...asked }),
  );
  return Object.fromEntries(hits.map(({ id, score }) => [id, Number(score.toFixed(6))]));
}

const ranking = { ...own, certainWords: 0 };

describe('a vector of the text', () => {
  it('counts as far as its model reads it, and orders what is left where that is nothing', () => {
    expect(scoresOf({ vectorTrust: 1, ranking })).toEqual(scoresOf({ vectorTrust: null }));
    expect(scoresOf({ vectorTrust: 1, ranking })['near']).toBe(0.5);
    expect(scoresOf({ vectorTrust: 0.5, ranking })['near']).toBe(0.25);
    expect(scoresOf({ vectorTrust: 0, ranking })['near']).toBe(0.01);
    expect(Object.keys(scoresOf({ vectorTrust: 0 }))).toEqual(['word', 'near', 'third']);
  });

  it('counts less where documents show that words are misspelt', () => {
    expect(scoresOf({ text: 'wolvez', vectorTrust: 1 })['near']).toBe(0.01);
    // Two words alike in weight, one of them misspelt; and one that nothing resembles.
    const asked = { text: 'wolvez lanternz forest', match: 'any' } as const;
    const half = scoresOf({ ...asked, vectorTrust: 1 })['near'] ?? 0;
    expect(half).toBeGreaterThan(0.01);
    expect(half).toBeLessThan(0.25);
    expect(scoresOf({ text: 'forest xylophone', vectorTrust: 1, match: 'any' })['near']).toBe(0.5);
    expect(scoresOf({ text: 'wolvez', vectorTrust: 1, typosMax: 0 })['near']).toBe(0.5);
  });

  it('counts less where documents hold words only as what they begin', () => {
    expect(scoresOf({ text: 'lanter', vectorTrust: 1 })['near']).toBe(0.01);
    expect(scoresOf({ text: 'lantern', vectorTrust: 1, ranking })['near']).toBe(0.5);
  });

  it('counts less where documents hold all words', () => {
    expect(scoresOf({ text: 'wolves forest', vectorTrust: 1 })['near']).toBe(0.25);
    expect(scoresOf({ text: 'wolves xylophone', vectorTrust: 1 })['near']).toBe(0.5);
  });
});

test('one that is not of the text, or is the only side, counts in full', () => {
  expect(scoresOf({ text: 'wolvez', vectorTrust: null })['near']).toBe(0.5);
  expect(scoresOf({ text: 'wolvez', vectorTrust: 0, alpha: 1 })['near']).toBe(1);
});
