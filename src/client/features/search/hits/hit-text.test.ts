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
