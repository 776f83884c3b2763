import { expect, test } from 'vitest';
import { limits } from './limits.ts';
import { stopWordsParameter } from './stop-words-parameter.ts';

/** So many words of so many characters. */
const listOf = (count: number, characters: number) =>
  Array.from({ length: count }, () => '漢'.repeat(characters));

test('a thousand stop words of the length of words are taken', () => {
  const words = listOf(limits.stopWordsMax, limits.stopWordsCharactersMax / limits.stopWordsMax);
  expect(stopWordsParameter.parse(words)).toEqual(words);
});

test('more characters than all may have are refused, as a list and as a text', () => {
  const words = listOf(limits.stopWordsMax, 17);
  const reasons = [words, words.join(',')].map(
    (given) => stopWordsParameter.safeParse(given).error?.issues[0]?.message,
  );
  expect(reasons[0]).toBe('must be at most 16384 characters in all');
  expect(reasons[1]).toContain('16384 characters');
});
