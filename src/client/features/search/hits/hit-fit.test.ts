// @vitest-environment node
import { expect, it } from 'vitest';
import type { HitExplanation } from '#shared/explain.ts';
import { fits, fittingCount } from './hit-fit.ts';

function hit(similarity: number | null, held: number, missing: string[] = []): { explain: HitExplanation } {
  const word = { word: 'a', count: 1, documents: 1, weight: 1, saturation: 1, score: 1, matches: [] };
  return {
    explain: {
      parts: {},
      keyword: {
        score: 1,
        length: 1,
        mean_length: 1,
        words: Array.from({ length: held }, () => word),
        missing,
      },
      ...(similarity === null ? {} : { vector: { similarity, distance: 1 - similarity, neighbour: true } }),
    },
  };
}

// As the sample sets answered.
it.each([
  ['loud neighbours → headphones', hit(0.294, 0, ['loud', 'neighbours']), true],
  ['boy raised by wolves → The Jungle Book', hit(0.365, 2, ['boy']), true],
  ['laptop → what holds the word', hit(0.28, 1), true],
  ['vegan → Ember Cast-Iron Skillet', hit(0.147, 0, ['vegan']), false],
  ['qqqxyz → Herb Window Garden', hit(0.142, 0, ['qqqxyz']), false],
  ['stay hydrated → Linen Bedding Set', hit(0.181, 1, ['hydrated']), false],
  ['kubernetes cluster → Oblivion', hit(0.19, 1, ['kubernetes']), false],
  ['a sentence of which words find one', hit(null, 1, ['lawyer', 'innocent']), false],
])('%s', (_, given, expected) => {
  expect(fits(given, true)).toBe(expected);
});

it('does not judge what it has no scale for', () => {
  expect(fits(hit(0.1, 0, ['x']), false)).toBe(null);
  expect(fits({}, true)).toBe(null);
  expect(fits({ curated: true }, true)).toBe(true);
});

it('parts a list behind the last hit that fits', () => {
  const [good, bad] = [hit(0.5, 1), hit(0.1, 0, ['x'])];
  expect(fittingCount([good, bad, good, bad], true)).toBe(3);
  expect(fittingCount([bad, bad], true)).toBe(0);
  expect(fittingCount([good, good], true)).toBe(null);
  expect(fittingCount([], true)).toBe(null);
});
