// @vitest-environment node
import { expect, it } from 'vitest';
import type { HitExplanation } from '#shared/explain.ts';
import { fits, fittingCount } from './hit-fit.ts';

/** Null: the search did not ask by words, or by meaning. */
function hit(similarity: number | null, coverage: number | null): { explain: HitExplanation } {
  const side = { value: 0 };
  const fusion = { method: 'weighted', alpha: 0.5, keyword: side, vector: side } as const;
  return {
    explain: {
      parts: {},
      ...(coverage !== null && {
        keyword: { score: 1, length: 1, mean_length: 1, words: [], missing: [], coverage },
      }),
      ...(similarity !== null && { vector: { similarity, distance: 1 - similarity, neighbour: true } }),
      ...(similarity !== null && coverage !== null && { fusion }),
    },
  };
}

// As the sample sets answered.
it.each([
  ['houseplant that is hard to kill → Monstera in a Pot', hit(0.45, 0), true],
  ['comedy about golf → Happy Gilmore', hit(0.43, 0.81), true],
  ['picaso → Head of a Young Boy', hit(0.22, 1), true],
  ['wake up gently → Owl Bedside Radio', hit(0.46, 0.23), true],
  ['lawn mower → what is nearest', hit(0.37, 0), false],
  ['best mortgage rates → what holds a word', hit(0.21, 0.48), false],
  ['tax return deadline → The Return of …', hit(0.07, 0.45), false],
  ['by meaning: something near', hit(0.33, null), true],
  ['by meaning: nothing', hit(0.31, null), false],
  ['by words: half of them', hit(null, 0.5), true],
  ['by words: one of a sentence', hit(null, 0.3), false],
])('%s', (_, given, expected) => {
  expect(fits(given, { isOwnScale: true })).toBe(expected);
});

it('takes what is more likely relevant than not for fitting, whatever its scale', () => {
  expect(fits({ ...hit(0.1, 0), relevance: 0.5 }, { isOwnScale: true })).toBe(true);
  expect(fits({ ...hit(0.1, 0), relevance: 0.9 }, { isOwnScale: false })).toBe(true);
  expect(fits({ ...hit(0.1, 0), relevance: 0.49 }, { isOwnScale: true })).toBe(false);
  expect(fits({ ...hit(0.45, 0), relevance: 0.2 }, { isOwnScale: true })).toBe(true);
});

it('does not judge what it has no scale for', () => {
  expect(fits(hit(0.1, 0), { isOwnScale: false })).toBe(null);
  expect(fits({}, { isOwnScale: true })).toBe(null);
  expect(fits({ curated: true }, { isOwnScale: true })).toBe(true);
});

it('parts a list behind the last hit that fits', () => {
  const [good, bad] = [hit(0.5, 1), hit(0.1, 0)];
  expect(fittingCount([good, bad, good, bad], { isOwnScale: true })).toBe(3);
  expect(fittingCount([bad, bad], { isOwnScale: true })).toBe(0);
  expect(fittingCount([good, good], { isOwnScale: true })).toBe(null);
  expect(fittingCount([], { isOwnScale: true })).toBe(null);
});

it('does not count words that may be meant as they were typed and were read as others', () => {
  const of = (word: string, weight: number) => ({
    word,
    weight,
    count: 1,
    documents: 1,
    saturation: 1,
    score: 1,
    matches: [],
  });
  const given = hit(0.12, 1);
  const words = [of('chess', 3), of('board', 1)];
  const keyword = { score: 1, length: 1, mean_length: 1, words, missing: [], coverage: 1 };
  const read = { explain: { ...given.explain, keyword } };
  expect(fits(read, { isOwnScale: true })).toBe(true);
  expect(fits(read, { isOwnScale: true, misread: ['chess'] })).toBe(false);
  expect(fits(read, { isOwnScale: true, misread: ['board'] })).toBe(true);
});
