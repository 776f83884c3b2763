// @vitest-environment node
import { expect, it } from 'vitest';
import { whyBelow } from './explain-order.ts';

const word = (name: string) => ({
  word: name,
  count: 1,
  documents: 1,
  weight: 1,
  saturation: 1,
  score: 1,
  matches: [],
});
const explained = (words: number, meaning: number, held: string[] = []) => ({
  score: words + meaning,
  explain: {
    parts: { keyword: words, vector: meaning },
    keyword: { score: 1, length: 1, mean_length: 1, words: held.map(word), missing: [], coverage: 1 },
  },
});

it('says what less and what more there is than above, and which word is missing', () => {
  const above = { title: 'Metropolis', ...explained(0.5, 0.4, ['robot', 'love']) };
  expect(whyBelow(above, explained(0.2, 0.45, ['robot']))).toBe(
    'Below “Metropolis” by 0.250: 0.300 less from words, 0.050 more from meaning; it does not hold “love”.',
  );
  expect(whyBelow(above, explained(0.5, 0.4, ['robot', 'love']))).toBe(
    'Below “Metropolis” only by their ids: the scores are alike.',
  );
});

it('says nothing where scores do not make the order', () => {
  const above = { title: 'Metropolis', ...explained(0.1, 0.1) };
  expect(whyBelow(above, explained(0.5, 0.4))).toBe(null);
  expect(whyBelow(above, { ...explained(0, 0), curated: true as const })).toBe(null);
  expect(whyBelow(above, { score: 0.1 })).toBe(null);
});
