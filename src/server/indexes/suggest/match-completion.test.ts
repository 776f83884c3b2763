import { expect, test } from 'vitest';
import { queryWords, tokenize } from '#server/engine/search-index.ts';
import { highlighted, TypedText } from './match-completion.ts';

/** What a text shows where it completes what is typed; null: it does not. */
function shown(typed: string, text: string, withTypos = true): string | null {
  const match = new TypedText(queryWords(typed)).match({ text, words: tokenize(text) }, { withTypos });
  return match && highlighted(text, match.typed);
}

test.each([
  ['st', 'star wars', 'st<mark>ar wars</mark>'],
  ['star w', 'Star Wars', 'Star W<mark>ars</mark>'],
  ['wa', 'Star Wars', '<mark>Star</mark> Wa<mark>rs</mark>'],
  ['s wars', 'star trek wars', 's<mark>tar trek</mark> wars'],
  ['star wars', 'star wars', 'star wars'],
  ['cafe', 'Café Müller', 'Café <mark>Müller</mark>'],
  ['caf', 'Cafe\u0301 Müller', 'Caf<mark>e\u0301 Müller</mark>'],
  ['cafe', 'Cafe\u0301 Müller', 'Cafe\u0301 <mark>Müller</mark>'],
  ['stras', 'Straße', 'Straß<mark>e</mark>'],
  ['𝒳', '𝒳𝒴', '𝒳<mark>𝒴</mark>'],
  ['東京都', '東京都庁', '東京都<mark>庁</mark>'],
  ['東', '東京都', '東<mark>京都</mark>'],
  ['iphn', 'iphone case', '<mark>iphone case</mark>'],
  ['shoos red', 'shoes red', '<mark>shoes</mark> red'],
  ['a', 'A & B <i>', 'A <mark>&amp; B &lt;i&gt;</mark>'],
])('%j completes to %j', (typed, text, expected) => {
  expect(shown(typed, text)).toBe(expected);
});

test.each([
  ['wars star', 'Star Wars'],
  ['star star', 'star wars'],
  ['xyz', 'star wars'],
  ['st4r', 'star wars'],
  ['xtalker', 'stalker'],
])('%j does not complete to %j', (typed, text) => {
  expect(shown(typed, text)).toBeNull();
});

test('typos are forgiven only where they are asked for', () => {
  expect(shown('iphn', 'iphone', false)).toBeNull();
  expect(shown('iph', 'iphone', false)).toBe('iph<mark>one</mark>');
});
