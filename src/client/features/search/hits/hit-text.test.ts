// @vitest-environment node
import { expect, it } from 'vitest';
import { hitText } from './hit-text.ts';

const plain = (text: string) => ({ text, isSnippet: false });

it('shows what matched as marked, all else as it stands', () => {
  const document = {
    id: '1',
    title: 'R&D <mark>not ours</mark>',
    text: 'Forty characters and more, so that this is the text to read & not a label',
    tags: ['a', 'b<c'],
    year: 1927,
  };
  const snippet = '<mark>Forty</mark> characters &amp; more';
  expect(
    hitText({ id: '1', document, highlights: [{ field: 'text', snippet, matched_tokens: ['forty'] }] }),
  ).toEqual({
    title: plain('R&D <mark>not ours</mark>'),
    text: { text: snippet, isSnippet: true },
    fields: [
      { name: 'tags', label: 'Tags', value: plain('a, b<c') },
      { name: 'year', label: 'Year', value: plain('1927') },
    ],
  });
});

it('is titled by its id where nothing else would do', () => {
  expect(hitText({ id: 'a&b', document: { id: 'a&b', n: 1 }, highlights: [] })).toMatchObject({
    title: plain('a&b'),
    text: null,
  });
});

it('cuts a long text between words', () => {
  const text = 'word '.repeat(100);
  const shown = hitText({ id: '1', document: { id: '1', text }, highlights: [] }).text?.text ?? '';
  expect(shown.length).toBeLessThanOrEqual(281);
  expect(shown.endsWith('word…')).toBe(true);
});

it('begins where meaning has found it, unless its words are marked', () => {
  const found = 'It is said here, far behind the beginning of the text.';
  const text = `${'word '.repeat(500)}${found} And so on.`;
  const document = { id: '1', about: { text }, summary: 'word '.repeat(9) };
  const passage = { field: 'about.text', start: 2_500, end: 2_500 + found.length };
  expect(hitText({ id: '1', document, highlights: [], passage }).text).toEqual(plain(found));
  const gone = { ...passage, field: 'about.other' };
  expect(hitText({ id: '1', document, highlights: [], passage: gone }).text).toEqual(plain(document.summary));
  const label = { ...passage, end: passage.start + 10 };
  expect(hitText({ id: '1', document, highlights: [], passage: label }).text).toEqual(
    plain(document.summary),
  );
  const snippet = '<mark>word</mark> word';
  const highlights = [{ field: 'summary', snippet, matched_tokens: ['word'] }];
  expect(hitText({ id: '1', document, highlights, passage }).text).toEqual({
    text: snippet,
    isSnippet: true,
  });
});
